//! What was found, for people.

use flyball_core::text;

use super::check::Found;
use crate::show::Page;
use crate::show::text::one_line;
use crate::terminal::Style;

/// How many changed files are named for a rule file.
const NAMED: usize = 4;

pub(super) fn page(found: &Found) -> Page {
    let mut page = Page::default();
    for stale in &found.stale {
        let place = format!("{}:{}: ", one_line(&stale.file), stale.line);
        page.line(Style::Bad.text("stale ").and(place).and(one_line(&stale.what)));
        page.paragraph("      rule  ", one_line(&stale.rule));
        page.paragraph("      fix   ", one_line(&stale.suggestion));
    }
    if !found.stale.is_empty() {
        page.blank();
    }
    for node in &found.nodes {
        let state = if node.is_updated { " (updated)" } else { "" };
        page.line(Style::Strong.text(one_line(&node.file)).and(state));
        if !node.changed.is_empty() {
            page.paragraph("  covers  ", text::first(&node.changed, NAMED));
        }
        for rule in &node.rules {
            let words = text::quoted(&rule.words);
            page.paragraph(format!("  :{:<5} ", rule.line), format!("{} ({words})", one_line(&rule.rule)));
        }
    }
    for folder in &found.uncovered {
        page.line(Style::Accent.text("new   ").and(format!("{folder}/ has no AGENTS.md of its own")));
    }
    page.line(summary(found));
    if let Some(gap) = &found.unchecked {
        page.paragraph(Style::Warning.text("unchecked ").and(""), one_line(&gap.what));
        page.paragraph("      fix   ", one_line(&gap.fix));
    }
    page
}

/// All in one line.
pub(super) fn summary(found: &Found) -> String {
    let files = text::counted(found.files.len(), "changed file");
    let rules: usize = found.nodes.iter().map(|node| node.rules.len()).sum();
    let stale = match found.stale.len() {
        0 => "none is stale".to_owned(),
        1 => "1 is stale".to_owned(),
        many => format!("{many} are stale"),
    };
    format!("{files} since {}, {} touched, {stale}", found.base, text::counted(rules, "rule"))
}
