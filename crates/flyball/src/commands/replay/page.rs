//! What a replay came to, for people: the summary, the differences by policy, the events.

use std::time::Duration;

use flyball_core::text;
use flyball_core::verdict::Stance;
use jiff::Zoned;

use super::tally::{Entry, Group, Tally};
use crate::show::record::{short_session, style_of};
use crate::show::text::{cut, one_line};
use crate::show::{Cell, Columns, Row, config_problems, table, time};
use crate::terminal::{Style, Terminal};

/// How many repeated subjects are shown of each kind of difference.
const REPEATED: usize = 3;
/// How long a subject may be there.
const SUBJECT: usize = 70;

/// How the replay itself went.
pub(super) struct Run {
    pub(super) took: Duration,
    pub(super) is_interrupted: bool,
    /// What is wrong with configs in force.
    pub(super) notices: Vec<String>,
}

/// All there is to show.
pub(super) struct Page<'a> {
    pub(super) tally: &'a Tally,
    /// The events, or the first of them.
    pub(super) shown: &'a [Entry],
    pub(super) is_full: bool,
    pub(super) all_events: bool,
    pub(super) terminal: &'a Terminal,
    pub(super) now: &'a Zoned,
}

impl Page<'_> {
    pub(super) fn lines(&self, run: &Run) -> Vec<String> {
        let mut lines = config_problems(&run.notices, self.terminal);
        lines.extend(self.summary(run));
        lines.extend(self.limits());
        if self.tally.differing == 0 {
            lines.extend([String::new(), self.terminal.paint(Style::Good, "Nothing would differ.")]);
        } else {
            lines.extend(self.groups());
        }
        lines.extend(self.events());
        lines
    }

    fn summary(&self, run: &Run) -> Vec<String> {
        let Tally { sessions, events, calls, answers, .. } = self.tally;
        let took = time::took(u64::try_from(run.took.as_micros()).unwrap_or(u64::MAX));
        let mut lines = Vec::new();
        if run.is_interrupted {
            lines.push(self.terminal.paint(Style::Warning, "Interrupted: this is what was seen until then."));
        }
        lines.push(format!(
            "{} judged again: {} ({}) in {took}",
            counted(*sessions, "session"),
            counted(*events, "event"),
            counted(*calls, "call"),
        ));
        let answers = Stance::ALL.iter().rev().filter_map(|stance| {
            let count = answers.get(stance).copied().filter(|count| *count > 0)?;
            Some(format!("{} {}", number(count), self.terminal.paint(style_of(*stance), stance.name())))
        });
        let answers: Vec<String> = answers.collect();
        if !answers.is_empty() {
            lines.push(format!("Answers would be: {}", answers.join(", ")));
        }
        lines
    }

    /// What the figures leave out: never silently.
    fn limits(&self) -> Vec<String> {
        let tally = self.tally;
        let mut limits = Vec::new();
        for (why, count) in &tally.unjudged {
            limits.push(format!("{} could not be judged: {}", counted(*count, "event"), why.reason()));
        }
        limits.extend(tally.unread.iter().map(|why| format!("not read: {}", one_line(why))));
        if tally.unreadable_lines > 0 {
            limits.push(format!(
                "{} of transcripts could not be read",
                counted(tally.unreadable_lines, "line")
            ));
        }
        if tally.altered > 0 {
            let what = "judged on less than the client had sent: secrets were struck out or long texts cut";
            limits.push(format!("{} {what}", counted(tally.altered, "event")));
        }
        if tally.resting_on_today > 0 {
            let what = "rest on files or a repository as they are today (marked ≈)";
            limits.push(format!("{} of the differences {what}", number(tally.resting_on_today)));
        }
        if tally.without_folder > 0 {
            let what = "happened in a folder that is gone; `--project` judges them in another";
            limits.push(format!("{} {what}", counted(tally.without_folder, "session")));
        }
        if !tally.would_run.is_empty() {
            limits.push(format!("not run, so not asked: {}", named(&tally.would_run)));
        }
        if !tally.had_run.is_empty() {
            limits.push(format!("what they had found then is not compared: {}", named(&tally.had_run)));
        }
        limits.iter().map(|limit| self.terminal.paint(Style::Faint, &format!("- {limit}"))).collect()
    }

    fn groups(&self) -> Vec<String> {
        let mut groups: Vec<(&(String, String), &Group)> = self.tally.groups.iter().collect();
        groups.sort_by(|one, other| other.1.count.cmp(&one.1.count).then(one.0.cmp(other.0)));
        let rows = groups.iter().map(|((policy, words), group)| {
            vec![
                Cell::amount(Style::Strong, number(group.count)),
                Cell::plain(one_line(policy)),
                Cell::plain(group_label(words, group)),
            ]
        });
        let title = format!("{} would be answered differently", counted(self.tally.differing, "event"));
        let mut lines = vec![String::new(), self.terminal.paint(Style::Strong, &title)];
        lines.extend(table(&["times", "policy", "what"], rows.collect(), self.terminal));
        let repeated: Vec<Row> =
            groups.iter().flat_map(|((policy, _), group)| repeated(policy, group)).collect();
        if !repeated.is_empty() {
            lines.extend([String::new(), self.terminal.paint(Style::Strong, "Again and again")]);
            lines.extend(table(&["times", "policy", "subject"], repeated, self.terminal));
        }
        lines
    }

    fn events(&self) -> Vec<String> {
        if self.shown.is_empty() {
            return Vec::new();
        }
        let head = ["time", "session", "was", "would", "policy", "event"];
        let head: Row = head.iter().map(|title| Cell::new(Style::Faint, *title)).collect();
        let rows: Vec<Row> =
            std::iter::once(head).chain(self.shown.iter().map(|entry| self.row(entry))).collect();
        let columns = Columns::fit(&rows, if self.is_full { usize::MAX } else { self.terminal.line_limit() });
        let mut lines = vec![String::new(), self.terminal.paint(Style::Strong, "Events")];
        lines.extend(rows.iter().map(|row| columns.line(row, self.terminal)));
        let all = if self.all_events { self.tally.events } else { self.tally.differing };
        if all > self.shown.len() {
            let more = format!("… and {} more: `--full` or `-n` shows them", number(all - self.shown.len()));
            lines.push(self.terminal.paint(Style::Faint, &more));
        }
        lines
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

/// The answer of today, with what else it would do.
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

fn repeated(policy: &str, group: &Group) -> Vec<Row> {
    let row = |(subject, count): (&str, usize)| {
        vec![
            Cell::amount(Style::Strong, number(count)),
            Cell::plain(one_line(policy)),
            Cell::plain(cut(&one_line(subject), SUBJECT)),
        ]
    };
    group.repeated(REPEATED).into_iter().map(row).collect()
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
