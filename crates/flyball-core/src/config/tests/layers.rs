//! How the layers are laid over each other, and what a lock holds.

use proptest::prelude::*;

use super::*;

fn compiled(layers: &[LayerText<'_>]) -> Compiled {
    compile(layers, REGISTRY).unwrap_or_else(|errors| panic!("{:#?}", one_lines(&errors)))
}

#[test]
fn an_empty_file_works() {
    assert_eq!(
        compiled(&[]),
        Compiled { config: Config::defaults(REGISTRY), warnings: vec![], not_in_force: vec![] }
    );
    assert_eq!(compiled(&[project("")]), compiled(&[]));
    let (mode, settings) = section::<Guard>(&compiled(&[]), "guard.self");
    assert_eq!((mode, settings), (Mode::Enforce, Guard::default()));
}

#[test]
fn the_more_specific_layer_wins_key_by_key() {
    let compiled = compiled(&[
        project("[guard.self.tries]\ntell = false\n"),
        managed("[guard.self]\nfiles = ['a', 'b']\nmode = 'off'\n[guard.self.tries]\nmax = 1\ntell = true\n"),
        user("[guard.self]\nfiles = ['c']\nmode = 'observe'\n[engine]\ndeadline_ms = 7\n"),
    ]);
    let guard = Guard { files: vec!["c".to_owned()], tries: Tries { max: 1, tell: false } };
    assert_eq!(section::<Guard>(&compiled, "guard.self"), (Mode::Observe, guard));
    assert_eq!(compiled.config.engine, EngineSettings { deadline_ms: 7, ..EngineSettings::default() });
    assert!(!compiled.config.sections.contains_key("engine"));
    assert_eq!(compiled.warnings, []);
}

#[test]
fn rules_of_all_layers_are_put_together_the_strongest_first() {
    let compiled = compiled(&[
        project("[[rule]]\nwhen = 'p q'\nthen = 'allow'\n"),
        managed("\n[[rule]]\nwhen = 'm'\nthen = 'deny'\n"),
        user("[rules]\npatience = 2\nmode = 'observe'\n"),
    ]);
    let rule = |words: &[&str], then, from: &str| Rule {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        then,
        from: from.to_owned(),
    };
    let rules = vec![
        rule(&["m"], Action::Deny, "/etc/flyball/managed.toml:3:8"),
        rule(&["p", "q"], Action::Allow, "flyball.toml:2:8"),
    ];
    assert_eq!(section::<Rules>(&compiled, "rules"), (Mode::Observe, Rules { rules, patience: 2 }));
}

struct Locked {
    name: &'static str,
    lock: &'static str,
    project: &'static str,
    /// What is in force: mode, most tries, files.
    effect: (Mode, u32, &'static [&'static str]),
    warnings: &'static [&'static str],
}

const LOCKED: &[Locked] = &[
    Locked {
        name: "a locked mode is not lowered",
        lock: "guard.self.mode",
        project: "[guard.self]\nmode = 'off'\n",
        effect: (Mode::Observe, 3, &["flyball.toml"]),
        warnings: &[
            "flyball.toml:2:1: `guard.self.mode = \"off\"` is ignored: locked by /etc/flyball/managed.toml:1:9",
        ],
    },
    Locked {
        name: "a locked mode can be raised",
        lock: "guard.self.mode",
        project: "[guard.self]\nmode = 'enforce'\n",
        effect: (Mode::Enforce, 3, &["flyball.toml"]),
        warnings: &[],
    },
    Locked {
        name: "what the lock does not name is free",
        lock: "guard.self.mode",
        project: "[guard.self]\nfiles = []\ntries.max = 9\n",
        effect: (Mode::Observe, 9, &[]),
        warnings: &[],
    },
    Locked {
        name: "a locked section holds all its keys, those with a default too",
        lock: "guard.self",
        project: "[guard.self]\nmode = 'observe'\nfiles = []\ntries = { max = 9, tell = true }\n",
        effect: (Mode::Observe, 3, &["flyball.toml"]),
        warnings: &[
            "flyball.toml:3:1: `guard.self.files = []` is ignored: locked by /etc/flyball/managed.toml:1:9",
            "flyball.toml:4:11: `guard.self.tries.max = 9` is ignored: locked by /etc/flyball/managed.toml:1:9",
        ],
    },
    Locked {
        name: "a lock on a name above holds the sections below",
        lock: "guard",
        project: "[guard.self.tries]\nmax = 9\n",
        effect: (Mode::Observe, 3, &["flyball.toml"]),
        warnings: &[
            "flyball.toml:2:1: `guard.self.tries.max = 9` is ignored: locked by /etc/flyball/managed.toml:1:9",
        ],
    },
    Locked {
        name: "a lock on a key in a table inside of the section",
        lock: "guard.self.tries.max",
        project: "[guard.self]\ntries.max = 9\n",
        effect: (Mode::Observe, 3, &["flyball.toml"]),
        warnings: &[
            "flyball.toml:2:7: `guard.self.tries.max = 9` is ignored: locked by /etc/flyball/managed.toml:1:9",
        ],
    },
    Locked {
        name: "keys beside a locked one in a new table are free",
        lock: "guard.self.tries.tell",
        project: "[guard.self]\ntries = { max = 9, tell = false }\n",
        effect: (Mode::Observe, 9, &["flyball.toml"]),
        warnings: &[
            "flyball.toml:2:20: `guard.self.tries.tell = false` is ignored: locked by /etc/flyball/managed.toml:1:9",
        ],
    },
    Locked {
        name: "the same value is no change",
        lock: "guard.self",
        project: "[guard.self]\ntries.max = 3\nfiles = ['flyball.toml']\n",
        effect: (Mode::Observe, 3, &["flyball.toml"]),
        warnings: &[],
    },
];

