//! What may be written in `[quality]`, and what it compiles to.

use flyball_core::config::{Authored, Layer, LayerText, Sources, Standing};

use super::*;
use crate::catalogue;
use crate::finding::Level;
use crate::linter::{Entry, Reach};

/// Compiles the content of the section `[quality]`.
fn compiled(text: &str) -> Result<Settings, Vec<String>> {
    let layers =
        [LayerText { layer: Layer::Project, standing: Standing::Accepted, path: "flyball.toml", text }];
    let sources = Sources::new(&layers);
    let written: Written = toml::from_str(text).unwrap();
    written.compile(&sources).map_err(|problems| {
        let shown = problems.into_iter().map(|problem| {
            let place = sources.place(&problem.span).unwrap();
            let help = problem.help.map(|help| format!("; {help}")).unwrap_or_default();
            format!("{place}: {}{help}", problem.message)
        });
        shown.collect()
    })
}

/// The entry of a linter that is switched on.
fn entry(text: &str, name: &str) -> Option<Entry> {
    let settings = compiled(text).unwrap();
    settings.linters.into_iter().find(|linter| linter.name == name).map(|linter| linter.entry)
}

#[test]
fn defaults_are_right() {
    assert!(Written::default().compile(&Sources::new(&[])).is_ok());
    for (name, builtin) in catalogue::builtin() {
        let wrong: Vec<String> = check::entry(builtin).into_iter().map(|wrong| wrong.what).collect();
        assert_eq!(wrong, [] as [&str; 0], "{name}");
    }
}

#[test]
fn linters_that_are_off_are_not_there() {
    assert_eq!(entry("linters.ruff.enabled = false", "ruff"), None);
    for name in ["biome", "tsc"] {
        assert!(entry("", name).is_some());
        assert_eq!(entry("languages.typescript = false", name), None);
    }
    let all = "languages.typescript = false\n[linters]\noxlint.enabled = true\nknip.enabled = true\ntsgo.enabled = true";
    for name in ["oxlint", "tsgo", "knip"] {
        assert_eq!(entry(all, name), None);
    }
}

#[test]
fn json_is_checked_by_one_linter_whichever_is_on() {
    assert_eq!(entry("", "json").unwrap().unless, catalogue::builtin()["json"].unless);
    assert_eq!(entry("linters.biome-json.enabled = false", "json").unwrap().unless, None);
    let own = "[linters]\nbiome-json.enabled = false\njson.unless = ['x']";
    assert_eq!(entry(own, "json").unwrap().unless, Some(vec!["x".to_owned()]));
}

#[test]
fn defect_21_semgrep_can_be_switched_off() {
    assert!(entry("", "semgrep").is_some());
    assert_eq!(entry("linters.semgrep.enabled = false", "semgrep"), None);
}

#[test]
fn defect_21_every_runtime_finds_biome() {
    for (runtime, via) in [
        ("auto", None),
        ("node", None),
        ("npm", Some(vec!["npx", "--no-install"])),
        ("pnpm", Some(vec!["pnpm", "exec"])),
        ("bun", Some(vec!["bunx", "--no-install"])),
    ] {
        let via = via.map(|words| words.into_iter().map(str::to_owned).collect::<Vec<_>>());
        for name in ["biome", "biome-format", "biome-json"] {
            let found = entry(&format!("biome.runtime = '{runtime}'"), name).unwrap();
            assert_eq!(found.via, via, "{runtime}");
        }
    }
    let own = entry("biome.runtime = 'npm'\nlinters.biome.via = ['bunx']", "biome").unwrap();
    assert_eq!(own.via, Some(vec!["bunx".to_owned()]));
}

