//! A rule as text for a list: soft-wrapped lines joined, and if need be in one line that is cut between words.

use std::borrow::Cow;

use flyball_core::text::{ELLIPSIS, head, one_line};

use super::Rule;
use super::statement::without_mark;
use crate::markdown;

/// How long a summary is, in letters.
const SUMMARY: usize = 140;
/// A sentence that is cut off has to leave this share of the room, as a divisor.
const LEAST_SHARE: usize = 3;
/// The last sentence of the words before a rule is enough if they are longer, in bytes.
const LONG_LEAD: usize = 120;
/// Abbreviations with a full stop that ends no sentence.
const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx."];

/// A rule in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLine {
    /// Without the mark of a list.
    pub text: String,
    /// Whether it says all that the rule says.
    pub is_whole: bool,
}

impl Rule {
    /// Lead and text, each paragraph and item on one line.
    #[must_use]
    pub fn unwrapped(&self) -> String {
        unwrap(&self.markdown().replace('\r', ""))
    }

    /// Whether it is the next item or row below the same words as another rule, so that they need not be repeated.
    #[must_use]
    pub fn continues(&self, before: &Rule) -> bool {
        !self.lead.is_empty()
            && self.title.is_empty()
            && (&self.node, &self.headings, &self.lead) == (&before.node, &before.headings, &before.lead)
    }

    /// Its own text, each paragraph and item on one line.
    #[must_use]
    pub fn unwrapped_text(&self) -> String {
        unwrap(&self.text.replace('\r', ""))
    }

    /// The rule in one line of at most so many letters; `None` if it is only a block of code.
    #[must_use]
    pub fn line(&self, letters: usize) -> Option<RuleLine> {
        let is_row = self.text.trim_start().starts_with('|');
        let lead = flat(&unwrap(&self.lead.replace('\r', "")), Rows::Left);
        let rows = if is_row { Rows::Taken } else { Rows::Left };
        let body = flat(&unwrap(&self.text.replace('\r', "")), rows);
        if self.title.is_empty() && body.text.is_empty() {
            return None;
        }
        let parts = [self.title.as_str(), last_sentence(&lead.text), &body.text];
        let mut text = String::new();
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            announce(&mut text);
            text.push_str(part);
        }
        let is_lost = lead.is_cut || body.is_cut;
        if is_lost && !text.ends_with(['.', '!', '?']) {
            text = format!("{} {ELLIPSIS}", text.trim_end());
        }
        let text = one_line(&text);
        let short = shorten(&text, letters);
        let is_whole = !is_lost && short.len() == text.len();
        Some(RuleLine { text: short.into_owned(), is_whole })
    }

    /// The words that it belongs to, in one line; empty if there are none, or only the header of a table.
    #[must_use]
    pub fn lead_line(&self) -> String {
        let lead = flat(&unwrap(&self.lead.replace('\r', "")), Rows::Left);
        one_line(last_sentence(&lead.text))
    }

    /// In one line, without the mark of a list: the title, else how the text begins.
    #[must_use]
    pub fn summary(&self) -> String {
        if !self.title.is_empty() {
            return self.title.clone();
        }
        let own = Rule { lead: String::new(), ..self.clone() };
        own.line(SUMMARY).map(|line| line.text).unwrap_or_default()
    }
}

/// A text of one line with at most so many letters, cut at the end of a sentence or of a word, and not within code, bold
/// text, brackets or a link. What is cut ends in `…`.
#[must_use]
pub fn shorten(text: &str, letters: usize) -> Cow<'_, str> {
    let fitting = head(text, letters);
    if fitting.len() == text.len() {
        return Cow::Borrowed(text);
    }
    // Room for a blank and the ellipsis.
    let start = head(text, letters.saturating_sub(2));
    let ends = |is_end: fn(&str, &str) -> bool| {
        let blanks = text.match_indices(' ').map(|(at, _)| at).take_while(|at| *at <= start.len());
        let fits = move |at: &usize| {
            let (before, behind) = text.split_at_checked(*at).unwrap_or((text, ""));
            is_end(before, behind) && is_balanced(before)
        };
        blanks.filter(fits).last()
    };
    if let Some(at) = ends(|before, _| ends_sentence(before)).filter(|at| at * LEAST_SHARE >= start.len()) {
        return Cow::Owned(format!("{} {ELLIPSIS}", text.get(..at).unwrap_or(start)));
    }
    let at = ends(|_, _| true).or_else(|| start.rfind(' ')).unwrap_or(start.len());
    let words = text.get(..at).unwrap_or(start).trim_end_matches([' ', ',', ';', ':', '–', '—', '-', '(']);
    Cow::Owned(format!("{words}{ELLIPSIS}"))
}