#[test]
fn a_lock_lets_weaker_layers_only_tighten() {
    for Locked { name, lock, project: text, effect, warnings } in LOCKED {
        let strong = format!("lock = ['{lock}']\n[guard.self]\nmode = 'observe'\n");
        let compiled = compiled(&[managed(&strong), project(text)]);
        let (mode, settings) = section::<Guard>(&compiled, "guard.self");
        let files: Vec<&str> = settings.files.iter().map(String::as_str).collect();
        assert_eq!((mode, settings.tries.max, files.as_slice()), *effect, "{name}");
        assert_eq!(one_lines(&compiled.warnings), *warnings, "{name}");
    }
}

#[test]
fn a_lock_does_not_bind_its_own_layer_or_a_stronger_one() {
    let layers = [
        managed("[guard.self]\nmode = 'off'\n"),
        user("lock = ['guard.self']\n[guard.self]\nmode = 'observe'\n"),
        project("[guard.self]\nmode = 'off'\n"),
    ];
    let compiled = compiled(&layers);
    assert_eq!(compiled.config.sections["guard.self"].mode, Mode::Observe);
    let warning = "flyball.toml:2:1: `guard.self.mode = \"off\"` is ignored: locked by ~/config.toml:1:9";
    assert_eq!(one_lines(&compiled.warnings), [warning]);
}

#[test]
fn below_a_lock_rules_are_added_but_none_that_lets_pass() {
    for lock in ["rule", "rules"] {
        let strong = format!("lock = ['{lock}']\n[[rule]]\nwhen = 'm'\nthen = 'allow'\n");
        let weak = "[[rule]]\nwhen = 'a'\nthen = 'allow'\n[[rule]]\nwhen = 'd'\nthen = 'deny'\n";
        let compiled = compiled(&[managed(&strong), project(weak)]);
        let (_, Rules { rules, .. }) = section(&compiled, "rules");
        let words: Vec<&str> = rules.iter().map(|rule| rule.words[0].as_str()).collect();
        assert_eq!(words, ["m", "d"]);
        let warning = "flyball.toml:1:1: `[[rule]]` is ignored: locked by /etc/flyball/managed.toml:1:9";
        assert_eq!(one_lines(&compiled.warnings), [warning]);
    }
}

#[test]
fn a_warning_shows_both_places() {
    let layers = [managed("lock = ['guard']\n"), project("[guard.self]\nmode = 'off'\n")];
    let shown: Vec<String> =
        compiled(&layers).warnings.iter().map(|it| it.render(RenderStyle::Plain)).collect();
    let expected = r#"warning: `guard.self.mode = "off"` is ignored: locked by /etc/flyball/managed.toml:1:9
  ╭▸ flyball.toml:2:1
  │
1 │ [guard.self]
2 │ mode = 'off'
  │ ━━━━
  ╰╴
  ╭▸ /etc/flyball/managed.toml:1:9
  │
1 │ lock = ['guard']
  ╰╴        ─────── the lock"#;
    assert_eq!(shown, [expected]);
}

#[test]
fn colours_change_nothing_but_the_colour() {
    let layers = [managed("lock = ['guard']\n"), project("[guard.self]\nmode = 'off'\n")];
    let warning = &compiled(&layers).warnings[0];
    let coloured = warning.render(RenderStyle::Coloured);
    let codes = regex_lite::Regex::new("\u{1b}\\[[0-9;]*m").unwrap();
    assert_eq!(codes.replace_all(&coloured, ""), warning.render(RenderStyle::Plain));
    assert!(coloured.starts_with("\u{1b}[1m\u{1b}[33mwarning"));
}

#[test]
fn a_lock_on_nothing_is_an_error() {
    let cases = [
        ("guard.slef", "unknown section or key `guard.slef`; did you mean `guard.self`?"),
        ("guard.self.mod", "unknown section or key `guard.self.mod`; did you mean `mode`?"),
        (
            "rules.rule",
            "unknown section or key `rules.rule`; the keys of this section are `mode`, `patience`",
        ),
    ];
    for (lock, message) in cases {
        let errors = compile(&[user(&format!("lock = [\"{lock}\"]\n"))], REGISTRY).unwrap_err();
        assert_eq!(one_lines(&errors), [format!("~/config.toml:1:9: {message}")]);
    }
}