#[test]
fn nursery_rules_of_biome_are_advice_or_errors_or_left_out() {
    let level = |text: &str| {
        let entry = entry(text, "biome").unwrap();
        let rule = "lint/nursery/noFloatingPromises";
        (entry.level_of(rule), entry.level_of("lint/style/useConst"), entry.ignore)
    };
    assert_eq!(level(""), (Some(Level::Advisory), None, None));
    assert_eq!(level("biome.nursery = 'error'"), (Some(Level::Error), None, None));
    assert_eq!(level("biome.nursery = 'off'"), (None, None, Some(vec!["lint/nursery/*".to_owned()])));
}

#[test]
fn the_longest_matching_code_sets_the_level() {
    let text = "[linters.ruff.levels]\n'*' = 'advisory'\n'S*' = 'warning'\nS101 = 'error'";
    let entry = entry(text, "biome").unwrap();
    assert_eq!(entry.level_of("S101"), None);
    let own = compiled(
        "[linters.x]\nfiles = ['*.x']\ncheck.command = ['x']\nlevels = { '*' = 'advisory', 'S*' = 'warning', S101 = 'error' }",
    );
    let own = own.unwrap().linters.into_iter().find(|linter| linter.name == "x").unwrap().entry;
    let levels = ["E1", "S1", "S101", "S1011"].map(|code| own.level_of(code));
    assert_eq!(levels, [Level::Advisory, Level::Warning, Level::Error, Level::Warning].map(Some));
}

#[test]
fn unsafe_fixes_are_applied_only_if_enabled() {
    let commands = |text: &str| {
        let filter = entry(text, "biome").unwrap().format.unwrap().remove(0);
        [filter.command, filter.many].map(|words| words[..5].join(" "))
    };
    let safe = "biome check {options} --write --formatter-enabled=false";
    assert_eq!(commands(""), [safe, safe]);
    let expected = "biome check {options} --write --unsafe";
    assert_eq!(commands("biome.unsafe_fixes = true"), [expected, expected]);
}

#[test]
fn findings_of_project_linters_are_advisory_unless_they_block() {
    let projects = |text: &str| -> Vec<(String, Option<Level>)> {
        let linters = compiled(text).unwrap().linters.into_iter();
        let project = linters.filter(|linter| linter.entry.reach == Some(Reach::Project));
        project.map(|linter| (linter.name, linter.entry.level)).collect()
    };
    let compilers = ["cargo-check", "clippy", "tsc", "tsgo", "vue-tsc"];
    for (name, level) in projects("") {
        let expected = (!compilers.contains(&name.as_str())).then_some(Level::Advisory);
        assert_eq!(level, expected, "{name}");
    }
    assert!(projects("project.blocking = true").iter().all(|(_, level)| level.is_none()));
    let changed = entry("linters.tsc.level = 'error'", "tsc").unwrap();
    assert_eq!(changed.level, Some(Level::Error));
    let own = entry("[linters.own]\nreach = 'project'\nfiles = ['*.x']\ncheck.command = ['x']", "own");
    assert_eq!(own.unwrap().level, Some(Level::Advisory));
}

#[test]
fn json_has_one_formatter_wherever_it_is() {
    let own = entry("", "json").unwrap();
    let biome = entry("", "biome-json").unwrap();
    assert_eq!((own.needs, own.unless), (None, biome.needs));
}

#[test]
fn changes_to_a_builtin_linter_keep_the_rest_of_it() {
    let changed = entry("linters.biome.files = ['*.ts']", "biome").unwrap();
    let builtin = entry("", "biome").unwrap();
    assert_eq!(changed, Entry { files: Some(vec!["*.ts".to_owned()]), ..builtin });
}

#[test]
fn linters_come_in_a_stable_order() {
    let names: Vec<String> = compiled("").unwrap().linters.into_iter().map(|linter| linter.name).collect();
    let mut sorted = names.clone();
    sorted.sort();
    assert_eq!(names, sorted);
}

/// A linter that is right, up to what is added.
const OWN: &str = "[linters.own]\nfiles = ['*.x']\n";

