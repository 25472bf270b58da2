//! A recorded event as a line of the log, and the names that all commands use for its parts.

use flyball_core::config::Mode;
use flyball_core::event::{EventKind, ToolKind};
use flyball_core::outcome::{DenialCounts, Outcome};
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::text::counted;
use flyball_core::verdict::Stance;
use jiff::Zoned;

use super::text::one_line;
use super::{Cell, Row, time};
use crate::terminal::Style;

/// How many letters of a session's id are shown: enough to tell the sessions of a day apart.
const SESSION_LETTERS: usize = 8;

/// Which columns a line of the log has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// The session: not if only one is shown.
    pub(crate) session: bool,
    /// The time flyball took: not if lines are short.
    pub(crate) took: bool,
}

/// The cells of one line of the log.
pub(crate) fn row(record: &Record, shape: Shape, now: &Zoned) -> Row {
    let mut row = vec![Cell::new(Style::Faint, time::clock(record.at, now))];
    if shape.session {
        row.push(Cell::new(Style::Faint, short_session(record.session.as_str())));
    }
    row.push(Cell::plain(kind_of(record)));
    let outcome = record.outcome();
    row.push(Cell::new(style_of_outcome(outcome), outcome.name()));
    row.push(Cell::new(Style::Accent, record.id.as_str()));
    if shape.took {
        row.push(Cell::amount(Style::Faint, time::took(record.took)));
    }
    row.push(Cell::plain(about(record)));
    row
}

/// The kind of event; for one that policies do not know, the client's or the command's own name for it.
pub(crate) fn kind_of(record: &Record) -> String {
    match record.kind {
        EventKind::Unknown if !record.native.is_empty() => one_line(&record.native),
        kind => kind.name().to_owned(),
    }
}

/// The first letters of a session's id.
pub(crate) fn short_session(id: &str) -> String {
    one_line(id).chars().take(SESSION_LETTERS).collect()
}

/// How a stance looks.
pub(crate) const fn style_of(stance: Stance) -> Style {
    match stance {
        Stance::Silent => Style::Faint,
        Stance::Allow => Style::Good,
        Stance::Ask => Style::Warning,
        Stance::Deny => Style::Bad,
    }
}

/// How an outcome looks: only what did not happen is bad.
pub(crate) const fn style_of_outcome(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Passed => Style::Faint,
        Outcome::Allowed => Style::Good,
        Outcome::Asked | Outcome::Finding | Outcome::Held => Style::Warning,
        Outcome::Blocked => Style::Bad,
    }
}

