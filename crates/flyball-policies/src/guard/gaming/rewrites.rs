//! Tests that code or an in-place edit makes pass by rewriting them: `re.sub('assert .*', 'pass', …)`, also where the
//! files are only known when it runs.

use flyball_core::text::Words;
use flyball_effects::lex::Language;
use flyball_effects::{Command, FileAct, Line};

use super::compare::{Finding, Kind, Report, compare_insertion};
use super::markers;
use super::settings::Settings;

/// What checks something, in the languages of tests.
const ASSERTIONS: Words = Words(
    "assert|expect(|expect\\(|.should|require.|t.Error|t.Fatal|def test|it(|it\\(|test(|test\\(|#[test]",
);
/// What puts one text in the place of another.
const REPLACES: &[&str] = &["sub(", "gsub(", "subn(", "replace(", "replaceAll(", "preg_replace("];
/// What reads a text that is looked for, and does not write it.
const LOOKS: &[&str] = &[
    "sub(",
    "gsub(",
    "subn(",
    "replace(",
    "replaceAll(",
    "compile(",
    "search(",
    "match(",
    "findall(",
    "count(",
    "startswith(",
    "endswith(",
    "split(",
    "includes(",
    "indexOf(",
    "strip(",
    "test(",
    "in",
    "==",
    "!=",
    "grep(",
];
/// One file of each language, for edits of files that only the run knows.
const SAMPLES: &[&str] = &[
    "any.py",
    "any.ts",
    "any.rs",
    "any.go",
    "any.rb",
    "any.java",
    "any.kt",
    "any.cs",
    "any.php",
    "any.c",
    "any.swift",
    "any.sh",
];

/// What a line does to tests and markers in files that its text does not name.
pub(super) fn reports(line: &Line, settings: &Settings) -> Vec<(String, Report)> {
    let mut found = Vec::new();
    let about_tests = line.script.commands.iter().any(names_tests);
    for insertion in &line.effects.insertions {
        // The file, or the list that it comes from; not another command of the line such as `npm test`.
        let is_test = insertion.target.word.text.as_deref().map_or(about_tests, is_about_tests);
        if is_test && weakens(&insertion.old, &insertion.new) {
            found.push(removed_assertions(&insertion.old));
        }
        // A named file is compared by its own language.
        if insertion.target.word.text.is_none() {
            found.extend(markers_in(&insertion.old, &insertion.new, settings));
        }
    }
    let writes_somewhere = line.effects.files.iter().any(|effect| {
        let is_write = matches!(effect.act, FileAct::Write(_) | FileAct::Append(_) | FileAct::Change);
        is_write && effect.target.word.text.is_none()
    });
    for code in line.script.commands.iter().flat_map(codes) {
        let replaced = replacements(code);
        let is_weaker = |(old, new): &&(String, String)| weakens(old, new);
        if about_tests && let Some((old, _)) = replaced.iter().find(is_weaker) {
            found.push(removed_assertions(old));
        }
        if writes_somewhere && line.effects.insertions.is_empty() {
            let added = literals(code).into_iter().filter(|literal| !literal.is_looked_for);
            found.extend(added.flat_map(|literal| markers_in("", &literal.text, settings)));
        }
    }
    found.truncate(1);
    found
}

fn removed_assertions(old: &str) -> (String, Report) {
    let what = format!("`{old}` is rewritten, so that it checks nothing");
    let finding = Finding { kind: Kind::DeletedTest, what, line: None, is_justified: false };
    ("the tests".to_owned(), Report { findings: vec![finding], ..Report::default() })
}

/// Whether a replacement takes a check away.
fn weakens(old: &str, new: &str) -> bool {
    let checks = |text: &str| ASSERTIONS.iter().any(|word| has_word(text, word));
    let is_word = |text: &str| text.contains([' ', '(', '.', '*']) || text.starts_with("assert");
    let is_hollow = |text: &str| {
        let plain: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        ["assertTrue", "assert1", "expect(true)", "assert(true)", "assert!(true)"]
            .iter()
            .any(|it| plain.contains(it))
    };
    checks(old) && is_word(old) && (!checks(new) || is_hollow(new))
}

/// Whether a text has a word that does not begin inside another: `it(`, not `init(`.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        !word.starts_with(char::is_alphanumeric)
            || !before.is_some_and(|it| it.is_alphanumeric() || it == '.')
    })
}

fn markers_in(old: &str, new: &str, settings: &Settings) -> Option<(String, Report)> {
    SAMPLES.iter().find_map(|sample| {
        let language = Language::from_path(sample)?;
        markers::could_be_in(new, (language, false), &settings.also).then_some(())?;
        let report = compare_insertion(sample, (old, new), settings);
        (!report.findings.is_empty()).then(|| ("several files".to_owned(), report))
    })
}

fn names_tests(command: &Command) -> bool {
    let redirected = command.redirects.iter().map(|redirect| &redirect.target);
    let words = command.arguments.iter().chain(redirected);
    words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).any(is_about_tests)
}

fn is_about_tests(text: &str) -> bool {
    let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    parts.any(|part| matches!(part, "test" | "tests" | "spec" | "specs"))
}

/// The code that a command gives to an interpreter.
fn codes(command: &Command) -> Vec<&str> {
    let name = command.program_name().unwrap_or_default();
    let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    if !matches!(stem, "python" | "node" | "ruby" | "perl" | "php" | "deno" | "bun" | "pypy") {
        return Vec::new();
    }
    let redirected = command.redirects.iter().filter_map(|redirect| redirect.target.text.as_deref());
    let given = command.arguments.iter().filter_map(|word| word.text.as_deref());
    given.chain(redirected).chain(command.input.as_deref()).filter(|text| text.contains(['(', '/'])).collect()
}

/// A quoted text of code.
struct Literal {
    text: String,
    /// Where it begins and ends in the code.
    start: usize,
    end: usize,
    is_looked_for: bool,
}

fn literals(code: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut letters = code.char_indices();
    while let Some((start, quote)) = letters.next() {
        if !matches!(quote, '\'' | '"' | '`' | '/') {
            continue;
        }
        let before = code.get(..start).unwrap_or_default();
        let before = before.trim_end_matches(['r', 'f', 'b']).trim_end();
        // A slash is a pattern only where a value may begin.
        if quote == '/' && !before.ends_with(['(', ',', '=']) {
            continue;
        }
        let mut text = String::new();
        let mut end = None;
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => {
                    text.push(letter);
                    text.extend(letters.next().map(|(_, letter)| letter));
                }
                letter if letter == quote => {
                    end = Some(at);
                    break;
                }
                '\n' if quote != '`' => break,
                letter => text.push(letter),
            }
        }
        let is_looked_for = LOOKS.iter().any(|look| before.ends_with(look));
        found.extend(end.map(|end| Literal { text, start, end, is_looked_for }));
    }
    found
}

/// The texts that code replaces, with what it puts in their place.
fn replacements(code: &str) -> Vec<(String, String)> {
    let all = literals(code);
    let pairs = all.windows(2).filter_map(|pair| {
        let [old, new] = pair else { return None };
        let before = code.get(..old.start)?.trim_end_matches(['r', 'f', 'b']).trim_end();
        let between: String = code.get(old.end + 1..new.start)?.split_whitespace().collect();
        let is_pair = REPLACES.iter().any(|call| before.ends_with(call))
            && between
                .trim_start_matches(|letter: char| letter.is_ascii_lowercase())
                .trim_end_matches(['r', 'f', 'b'])
                == ",";
        is_pair.then(|| (old.text.clone(), new.text.clone()))
    });
    pairs.collect()
}
