//! Properties of every command in every project.

use flyball_core::text::Words;
use flyball_core::verdict::Stance;

use super::{config, harmless, instead, javascript, judged, python};

const PROJECTS: Words = Words("uv|pip|poetry|pipenv|conda|npm|yarn|pnpm|bun|uv bun|poetry npm|pip yarn");

fn commands() -> impl Iterator<Item = &'static str> {
    let rows = python::tables().chain(javascript::tables()).flatten();
    rows.map(|(command, _)| *command).chain(harmless::all())
}

/// The line that is suggested, if it is a whole one.
fn suggested(suggestion: &str) -> Option<&str> {
    match suggestion.strip_prefix("Use this:\n") {
        Some(text) => text.strip_suffix('\n'),
        None if suggestion.contains("` instead of `") => None,
        None => suggestion.strip_prefix("Use `")?.split('`').next(),
    }
}

#[test]
fn what_is_suggested_is_silent() {
    let mut count = 0;
    for project in PROJECTS.iter() {
        let config = config(project);
        for command in commands() {
            let judgement = judged(&config, command);
            let suggestion = instead(&judgement);
            let Some(text) = suggested(&suggestion) else { continue };
            count += 1;
            let again = judged(&config, text);
            assert_eq!(
                again.merged.stance,
                Stance::Silent,
                "{project}: {command} -> {text}: {}",
                instead(&again)
            );
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn what_is_rewritten_is_silent_and_what_is_not_is_denied() {
    for project in PROJECTS.iter() {
        let rewriting: Vec<String> = project.split(' ').map(|tool| format!("{tool}:rewrite")).collect();
        let (blocking, rewriting) = (config(project), config(&rewriting.join(" ")));
        for command in commands() {
            let is_denied = judged(&blocking, command).merged.stance == Stance::Deny;
            let other = judged(&rewriting, command).merged;
            let is_rewritten = other.rewritten.is_some() && other.stance == Stance::Silent;
            assert_eq!(is_denied, is_rewritten || other.stance == Stance::Deny, "{project}: {command}");
        }
    }
}

#[test]
fn a_line_cut_anywhere_is_judged() {
    let config = config("uv bun");
    for command in commands() {
        for (at, _) in command.char_indices() {
            let _ = judged(&config, &command[..at]);
        }
    }
}
