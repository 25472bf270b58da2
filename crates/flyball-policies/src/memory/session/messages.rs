//! The context at the start of a session, as much as fits.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_knowledge::node::{self, Rule, Topic};
use flyball_knowledge::report::ledger::{Line, Summary};
use flyball_knowledge::tokens;

use crate::memory::agents::rule_digest;

/// How long a line is, in letters.
const LETTERS: usize = 300;

/// How long the title of a report is, in letters.
const TITLE: usize = 140;

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

/// Tells a person that reports wait for review. The model has no use for them: nobody has looked at their text.
pub(super) fn pending(summary: &Summary) -> Option<String> {
    let wait = match summary.pending {
        0 => return None,
        1 => "1 report of a failure, denial or correction waits".to_owned(),
        count => format!("{count} reports of failures, denials and corrections wait"),
    };
    Some(format!("{wait} for review: `flyball learn list`"))
}

/// Rules that are for the whole project.
pub(super) fn rules(rules: &[Rule]) -> Option<Part> {
    let lines: Vec<String> = lines_of(rules).into_iter().map(|(_, line, _)| line).collect();
    (!lines.is_empty()).then(|| Part {
        opening: "This project's rules for all of its files:".to_owned(),
        lines,
        closing: "",
    })
}

/// The rules that are in a text as a whole.
pub(super) fn shown_in(text: &str, rules: &[Rule]) -> Vec<u64> {
    let text = format!("\n{text}\n");
    let is_shown = |line: &str| text.contains(&format!("\n{line}\n"));
    let shown = lines_of(rules).into_iter().filter(|(_, line, is_whole)| *is_whole && is_shown(line));
    shown.map(|(rule, ..)| rule_digest(rule)).collect()
}

pub(super) fn getting_started() -> Part {
    Part {
        opening: "This project records failures (`.intent-layer`) but has no AGENTS.md or CLAUDE.md at its root, so no rules can be shown before edits. To start, add an AGENTS.md with what has to be done, left or known here; `flyball learn` adds accepted rules to it.".to_owned(),
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
    format!("- {}{}", node::shorten(&text::one_line(&line.title), TITLE), place(line))
}

fn place(line: &Line) -> String {
    if line.folder == "." { String::new() } else { format!(" ({})", line.folder) }
}

/// The rules as lines of a list, those that make one; whether each is all of its rule. Words that announce several rules
/// are there once.
fn lines_of(rules: &[Rule]) -> Vec<(&Rule, String, bool)> {
    let before = std::iter::once(None).chain(rules.iter().map(Some));
    let after = rules.iter().skip(1).map(Some).chain(std::iter::once(None));
    let around = rules.iter().zip(before.zip(after));
    let line = |(rule, (before, after)): (&'_ Rule, (Option<&Rule>, Option<&Rule>))| {
        let lead = rule.lead_line();
        let is_next = !lead.is_empty() && before.is_some_and(|before| rule.continues(before));
        let is_first = !lead.is_empty() && !is_next && after.is_some_and(|after| after.continues(rule));
        let own = Rule { lead: String::new(), ..rule.clone() };
        let line = if is_next || is_first { own.line(LETTERS)? } else { rule.line(LETTERS)? };
        let kind = kind(rule.topic);
        let text = match (is_next, is_first) {
            (true, _) => format!("  - {}", line.text),
            (false, true) => format!("- {kind}{lead}\n  - {}", line.text),
            (false, false) => format!("- {kind}{}", line.text),
        };
        Some((text, line.is_whole))
    };
    around.filter_map(|it| line(it).map(|(text, is_whole)| (it.0, text, is_whole))).collect()
}

const fn kind(topic: Topic) -> &'static str {
    match topic {
        Topic::Contracts => "Contract: ",
        Topic::Checks => "Check: ",
        Topic::Pitfalls => "Pitfall: ",
        Topic::Rules | Topic::Patterns | Topic::Context => "",
    }
}
