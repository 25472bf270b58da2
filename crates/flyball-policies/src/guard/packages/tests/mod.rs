//! Edge cases that are not on the page.

mod auto;
mod config;
mod defects;
mod harmless;
mod javascript;
mod laws;
mod manners;
mod python;

use flyball_core::engine::Judgement;
use flyball_core::verdict::Stance;

use crate::testing::{PinnedWorld, Surroundings, judged_in, sections, shell};

const ONLY: flyball_core::engine::Registry = &[&super::POLICY];

/// A command and the expected suggestion: nothing if it is silent, the whole line to run instead, `-` if
/// only the package manager is named, `> command` if the line cannot be given as a whole.
type Row = (&'static str, &'static str);

/// The words for a project with these package managers: `uv`, `uv bun:warn`.
fn config(tools: &str) -> String {
    let key = |tool: &&str| {
        let name = tool.split(':').next().unwrap_or(tool);
        let python = ["uv", "pip", "poetry", "pipenv", "conda"].contains(&name);
        format!("{} = \"{tool}\"\n", if python { "python" } else { "javascript" })
    };
    let keys: String = tools.split(' ').collect::<Vec<_>>().iter().map(key).collect();
    format!("[guard.packages]\n{keys}")
}

fn judged(config: &str, command: &str) -> Judgement {
    judged_at(config, command, PinnedWorld::new())
}

fn judged_at(config: &str, command: &str, world: PinnedWorld) -> Judgement {
    judged_in(ONLY, &sections(config), shell(command), Surroundings { world, ..Surroundings::default() })
}

/// What to do instead; empty if the command is silent.
fn instead(judgement: &Judgement) -> String {
    match judgement.merged.stance {
        Stance::Deny => judgement.merged.reasons[0].reason.instead.clone(),
        // A careless install is asked about, whoever does it.
        Stance::Silent | Stance::Ask => String::new(),
        other => panic!("{other:?}"),
    }
}

fn check_row(command: &str, expected: &str, suggestion: &str) -> Result<(), String> {
    let is_right = match expected {
        "" => suggestion.is_empty(),
        "-" => suggestion.starts_with("Use ") && suggestion.contains("[guard.packages.allow]"),
        _ => match expected.strip_prefix("> ") {
            Some(alone) => suggestion.starts_with(&format!("Use `{alone}` instead of `")),
            None => {
                let plain = !expected.contains(['`', '\n']);
                let run =
                    if plain { format!("Use `{expected}`") } else { format!("Use this:\n{expected}\n") };
                suggestion == run
            }
        },
    };
    if is_right { Ok(()) } else { Err(format!("{command}\n  should be: {expected}\n  is: {suggestion}")) }
}

/// Checks a table, and that what is suggested is itself silent under the same config.
fn check_rows(tools: &str, rows: &[Row]) {
    check_rows_in(tools, rows, PinnedWorld::new);
}

fn check_rows_in(tools: &str, rows: &[Row], world: impl Fn() -> PinnedWorld) {
    let config = config(tools);
    let mut wrong = Vec::new();
    for (command, expected) in rows {
        let suggestion = instead(&judged_at(&config, command, world()));
        wrong.extend(check_row(command, expected, &suggestion).err());
        let suggested = expected.strip_prefix("> ").unwrap_or(expected);
        if suggested.len() > 1 {
            let again = judged_at(&config, suggested, world());
            if again.merged.stance != Stance::Silent {
                wrong.push(format!(
                    "{command}\n  suggests what is not silent: {suggested}\n  {}",
                    instead(&again)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} under {tools}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
