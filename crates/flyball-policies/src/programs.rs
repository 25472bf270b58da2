//! Walks the table of programs: one entry is enough for a linter to be run, protected, watched and
//! allowed. How `flyball init` and `memory.failures` use an entry is tested there.

use flyball_core::engine::Registry;
use flyball_core::event::Event;
use flyball_core::verdict::Stance;
use flyball_programs::{
    CHECKS, CONFIGS, Config, Failures, Format, Kind, LINTERS, MANIFESTS, PROGRAMS, Purpose, SAFE_COMMANDS,
    SafeCommand, WATCHED_CONFIGS, program,
};
use flyball_quality::catalogue;

use crate::guard::{gaming, permissions, protected};
use crate::testing::{PinnedWorld, Surroundings, asked, judged_in, sections, write};

static PROTECTED: Registry = &[&protected::POLICY];
static GAMING: Registry = &[&gaming::POLICY];
static PERMISSIONS: Registry = &[&permissions::POLICY];

/// Linters without a safe command: they fetch their rules.
const FETCHES: &[&str] = &["semgrep"];

/// The command that a linter is started with, from its entry.
fn started_as(text: &str) -> Vec<String> {
    let table: toml::Table = toml::from_str(text).unwrap();
    let check = table.get("check").or_else(|| table.get("format")?.get(0)).unwrap();
    let command = check.get("command").or_else(|| check.get("stdin_command")).unwrap();
    command.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// The linters that are programs, with their first words; the others are parts of flyball.
fn linters() -> Vec<(&'static str, Vec<String>)> {
    let all = LINTERS.iter().map(|(name, text)| (*name, started_as(text)));
    all.filter(|(_, words)| !words[0].starts_with("builtin:")).collect()
}

fn stance(registry: Registry, config: &str, (world, event): (PinnedWorld, Event)) -> Stance {
    judged_in(registry, &sections(config), event, Surroundings { world, ..Surroundings::default() })
        .merged
        .stance
}

/// A name that a pattern matches.
fn example(pattern: &str) -> String {
    match pattern.strip_suffix(".*") {
        Some(stem) => format!("{stem}.js"),
        None => pattern.replace('*', ""),
    }
}

/// Settings of this format that leave out more than before, in a section if it is named.
fn loosened(format: Format, section: Option<&str>) -> (String, String) {
    let header = section.map(|name| format!("[{name}]\n")).unwrap_or_default();
    let inside = |text: &str| match section {
        Some(name) => name.rsplit('.').fold(text.to_owned(), |inner, key| format!("{{\"{key}\": {inner}}}")),
        None => text.to_owned(),
    };
    match format {
        Format::Braces => (inside(r#"{"ignore": []}"#), inside(r#"{"ignore": ["src/a"]}"#)),
        Format::Toml => (format!("{header}ignore = []\n"), format!("{header}ignore = [\"E501\"]\n")),
        Format::Ini => (format!("{header}ignore = E501\n"), format!("{header}ignore = E501,W503\n")),
        Format::Yaml => ("ignore:\n  - a\n".to_owned(), "ignore:\n  - a\n  - b\n".to_owned()),
        Format::Lines => ("a\n".to_owned(), "a\nb\n".to_owned()),
    }
}

fn is_watched(name: &str, (before, after): (String, String)) -> bool {
    let world = PinnedWorld::new().file(&format!("/project/{name}"), &before);
    stance(GAMING, "", (world, write(name, &after))) != Stance::Silent
}

#[test]
fn every_linter_is_run_and_its_program_is_known() {
    for (name, words) in linters() {
        assert!(catalogue::builtin().contains_key(name), "{name}");
        let failures = |name: &str| program(name).map(|known| known.facts.failures);
        assert_eq!(failures(name), Some(Failures::Judges), "{name}");
        assert_eq!(failures(&words[0]), Some(Failures::Judges), "{}", words[0]);
    }
}

#[test]
fn the_configs_of_every_linter_are_protected() {
    let protection = protected::Protection::new(protected::Settings::default(), flyball_clients::FACTS);
    for (name, entry) in catalogue::builtin() {
        for file in entry.configs.iter().flatten() {
            let is_shared = MANIFESTS.iter().any(|manifest| manifest.file == file);
            assert!(is_shared || protection.find_kind(file).is_some(), "{name}: {file}");
        }
    }
    for Config { program, pattern, .. } in CONFIGS.iter().filter(|config| !config.pattern.contains('/')) {
        let file = example(pattern);
        let world = PinnedWorld::new().file(&format!("/project/{file}"), "x\n");
        assert_eq!(stance(PROTECTED, "", (world, write(&file, "y\n"))), Stance::Deny, "{program}: {file}");
    }
    for manifest in MANIFESTS {
        for section in manifest.protected {
            let file = manifest.file;
            let (before, after) = loosened(manifest.format, Some(section));
            let world = PinnedWorld::new().file(&format!("/project/{file}"), &before);
            assert_eq!(stance(PROTECTED, "", (world, write(file, &after))), Stance::Deny, "{file} {section}");
        }
    }
}

#[test]
fn loosening_any_of_them_is_noticed() {
    let mut wrong = Vec::new();
    for config in CONFIGS.iter().chain(WATCHED_CONFIGS).filter(|config| !config.pattern.contains('/')) {
        let file = example(config.pattern);
        match config.format_of(&file) {
            Some(format) if !is_watched(&file, loosened(format, None)) => wrong.push(file),
            Some(_) | None => {}
        }
    }
    for manifest in MANIFESTS {
        let file = example(manifest.file);
        let unseen = manifest
            .watched
            .iter()
            .filter(|section| !is_watched(&file, loosened(manifest.format, Some(section))));
        wrong.extend(unseen.map(|section| format!("{file} {section}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_pipeline_that_no_longer_runs_a_check_is_noticed() {
    for (name, words) in linters() {
        let line = words.join(" ");
        let is_check =
            |check: &&&str| line.starts_with(**check) || check.split(' ').next() == Some(&words[0]);
        assert!(CHECKS.iter().find(is_check).is_some(), "{name} has no `checks`");
    }
    for check in CHECKS {
        let recipe = |line: &str| format!("ci:\n\t{line}\n");
        assert!(is_watched("Makefile", (recipe(check), recipe("echo done"))), "{check}");
    }
}

#[test]
fn looking_with_a_linter_is_allowed_and_fixing_with_it_is_not() {
    for (name, words) in linters().iter().filter(|(name, _)| !FETCHES.contains(name)) {
        let is_its = |safe: &&SafeCommand| safe.program == *name || safe.program == words[0];
        let safe = SAFE_COMMANDS.iter().filter(is_its).filter(|safe| safe.purpose == Purpose::Tests);
        assert!(safe.count() > 0, "{name} has no `allow.tests`");
    }
    let is_check = |safe: &&SafeCommand| {
        let kind = program(safe.program).map(|known| known.kind);
        matches!(kind, Some(Kind::Linter | Kind::Formatter)) && safe.purpose == Purpose::Tests
    };
    let allow = |line: &str| {
        let world = PinnedWorld::new().file("/project/src/a", "x\n");
        stance(PERMISSIONS, "[guard.permissions]\npresets = [\"tests\"]\n", (world, asked(line)))
    };
    for safe in SAFE_COMMANDS.iter().filter(is_check) {
        let line = safe.pattern.trim_end_matches('$');
        assert_eq!(allow(line), Stance::Allow, "{line}");
        let facts = program(safe.program).unwrap().facts;
        for option in
            facts.never.split(' ').chain(facts.changes.split(' ')).filter(|option| !option.is_empty())
        {
            let line = format!("{line} {}", option.trim_start_matches('='));
            assert_ne!(allow(&line), Stance::Allow, "{line}");
        }
    }
}

#[test]
fn every_entry_has_something_that_is_used() {
    let named: Vec<&str> = CONFIGS
        .iter()
        .chain(WATCHED_CONFIGS)
        .map(|config| config.program)
        .chain(SAFE_COMMANDS.iter().map(|safe| safe.program))
        .chain(MANIFESTS.iter().flat_map(|manifest| manifest.sections).map(|section| section.program))
        .chain(flyball_programs::LOCKS.iter().map(|lock| lock.name))
        .collect();
    for known in PROGRAMS {
        // The lines of a shell are read by code of their own.
        let is_read = known.does.is_some()
            || known.kind == Kind::Shell
            || known.facts != &flyball_programs::Facts::NONE
            || named.contains(&known.name);
        assert!(is_read, "`{}` has nothing that is used", known.name);
    }
}
