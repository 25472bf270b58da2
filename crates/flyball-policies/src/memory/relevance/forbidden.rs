//! Whether a change brings in what a rule forbids, or takes away what it protects.

use flyball_knowledge::polarity::Role;
use flyball_knowledge::similar;

use super::edit::Subject;
use super::language::Language;
use super::lines::Lines;
use super::rule::Features;
use super::text::{is_name_letter, is_weak, words};
use super::topic;

/// What each counts: code, one or two letters of code, a plain word.
const CODE: f64 = 1.5;
const SHORT: f64 = 0.8;
const WORD: f64 = 0.6;

/// How clearly a change breaks a rule.
pub(super) fn rate_forbidden(rule: &Features, subject: &Subject) -> f64 {
    if subject.is_task {
        return 0.0;
    }
    let is_there = |code: &str| subject.added.has(code) || subject.context.has(code);
    let has_needed = rule.code.iter().any(|(code, role)| *role == Role::Needed && is_there(code));
    let breaks = |(code, role): &&(String, Role)| match role {
        Role::Forbidden => {
            !has_needed
                && counted_lines(code, rule, subject).is_some_and(|lines| lines.has(code))
                && !subject.removed.has(code)
        }
        Role::Kept => subject.removed.has(code) && !is_there(code),
        _ => false,
    };
    let value = |(code, _): &(String, Role)| if code.len() > 2 { CODE } else { SHORT };
    let by_code = rule.code.iter().filter(breaks).map(value).fold(0.0, f64::max);
    if by_code > 0.0 {
        return by_code;
    }
    f64::max(rate_words(rule, subject), rate_language(rule, subject))
}

/// The added lines in which a forbidden code counts: where it runs, and not where people only read of it.
pub(super) fn counted_lines<'s>(code: &str, rule: &Features, subject: &'s Subject) -> Option<&'s Lines> {
    let is_plain = code.chars().all(is_name_letter);
    match subject.language {
        _ if subject.is_task || rule.is_about_remarks || is_remark(code) => Some(&subject.added),
        Language::Prose if rule.is_about(topic::prose()) => Some(&subject.added),
        // A word of a language means another thing in a style sheet.
        Language::Css | Language::Html if is_plain && !rule.is_about(topic::styles()) => None,
        _ => Some(&subject.code),
    }
}

/// Whether code is a comment itself: `# noqa`, `TODO`, `eslint-disable`.
fn is_remark(code: &str) -> bool {
    let marks = ["# ", "#:", "//", "/*", "<!--", "@ts-", "--"];
    let words = [
        "noqa",
        "nolint",
        "nosec",
        "pragma",
        "pylint",
        "eslint",
        "istanbul",
        "type: ignore",
        "prettier-ignore",
    ];
    let is_shouted = code.len() > 2 && code.chars().all(|letter| letter.is_ascii_uppercase());
    is_shouted
        || marks.iter().any(|mark| code.starts_with(mark))
        || words.iter().any(|word| code.contains(word))
}

/// Plain words that are forbidden.
fn rate_words(rule: &Features, subject: &Subject) -> f64 {
    if !rule.forbidden_words.iter().any(|word| !is_weak(word)) {
        return 0.0;
    }
    let has_word =
        |lines: &Lines| words(&lines.text).any(|word| rule.forbidden_words.contains(&similar::stem(&word)));
    let is_read = subject.language == Language::Prose && !rule.is_about(topic::prose());
    let added = if is_read || subject.language.has_code() { &subject.code } else { &subject.added };
    if has_word(added) && !has_word(&subject.removed) { WORD } else { 0.0 }
}

/// A new file in JavaScript, where the rule asks for TypeScript.
fn rate_language(rule: &Features, subject: &Subject) -> f64 {
    let scripts = [Language::TypeScript, Language::JavaScript];
    let is_other = rule.asked_language.is_some_and(|asked| asked != subject.language);
    if is_other && subject.is_new && scripts.contains(&subject.language) { CODE } else { 0.0 }
}
