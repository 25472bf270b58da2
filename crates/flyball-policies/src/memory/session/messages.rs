//! The context at the start of a session, as much as fits.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::node::{Rule, Topic};
use flyball_knowledge::report::ledger::{Line, Summary};
use flyball_knowledge::tokens;

/// How many reports that wait are named.
const PENDING: usize = 3;
/// How long a line is, in letters.
const LETTERS: usize = 140;

/// Some lines below a sentence.
pub(super) struct Part {
    opening: String,
    lines: Vec<String>,
    closing: &'static str,
}

/// What was accepted since a time.
pub(super) fn learned(summary: &Summary, since: Time, days: u32) -> Option<Part> {
    let recent: Vec<&Line> = summary.newest_accepted.iter().filter(|line| line.at >= since).collect();
    let days = if days == 1 { "day".to_owned() } else { format!("{days} days") };
    (!recent.is_empty()).then(|| Part {
        opening: format!("Rules accepted in the last {days}:"),
        lines: recent.into_iter().map(format_line).collect(),
        closing: "",
    })
}

/// The reports that wait for review.
pub(super) fn pending(summary: &Summary) -> Option<Part> {
    let count = summary.pending;
    let wait = if count == 1 {
        "1 report of a failure, denial or correction waits".to_owned()
    } else {
        format!("{count} reports of failures, denials and corrections wait")
    };
    (count > 0).then(|| Part {
        opening: format!("{wait} for review. The newest (unreviewed text):"),
        lines: summary.newest_pending.iter().take(PENDING).map(quoted).collect(),
        closing: "A person decides about each with `flyball learn`; you can help to word the rule.",
    })
}

/// The rules of the root, which apply everywhere.
pub(super) fn rules(node: &str, rules: &[Rule]) -> Option<Part> {
    let shown = rules.iter().filter(|rule| is_for_all(rule));
    let lines: Vec<String> = shown.filter_map(format_rule).collect();
    (!lines.is_empty()).then(|| Part {
        opening: format!("Rules for the whole project, in short (full text in `{node}`):"),
        lines,
        closing: "",
    })
}

/// Whether a rule is for the whole project: those below other headings are, if they name nothing.
fn is_for_all(rule: &Rule) -> bool {
    match rule.topic {
        Topic::Contracts | Topic::Checks | Topic::Pitfalls => true,
        Topic::Rules => rule.is_general,
        Topic::Patterns | Topic::Context => false,
    }
}

pub(super) fn getting_started() -> Part {
    Part {
        opening: "This project records failures (`.intent-layer`) but has no AGENTS.md or CLAUDE.md at its root, so no rules can be shown before edits. To start, add an AGENTS.md with the sections `## Checks`, `## Pitfalls`, `## Patterns` and `## Context`; `flyball learn` adds accepted rules to it.".to_owned(),
        lines: Vec::new(),
        closing: "",
    }
}

/// The parts in their order, as far as there is room. A part of which not even one line fits is left out.
pub(super) fn pack(parts: Vec<Part>, most_tokens: usize) -> String {
    let mut packed = String::new();
    for part in parts {
        let room = most_tokens.saturating_sub(tokens::estimate(&packed));
        let gap = if packed.is_empty() { "" } else { "\n\n" };
        if let Some(text) = part.pack(room) {
            packed.push_str(gap);
            packed.push_str(&text);
        }
    }
    packed
}

impl Part {
    fn pack(&self, room: usize) -> Option<String> {
        let all = self.lines.len();
        (0..=all).rev().filter(|count| *count > 0 || all == 0).find_map(|count| {
            let text = self.text(count);
            (tokens::estimate(&text) < room).then_some(text)
        })
    }

    /// The part with this many of its lines.
    fn text(&self, count: usize) -> String {
        let mut lines = vec![self.opening.clone()];
        lines.extend(self.lines.iter().take(count).cloned());
        let more = self.lines.len().saturating_sub(count);
        if more > 0 {
            lines.push(format!("- and {more} more"));
        }
        if !self.closing.is_empty() {
            lines.push(self.closing.to_owned());
        }
        lines.join("\n")
    }
}

fn format_line(line: &Line) -> String {
    format!("- {}{}", cut(&line.title), place(line))
}

fn place(line: &Line) -> String {
    if line.folder == "." { String::new() } else { format!(" ({})", line.folder) }
}

/// A line with foreign text, of an error, a server or a prompt: it is quoted, so that it is not read as an instruction.
fn quoted(line: &Line) -> String {
    format!("- `{}`{}", cut(&line.title).replace('`', "'"), place(line))
}

/// A rule by its title, or by its first line if it has none.
fn format_rule(rule: &Rule) -> Option<String> {
    let summary = rule.summary();
    let kind = match rule.topic {
        Topic::Contracts => "Contract: ",
        Topic::Checks => "Check: ",
        Topic::Pitfalls => "Pitfall: ",
        Topic::Rules | Topic::Patterns | Topic::Context => "",
    };
    (!summary.is_empty()).then(|| format!("- {kind}{}", cut(&summary)))
}

fn cut(text: &str) -> String {
    text::fit_trimmed(&text::one_line(text), LETTERS).into_owned()
}
