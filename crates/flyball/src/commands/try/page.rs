//! What was found, for people.

use flyball_core::text;

use super::stop::{Counts, Stop};
use crate::show::Page;
use crate::show::text::{cut, one_line};
use crate::terminal::Style;

/// How much of a command is shown.
const COMMAND: usize = 100;

pub(super) fn build(stops: &[Stop], counts: &Counts, notices: &[String]) -> Page {
    let mut page = Page::default();
    page.config_problems(notices);
    for stop in stops {
        let style = if stop.decision == "deny" { Style::Bad } else { Style::Warning };
        let by = match &stop.rule {
            Some(rule) => format!("{}, {rule}", stop.policy),
            None => stop.policy.clone(),
        };
        let head = format!("{}: {} ", stop.line, cut(&one_line(&stop.command), COMMAND));
        page.line(style.text(format!("{:<5}", stop.decision)).and(head));
        page.paragraph("      ", format!("{by}: {}", stop.reason));
    }
    if !stops.is_empty() {
        page.blank();
    }
    if counts.lines == 1 && stops.is_empty() {
        page.line(Style::Good.text("It would pass."));
        return page;
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

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
