//! Reports and rules as they are shown to people and to scripts.

use flyball_knowledge::node::Rule;
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::timestamp;
use serde_json::{Value, json};

use super::report_store::ReportStore;
use crate::show::text::{lines, one_line};
use crate::terminal::{Style, Terminal};

/// The name of a status.
pub(super) const fn status_name(status: Status) -> &'static str {
    match status {
        Status::Pending => "pending",
        Status::Accepted => "accepted",
        Status::Rejected => "rejected",
        Status::Integrated => "integrated",
    }
}

/// A report for scripts.
pub(super) fn report_json(report: &Report) -> Value {
    let draft = &report.draft;
    let at = (report.at > 0).then(|| timestamp::iso(report.at));
    json!({
        "id": report.id, "status": status_name(report.status), "at": at, "times": report.times,
        "type": draft.kind.name(), "origin": draft.origin.name(), "title": draft.title, "folder": draft.folder,
        "operation": draft.operation, "detail": draft.detail, "said": draft.said, "command": draft.command,
        "file": draft.file, "node": draft.node, "told_before": draft.told_before, "agent": draft.agent,
        "needs_lesson": needs_lesson(report),
    })
}

/// Whether nobody has said yet what is to be learned.
pub(super) fn needs_lesson(report: &Report) -> bool {
    report.is_skeleton || report.draft.detail.trim().is_empty()
}

/// Shows all that a report says.
pub(super) fn show(report: &Report, terminal: &Terminal) {
    let draft = &report.draft;
    let strong = |text: &str| terminal.paint(Style::Strong, text);
    terminal.line(&strong(&one_line(&draft.title)));
    let times = if report.times > 1 { format!(", {} times", report.times) } else { String::new() };
    let at = if report.at > 0 { timestamp::date(report.at) } else { "no date".to_owned() };
    let facts = [
        ("report", format!("{} ({}, {at}{times})", report.id, status_name(report.status))),
        ("type", format!("{}, from {}", draft.kind.name(), origin(report))),
        ("folder", draft.folder.clone()),
        ("file", draft.file.clone()),
        ("during", draft.operation.clone()),
        ("agent", draft.agent.clone()),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        terminal.line(&format!("  {name:<8} {}", one_line(value)));
    }
    let told = draft.told_before.join("\n");
    let texts =
        [("what", &draft.detail), ("command", &draft.command), ("said", &draft.said), ("told before", &told)];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        terminal.line(&format!("  {name}:"));
        terminal.lines(lines(text).map(|line| format!("    {line}")));
    }
    if needs_lesson(report) {
        terminal.line(&terminal.paint(Style::Warning, "  nobody has said yet what is to be learned from it"));
    }
}

const fn origin(report: &Report) -> &'static str {
    use flyball_knowledge::report::Origin;
    match report.draft.origin {
        Origin::Failure => "a failure",
        Origin::Denial => "a denial",
        Origin::Correction => "a person's correction",
        Origin::Session => "a look at the session",
        Origin::Agent => "an agent",
        Origin::Person => "a person",
    }
}

/// Shows a rule that says the same.
pub(super) fn print_known(rule: &Rule, report_store: &ReportStore, terminal: &Terminal) {
    let place = format!("{}, {}", report_store.display_path(&rule.node), rule.topic.heading());
    terminal.line(&format!("{} {place}:", terminal.paint(Style::Warning, "the same is said in")));
    if !rule.title.is_empty() {
        terminal.line(&format!("    {}", one_line(&rule.title)));
    }
    terminal.lines(lines(&rule.text).map(|line| format!("    {line}")));
}

/// The same for scripts.
pub(super) fn known_json(id: &str, rule: &Rule, report_store: &ReportStore) -> Value {
    json!({ "id": id, "written": false, "same": rule_json(rule, report_store) })
}

/// A rule for scripts.
pub(super) fn rule_json(rule: &Rule, report_store: &ReportStore) -> Value {
    json!({
        "node": report_store.display_path(&rule.node), "section": rule.topic.heading(), "title": rule.title, "text": rule.text,
    })
}
