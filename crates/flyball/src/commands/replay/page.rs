//! The result of a replay, for people: the summary, the differences by policy, the events.

use std::time::Duration;

use flyball_core::text;
use flyball_core::verdict::Stance;
use jiff::Zoned;

use super::tally::{Entry, Group, Tally};
use crate::show::record::{short_session, style_of};
use crate::show::text::{cut, one_line};
use crate::show::{Cell, Fit, Page, Row, Text, time};
use crate::terminal::Style;

/// The most repeated subjects that are shown of each kind of difference.
const REPEATED: usize = 3;
const SUBJECT: usize = 70;

/// How the replay itself went.
pub(super) struct Run {
    pub(super) took: Duration,
    pub(super) is_interrupted: bool,
    /// What is wrong with configs in force.
    pub(super) notices: Vec<String>,
}

/// All there is to show.
pub(super) struct View<'a> {
    pub(super) tally: &'a Tally,
    /// The events, or the first of them.
    pub(super) shown: &'a [Entry],
    pub(super) is_full: bool,
    pub(super) all_events: bool,
    pub(super) now: &'a Zoned,
}

impl View<'_> {
    pub(super) fn page(&self, run: &Run) -> Page {
        let mut page = Page::default();
        page.config_problems(&run.notices);
        self.add_summary(&mut page, run);
        limits(self.tally).iter().for_each(|limit| page.line(Style::Faint.text(format!("- {limit}"))));
        if self.tally.differing == 0 {
            page.blank();
            page.line(Style::Good.text("No decision would differ."));
        } else {
            self.add_groups(&mut page);
        }
        self.add_events(&mut page);
        page
    }

    fn add_summary(&self, page: &mut Page, run: &Run) {
        let Tally { sessions, events, calls, answers, .. } = self.tally;
        let took = time::took(run.took);
        if run.is_interrupted {
            page.line(Style::Warning.text("Interrupted: this is only what was replayed until then."));
        }
        page.line(format!(
            "{} judged again: {} ({}) in {took}",
            counted(*sessions, "session"),
            counted(*events, "event"),
            counted(*calls, "call"),
        ));
        let mut line = Text::default();
        for stance in Stance::ALL.iter().rev() {
            let Some(count) = answers.get(stance).filter(|count| **count > 0) else { continue };
            let before = if line.is_empty() { "Decisions would be: " } else { ", " };
            line = line.and(format!("{before}{} ", number(count)));
            line.push(style_of(*stance), stance.name());
        }
        if !line.is_empty() {
            page.line(line);
        }
    }

    fn add_groups(&self, page: &mut Page) {
        let mut groups: Vec<(&(String, String), &Group)> = self.tally.groups.iter().collect();
        groups.sort_by(|one, other| other.1.count.cmp(&one.1.count).then(one.0.cmp(other.0)));
        let row = |count: usize, policy: &str, what: String| {
            vec![Cell::amount(Style::Strong, number(count)), Cell::plain(one_line(policy)), Cell::plain(what)]
        };
        page.title(format!("{} would be decided differently", counted(self.tally.differing, "event")));
        let rows =
            groups.iter().map(|((policy, words), group)| row(group.count, policy, group_label(words, group)));
        page.table(&["times", "policy", "what"], rows.collect(), Fit::Wrap);
        let repeated: Vec<Row> = groups
            .iter()
            .flat_map(|((policy, _), group)| {
                let repeated = group.repeated(REPEATED).into_iter();
                repeated.map(move |(subject, count)| row(count, policy, cut(&one_line(subject), SUBJECT)))
            })
            .collect();
        if !repeated.is_empty() {
            page.title("Repeated");
            page.table(&["times", "policy", "subject"], repeated, Fit::Wrap);
        }
    }

    fn add_events(&self, page: &mut Page) {
        if self.shown.is_empty() {
            return;
        }
        page.title("Events");
        let titles = ["time", "session", "was", "would", "policy", "event"];
        let rows = self.shown.iter().map(|entry| self.row(entry)).collect();
        page.table(&titles, rows, if self.is_full { Fit::Whole } else { Fit::Cut });
        let all = if self.all_events { self.tally.events } else { self.tally.differing };
        if all > self.shown.len() {
            let more = format!("… and {} more: `--full` or `-n` shows them", number(all - self.shown.len()));
            page.line(Style::Faint.text(more));
        }
    }

    fn row(&self, entry: &Entry) -> Row {
        let policies: Vec<&str> =
            entry.changes.iter().flat_map(|(_, policies)| policies).map(String::as_str).collect();
        vec![
            Cell::new(Style::Faint, time::clock(entry.at, self.now)),
            Cell::new(Style::Faint, short_session(&entry.session)),
            Cell::plain(entry.past_outcome.label()),
            Cell::new(style_of(entry.new_answer.stance), would(entry)),
            Cell::plain(one_line(&policies.join(", "))),
            Cell::plain(about(entry)),
        ]
    }
}