/// `2 blocked, 1 held, 3 findings`; empty without any.
pub(crate) fn denials(denied: DenialCounts) -> String {
    let DenialCounts { blocked, held, findings } = denied;
    let parts = [
        (blocked > 0).then(|| format!("{blocked} blocked")),
        (held > 0).then(|| format!("{held} held")),
        (findings > 0).then(|| counted(findings, "finding")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// How a mode looks.
pub(crate) const fn style_of_mode(mode: Mode) -> Style {
    match mode {
        Mode::Off => Style::Faint,
        Mode::Observe => Style::Warning,
        Mode::Enforce => Style::Good,
    }
}

/// The rulings that would have denied or asked if they had counted.
pub(crate) fn would_object(record: &Record) -> impl Iterator<Item = &RecordedRuling> {
    let stopped =
        |ruling: &&RecordedRuling| !ruling.counts() && ruling.stance > record.stance.max(Stance::Allow);
    record.rulings.iter().filter(stopped)
}

/// Whether flyball neither decided nor added anything.
pub(crate) fn is_silent(record: &Record) -> bool {
    let Record { stance, context_chars, notices, rewritten, .. } = record;
    *stance == Stance::Silent && *context_chars == 0 && notices.is_empty() && !rewritten
}

/// What happened, as the last cell of a line: who decided, where, with what tool, on what, and what
/// else was done.
fn about(record: &Record) -> String {
    let mut parts: Vec<String> = Vec::new();
    let deciders: Vec<&str> = record.deciders().map(|ruling| ruling.policy.as_str()).collect();
    if !deciders.is_empty() {
        parts.push(format!("[{}]", deciders.join(", ")));
    }
    parts.extend(
        would_object(record).map(|ruling| format!("[{} would {}]", ruling.policy, ruling.stance.name())),
    );
    parts.extend(observing_rules(record));
    parts.extend(record.agent.as_ref().map(|agent| format!("@{}", agent_name(&agent.role))));
    parts.extend(extras(record).map(|extra| format!("({extra})")));
    parts.extend(record.tool.map(|tool| format!("{}:", tool.name())));
    parts.push(subject(record).to_owned());
    one_line(&parts.join(" "))
}

/// The user's rules that only observe, within a policy that counts: what they would have done is
/// in the policy's evidence.
fn observing_rules(record: &Record) -> impl Iterator<Item = String> {
    let evidence = record.rulings.iter().flat_map(|ruling| &ruling.evidence).filter(|it| it.name == "rule");
    evidence.filter_map(|it| {
        // Written by the `rules` policy: `slow at flyball.toml:5:6 would deny`.
        let (who, what) = it.value.split_once(" would ")?;
        Some(format!("[{} would {what}]", who.split(' ').next().unwrap_or(who)))
    })
}

/// What the event is about; a file of the project relative to its root.
pub(crate) fn subject(record: &Record) -> &str {
    let is_path = matches!(record.tool, Some(ToolKind::Edit | ToolKind::Read));
    let below = record.subject.strip_prefix(record.project.as_str()).and_then(|rest| rest.strip_prefix('/'));
    below.filter(|_| is_path).unwrap_or(&record.subject)
}

/// The name of a subagent's role; the client's own helpers have none.
pub(crate) fn agent_name(role: &str) -> &str {
    if role.is_empty() { "helper" } else { role }
}

/// What the answer did besides its decision, in words.
pub(crate) fn extras(record: &Record) -> impl Iterator<Item = String> {
    let context = (record.context_chars > 0).then(|| format!("+{} characters", record.context_chars));
    let rewritten = record.rewritten.then(|| "rewritten".to_owned());
    let has_error = record.rulings.iter().any(|ruling| ruling.error.is_some());
    let error = has_error.then(|| "error".to_owned());
    let notice = (!record.notices.is_empty()).then(|| "notice".to_owned());
    let duplicate = record.duplicate.then(|| "duplicate".to_owned());
    [context, rewritten, error, notice, duplicate].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::show::Columns;
    use crate::terminal::Terminal;

    fn record(changes: Value) -> Record {
        let mut fields = json!({
            "id": "4k7q2m8x", "at": 1_794_654_000_000_000_i64, "client": "claude-code",
            "session": "3f2a9c1e-77aa", "project": "/p", "kind": "before_tool", "native": "PreToolUse",
            "tool": "shell", "subject": "rm -rf flyball.toml", "call": 1, "stance": "silent", "micros": 1240,
        });
        for (key, value) in changes.as_object().unwrap() {
            fields[key] = value.clone();
        }
        serde_json::from_value(fields).unwrap()
    }

    fn line(changes: Value) -> String {
        let now: Zoned = "2026-11-14T12:00:00[UTC]".parse().unwrap();
        let row = row(&record(changes), Shape { session: true, took: true }, &now);
        Columns::fit([&row], 140).line(&row, &Terminal::plain(140))
    }

    #[test]
    fn a_line_shows_who_decided_and_what_else_was_done() {
        let ruling = |mode: &str, stance: &str| json!({ "policy": "guard.self", "mode": mode, "stance": stance, "micros": 5 });
        let head = "11:00:00  3f2a9c1e  before_tool  ";
        let cases = [
            (json!({}), "passed  4k7q2m8x  1.2 ms  shell: rm -rf flyball.toml"),
            (
                json!({ "stance": "deny", "rulings": [ruling("enforce", "deny")] }),
                "blocked  4k7q2m8x  1.2 ms  [guard.self] shell: rm -rf flyball.toml",
            ),
            (
                json!({ "kind": "after_tool", "stance": "deny", "rulings": [ruling("enforce", "deny")] }),
                "finding  4k7q2m8x  1.2 ms  [guard.self] shell: rm -rf flyball.toml",
            ),
            (
                json!({ "rulings": [ruling("observe", "deny")] }),
                "passed  4k7q2m8x  1.2 ms  [guard.self would deny] shell: rm -rf flyball.toml",
            ),
            (
                json!({ "rulings": [{
                    "policy": "rules", "mode": "enforce", "stance": "silent", "micros": 5,
                    "evidence": [{ "name": "rule", "value": "no-rm at flyball.toml:2:6 would deny" }],
                }] }),
                "passed  4k7q2m8x  1.2 ms  [no-rm would deny] shell: rm -rf flyball.toml",
            ),
            (json!({ "tool": "edit", "subject": "/p/src/x.rs" }), "passed  4k7q2m8x  1.2 ms  edit: src/x.rs"),
            (
                json!({ "duplicate": true, "context_chars": 12, "agent": { "id": "a", "role": "reviewer" } }),
                "passed  4k7q2m8x  1.2 ms  @reviewer (+12 characters) (duplicate) shell: rm -rf flyball.toml",
            ),
        ];
        for (changes, expected) in cases {
            let head = if expected.starts_with("finding") {
                head.replace("before", "after")
            } else {
                head.to_owned()
            };
            assert_eq!(line(changes), format!("{head}{expected}"));
        }
    }
}
