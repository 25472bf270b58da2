//! Reports and rules as they are shown to people and to scripts.

use flyball_core::time::Time;

use flyball_knowledge::node::Rule;
use flyball_knowledge::report::{Report, Status};
use flyball_knowledge::timestamp;
use serde_json::{Value, json};

use super::report_store::ReportStore;
use crate::show::Page;
use crate::show::text::{lines, one_line};
use crate::terminal::Style;

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
    let at = (report.at > Time::default()).then(|| timestamp::iso(report.at));
    json!({
        "id": report.id, "status": status_name(report.status), "at": at, "times": report.times,
        "type": draft.kind.name(), "origin": draft.origin.name(), "title": draft.title, "folder": draft.folder,
        "operation": draft.operation, "detail": draft.detail, "said": draft.said, "command": draft.command,
        "file": draft.file, "node": draft.node, "told_before": draft.told_before, "agent": draft.agent,
        "needs_lesson": needs_lesson(report),
    })
}

/// Whether the report has no lesson yet.
pub(super) fn needs_lesson(report: &Report) -> bool {
    report.is_skeleton || report.draft.detail.trim().is_empty()
}

/// A whole report. The label of the next fact is as wide as those here.
pub(super) fn add_report(page: &mut Page, report: &Report) {
    let draft = &report.draft;
    page.line(Style::Strong.text(one_line(&draft.title)));
    let times = if report.times > 1 { format!(", {} times", report.times) } else { String::new() };
    let at = if report.at > Time::default() { timestamp::date(report.at) } else { "no date".to_owned() };
    let facts = [
        ("report", format!("{} ({}, {at}{times})", report.id, status_name(report.status))),
        ("type", format!("{}, from {}", draft.kind.name(), origin(report))),
        ("folder", draft.folder.clone()),
        ("file", draft.file.clone()),
        ("during", draft.operation.clone()),
        ("agent", draft.agent.clone()),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        add_fact(page, name, &one_line(value));
    }
    let known = draft.told_before.join("\n");
    let texts = [
        ("what", &draft.detail),
        ("command", &draft.command),
        ("output", &draft.said),
        ("known rules", &known),
    ];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        page.line(format!("  {name}:"));
        lines(text).for_each(|line| page.line(format!("    {line}")));
    }
    if needs_lesson(report) {
        page.line(Style::Warning.text("  it has no lesson yet: add one with `flyball learn edit`"));
    }
}

pub(super) fn add_fact(page: &mut Page, name: &str, value: &str) {
    page.line(format!("  {name:<8} {value}"));
}

const fn origin(report: &Report) -> &'static str {
    use flyball_knowledge::report::Origin;
    match report.draft.origin {
        Origin::Failure => "a failure",
        Origin::Denial => "a denial",
        Origin::Correction => "a person's correction",
        Origin::Session => "a review of the session",
        Origin::Agent => "an agent",
        Origin::Person => "a person",
    }
}

/// A rule that says the same.
pub(super) fn duplicate(rule: &Rule, report_store: &ReportStore) -> Page {
    let place = format!(" {}, {}:", report_store.display_path(&rule.node), rule.topic.heading());
    let mut page = Page::default();
    page.line(Style::Warning.text("the same rule is in").and(place));
    let title = Some(one_line(&rule.title)).filter(|title| !title.is_empty());
    title.into_iter().chain(lines(&rule.text)).for_each(|line| page.line(format!("    {line}")));
    page
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
