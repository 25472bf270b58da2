//! What matters of what a program printed when it failed.

use flyball_core::text;
use flyball_core::workshop::JobResult;

/// How much of it is looked at.
const MOST_BYTES: usize = 16 * 1024;
/// How many lines are shown: the first, which says what happened, and the last, which say why.
const LAST_LINES: usize = 2;
const LINE_CHARS: usize = 150;

/// Lines that begin so say nothing: greetings, frames of a stack, advice to read more.
const NOISE: &[&str] = &[
    "at ",
    "Oops! ",
    "ESLint: ",
    "Usage: ",
    "Try '",
    "See http",
    "Common causes of",
    "Node.js v",
    "(node:",
    "(Use `node",
];
/// What programs put before their errors.
const LABELS: &[&str] = &["[error] ", "Error: ", "Cause: ", "error: ", "x ", "× "];

/// What a program printed that failed: on standard error, or else on standard output.
pub(super) fn said(ran: &JobResult) -> String {
    let both = [&ran.stderr, &ran.stdout].map(|bytes| {
        let end = bytes.len().min(MOST_BYTES);
        String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
    });
    both.into_iter().find(|text| !text.trim().is_empty()).unwrap_or_default()
}

/// The lines of it that matter, joined.
pub(super) fn shorten(said: &str) -> String {
    let lines = telling_lines(said);
    let last = lines.len().saturating_sub(LAST_LINES).max(1);
    let first = lines.first().into_iter();
    let shown = first.chain(lines.get(last..).unwrap_or_default());
    shown.map(|line| text::cut(line, LINE_CHARS).into_owned()).collect::<Vec<_>>().join("; ")
}

fn telling_lines(said: &str) -> Vec<&str> {
    // Of a Python program only the error after the frames.
    let is_start = |line: &str| line.starts_with("Traceback (most recent");
    let start = said.lines().enumerate().filter(|(_, line)| is_start(line)).last();
    let from = start.map_or(0, |(start, _)| {
        let frames = said.lines().skip(start + 1).take_while(|line| line.starts_with(' ') || line.is_empty());
        start + 1 + frames.count()
    });
    let lines = said.lines().skip(from).map(|line| line.trim_end_matches(['━', ' ']).trim());
    let mut telling: Vec<&str> = Vec::new();
    for line in lines.filter(|line| !is_noise(line)) {
        let line = LABELS.iter().fold(line, |line, label| line.strip_prefix(label).unwrap_or(line));
        if !telling.contains(&line) {
            telling.push(line);
        }
    }
    telling
}

/// Whether a line is empty, part of a drawing, or says nothing.
fn is_noise(line: &str) -> bool {
    let is_drawn = |line: &str| {
        let line = line.trim_start_matches(|letter: char| letter.is_ascii_digit() || "> ".contains(letter));
        line.starts_with(['|', '│', '╷', '╵']) || line.chars().all(|letter| "^~-─━┌└ ".contains(letter))
    };
    let unlabelled =
        LABELS.iter().fold(line, |line, label| line.strip_prefix(label.trim_end()).unwrap_or(line));
    is_drawn(unlabelled.trim()) || NOISE.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tells_something_is_shown() {
        let cases = [
            ("one\ntwo\n\nthree\nfour\n", "one; three; four"),
            (
                "ruff failed\n  Cause: Failed to parse /p/ruff.toml\n  Cause: TOML parse error at line 1, column 15\n  |\n\
                 1 | line-length = \"long\"\n  |               ^^^^^^\ninvalid type: string \"long\", expected i64\n",
                "ruff failed; TOML parse error at line 1, column 15; invalid type: string \"long\", expected i64",
            ),
            (
                "\nOops! Something went wrong! :(\n\nESLint: 10.1.0\n\nSyntaxError: Unexpected end of input\n    at f (x.js:1:2)\n",
                "SyntaxError: Unexpected end of input",
            ),
            (
                "Traceback (most recent call last):\n  File \"/x\", line 8, in <module>\n    main()\nValueError: bad value\n",
                "ValueError: bad value",
            ),
            (
                "[error] YAML Error in /p/.prettierrc:\n[error] Flow map must end\n[error] \n[error]   ^\n[error] \n",
                "YAML Error in /p/.prettierrc:; Flow map must end",
            ),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(shorten(text), expected, "{text}");
        }
        assert_eq!(shorten(&"x".repeat(1000)).chars().count(), LINE_CHARS + 1);
    }
}
