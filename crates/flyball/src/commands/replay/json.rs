//! What a replay came to, for scripts: one line of JSON for each event, and the summary as the last.

use serde_json::{Value, json};

use super::compare::Change;
use super::page::Run;
use super::tally::{Entry, Tally};

pub(super) fn event(entry: &Entry) -> String {
    let changes = entry.changes.iter().map(|(change, policies)| {
        let mut fields = json!({ "what": change.words(), "policies": policies });
        if let (Change::Context { then, now }, Some(fields)) = (change, fields.as_object_mut()) {
            fields.insert("chars_then".to_owned(), json!(then));
            fields.insert("chars".to_owned(), json!(now));
        }
        fields
    });
    let line = json!({
        "type": "event",
        "at": entry.at.as_micros(),
        "session": entry.session,
        "agent": entry.agent,
        "project": entry.project,
        "kind": entry.kind.name(),
        "tool": entry.tool.map(|tool| tool.name()),
        "subject": entry.subject,
        "was": entry.past_outcome.label(),
        "would": entry.new_answer.stance.name(),
        "by": entry.new_answer.by,
        "reason": entry.new_answer.reason,
        "context_chars": entry.new_answer.context,
        "rewritten": entry.new_answer.rewritten,
        "changes": changes.collect::<Vec<Value>>(),
        "rests_on_today": entry.rests_on_today,
        "altered": entry.is_altered,
    });
    line.to_string()
}

pub(super) fn summary(tally: &Tally, run: &Run) -> String {
    let answers: serde_json::Map<String, Value> =
        tally.answers.iter().map(|(stance, count)| (stance.name().to_owned(), json!(count))).collect();
    let groups = tally.groups.iter().map(|((policy, words), group)| {
        let repeated: Vec<Value> = group
            .repeated(10)
            .into_iter()
            .map(|(subject, count)| json!({ "subject": subject, "times": count }))
            .collect();
        json!({ "policy": policy, "what": words, "times": group.count, "chars": group.chars, "repeated": repeated })
    });
    let unjudged = tally.unjudged.iter().map(|(why, count)| json!({ "why": why.reason(), "events": count }));
    let line = json!({
        "type": "summary",
        "sessions": tally.sessions,
        "events": tally.events,
        "calls": tally.calls,
        "micros": u64::try_from(run.took.as_micros()).unwrap_or(u64::MAX),
        "interrupted": run.is_interrupted,
        "answers": answers,
        "differing": tally.differing,
        "resting_on_today": tally.resting_on_today,
        "groups": groups.collect::<Vec<Value>>(),
        "unjudged": unjudged.collect::<Vec<Value>>(),
        "unread": tally.unread,
        "unreadable_lines": tally.unreadable_lines,
        "altered": tally.altered,
        "homeless": tally.without_folder,
        "not_asked": tally.would_run,
        "not_compared": tally.had_run,
        "notices": run.notices,
    });
    line.to_string()
}
