//! What a finding is about, by its rule and its message: which changes it permits.

use super::units::Unit;
use crate::finding::Finding;

/// What a finding is about. Each permits its own changes and no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Syntax,
    Docs,
    Annotation,
    /// Line length, blanks, quotes: nothing that means something.
    Layout,
    ImportOrder,
    UnusedImport,
    UndefinedName,
    Import,
    MutableDefault,
    UnusedResult,
    UnusedVariable,
    UselessStatement,
    Unreachable,
    Equality,
    BareExcept,
    MissingCause,
    UselessElse,
    UselessReturn,
    AssignedReturn,
    MissingReturn,
    Lambda,
    ContextManager,
    IgnoredError,
    UncheckedError,
    Quoting,
    MayFail,
    DeclareApart,
    Declaration,
    NestedIf,
    Braces,
    Printing,
    Format,
    Order,
    Rename,
    LetterCase,
    Truthy,
    ValueQuotes,
    Version,
    Shebang,
    /// Any other: what its message names may change.
    Named,
}

/// The rules and the words of messages that show a topic; the first one that fits counts. A rule that ends
/// with `*` fits all that begin so.
const TOPICS: &[(Topic, &str, &[&str])] = &[
    (
        Topic::Syntax,
        "e999 e902 invalid-syntax syntaxerror syntax parse parsing-error",
        &["syntax error", "syntaxerror", "expected an indented block", "unexpected indent", "parsing error"],
    ),
    (
        Topic::UnusedImport,
        "f401 unused_imports nounusedimports unused-import w0611",
        &[
            "imported but unused",
            "unused import",
            "imported and not used",
            "import is unused",
            "imports are unused",
        ],
    ),
    (
        Topic::ImportOrder,
        "i001 e401 e402 tc001 tc002 tc003 tc004 tch* plc0415 import/order import/first import/no-duplicates c0413 c0411",
        &["type-checking block", "import block", "not at top", "multiple imports", "top-level of a file"],
    ),
    (
        Topic::UndefinedName,
        "f821 undefined-variable no-undef e0602 e0433 e0425 e0412",
        &["undefined name", "is not defined", "undefined:", "cannot find name", "undeclared", "cannot find"],
    ),
    (Topic::Shebang, "sc2148 sc2096", &["shebang"]),
    (Topic::Docs, "d1* d2* d3* d4* doc* missing-docs", &["docstring", "documentation", "jsdoc", "comment"]),
    (
        Topic::Annotation,
        "ann* ruf012 ruf013 up006 up007 up045 no-untyped-def noexplicitany no-explicit-any",
        &[
            "annotat",
            "type hint",
            "unexpected any",
            "explicit any",
            "implicit `optional`",
            "missing return type",
        ],
    ),
    (Topic::MutableDefault, "b006 w0102", &["mutable default", "mutable data structure"]),
    (Topic::UnusedResult, "unused_must_use no-floating-promises", &["must be used", "must be awaited"]),
    (
        Topic::UselessStatement,
        "b018 b015 no-unused-expressions pie790 w0104",
        &["useless expression", "no effect", "pointless", "unnecessary `pass`", "unnecessary `...`"],
    ),
    (Topic::Unreachable, "no-unreachable w0101", &["unreachable", "never executed"]),
    (
        Topic::UselessElse,
        "ret505 ret506 ret507 ret508 no-else-return nouselesselse r1705",
        &["`else` after", "else clause can be omitted", "`elif` after", "'else' after"],
    ),
    (
        Topic::UselessReturn,
        "needless_return plr1711 no-useless-return r1711",
        &["unneeded `return`", "useless `return`"],
    ),
    (Topic::AssignedReturn, "ret504", &["before `return`"]),
    (Topic::MissingReturn, "ret503", &["missing explicit `return`"]),
    (
        Topic::Declaration,
        "prefer-const useconst no-var novar unused_mut needless_borrow",
        &["only assigned once", "never reassigned", "to be mutable", "unexpected var"],
    ),
    (
        Topic::UnusedVariable,
        "f841 f842 b007 ruf059 arg* sc2034 unused_variables no-unused-vars nounusedvariables w0612 w0613 ineffassign",
        &[
            "unused",
            "never used",
            "not used",
            "not accessed",
            "never read",
            "not referenced",
            "ineffectual assignment",
        ],
    ),
    (Topic::MissingCause, "b904 w0707", &["raise ... from", "explicitly re-raising"]),
    (
        Topic::BareExcept,
        "e722 ble001 b001 w0702 w0718",
        &["bare except", "bare `except`", "blind except", "broad except"],
    ),
    (
        Topic::Equality,
        "e711 e712 e713 e714 f632 eqeqeq nodoubleequals c0121",
        &["using ==", "'===' and", "equality comparison", "test for membership", "test for object identity"],
    ),
    (Topic::Lambda, "e731", &["assign a `lambda`"]),
    (Topic::ContextManager, "sim115", &["context manager for opening"]),
    (Topic::IgnoredError, "sim105", &["contextlib.suppress"]),
    (Topic::UncheckedError, "errcheck", &["error return value"]),
    (Topic::Quoting, "sc2086 sc2046 sc2068 sc2248 sc2206", &["double quote"]),
    (Topic::MayFail, "sc2164", &[]),
    (Topic::DeclareApart, "sc2155", &[]),
    (Topic::NestedIf, "sim102 collapsible_if", &["nested `if`"]),
    (Topic::Braces, "curly useblockstatements", &["expected { after"]),
    (Topic::Printing, "t201 t203 t100 no-console noconsole no-debugger nodebugger dbg_macro", &[]),
    (
        Topic::Format,
        "g004 g003 up031 up032 prefer-template usetemplate uninlined_format_args",
        &[
            "f-string",
            "format string",
            "format call",
            "percent format",
            "template literal",
            "string concatenation",
        ],
    ),
    (Topic::LetterCase, "cp01 cp02 cp03 cp04 cp05", &["upper case", "capitalis"]),
    (
        Topic::Rename,
        "e741 n8* c0103 naming-convention camelcase a001 a002 a003",
        &[
            "variable name",
            "naming",
            "camel case",
            "snake case",
            "snake_case",
            "lowercase",
            "shadow",
            "should have name",
        ],
    ),
    (Topic::Truthy, "truthy", &["truthy value"]),
    (
        Topic::ValueQuotes,
        "quoted-strings octal-values",
        &["not quoted", "redundantly quoted", "implicit octal"],
    ),
    (
        Topic::Order,
        "key-ordering sort-keys ruf022 ruf023",
        &["wrong ordering", "not sorted", "unsorted", "be sorted"],
    ),
    (
        Topic::Version,
        "dl3006 dl3007 dl3008 dl3013 dl3016 dl3018 dl3028",
        &["pin version", "tag the version", "pinned"],
    ),
    (
        Topic::Layout,
        "e1* e2* e3* e501 e70* w1* w2* w3* w5* q0* com8* lll line-length md013 rustfmt",
        &[
            "too long",
            "whitespace",
            "indent",
            "blank line",
            "newline",
            "trailing",
            "quotes found",
            "line length",
            "escape",
        ],
    ),
    (Topic::Import, "f403 f405 up035", &["import"]),
];

