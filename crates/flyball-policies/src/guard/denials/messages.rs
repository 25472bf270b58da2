//! The messages about a denial that is tried again.

use std::time::Duration;

use flyball_core::path::strip_folder;
use flyball_core::policy::Situation;
use flyball_core::text;
use flyball_core::verdict::{Reason, Subject};

use super::Denial;

/// More names than this are only counted.
const MOST_NAMES: usize = 3;

/// The reason for the agent. It does not say when the denial ends: an agent would wait for it.
pub(super) fn reason(situation: &Situation<'_>, denials: &[&Denial]) -> Reason {
    let files: Vec<String> = denials.iter().filter_map(|denial| file_name(situation, denial)).collect();
    let first = denials.first();
    let history = first.map(|denial| history(situation, denial)).unwrap_or_default();
    let (what, fix) = if files.is_empty() {
        let policy = first.map(|denial| denial.policy.as_str()).unwrap_or_default();
        (
            format!("this was denied before ({history})"),
            format!("do what {policy} says, or tell the user why that is not possible"),
        )
    } else {
        let verb = text::plural(files.len(), "was", "were");
        (
            format!("changing {} {verb} denied before ({history})", text::first(&files, MOST_NAMES)),
            "tell the user what you would change and why".to_owned(),
        )
    };
    Reason {
        instead: format!("Do not try another way; {fix}"),
        what,
        why: "It stays denied, whatever tool is used".to_owned(),
    }
}

/// The notice for the user.
pub(super) fn notice(situation: &Situation<'_>, denial: &Denial) -> String {
    let Denial { policy, attempts, .. } = denial;
    match (file_name(situation, denial), &denial.subject) {
        (Some(file), _) => {
            format!("the agent tried {attempts} times to change {file}, which {policy} denies")
        }
        (None, Subject::Intent(intent)) => {
            format!("the agent tried {attempts} times what {policy} denies: {intent}")
        }
        (None, Subject::File(_)) => format!("the agent tried {attempts} times what {policy} denies"),
    }
}

/// When and how it was denied first.
fn history(situation: &Situation<'_>, denial: &Denial) -> String {
    let age = ago(situation.world.now().since(denial.since));
    format!("{age}, with {}", denial.route)
}

fn ago(age: Duration) -> String {
    let counted = |amount: u64, unit: &str| format!("{} ago", text::counted(amount, unit));
    match age.as_secs() / 60 {
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
