//! The files that an answer claims were written.
//!
//! Only unambiguous, checkable statements are taken for claims: a missed claim costs nothing, a wrong accusation costs a
//! turn and the user's trust.

use flyball_core::text::Words;

use super::path;

/// Labels in front of a file: `Created: src/a.rs`.
const LABELS: Words = Words(
    "created|wrote|written|written to|saved|saved to|saved as|added|file|new file|file created|\
    file written|created file|output file|report saved to|report written to|report",
);
/// Headings above a list of files. `Files` alone may be those that were read.
const LISTS: Words = Words(
    "files changed|files created|files written|files added|files modified|files created/modified|\
    files modified/created|files created or modified|changed files|created files|new files|\
    modified files|artifacts|deliverables|output files",
);
/// Verbs of writing, as the first word of a sentence or after `I`.
const WRITE_VERBS: [&str; 8] =
    ["created", "wrote", "saved", "added", "generated", "written", "produced", "placed"];
/// Words that may be between the verb and the file.
const FILLERS: Words = Words(
    "a|an|the|new|file|files|two|three|four|following|this|these|my|full|complete|final|detailed|report|\
    plan|document|documentation|docs|summary|spec|specification|design|analysis|review|findings|results|\
    notes|script|module|component|test|tests|unit|integration|config|configuration|markdown|it|them|\
    everything|all|to|in|into|at|as|under|called|named|implementation|output|both|migration|page",
);
const SELF: [&str; 5] = ["i", "i've", "i’ve", "we", "we've"];
/// Words that may be between the subject and the verb.
const ADVERBS: [&str; 8] = ["have", "also", "then", "now", "just", "successfully", "already", "finally"];
/// What was written, in sentences without an agent: `the report was saved to`.
const WORK_NOUNS: Words = Words(
    "report|plan|summary|document|findings|results|analysis|review|spec|specification|design|notes|\
    documentation|output|file|it",
);
/// Words that make a claim doubtful: not done, undone, elsewhere, or not by this agent.
const DOUBTS: Words = Words(
    "not|no|never|cannot|couldn't|can't|didn't|don't|doesn't|isn't|wasn't|won't|without|failed|unable|\
    would|should|could|might|may|will|shall|must|if|unless|when|whenever|once|todo|planned|proposed|\
    suggested|recommend|recommended|need|needs|expected|missing|absent|nonexistent|deleted|removed|\
    cleaned|renamed|moved|reverted|replaced|temporary|temp|example|e.g|previously|instead|skipped|\
    existing|nothing|blocked|denied|branch|commit|container|remote",
);
/// A name before one of these is not a file.
const NO_FILES: Words = Words(
    "endpoint|route|branch|tag|url|table|function|method|class|variable|field|option|flag|setting|key|\
    package|dependency|library|property|attribute|command|topic|queue|bucket|image|entry|support",
);

/// The files, in the order in which they are named, each once.
pub(super) fn claimed(answer: &str) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let (mut is_list, mut is_code) = (false, false);
    for line in answer.lines() {
        // Code blocks quote things: a command, a tree of folders.
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        if let Some(heading) = heading(line) {
            is_list = LISTS.contains(heading.as_str());
            continue;
        }
        let found = if is_list { listed(line) } else { Vec::new() };
        let found = if found.is_empty() { labelled(line) } else { found };
        let found = if found.is_empty() { claims_in_sentences(line) } else { found };
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    files
}

/// The words of a heading: `## Files changed`, `**Files changed:**`, `Files changed:`.
fn heading(line: &str) -> Option<String> {
    let line = line.trim();
    let is_marked =
        line.starts_with('#') || (line.starts_with("**") && line.trim_end_matches(':').ends_with("**"));
    let words = line.trim_matches(|letter: char| "#*: ".contains(letter) || is_symbol(letter)).to_lowercase();
    // `Files changed (3)`.
    let words = words.split(" (").next().unwrap_or_default().trim().to_owned();
    let is_bare = line.ends_with(':') && LISTS.contains(words.as_str());
    (is_marked || is_bare).then_some(words)
}