/// One finding, read.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    /// Its lines; `None` if it is about the whole file.
    pub(super) lines: Option<(usize, usize)>,
    pub(super) topic: Topic,
    /// The parts of its message between quotes.
    pub(super) quoted: Vec<&'a str>,
    message: &'a str,
    fix: &'a str,
}

/// How many lines around a finding comments and docs belong to it.
const NEAR: usize = 3;

impl<'a> Subject<'a> {
    pub(super) fn new(finding: &'a Finding) -> Subject<'a> {
        let first = usize::try_from(finding.line).unwrap_or(0);
        let last = finding.end_line.and_then(|line| usize::try_from(line).ok()).unwrap_or(first).max(first);
        let fix = finding.fix.as_deref().unwrap_or_default();
        Subject {
            lines: (first > 0).then_some((first, last)),
            topic: topic(finding),
            quoted: quoted(&finding.message).into_iter().chain(quoted(fix)).collect(),
            message: &finding.message,
            fix,
        }
    }

    /// Whether a unit is in its lines.
    pub(super) fn covers(&self, unit: &Unit) -> bool {
        self.lines.is_none_or(|(first, last)| unit.line <= last && first <= unit.end_line)
    }

    pub(super) fn is_near(&self, first: usize, last: usize) -> bool {
        self.lines.is_none_or(|(from, to)| first <= to + NEAR && last + NEAR >= from)
    }

    /// Whether the message has this word or sign in quotes.
    pub(super) fn quotes(&self, text: &str) -> bool {
        self.quoted.iter().any(|part| has_token(part, text))
    }

    /// Whether the message is about this name: in quotes, or anywhere if it cannot be a word of English.
    pub(super) fn names(&self, word: &str) -> bool {
        self.quotes(word) || (word.len() > 2 && !ENGLISH.contains(&word) && self.mentions(word))
    }

    /// Whether the message has this word or sign anywhere.
    pub(super) fn mentions(&self, word: &str) -> bool {
        has_token(self.message, word) || has_token(self.fix, word)
    }

    /// Whether the message says which one it is about, of these.
    pub(super) fn chooses<'w>(&self, mut words: impl Iterator<Item = &'w str>) -> bool {
        words.any(|word| self.is_about(word))
    }

