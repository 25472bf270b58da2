//! Tables of command lines, each with the rules that match; the settings; the page.

mod free;
mod network;
mod repository;
mod routes;
mod scripts;
mod servers;
mod session;
mod stopped;
mod stricter;
mod windows;

use std::collections::BTreeSet;

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Event, Tool};
use flyball_core::path::AbsolutePath;
use flyball_core::verdict::{Stance, Subject};

use super::rule::Preset;
use super::table;
use crate::testing::{PinnedWorld, Surroundings, before, judged_in, problems, sections, shell, write};

static ONLY: Registry = &[&super::POLICY];

/// One line, and the rules that match it, separated by spaces; none if it is allowed.
pub(super) type Row = (&'static str, &'static str);

/// All rows of all tables.
fn rows() -> impl Iterator<Item = &'static Row> {
    let mine: [&[Row]; 8] = [
        free::ROWS,
        stopped::ROWS,
        network::ROWS,
        routes::STANDARD,
        routes::STRICT,
        stricter::STRICT,
        stricter::PARANOID,
        stricter::DISCARDED,
    ];
    mine.into_iter().chain(repository::TABLES.iter().copied()).flatten()
}

fn world() -> PinnedWorld {
    let files = [
        "/project/src/main.rs",
        "/project/README.md",
        "/project/.githooks/pre-commit",
        "/project/.git/hooks/pre-commit",
    ];
    files.iter().fold(PinnedWorld::new(), |world, file| world.file(file, "text"))
}

fn judged(config: &str, world: PinnedWorld, event: Event) -> Judgement {
    judged_in(ONLY, &sections(config), event, Surroundings { world, ..Surroundings::default() })
}

/// The rules that match a line.
fn matching_rules(config: &str, world: PinnedWorld, line: &str) -> String {
    rules_for(config, world, shell(line))
}

/// The rules that match a call.
fn rules_for(config: &str, world: PinnedWorld, call: Event) -> String {
    let judgement = judged(config, world, call);
    let ruling = &judgement.rulings[0];
    assert_eq!(ruling.error, None);
    let ids = ruling.verdict.evidence.iter().filter(|seen| seen.name == "rule");
    ids.map(|seen| seen.value.as_str()).collect::<Vec<_>>().join(" ")
}

