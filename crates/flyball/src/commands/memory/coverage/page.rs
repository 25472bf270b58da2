//! What was found, for people.

use flyball_core::text;

use super::covered::{Coverage, Covered, State};
use crate::show::text::{lines, one_line};
use crate::show::{Cell, Fit, Page};
use crate::terminal::Style;

pub(super) fn build(coverage: &Coverage, has_files: bool) -> Page {
    let mut page = Page::default();
    if !has_files {
        page.line("This project has no AGENTS.md or CLAUDE.md yet.");
        return page;
    }
    let rows = coverage.rules.iter().map(|rule| {
        let (style, state) = match rule.state {
            State::Enforced => (Style::Good, "enforced"),
            State::Possible => (Style::Accent, "could be"),
            State::Reader => (Style::Faint, "readers"),
        };
        let place = format!("{}:{}", one_line(&rule.file), rule.line);
        let by = by(rule);
        vec![Cell::new(style, state), Cell::plain(place), Cell::plain(one_line(&rule.rule)), Cell::plain(by)]
    });
    page.table(&["", "rule", "", "by"], rows.collect(), Fit::Wrap);
    for rule in coverage.rules.iter().filter(|rule| !rule.drafts.is_empty()) {
        for draft in &rule.drafts {
            page.blank();
            let head = format!("# {}:{}: {}", one_line(&rule.file), rule.line, one_line(&draft.about));
            page.line(Style::Faint.text(head));
            lines(&draft.toml).for_each(|line| page.line(line));
        }
    }
    page.blank();
    let Coverage { enforced, possible, readers, .. } = coverage;
    page.line(format!("{enforced} enforced, {possible} could be, {readers} only by readers"));
    page
}

/// Who enforces a rule, or what could.
fn by(rule: &Covered) -> String {
    let mut parts: Vec<String> = Vec::new();
    for answer in rule.answers.iter().filter(|answer| answer.is_stopped) {
        let own = answer.rule.as_ref().map(|rule| format!(" {rule}")).unwrap_or_default();
        parts.push(format!("{}{own}: {} `{}`", answer.policy, answer.decision, answer.call));
    }
    parts.extend(rule.drafts.iter().map(|draft| draft.about.clone()));
    parts.dedup();
    text::first(&parts, 2)
}