/// Puts between two parts what makes the first announce the second.
fn announce(text: &mut String) {
    let bare = text.trim_end_matches(['*', '_', '"', ')']);
    match bare.chars().last() {
        None => {}
        Some('.' | '!' | '?' | ':' | '：' | '…') => text.push(' '),
        Some(_) => text.push_str(": "),
    }
}

/// The text with the lines of each paragraph and item joined. Code, tables and headings stay as they are.
fn unwrap(text: &str) -> String {
    let mut joined: Vec<String> = Vec::new();
    // Whether the last line can go on in the next one.
    let mut is_open = false;
    let (mut is_list, mut is_block) = (false, false);
    for line in markdown::lines(text) {
        let bare = line.text.trim();
        let indent = line.text.len() - line.text.trim_start().len();
        let is_item = without_mark(bare).len() < bare.len();
        is_list |= is_item;
        // Outside of lists, what is indented far below a blank line is code.
        is_block = !is_list && indent >= 4 && (is_block || joined.last().is_none_or(|last| last.is_empty()));
        let is_plain = !line.is_code && !is_block && !bare.is_empty() && !is_own_line(bare);
        match joined.last_mut().filter(|_| is_open && is_plain && !is_item) {
            Some(last) => {
                last.push(' ');
                last.push_str(bare);
            }
            None => joined.push(line.text.trim_end().to_owned()),
        }
        let is_broken = line.text.ends_with("  ") || line.text.ends_with('\\');
        is_open = is_plain && !is_broken;
    }
    joined.join("\n")
}

/// Whether a line is one by its form: a row, a heading, a quotation, a tag, a thematic break.
fn is_own_line(line: &str) -> bool {
    let is_break = line.len() >= 3 && line.chars().all(|letter| matches!(letter, '-' | '=' | '*' | '_'));
    line.starts_with(['|', '#', '<', '>']) || is_break
}

/// A text in one line.
#[derive(Debug, Default)]
struct Flat {
    text: String,
    /// Whether something of it is missing.
    is_cut: bool,
}

/// What becomes of rows of tables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Taken,
    /// They are the header of another row.
    Left,
}

fn flat(text: &str, rows: Rows) -> Flat {
    let mut flat = Flat::default();
    let mut code: Vec<&str> = Vec::new();
    let mut was_item = false;
    for line in markdown::lines(text) {
        let bare = line.text.trim();
        if line.is_code {
            code.push(bare);
            continue;
        }
        flat.add_code(&mut code);
        if bare.is_empty() || is_markup(bare) {
            continue;
        }
        if bare.starts_with('|') {
            match rows {
                Rows::Taken => flat.add(&row(bare), was_item),
                Rows::Left => {}
            }
            continue;
        }
        let plain = bare.trim_start_matches(['#', '>']).trim_start();
        let words = without_box(without_mark(plain));
        let is_item = words.len() < plain.len();
        flat.add(words, is_item && was_item);
        was_item = is_item;
    }
    flat.add_code(&mut code);
    flat
}

impl Flat {
    fn add(&mut self, words: &str, is_next_item: bool) {
        let bare = self.text.trim_end_matches(['*', '_', '"', ')']);
        let between = match bare.chars().last() {
            None => "",
            Some('.' | '!' | '?' | ':' | ';' | ',' | '：') => " ",
            Some(_) if is_next_item => "; ",
            Some(_) => ". ",
        };
        self.text.push_str(between);
        self.text.push_str(words);
    }

    /// One line of code is shown; more of it is no line of a list.
    fn add_code(&mut self, lines: &mut Vec<&str>) {
        let is_fence = |line: &&str| line.starts_with("```") || line.starts_with("~~~");
        let inside: Vec<&str> =
            lines.drain(..).filter(|line| !line.is_empty()).filter(|line| !is_fence(line)).collect();
        match inside.as_slice() {
            [] => {}
            [one] if !one.contains('`') && self.text.ends_with(':') => {
                self.text.push_str(&format!(" `{one}`"));
            }
            _ => self.is_cut = true,
        }
    }
}

/// A comment or a tag on a line of its own.
fn is_markup(line: &str) -> bool {
    let is_tag = line.starts_with('<') && line.ends_with('>') && !line.contains("://") && !line.contains('@');
    let is_break = line.len() >= 3 && line.chars().all(|letter| matches!(letter, '-' | '=' | '*' | '_'));
    is_tag || is_break
}

/// `| a | b |` as `a: b`.
fn row(line: &str) -> String {
    let cells: Vec<&str> =
        line.trim_matches('|').split(" | ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    match cells.split_first() {
        Some((first, [])) => (*first).to_owned(),
        Some((first, rest)) => format!("{first}: {}", rest.join(", ")),
        None => String::new(),
    }
}

fn without_box(text: &str) -> &str {
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text)
}

