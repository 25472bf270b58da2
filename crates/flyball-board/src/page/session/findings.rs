//! Findings of linters that are not fixed yet, by file.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::super::parts;
use super::session_data::SessionData;
use crate::view::FindingView;

/// Findings that are shown.
const MOST: usize = 100;
/// Files whose findings are open from the beginning.
const OPEN: usize = 5;

/// The findings; nothing where there are none.
pub(super) fn section(data: &SessionData<'_>) -> Markup {
    let findings = data.context.views.findings(&data.session);
    if findings.is_empty() {
        return html! {};
    }
    let mut files: BTreeMap<&str, Vec<&FindingView>> = BTreeMap::new();
    for finding in findings.iter().take(MOST) {
        files.entry(finding.file.as_str()).or_default().push(finding);
    }
    html! {
        section.card data-key="findings-part" aria-labelledby="findings" {
            div.part-head {
                h2 id="findings" { "Unfixed findings" }
                span.muted { (parts::number(findings.len() as u64)) }
            }
            @for (place, (file, findings)) in files.iter().enumerate() {
                details open[place < OPEN] {
                    summary { bdi.mono { (parts::cut(file, 160)) } " " span.muted { (parts::counted(findings.len() as u64, "finding")) } }
                    ul.plain.findings { @for finding in findings { (item(finding)) } }
                }
            }
            @if findings.len() > MOST { p.muted { "and " (parts::number((findings.len() - MOST) as u64)) " more" } }
        }
    }
}

fn item(finding: &FindingView) -> Markup {
    html! {
        li {
            span.number.muted { @if let Some(line) = finding.line { (line) } }
            span { (parts::cut(&finding.message, 300)) }
            span.muted { (parts::cut(&finding.tool, 40)) " " span.mono { (parts::cut(&finding.code, 60)) } }
        }
    }
}