#[test]
fn errors_are_reported_at_their_place() {
    for (text, expected) in [
        (
            "languages.pyhton = false",
            "flyball.toml:1:11: no linter for the language `pyhton`; did you mean `python`?",
        ),
        ("deadline_seconds = 0", "flyball.toml:1:20: `deadline_seconds` must be 1 or more"),
        (
            "exclude = ['a', '[']",
            "flyball.toml:1:17: invalid glob `[`: unclosed character class at byte 0; missing ']' (to match a literal '[', escape it as '\\[' or '[[]')",
        ),
        (
            "security_exclude = ['/tests/**']",
            "flyball.toml:1:21: the glob `/tests/**` begins with `/`, but is compared with paths below the root",
        ),
        ("[project]\ndeadline_seconds = 0", "flyball.toml:1:1: `project.deadline_seconds` must be 1 or more"),
        ("[fixer]\nmax_turns = 0", "flyball.toml:1:1: `max_turns` must be 1 or more"),
        (
            "[fixer.tiers.opus]\ntimeout_seconds = 0",
            "flyball.toml:1:2: `tiers.opus.timeout_seconds` must be 1 or more",
        ),
        (
            "[linters.biom]\nenabled = false",
            "flyball.toml:1:10: unknown linter `biom`; did you mean `biome`?",
        ),
    ] {
        assert_eq!(compiled(text), Err(vec![expected.to_owned()]), "{text}");
    }
}

#[test]
fn invalid_keys_and_values_are_reported_at_their_place() {
    for (text, marked) in [
        ("[fixer]\nenabeld = true", "enabeld"),
        ("[project]\nfolders = 'src'", "'src'"),
        ("[fixer]\nprovider = 'nobody'", "'nobody'"),
        ("scope = 'most'", "'most'"),
        ("[linters.x]\nfile = '*'", "file"),
        ("[linters.x]\nfiles = '*'", "'*'"),
    ] {
        let error = toml::from_str::<Written>(text).unwrap_err();
        assert_eq!(&text[error.span().unwrap()], marked, "{error}");
    }
}

#[test]
fn a_custom_language_can_be_switched() {
    let text = "languages.elm = false\n[linters.elm-review]\nlanguage = 'elm'\nfiles = ['*.elm']\ncheck.command = ['elm-review']";
    assert_eq!(entry(text, "elm-review"), None);
}

#[test]
fn an_unknown_language_gets_the_list() {
    let errors = compiled("languages.cobol = true").unwrap_err();
    let known: std::collections::BTreeSet<&str> =
        catalogue::builtin().values().filter_map(|entry| entry.language.as_deref()).collect();
    let list = known.into_iter().collect::<Vec<_>>().join("`, `");
    assert_eq!(
        errors,
        [format!("flyball.toml:1:11: no linter for the language `cobol`; there are linters for `{list}`")]
    );
}