/// The text of a list item.
fn entry(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let numbered = || {
        let (number, rest) = line.split_once(". ")?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(rest)
    };
    ["- ", "* ", "• ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(numbered)
}

/// The file that an item of a list of files begins with.
fn listed(line: &str) -> Vec<String> {
    let Some(rest) = entry(line) else { return Vec::new() };
    // `a.rs -> b.rs` is a rename, after which the first does not exist.
    if is_doubtful(rest) || ["→", "->", "=>"].iter().any(|arrow| rest.contains(arrow)) {
        return Vec::new();
    }
    let rest = rest.trim_start_matches(|letter: char| is_symbol(letter) || "*_ ".contains(letter));
    let rest = rest.strip_prefix("[x]").unwrap_or(rest).trim_start();
    let word = match rest.strip_prefix('`') {
        Some(quoted) => quoted.split('`').next(),
        None => rest.split_whitespace().next(),
    };
    word.and_then(path::parse).into_iter().collect()
}

/// The file behind a label.
fn labelled(line: &str) -> Vec<String> {
    let line = entry(line).unwrap_or(line.trim());
    let Some((label, rest)) = line.split_once(": ").or_else(|| line.split_once(":** ")) else {
        return Vec::new();
    };
    let label = label.trim_matches(|letter: char| "*_ ".contains(letter) || is_symbol(letter)).to_lowercase();
    if !LABELS.contains(label.as_str()) || is_doubtful(rest) {
        return Vec::new();
    }
    let rest = rest.trim_matches(|letter: char| "*_ ".contains(letter));
    // With more words behind it, the label may be the start of a sentence.
    let is_one = rest.split_whitespace().count() == 1 || rest.starts_with('`');
    if is_one { quoted_or_first(rest) } else { Vec::new() }
}

fn quoted_or_first(text: &str) -> Vec<String> {
    match names_in_front(text) {
        names if names.is_empty() && !text.starts_with('`') => path::parse(text).into_iter().collect(),
        names => names,
    }
}

/// The files of sentences such as ``I created `src/a.rs` and `src/b.rs`.``
fn claims_in_sentences(line: &str) -> Vec<String> {
    let line = entry(line).unwrap_or(line);
    let plain = line.replace("**", "");
    sentences(&plain)
        .into_iter()
        .filter(|sentence| !is_doubtful(sentence))
        .flat_map(|it| names_after_verb(&it))
        .collect()
}

/// The sentences of a line; a full stop inside a name does not end one.
fn sentences(line: &str) -> Vec<String> {
    line.replace("! ", ". ").split(". ").map(str::to_owned).collect()
}

fn names_after_verb(sentence: &str) -> Vec<String> {
    let (before, rest) = match sentence.split_once('`') {
        Some((before, _)) => (before, sentence.get(before.len()..).unwrap_or_default()),
        None => return claim_without_quotes(sentence),
    };
    if says_written(before) { names_in_front(rest) } else { Vec::new() }
}

/// `Wrote docs/report.md`: a verb and a file, without quotes and with nothing else.
fn claim_without_quotes(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.trim().trim_end_matches('.').split_whitespace().collect();
    let Some((last, before)) = words.split_last() else { return Vec::new() };
    let is_short = before.len() <= 4 && says_written(&before.join(" "));
    if is_short { path::parse(last).into_iter().collect() } else { Vec::new() }
}

/// Whether the words in front of a name claim that it was written, by the agent or in the passive.
fn says_written(before: &str) -> bool {
    let trim = |word: &str| {
        let letters =
            word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '’');
        letters.to_lowercase()
    };
    let words: Vec<String> = before.split_whitespace().map(trim).filter(|word| !word.is_empty()).collect();
    // The verb that is nearest to the name.
    let Some(at) = words.iter().rposition(|word| WRITE_VERBS.contains(&word.as_str())) else { return false };
    let (subject, rest) = words.split_at(at);
    let has_only_fillers = rest.iter().skip(1).all(|word| FILLERS.contains(word.as_str()));
    has_only_fillers && (is_mine(subject) || is_finished_work(subject, rest))
}

/// The sentence begins with the verb, or with `I`.
fn is_mine(subject: &[String]) -> bool {
    let mut words = subject.iter().rev().skip_while(|word| ADVERBS.contains(&word.as_str()));
    words.next().is_none_or(|word| SELF.contains(&word.as_str()))
}

/// `The report has been saved to`.
fn is_finished_work(subject: &[String], rest: &[String]) -> bool {
    let is_placed =
        rest.get(1).is_some_and(|word| ["to", "at", "in", "as", "under"].contains(&word.as_str()));
    let ends = [&["has", "been"][..], &["have", "been"], &["was"], &["were"]];
    let work = ends.iter().find_map(|end| without_end(subject, end));
    is_placed && work.and_then(<[String]>::last).is_some_and(|word| WORK_NOUNS.contains(word.as_str()))
}

/// The words without these last ones, if they end so.
fn without_end<'a>(words: &'a [String], end: &[&str]) -> Option<&'a [String]> {
    let (rest, last) = words.split_at_checked(words.len().checked_sub(end.len())?)?;
    last.iter().eq(end.iter()).then_some(rest)
}

/// The quoted names that a text begins with: `` `a.rs`, `b.rs` and `c.rs` ``.
fn names_in_front(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((name, behind)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        let next = behind.split_whitespace().next().unwrap_or_default();
        let next = next.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        let is_file = !NO_FILES.contains(next.as_str());
        names.extend(path::parse(name).filter(|_| is_file));
        let behind = behind.trim_start_matches([',', ' ']);
        let behind = behind.strip_prefix("and ").or_else(|| behind.strip_prefix("& ")).unwrap_or(behind);
        rest = behind.trim_start();
    }
    names
}

fn is_doubtful(text: &str) -> bool {
    // Quoted text is a name: the `if` in `src/if.rs` is not a condition.
    let outside = text.split('`').step_by(2);
    let words = outside
        .flat_map(|part| part.split(|letter: char| letter.is_whitespace() || "()[],;:/".contains(letter)));
    words
        .map(|word| {
            word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().replace('’', "'")
        })
        .any(|word| DOUBTS.contains(word.as_str()))
}

/// Symbols and emoji in front of a line.
fn is_symbol(letter: char) -> bool {
    !letter.is_ascii() && !letter.is_alphanumeric()
}