fn check_rows(config: &str, world: fn() -> PinnedWorld, rows: &[Row]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(line, expected)| {
            let got = matching_rules(config, world(), line);
            (got != *expected).then(|| format!("{line}\n    expected [{expected}], got [{got}]"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn what_standard_allows() {
    check_rows("", world, free::ROWS);
}

#[test]
fn what_standard_stops() {
    check_rows("", world, stopped::ROWS);
}

#[test]
fn what_goes_over_the_network() {
    check_rows("", world, network::ROWS);
}

#[test]
fn what_takes_another_route() {
    check_rows("", world, routes::STANDARD);
    check_rows("guard.commands.preset = 'strict'", world, routes::STRICT);
}

#[test]
fn the_tables_are_long_and_mostly_harmless() {
    let (harmless, harmful): (Vec<&Row>, Vec<&Row>) = rows().partition(|(_, expected)| expected.is_empty());
    assert!(harmless.len() + harmful.len() >= 400, "{} + {}", harmless.len(), harmful.len());
    assert!(harmless.len() * 2 >= harmful.len() + harmless.len(), "{} / {}", harmless.len(), harmful.len());
}

#[test]
fn every_rule_has_a_row() {
    let shown: BTreeSet<&str> = rows().flat_map(|(_, expected)| expected.split(' ')).collect();
    // Only a tool server can be told so; the others need files, work that is not committed or a very long line, and
    // are in the tables of the program and in `scripts.rs`.
    let elsewhere =
        ["service-delete", "lose-work", "overwrite-keys", "workflow-secrets", "commit-secret", "unread-part"];
    let missing: Vec<&str> =
        table::ids().filter(|id| !shown.contains(id) && !elsewhere.contains(id)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn ids_are_unique_and_plain() {
    let mut seen = BTreeSet::new();
    for rule in table::rules() {
        assert!(seen.insert(rule.id), "duplicate id {}", rule.id);
        assert!(rule.id.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'), "{}", rule.id);
        assert!(!rule.summary.ends_with('.'), "{}", rule.id);
    }
}

#[test]
fn the_page_lists_every_rule_as_it_is() {
    let page = super::POLICY.page;
    let expected: Vec<String> = table::rules()
        .map(|rule| {
            let stance = rule.stance.stance().map_or("off", Stance::name);
            format!(
                "| `{}` | {} | {stance} | {} |",
                rule.id,
                rule.from.name(),
                rule.summary.replace('|', "\\|")
            )
        })
        .collect();
    let written: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(written.join("\n"), expected.join("\n"), "put this table on the page");
}

#[test]
fn a_preset_has_the_rules_of_the_weaker_ones() {
    assert!(Preset::Standard < Preset::Strict && Preset::Strict < Preset::Paranoid);
    let line = "git push --force && npm publish && sudo ls";
    assert_eq!(matching_rules("", world(), line), "force-push");
    assert_eq!(matching_rules("guard.commands.preset = 'strict'", world(), line), "force-push publish");
    assert_eq!(
        matching_rules("guard.commands.preset = 'paranoid'", world(), line),
        "force-push publish superuser"
    );
}

#[test]
fn a_single_rule_is_switched_by_its_id() {
    let stance = |config: &str, line: &str| judged(config, world(), shell(line)).merged.stance;
    assert_eq!(stance("", "git push -f"), Stance::Deny);
    assert_eq!(stance("[guard.commands.rules]\nforce-push = 'ask'", "git push -f"), Stance::Ask);
    assert_eq!(stance("[guard.commands.rules]\nforce-push = 'off'", "git push -f"), Stance::Silent);
    assert_eq!(stance("[guard.commands.rules]\nsuperuser = 'deny'", "sudo ls"), Stance::Deny);
}

#[test]
fn an_invalid_setting_is_an_error_with_its_position() {
    let cases = [
        (
            "rules.forse-push = 'ask'",
            "flyball.toml:2:7: guard.commands has no rule `forse-push`; did you mean `force-push`?",
        ),
        (
            "rules.x = 'ask'",
            "flyball.toml:2:7: guard.commands has no rule `x`; `flyball policies guard.commands` lists the rules",
        ),
        (
            "rules.force-push = 'warn'",
            "flyball.toml:2:20: unknown value `warn`; the values are `deny`, `ask`, `off`",
        ),
        (
            "preset = 'lax'",
            "flyball.toml:2:10: unknown value `lax`; the values are `standard`, `strict`, `paranoid`",
        ),
        ("presets = 'strict'", "flyball.toml:2:1: unknown key `presets`; did you mean `preset`?"),
    ];
    for (line, expected) in cases {
        assert_eq!(problems(&format!("[guard.commands]\n{line}\n")), [expected], "{line}");
    }
}

#[test]
fn all_that_is_in_the_root_of_the_file_system_is_about_that_root() {
    let judgement = judged("", world(), shell("rm -rf /*"));
    let subjects = &judgement.rulings[0].verdict.subjects;
    assert!(subjects.contains(&Subject::File(AbsolutePath::default())), "{subjects:?}");
}

#[test]
fn a_denial_says_what_it_is_about() {
    let judgement = judged("", world(), shell("rm -rf ~/.ssh"));
    let verdict = &judgement.rulings[0].verdict;
    assert_eq!(
        verdict.subjects,
        [
            Subject::Intent("commands.delete-system".into()),
            Subject::File(AbsolutePath::from_root("/home/dev/.ssh"))
        ]
    );
    assert_eq!(
        judgement.merged.reasons[0].reason.text(),
        "Delete only paths inside the project; temporary and build folders are allowed: `rm` with `~/.ssh` would delete \
         the home folder or one of its main folders: /home/dev/.ssh. This cannot be undone"
    );
}

/// The commands in a suggestion: the texts between backticks that begin with a program.
fn suggested(text: &str) -> impl Iterator<Item = &str> {
    let programs =
        ["git ", "curl ", "chmod ", "chown ", "dd ", "docker ", "terraform ", "pulumi ", "cat ", "seq "];
    text.split('`').skip(1).step_by(2).filter(move |code| programs.iter().any(|it| code.starts_with(it)))
}

#[test]
fn what_is_suggested_is_itself_allowed() {
    let mut tried = BTreeSet::new();
    for (line, _) in rows() {
        for world in [world, repository::busy] {
            let judgement = judged("guard.commands.preset = 'strict'", world(), shell(line));
            for given in &judgement.merged.reasons {
                let reason = &given.reason;
                assert!(
                    !reason.what.is_empty() && !reason.why.is_empty() && !reason.instead.is_empty(),
                    "{line}"
                );
                for command in suggested(&reason.instead).map(str::to_owned).collect::<Vec<_>>() {
                    tried.insert(command);
                }
            }
        }
    }
    // Allowed by default, in any state; a stricter preset may ask.
    for command in &tried {
        let answer = judged("", repository::busy(), shell(command)).merged;
        assert_eq!(answer.stance, Stance::Silent, "{command}");
    }
    assert!(tried.len() > 10, "{tried:?}");
}

#[test]
fn a_secret_file_is_also_read_by_a_tool() {
    let read = |path: &str| before("Read", Tool::Read { path: path.to_owned() });
    let stance = |config: &str, path: &str| judged(config, world(), read(path)).merged.stance;
    assert_eq!(stance("", ".env"), Stance::Silent);
    assert_eq!(stance("guard.commands.preset = 'strict'", ".env"), Stance::Ask);
    assert_eq!(stance("guard.commands.preset = 'strict'", "src/main.rs"), Stance::Silent);
    assert_eq!(stance("[guard.commands.rules]\nread-secret = 'deny'", "/home/dev/.ssh/id_rsa"), Stance::Deny);
}

#[test]
fn other_tools_are_not_judged() {
    assert_eq!(judged("", world(), write("notes.md", "rm -rf /")).merged.stance, Stance::Silent);
}