/// What the figures leave out.
fn limits(tally: &Tally) -> Vec<String> {
    let mut limits = Vec::new();
    for (why, count) in &tally.unjudged {
        limits.push(format!("{} could not be judged: {}", counted(*count, "event"), why.reason()));
    }
    limits.extend(tally.unread.iter().map(|why| format!("not read: {}", one_line(why))));
    if tally.unreadable_lines > 0 {
        limits.push(format!("{} of transcripts could not be read", counted(tally.unreadable_lines, "line")));
    }
    if tally.altered > 0 {
        let what = "judged on less than the client had sent: secrets were removed or long texts cut";
        limits.push(format!("{} {what}", counted(tally.altered, "event")));
    }
    if tally.resting_on_today > 0 {
        let what = "depend on files or a repository as they are today (marked ≈)";
        limits.push(format!("{} of the differences {what}", number(tally.resting_on_today)));
    }
    if tally.without_folder > 0 {
        let what = "happened in a folder that no longer exists; `--project` judges them in another";
        limits.push(format!("{} {what}", counted(tally.without_folder, "session")));
    }
    if !tally.would_run.is_empty() {
        limits.push(format!("not asked, because they would run programs: {}", named(&tally.would_run)));
    }
    if !tally.had_run.is_empty() {
        limits.push(format!("not compared, because they had run programs: {}", named(&tally.had_run)));
    }
    limits
}

/// The decision of today, with what else it would do.
fn would(entry: &Entry) -> String {
    let mut words = entry.new_answer.stance.name().to_owned();
    if entry.new_answer.rewritten {
        words.push_str(" rewritten");
    }
    if entry.new_answer.context > 0 {
        words.push_str(&format!(" +{}", number(entry.new_answer.context)));
    }
    if entry.rests_on_today && !entry.changes.is_empty() {
        words.push_str(" ≈");
    }
    words
}

fn about(entry: &Entry) -> String {
    let mut parts = Vec::new();
    parts.extend(entry.agent.as_ref().map(|agent| format!("@{agent}")));
    parts.push(match entry.tool {
        Some(tool) => format!("{}:", tool.name()),
        None => format!("{}:", entry.kind.name()),
    });
    parts.push(entry.subject.clone());
    if !entry.new_answer.reason.is_empty() {
        parts.push(format!("({})", entry.new_answer.reason));
    }
    one_line(&parts.join(" "))
}

fn group_label(words: &str, group: &Group) -> String {
    match group.chars {
        0 => words.to_owned(),
        more if more > 0 => format!("{words}: {} characters more", number(more.unsigned_abs())),
        less => format!("{words}: {} characters less", number(less.unsigned_abs())),
    }
}

fn named(counts: &std::collections::BTreeMap<String, usize>) -> String {
    let named: Vec<String> =
        counts.iter().map(|(policy, count)| format!("{policy} ({})", counted(*count, "event"))).collect();
    named.join(", ")
}

fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", number(count), text::plural(count, "", "s"))
}

/// A number with a comma between thousands.
fn number(count: impl ToString) -> String {
    text::grouped(&count.to_string(), ',')
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn thousands_are_easy_to_read() {
        let cases = [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")];
        for (count, expected) in cases {
            assert_eq!(number(count), expected);
        }
    }
}
