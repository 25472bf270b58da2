//! How code is named in a sentence.

/// How code is named in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The rule is about it.
    Subject,
    /// The rule asks for it: `use X`, `never skip X`.
    Wanted,
    /// What is forbidden is not where this is: `never A without X`.
    Needed,
    /// The rule does without it: `no need to run X`.
    Optional,
    /// The rule names it as what is there: `is X`, `from X`.
    Given,
    /// The rule forbids it: `never X`, `X is not allowed`, `prefer A to X`.
    Forbidden,
    /// It must not be taken away: `don't remove X`.
    Kept,
    /// The rule does not hold there: `except in X`, `only in X`.
    Exempt,
    /// The rule holds there: `dates in X are local`.
    Scope,
}

/// What a rule names, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Named<'a> {
    pub code: Vec<(&'a str, Role)>,
    /// Plain words that name what is forbidden, in lower case: `no enums`.
    pub forbidden_words: Vec<String>,
}
