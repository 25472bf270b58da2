//! What the config of today answers to an event, and why that differs from what was answered.

use flyball_board::explanation::Change;
use flyball_core::config::{Layer, Mode};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::guard::denials;

use super::rejudge::{Judged, RejudgeableEvent};
use crate::views::project::Project;

/// The decision of today, unless there was no objection and still is none.
pub(super) fn change(record: &Record, again: &RejudgeableEvent<'_>, project: &Project) -> Option<Change> {
    let judged = again.rejudge();
    let is_same = judged.stance == record.stance;
    // Nothing to explain: it passed then and would pass now.
    if is_same && record.stance < Stance::Ask {
        return None;
    }
    let by = judged.by.join(", ");
    let mut then = match (is_same, judged.stance) {
        (true, stance) => format!("still {}: {by}", stance.name()),
        (false, Stance::Silent) => format!("silent: {}", reasons(record, &judged, project).join("; ")),
        (false, stance) => {
            format!("{}: {by} ({})", stance.name(), reasons(record, &judged, project).join("; "))
        }
    };
    if judged.by.iter().any(|policy| judged.asked_git.contains(policy)) {
        then.push_str(", if git still answers as it did then");
    }
    Some(Change { if_only: "the same event came today, in a new session".to_owned(), then, how: None })
}

/// Why, for each policy whose stance is different today.
fn reasons(record: &Record, judged: &Judged, project: &Project) -> Vec<String> {
    let then = |policy: &str| record.rulings.iter().find(|ruling| ruling.policy == policy);
    let mut names: Vec<&str> = record.rulings.iter().map(|ruling| ruling.policy.as_str()).collect();
    names.extend(judged.stances.keys().map(String::as_str).filter(|policy| then(policy).is_none()));
    let was = |policy: &str| {
        then(policy).filter(|ruling| ruling.counts()).map_or(Stance::Silent, |ruling| ruling.stance)
    };
    let is = |policy: &str| judged.stances.get(policy).copied().unwrap_or_default();
    let differing = names.into_iter().filter(|policy| was(policy) != is(policy));
    let reasons: Vec<String> =
        differing.map(|policy| reason(policy, (record, then(policy)), project)).collect();
    if reasons.is_empty() { vec!["nothing else is known".to_owned()] } else { reasons }
}

fn reason(policy: &str, (record, then): (&Record, Option<&RecordedRuling>), project: &Project) -> String {
    let origin = project.origins.describe_mode(policy);
    match (then, project.mode_of(policy)) {
        (_, None) => format!("this flyball has no {policy}"),
        (None, Some(mode)) => format!("{policy} is {} now ({origin})", mode.name()),
        (Some(then), Some(mode)) if then.mode != mode => {
            format!("{policy} is {} now ({origin})", mode.name())
        }
        (Some(then), Some(_)) if then.skipped => format!("{policy} was skipped then"),
        (Some(then), Some(_)) if then.error.is_some() => format!("{policy} failed then"),
        (Some(_), Some(Mode::Enforce)) if policy == denials::POLICY.id.as_str() => {
            format!("{policy} remembers no denial in a new session")
        }
        (Some(_), Some(_)) => match changed_since(record, project) {
            Some(file) => format!("{policy} decides otherwise, and {file} was changed since"),
            None => format!("{policy} decides otherwise: other files are there, or another session"),
        },
    }
}

/// A config file that was written after the event.
fn changed_since(record: &Record, project: &Project) -> Option<String> {
    let is_newer = |layer: &&Layer| {
        let written =
            project.here.files.path(**layer).and_then(|path| std::fs::metadata(path).ok()?.modified().ok());
        written.is_some_and(|at| Time::from(at) > record.at)
    };
    let newest = Layer::ALL.iter().rev().find(is_newer)?;
    Some(match newest {
        Layer::Project => "flyball.toml".to_owned(),
        Layer::User | Layer::Managed => format!("the {} config", newest.name()),
    })
}