/// What can be added to a linter, and what is wrong with it then.
const WRONG: &[(&str, &str)] = &[
    ("", "it neither checks nor formats; give it a `check` or a `format` command"),
    ("check = {}", "its `check` has an empty `command`"),
    ("format = [{}]", "its `format` has an empty `command`"),
    ("check.command = ['x', '--f={fil}']", "unknown placeholder `{fil}`; did you mean `{file}`?"),
    (
        "check.command = ['x', '{zzz}']",
        "unknown placeholder `{zzz}`; there are `{file}`, `{files}`, `{folder}`, `{root}`, `{scratch}`, `{project_folders}`, `{config}`, `{options}`",
    ),
    ("check.command = ['x', '{files},b']", "`{files}` must be a separate word, not a part of `{files},b`"),
    ("check.command = ['builtin:yaml']", "flyball has no linter `builtin:yaml`"),
    (
        "check = { command = ['x'], output = { lines = '(?<message>' } }",
        "invalid pattern `(?<message>` in `output.lines`: found open group without closing ')'",
    ),
    (
        "check = { command = ['x'], output = { lines = '(?<file>.*)' } }",
        "`(?<file>.*)` in `output.lines` has no group `message`; put `(?<message>…)` around the part that is meant",
    ),
    ("check = { command = ['x'], output = { lines = '' } }", "`output.lines` has no pattern"),
    (
        "check = { command = ['x'], output = { json = { line = 'l' } } }",
        "`output.json` does not say where the `message` is",
    ),
    (
        "check = { command = ['x'], output = { whole = '' } }",
        "`output.whole` does not say the code of its findings",
    ),
    (
        "check = { command = ['x'], failed = '[' }",
        "invalid pattern `[` in `failed`: found unclosed character class",
    ),
    (
        "check = { command = ['x'], output_file = '/tmp/x' }",
        "its `output_file` is `/tmp/x`; it must be below `{scratch}`: `{scratch}/report.json`",
    ),
    (
        "format = [{ command = ['x', '{files}'] }]",
        "its `format` command has `{files}`, but formats one file; write `{file}`; `many` is for many files",
    ),
    ("format = [{ command = ['x'], many = ['x', '-w'] }]", "its `many` command has no word `{files}`"),
    (
        "format = [{ command = ['x'], list = ['x', '{files}'] }]",
        "`list` and `listed` only make sense together",
    ),
    (
        "format = [{ command = ['x'], list = ['x', '{files}'], listed = '.*' }]",
        "`.*` in `listed` has no group `file`; put `(?<file>…)` around the part that is meant",
    ),
    (
        "check.command = ['x']\nexclude = ['[']",
        "invalid glob `[`: unclosed character class at byte 0; missing ']' (to match a literal '[', escape it as '\\[' or '[[]')",
    ),
    (
        "check.command = ['x']\nneeds = ['../a']",
        "`../a` in `needs` is not a file name; it is looked for in the file's folder and those above it",
    ),
    (
        "check.command = ['x']\nunless = ['*.json']",
        "`*.json` in `unless` is not a file name; it is looked for in the file's folder and those above it",
    ),
    ("check.command = ['x']\nignore = ['a*b']", "invalid code `a*b`; `*` is only allowed at the end"),
    ("check.command = ['x']\nversion.at_least = 'two'", "invalid version `two`; write it like `2.12.0`"),
    (
        "check.command = ['x']\nfinds.root = { file = 'a', pattern = '(?<word>a)' }",
        "`finds.root` would hide the placeholder `{root}`",
    ),
    (
        "check.command = ['x']\nfinds.a = { file = 'a', pattern = 'a' }",
        "`a` in `finds.a` has no group `word`; put `(?<word>…)` around the part that is meant",
    ),
    ("check.command = ['x']\nfinds.a = { pattern = '(?<word>a)' }", "`finds.a` does not say in which `file`"),
];

#[test]
fn errors_of_a_linter_are_reported_at_its_name() {
    for (rest, expected) in WRONG {
        let expected = format!("flyball.toml:1:10: linter `own`: {expected}");
        assert_eq!(compiled(&format!("{OWN}{rest}")), Err(vec![expected]), "{rest}");
    }
    assert_eq!(
        compiled("[linters.own]\ncheck.command = ['x']"),
        Err(vec![
            "flyball.toml:1:10: linter `own`: it has no files; name some: `files = [\"*.elm\"]`".to_owned()
        ])
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    let text =
        "deadline_seconds = 0\nlanguages.shel = false\n[linters.biome]\nversion.at_least = 'x'\ncheck = {}\n";
    assert_eq!(
        compiled(text),
        Err(vec![
            "flyball.toml:2:11: no linter for the language `shel`; did you mean `shell`?".to_owned(),
            "flyball.toml:3:10: linter `biome`: its `check` has an empty `command`".to_owned(),
            "flyball.toml:3:10: linter `biome`: invalid version `x`; write it like `2.12.0`".to_owned(),
            "flyball.toml:1:20: `deadline_seconds` must be 1 or more".to_owned(),
        ])
    );
}
