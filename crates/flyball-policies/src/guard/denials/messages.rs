//! What the agent and the user are told about a denial that is tried again.

use flyball_core::event::ToolCall;
use flyball_core::policy::Situation;
use flyball_core::text;
use flyball_core::verdict::{Reason, Subject};

use super::Denial;
use crate::paths::strip_folder;

/// More names than this are only counted.
const MOST_NAMES: usize = 3;

/// What the agent is told. When the denial ends is not: it would be waited for.
pub(super) fn reason(situation: &Situation<'_>, call: &ToolCall, denials: &[&Denial]) -> Reason {
    let files: Vec<String> = denials.iter().filter_map(|denial| file_name(situation, denial)).collect();
    let history = denials.first().map(|denial| history(situation, call, denial)).unwrap_or_default();
    let (what, instead) = match files.as_slice() {
        [] => {
            let policy = denials.first().map(|denial| denial.policy.as_str()).unwrap_or_default();
            let way = format!("do what {policy} says, or tell the user why that does not do");
            (format!("This was denied before ({history})"), way)
        }
        files => {
            let verb = text::plural(files.len(), "was", "were");
            let way = "tell the user what you would change and why".to_owned();
            (format!("Changing {} {verb} denied before ({history})", text::first(files, MOST_NAMES)), way)
        }
    };
    Reason {
        what,
        why: "It stays denied by every route".to_owned(),
        instead: format!("Do not look for another way: {instead}"),
    }
}

/// What the user is told.
pub(super) fn notice(situation: &Situation<'_>, denial: &Denial) -> String {
    let Denial { policy, attempts, .. } = denial;
    match file_name(situation, denial) {
        Some(file) => format!("the agent tried {attempts} times to change {file}: {policy} denies it"),
        None => format!(
            "the agent tried {attempts} times to do what {policy} denies{}",
            intent(denial).map_or_else(String::new, |intent| format!(": {intent}"))
        ),
    }
}

/// When and how it was denied first.
fn history(situation: &Situation<'_>, call: &ToolCall, denial: &Denial) -> String {
    let age = ago(situation.world.unix_millis().saturating_sub(denial.since));
    if denial.route == call.name {
        format!("{age}, by {}", denial.route)
    } else {
        format!("{age}, by another route: {}", denial.route)
    }
}

fn ago(millis: u64) -> String {
    let counted = |amount: u64, unit: &str| format!("{} ago", text::counted(amount, unit));
    match millis / 60_000 {
        0 => "a moment ago".to_owned(),
        minutes @ 1..120 => counted(minutes, "minute"),
        minutes => counted(minutes / 60, "hour"),
    }
}

fn file_name(situation: &Situation<'_>, denial: &Denial) -> Option<String> {
    match &denial.subject {
        Subject::File(file) => {
            Some(format!("`{}`", strip_folder(file, situation.world.project_root()).unwrap_or(file)))
        }
        Subject::Intent(_) => None,
    }
}

fn intent(denial: &Denial) -> Option<&str> {
    match &denial.subject {
        Subject::Intent(intent) => Some(intent),
        Subject::File(_) => None,
    }
}
