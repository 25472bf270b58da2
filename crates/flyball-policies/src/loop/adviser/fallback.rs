//! The advice without a model: what failed most, questions to answer, and what can be done.

use flyball_core::redact::redact;
use flyball_core::text;

use super::question::Question;

/// How much is shown of one issue, in characters.
const ISSUE_CHARS: usize = 160;

/// What the questions come behind.
pub(in crate::r#loop) const QUESTIONS: &str = "Before another attempt, answer these:";

/// How many issues and open phases are shown.
const SHOWN: usize = 3;

/// From this many edited files on, a change is too large to review as a whole.
const MANY_FILES: usize = 10;

pub(super) fn advise(question: &Question) -> String {
    let mut parts = vec![describe_status(question)];
    let issues = counted(&question.issues);
    if !issues.is_empty() {
        let lines = issues.iter().take(SHOWN).map(|(issue, times)| match times {
            1 => format!("- {issue}"),
            times => format!("- {issue} ({times} times)"),
        });
        parts.push(format!(
            "What came up{}:\n{}",
            most_of(issues.len()),
            lines.collect::<Vec<_>>().join("\n")
        ));
    }
    let questions: Vec<String> =
        questions(question, &issues).iter().map(|line| format!("- {line}")).collect();
    parts.push(format!("{QUESTIONS}\n{}", questions.join("\n")));
    parts.push(
        "What can be done:\n\
         - try another approach than the last one, and name it before the first edit;\n\
         - ask the person, with the one decision that is missing;\n\
         - hand it over to a full workflow with a plan of its own;\n\
         - let the person accept it as it is, with what is open written down."
            .to_owned(),
    );
    redact(&parts.join("\n\n")).into_owned()
}

fn describe_status(question: &Question) -> String {
    let Question { iteration, max_iterations, reason, .. } = question;
    let reason = if reason.is_empty() { "a limit was reached" } else { reason };
    let mut text = format!("Stuck in iteration {iteration} of {max_iterations}: {}.", line_of(reason));
    let mut open: Vec<&String> = question.open.iter().collect();
    open.sort_by_key(|line| std::cmp::Reverse(failures(line)));
    let shown: Vec<String> = open.iter().take(SHOWN).map(|line| line_of(line)).collect();
    if !shown.is_empty() {
        text.push_str(&format!(" Open{}: {}.", most_of(open.len()), shown.join("; ")));
    }
    text
}

/// ` (the first 3 of 7)` where not all are shown.
fn most_of(count: usize) -> String {
    if count > SHOWN { format!(" (the first {SHOWN} of {count})") } else { String::new() }
}

/// How often a phase failed, by its line: `review of backend: failed 3 times`.
fn failures(line: &str) -> u32 {
    // `feedback::gather` writes these lines: a change there needs one here.
    let words = line.rsplit_once("failed ").map_or("", |(_, rest)| rest);
    words.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or_default()
}

/// The issues by how often they came up, then the latest first.
fn counted(issues: &[String]) -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    // The latest first: the sort below is stable, so they stay in front.
    for issue in issues.iter().rev().map(|issue| line_of(key_line(issue))) {
        match counted.iter_mut().find(|(known, _)| *known == issue) {
            Some((_, times)) => *times += 1,
            None if issue.is_empty() => {}
            None => counted.push((issue, 1)),
        }
    }
    counted.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    counted
}

/// The most telling line of an issue: the first that names an error, else the first.
fn key_line(issue: &str) -> &str {
    let mut lines = issue.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or_default();
    let names_error = |line: &&str| {
        ["error", "Error", "ERROR", "FAILED", "panicked", "FAIL "].iter().any(|word| line.contains(word))
    };
    lines.find(names_error).unwrap_or(first)
}

fn line_of(text: &str) -> String {
    let line = text::one_line(text);
    text::cut(redact(&line).trim_end_matches('.'), ISSUE_CHARS).into_owned()
}

fn questions(question: &Question, issues: &[(String, usize)]) -> Vec<String> {
    let mut all = Vec::new();
    if let Some((issue, times)) = issues.first().filter(|(_, times)| *times > 1) {
        all.push(format!(
            "`{issue}` came back {times} times: did you fix its cause or only a symptom? Is the requirement itself \
             right?"
        ));
    }
    if question.issues.iter().any(|issue| issue.lines().count() > 1) {
        all.push(
            "What is the first error in the output, not the last? Does it fail without your change too?"
                .to_owned(),
        );
    }
    let failed: Vec<String> =
        question.open.iter().filter(|line| failures(line) > 1).map(|line| line_of(line)).collect();
    if let Some(line) = failed.first() {
        all.push(format!("{line}: what did the last two attempts have in common?"));
    }
    let count = question.files.len();
    if count >= MANY_FILES {
        all.push(format!("{count} files were edited: which part of it can be proven alone, and put first?"));
    }
    all.push("Which assumption have you never checked by running it?".to_owned());
    all.push("What would have to be true for the reviewer or the test to be right?".to_owned());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_failed_most_and_what_to_ask() {
        let lines = |all: &[&str]| all.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let question = Question {
            reason: "test of backend failed 4 times in a row".to_owned(),
            iteration: 4,
            max_iterations: 5,
            open: lines(&["review of backend: changed since", "test of backend: failed 4 times"]),
            issues: lines(&[
                "the lock is held over the call.",
                "$ pytest\n...\nE   AssertionError: 1 != 2\nFAILED a.py",
                "the lock is  held over the call",
                "no test for PASSWORD=hunter2",
            ]),
            files: (0..12).map(|number| format!("src/{number}.py")).collect(),
            history: Vec::new(),
        };
        assert_eq!(
            advise(&question),
            "Stuck in iteration 4 of 5: test of backend failed 4 times in a row. Open: test of backend: failed 4 \
             times; review of backend: changed since.\n\n\
             What came up:\n\
             - the lock is held over the call (2 times)\n\
             - no test for PASSWORD=[redacted]\n\
             - E AssertionError: 1 != 2\n\n\
             Before another attempt, answer these:\n\
             - `the lock is held over the call` came back 2 times: did you fix its cause or only a symptom? \
             Is the requirement itself right?\n\
             - What is the first error in the output, not the last? Does it fail without your change too?\n\
             - test of backend: failed 4 times: what did the last two attempts have in common?\n\
             - 12 files were edited: which part of it can be proven alone, and put first?\n\
             - Which assumption have you never checked by running it?\n\
             - What would have to be true for the reviewer or the test to be right?\n\n\
             What can be done:\n\
             - try another approach than the last one, and name it before the first edit;\n\
             - ask the person, with the one decision that is missing;\n\
             - hand it over to a full workflow with a plan of its own;\n\
             - let the person accept it as it is, with what is open written down."
        );
    }

    #[test]
    fn it_stays_short_whatever_failed() {
        let many: Vec<String> = (0..500).map(|number| format!("{number} {}", "x".repeat(9_000))).collect();
        let question =
            Question { open: many.clone(), issues: many.clone(), files: many, ..Question::default() };
        let text = advise(&question);
        assert!(text.chars().count() < 2_500, "{text}");
        assert!(text.contains("What came up (the first 3 of 500):\n- 499 xxx"), "{text}");
    }
}
