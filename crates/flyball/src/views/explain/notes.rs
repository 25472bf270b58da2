//! What a ruling is based on besides the config: an earlier denial, approvals.

use std::path::Path;

use flyball_board::explanation::NoteExplained;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::guard::{denials, protected};
use flyball_world::approvals::{Approvals, Approved, Ledger};
use jiff::Timestamp;

use super::context::ExplainContext;

/// At most this many files get a note.
const MOST_FILES: usize = 8;

/// What else a ruling is based on.
pub(super) fn collect(
    ruling: &RecordedRuling,
    record: &Record,
    context: &ExplainContext<'_>,
) -> Vec<NoteExplained> {
    match ruling.policy.as_str() {
        id if id == denials::POLICY.id.as_str() => {
            first_denial(ruling, record, &context.denials).into_iter().collect()
        }
        id if id == protected::POLICY.id.as_str() => approved(ruling, record, context),
        _ => Vec::new(),
    }
}

/// Whether an earlier denial matters for this event.
pub(super) fn depends_on_denials(record: &Record) -> bool {
    record.rulings.iter().any(|ruling| is_of_denials(ruling) && ruling.stance >= Stance::Ask)
}

fn is_of_denials(ruling: &RecordedRuling) -> bool {
    ruling.policy == denials::POLICY.id.as_str()
}

/// The first denial of what is denied again: of the blocked file, else by the policies that deny it now.
fn first_denial(ruling: &RecordedRuling, record: &Record, before: &[Record]) -> Option<NoteExplained> {
    if ruling.stance < Stance::Ask {
        return None;
    }
    let blocked: Vec<&str> = values(ruling, "held file").collect();
    let others: Vec<&str> = denying(record).map(|ruling| ruling.policy.as_str()).collect();
    let is_it = |one: &RecordedRuling| match blocked.as_slice() {
        [] => others.contains(&one.policy.as_str()),
        files => one.evidence.iter().any(|seen| files.iter().any(|file| is_named(file, &seen.value))),
    };
    let first =
        // They come newest first; the one that counts is the oldest.
        before.iter().rev().find_map(|earlier| Some((earlier, denying(earlier).find(|it| is_it(it))?)));
    let (earlier, by) = first?;
    let what = if earlier.subject.is_empty() { earlier.kind.name() } else { earlier.subject.as_str() };
    let text = format!("because of the denial {} by {}: {what}", earlier.id, by.policy);
    Some(NoteExplained { text, answer: Some(earlier.id.as_str().to_owned()) })
}

/// The rulings that denied, without those that only repeat an earlier denial.
fn denying(record: &Record) -> impl Iterator<Item = &RecordedRuling> {
    let denies = |ruling: &&RecordedRuling| ruling.stance == Stance::Deny && ruling.counts();
    record.rulings.iter().filter(|ruling| !is_of_denials(ruling)).filter(denies)
}

/// Whether a path from the project's root is that of a file.
fn is_named(file: &str, seen: &str) -> bool {
    // By whole parts of the path: `x.py` is not the end of `ax.py`.
    !seen.is_empty() && Path::new(file).ends_with(seen)
}

fn values<'a>(ruling: &'a RecordedRuling, name: &'a str) -> impl Iterator<Item = &'a str> {
    ruling.evidence.iter().filter(move |seen| seen.name == name).map(|seen| seen.value.as_str())
}

/// The protected files that a ruling is about, relative to the project's root: evidence names them as `file` before a
/// call, and by how they changed after it.
pub(super) fn files(ruling: &RecordedRuling) -> Vec<String> {
    let changed =
        ruling.evidence.iter().filter(|seen| seen.value.contains(" → ")).map(|seen| seen.name.as_str());
    let mut names: Vec<String> = values(ruling, "file").chain(changed).map(str::to_owned).collect();
    names.dedup();
    names
}

fn approved(ruling: &RecordedRuling, record: &Record, context: &ExplainContext<'_>) -> Vec<NoteExplained> {
    let Some(state) = context.project.here.state_dir() else { return Vec::new() };
    let root = Path::new(&record.project);
    let Ok(ledger) = Approvals::for_project(state, root).read() else { return Vec::new() };
    let real = flyball_world::machine::real_path(root);
    let notes = files(ruling).into_iter().take(MOST_FILES).map(|name| {
        let path = real.join(&name).to_string_lossy().into_owned();
        NoteExplained { text: approval_status(&name, &ledger, &path), answer: None }
    });
    notes.collect()
}

fn approval_status(name: &str, ledger: &Ledger, path: &str) -> String {
    let entry = ledger.entry(path);
    match entry.and_then(|entry| entry.approved.as_ref()) {
        Some(Approved(approval, at)) => {
            let what = if approval.content.is_some() { "its content" } else { "that it is gone" };
            format!("`{name}`: a person approved {what} at {}", moment(*at))
        }
        None if entry.is_some_and(|entry| entry.changed) => {
            format!("`{name}`: it changed without approval")
        }
        None => format!("`{name}`: no other content is approved"),
    }
}

fn moment(at: Time) -> String {
    Timestamp::from_microsecond(at.as_micros()).unwrap_or_default().strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}
