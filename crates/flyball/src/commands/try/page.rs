//! What was found, for people.

use flyball_core::outcome::Outcome;
use flyball_core::text;

use super::stop::{Counts, Tried};
use crate::show::Page;
use crate::show::record::style_of_outcome;
use crate::show::text::{cut, one_line};
use crate::terminal::Style;

/// How much of a command is shown.
const COMMAND: usize = 100;

pub(super) fn build(tried: &[Tried], counts: &Counts, notices: &[String]) -> Page {
    let mut page = Page::default();
    page.config_problems(notices);
    if let ([one], 1) = (tried, counts.lines) {
        add_one(&mut page, one);
        return page;
    }
    for it in tried {
        let head = format!("{}: {} ", it.line, cut(&one_line(&it.command), COMMAND));
        page.line(style_of_outcome(it.outcome).text(format!("{:<5}", it.decision)).and(head));
        page.paragraph("      ", format!("{}: {}", by(it), it.reason));
    }
    if !tried.is_empty() {
        page.blank();
    }
    let rate = if counts.lines == 0 { 0.0 } else { 100.0 * ratio(counts.stopped(), counts.lines) };
    page.line(format!(
        "{} of {} would be stopped ({rate:.2} %): {} denied, {} asked about",
        counts.stopped(),
        text::counted(counts.lines, "line"),
        counts.denied,
        counts.asked,
    ));
    page
}

/// All about one thing.
fn add_one(page: &mut Page, it: &Tried) {
    let would = match it.outcome {
        Outcome::Passed => "It would pass.",
        Outcome::Allowed => "It would be allowed without asking.",
        Outcome::Asked => "The user would be asked.",
        Outcome::Finding => "It would be a finding.",
        Outcome::Held => "The agent would be held.",
        Outcome::Blocked => "It would be denied.",
    };
    let style = if it.is_stopped() { style_of_outcome(it.outcome) } else { Style::Good };
    page.line(style.text(would));
    if let Some(allowed) = &it.allowed {
        page.paragraph("  allowed  ", one_line(allowed));
    }
    if it.policy.is_empty() {
        return;
    }
    page.paragraph("  by       ", by(it));
    page.paragraphs("  why      ", &it.reason);
    if let Some(undo) = &it.undo {
        page.paragraph("  undo     ", one_line(undo));
    }
    it.config.iter().for_each(|setting| page.paragraph("  config   ", one_line(setting)));
}

fn by(it: &Tried) -> String {
    let mut by = it.policy.clone();
    if let Some(rule) = &it.rule {
        by = format!("{by}, {rule}");
    }
    if it.also.is_empty() { by } else { format!("{by} (also {})", it.also.join(", ")) }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