#[test]
fn a_mistake_is_reported_in_its_file_although_another_overrides_it() {
    let layers = [
        managed("[guard.self]\nmode = 'of'\n"),
        user("[guard.self]\ntries.max = 'x'\n"),
        project("[guard.self]\nmode = 'off'\ntries.max = 1\n"),
    ];
    let errors = compile(&layers, REGISTRY).unwrap_err();
    let expected = [
        "/etc/flyball/managed.toml:2:8: unknown mode `of`; did you mean `off`?",
        "~/config.toml:2:13: expected a whole number from 0 to 4294967295, found the string `\"x\"`",
    ];
    assert_eq!(one_lines(&errors), expected);
    assert_eq!(broken_layers(&errors), [Layer::Managed, Layer::User]);
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Off), Just(Mode::Observe), Just(Mode::Enforce)]
}

/// Some lines that a file may hold, in any order, whether they are right or not.
fn any_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        mode().prop_map(|mode| format!("guard.self.mode = '{}'", mode.name())),
        mode().prop_map(|mode| format!("guard.packages.mode = '{}'", mode.name())),
        (0u32..9).prop_map(|max| format!("guard.self.tries.max = {max}")),
        Just("guard.self.files = []".to_owned()),
        Just("guard.self.tries = {}".to_owned()),
        Just("guard = { self = { mode = 'off' } }".to_owned()),
        Just("lock = []".to_owned()),
        Just("rules.mode = 'off'".to_owned()),
        Just("rule = [{ when = 'x', then = 'allow' }]".to_owned()),
        Just("\"guard\".\"self\".'mode' = \"off\"".to_owned()),
    ];
    proptest::collection::vec(line, 0..5).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #[test]
    fn nothing_a_weaker_layer_says_lowers_a_locked_mode(locked in mode(), user_text in any_text(), text in any_text()) {
        let strong = format!("lock = ['guard.self', 'rule']\nguard.self.mode = '{}'\n", locked.name());
        if let Ok(compiled) = compile(&[managed(&strong), user(&user_text), project(&text)], REGISTRY) {
            let (mode, settings) = section::<Guard>(&compiled, "guard.self");
            prop_assert!(mode >= locked);
            prop_assert_eq!(settings, Guard::default());
            let (_, rules) = section::<Rules>(&compiled, "rules");
            prop_assert_eq!(rules, Rules::default());
        }
    }

    #[test]
    fn without_a_lock_the_last_word_is_the_projects(strong in mode(), weak in mode()) {
        let text = |mode: Mode| format!("guard.self.mode = '{}'\n", mode.name());
        let (strong, own) = (text(strong), text(weak));
        let compiled = compiled(&[managed(&strong), user(&strong), project(&own)]);
        prop_assert_eq!(compiled.config.sections["guard.self"].mode, weak);
        prop_assert_eq!(compiled.warnings, vec![]);
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-z\\[\\]='\"{}., \n#\\\\é0-9]{0,60}") {
        for layers in [vec![project(&text)], vec![user(&text), project(&text)]] {
            if let Err(errors) = compile(&layers, REGISTRY) {
                prop_assert!(!errors.is_empty());
                for error in errors {
                    prop_assert!(!error.render(RenderStyle::Coloured).is_empty());
                    prop_assert!(!error.message.is_empty());
                }
            }
        }
    }
}

#[test]
fn a_project_cannot_send_the_record_elsewhere() {
    let user = user("[otlp]\nendpoint = 'http://localhost:4318'\nheaders.key = 'k'\n");
    let project =
        project("[otlp]\nendpoint = 'https://elsewhere'\nbatch = 512\nheaders = { key = 'other' }\n");
    let compiled = compiled(&[user, project]);
    let expected = OtlpSettings {
        endpoint: "http://localhost:4318".to_owned(),
        headers: [("key".to_owned(), "k".to_owned())].into(),
        ..OtlpSettings::default()
    };
    assert_eq!(compiled.config.otlp, expected);
    let help = "it belongs in the user's or the administrator's file";
    let ignored = |place: &str, key: &str| {
        format!("{place}: `{key}` is ignored: a project cannot set `[otlp]`; {help}")
    };
    let warnings: Vec<String> = compiled.warnings.iter().map(Diagnostic::one_line).collect();
    assert_eq!(
        warnings,
        [ignored("flyball.toml:2:1", "otlp.endpoint"), ignored("flyball.toml:4:13", "otlp.headers.key")]
    );
    let values = origins(&[user], REGISTRY).unwrap();
    let key = values.iter().find(|origin| origin.key == "otlp.headers.key").unwrap();
    assert_eq!(key.value, serde_json::json!("(not shown)"));
}