    /// The same as `names`, for a name that the message says directly: short ones count if nothing is quoted.
    pub(super) fn is_about(&self, word: &str) -> bool {
        self.quotes(word) || (self.quoted.is_empty() && self.mentions(word))
    }

    pub(super) fn says(&self, words: &str) -> bool {
        self.message.to_lowercase().contains(words) || self.fix.to_lowercase().contains(words)
    }
}

/// Words that are in messages for other reasons.
const ENGLISH: &[&str] = &[
    "the",
    "and",
    "for",
    "not",
    "use",
    "this",
    "that",
    "with",
    "value",
    "name",
    "code",
    "line",
    "file",
    "type",
    "has",
    "have",
    "are",
    "was",
    "can",
    "may",
    "will",
    "should",
    "must",
    "from",
    "only",
    "more",
    "than",
    "too",
    "many",
    "all",
    "any",
    "but",
    "its",
    "one",
    "two",
    "call",
    "calls",
    "argument",
    "arguments",
    "function",
    "method",
    "class",
    "variable",
    "import",
    "module",
    "error",
    "string",
    "number",
    "list",
    "object",
    "instead",
    "consider",
    "using",
    "used",
    "without",
    "explicit",
    "result",
    "user",
    "data",
    "key",
    "index",
    "item",
    "items",
    "test",
    "text",
    "first",
    "last",
    "new",
    "old",
    "found",
    "unused",
    "missing",
    "never",
    "always",
    "return",
    "raise",
    "public",
    "private",
    "default",
    "public",
    "true",
    "false",
    "none",
    "null",
];

fn topic(finding: &Finding) -> Topic {
    let code = finding.code.to_lowercase();
    let rule = code.rsplit([':', ' ']).next().unwrap_or(&code);
    let short = rule.rsplit('/').next().unwrap_or(rule);
    let message = finding.message.to_lowercase();
    let fits = |rules: &str| {
        rules.split_whitespace().any(|known| match known.strip_suffix('*') {
            Some(start) => {
                let number = short.strip_prefix(start);
                number.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
            }
            None => known == rule || known == short,
        })
    };
    let by_rule = TOPICS.iter().find(|(_, rules, _)| fits(rules));
    let by_words =
        || TOPICS.iter().find(|(_, _, words)| words.iter().any(|word| begins_word(&message, word)));
    by_rule.or_else(by_words).map_or(Topic::Named, |(topic, ..)| *topic)
}

fn begins_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric)
    })
}

/// Whether a text has this as a whole word, or as a sign of its own.
pub(super) fn has_token(text: &str, token: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let same_kind = |letter: char| match token.chars().next() {
        Some(first) if is_word(first) => is_word(letter),
        _ => !is_word(letter) && !letter.is_whitespace() && !"`'\"".contains(letter),
    };
    !token.is_empty()
        && text.match_indices(token).any(|(at, _)| {
            let (before, after) =
                (text.get(..at).unwrap_or_default(), text.get(at + token.len()..).unwrap_or_default());
            !before.ends_with(same_kind) && !after.starts_with(same_kind)
        })
}

/// The parts between quotes. An apostrophe in a word is none.
fn quoted(message: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for quote in ['`', '"'] {
        parts.extend(message.split(quote).skip(1).step_by(2));
    }
    let mut rest = message;
    while let Some((before, behind)) = rest.split_once('\'') {
        let is_apostrophe = before.ends_with(char::is_alphanumeric);
        match behind.split_once('\'').filter(|_| !is_apostrophe) {
            Some((inside, after)) => {
                parts.push(inside);
                rest = after;
            }
            None => rest = behind,
        }
    }
    parts
}
