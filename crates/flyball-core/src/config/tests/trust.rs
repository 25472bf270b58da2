//! What a text may set that nobody has accepted.

use super::*;

fn not_in_force(compiled: &Compiled) -> Vec<String> {
    compiled.not_in_force.iter().map(|it| format!("{} {}", it.key, it.place)).collect()
}

fn compiled(layers: &[LayerText<'_>]) -> Compiled {
    compile(layers, REGISTRY).unwrap()
}

#[test]
fn a_mode_can_only_be_raised() {
    let text = "[guard.self]\nmode = 'off'\n[guard.packages]\nmode = 'enforce'\n";
    let compiled = compiled(&[proposed(text)]);
    assert_eq!(compiled.config.sections["guard.self"].mode, Mode::Enforce);
    assert_eq!(compiled.config.sections["guard.packages"].mode, Mode::Enforce);
    assert_eq!(not_in_force(&compiled), ["guard.self.mode flyball.toml:2:1"]);
    assert!(compiled.warnings.is_empty());
}

#[test]
fn what_the_user_enforces_cannot_be_lowered_to_the_default() {
    let user = user("[guard.packages]\nmode = 'enforce'\n");
    let compiled = compiled(&[user, proposed("[guard.packages]\nmode = 'observe'\n")]);
    assert_eq!(compiled.config.sections["guard.packages"].mode, Mode::Enforce);
    assert_eq!(not_in_force(&compiled), ["guard.packages.mode flyball.toml:2:1"]);
}

#[test]
fn a_list_that_tightens_gets_longer_and_never_shorter() {
    let user = user("[guard.packages]\nallow = ['a', 'b']\n");
    let compiled = compiled(&[user, proposed("[guard.packages]\nallow = ['b', 'c']\n")]);
    let (_, settings) = section::<Packages>(&compiled, "guard.packages");
    assert_eq!(settings.allow, ["a", "b", "c"]);
    assert_eq!(
        not_in_force(&compiled),
        ["guard.packages.allow flyball.toml:2:1"],
        "`a` would have been dropped"
    );
}

#[test]
fn of_words_only_a_later_one_counts() {
    for (before, after, expected) in [
        ("python = 'pip'", "python = 'uv'", Some(Tool::Uv)),
        ("python = 'uv'", "python = 'pip'", Some(Tool::Uv)),
        ("", "python = 'uv'", Some(Tool::Uv)),
        ("", "python = 'pip'", None),
    ] {
        let (before, after) =
            (format!("[guard.packages]\n{before}\n"), format!("[guard.packages]\n{after}\n"));
        let compiled = compiled(&[user(&before), proposed(&after)]);
        let (_, settings) = section::<Packages>(&compiled, "guard.packages");
        assert_eq!(settings.python, expected, "{before}{after}");
    }
}

#[test]
fn what_no_table_names_is_not_in_force() {
    let text = "[guard.self.tries]\nmax = 200\n[rules]\npatience = 9\n[engine]\nwrappers = ['rm']\n[store]\npayloads = 'full'\n";
    let compiled = compiled(&[proposed(text)]);
    assert_eq!(compiled.config, Config::defaults(REGISTRY));
    let keys: Vec<&str> = compiled.not_in_force.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(keys, ["engine.wrappers", "guard.self.tries.max", "rules.patience", "store.payloads"]);
}

#[test]
fn a_value_that_is_in_force_anyway_is_not_reported() {
    let text = "[guard.self]\nmode = 'enforce'\n[guard.self.tries]\ntell = true\n";
    assert_eq!(not_in_force(&compiled(&[proposed(text)])), Vec::<String>::new());
}

#[test]
fn a_rule_may_be_added_but_none_that_allows() {
    let accepted = "[[rule]]\nwhen = 'x'\nthen = 'deny'\n";
    let present =
        format!("{accepted}[[rule]]\nwhen = 'y'\nthen = 'deny'\n[[rule]]\nwhen = 'z'\nthen = 'allow'\n");
    let compiled = compiled(&[project(accepted), proposed(&present)]);
    let (_, rules) = section::<Rules>(&compiled, "rules");
    let words: Vec<&str> = rules.rules.iter().map(|rule| rule.words[0].as_str()).collect();
    assert_eq!(words, ["x", "y"]);
    assert_eq!(not_in_force(&compiled), ["[[rule]] flyball.toml:7:1"]);
}

#[test]
fn what_was_accepted_stays_in_force_under_a_present_text_that_says_less() {
    let accepted = project("[guard.packages]\nmode = 'enforce'\npython = 'uv'\n");
    let compiled = compiled(&[accepted, proposed("# nothing\n")]);
    let (mode, settings) = section::<Packages>(&compiled, "guard.packages");
    assert_eq!((mode, settings.python), (Mode::Enforce, Some(Tool::Uv)));
}

#[test]
fn the_folders_that_are_trusted_are_read_from_texts() {
    assert_eq!(
        trusted_folders(&[user("[trust]\nprojects = ['/a', '~/b']\n"), managed("broken [")]),
        ["/a", "~/b"]
    );
}