/// Of long words before a rule the sentence that announces it.
fn last_sentence(lead: &str) -> &str {
    if lead.len() <= LONG_LEAD {
        return lead;
    }
    let mut ends = lead.match_indices(' ').map(|(at, _)| at);
    let is_end = |at: &usize| lead.get(..*at).is_some_and(|it| ends_sentence(it) && is_balanced(it));
    ends.rfind(is_end).and_then(|at| lead.get(at..)).unwrap_or(lead).trim_start()
}

/// Whether a text ends with the end of a sentence.
fn ends_sentence(text: &str) -> bool {
    let bare = text.trim_end_matches(['*', '_', '"', ')', '`', '”', '’']);
    bare.ends_with(['.', '!', '?', '。']) && !ABBREVIATIONS.iter().any(|short| bare.ends_with(short))
}

/// Whether nothing is left open at the end of a text: code, bold or slanted text, brackets.
fn is_balanced(text: &str) -> bool {
    if text.matches('`').count() % 2 == 1 {
        return false;
    }
    // What is in code opens nothing.
    let plain: String = text.split('`').step_by(2).collect::<Vec<_>>().join("x");
    let count = |mark: &str| plain.matches(mark).count();
    let letters: Vec<char> = plain.chars().collect();
    let is_word = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_alphanumeric());
    let slants = letters.iter().enumerate().filter(|(at, letter)| {
        let before = at.checked_sub(1).and_then(|before| letters.get(before));
        **letter == '_' && !(is_word(before) && is_word(letters.get(at + 1)))
    });
    count("(") <= count(")")
        && count("[") <= count("]")
        && count("**") % 2 == 0
        && count("*") % 2 == 0
        && slants.count() % 2 == 0
}

#[cfg(test)]
mod tests {
    use flyball_core::path::AbsolutePath;

    use super::super::{Node, rules};
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let node = Node::new(AbsolutePath::from_root("/p/AGENTS.md"), text);
        rules(&node).iter().filter_map(|rule| rule.line(200)).map(|line| line.text).collect()
    }

    #[test]
    fn a_line_has_whole_sentences_and_balanced_marks() {
        let cases: &[(&str, &[&str])] = &[
            (
                "- **Never push to main:** open a pull request, and ask the\n  maintainers for a review.",
                &["**Never push to main:** open a pull request, and ask the maintainers for a review."],
            ),
            (
                "- Always push branches to `origin`. Never push directly to `upstream` (and never\n  to a fork).",
                &[
                    "Always push branches to `origin`. Never push directly to `upstream` (and never to a fork).",
                ],
            ),
            (
                "If the fork does not exist, you must create one:\n\n```bash\ngh repo fork --remote\n```",
                &["If the fork does not exist, you must create one: `gh repo fork --remote`"],
            ),
            (
                "Always run these before a commit:\n\n```bash\nmake a\nmake b\n```",
                &["Always run these before a commit: …"],
            ),
            (
                "| Command | Purpose |\n|---|---|\n| `npm run build` | **Production build: _do not run during \
                 agent sessions_**. |",
                &["`npm run build`: **Production build: _do not run during agent sessions_**."],
            ),
            ("5. Never edit\n   `gen/`.", &["Never edit `gen/`."]),
            ("- [ ] Always run `make test`", &["Always run `make test`"]),
            ("- Never:\n  - push to main\n  - skip the\n    tests", &["Never: push to main; skip the tests"]),
        ];
        for (text, expected) in cases {
            assert_eq!(lines(&format!("# P\n\n## Rules of work\n\n{text}\n")), *expected, "{text}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut_between_sentences_or_words() {
        let long = "Use `a b c` for it. Then (with [care](x y) and more) **do the whole thing** at once.";
        assert_eq!(shorten(long, 200), long);
        assert_eq!(shorten(long, 24), "Use `a b c` for it. …");
        assert_eq!(shorten(long, 50), "Use `a b c` for it. …");
        assert_eq!(shorten("Use `a b c d e f`, please", 12), "Use…");
        assert_eq!(shorten("Say **this and that** now", 16), "Say…");
        assert_eq!(shorten("one_two_three, four five", 21), "one_two_three, four…");
        assert_eq!(shorten("abcdefghij", 5), "abc…");
        for letters in 4..long.len() {
            let short = shorten(long, letters);
            assert!(is_balanced(&short) && short.chars().count() <= letters, "{letters}: {short}");
        }
    }

    #[test]
    fn lines_of_a_paragraph_are_joined_and_code_stays() {
        let text =
            "One\ntwo\n\n- a\n  b\n  - c\n- d\n\n```\nx\ny\n```\n| a |\n|---|\n| b |\n# T\nlast\n    line";
        let expected = "One two\n\n- a b\n  - c\n- d\n\n```\nx\ny\n```\n| a |\n|---|\n| b |\n# T\nlast line";
        assert_eq!(unwrap(text), expected);
    }
}
