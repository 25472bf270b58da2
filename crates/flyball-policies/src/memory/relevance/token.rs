//! A rule as words, code between backticks, and punctuation.

use flyball_knowledge::similar;

use super::text::{is_keyword, is_meaningful, parts, words};

/// A piece of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word, as it is written.
    Word(&'a str),
    /// What is between backticks.
    Code(&'a str),
    /// The end of a sentence or of a part of it.
    Stop,
    Comma,
}

/// The tokens of a text, with their places.
pub(super) fn tokens(text: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for (piece, is_code) in text.split('`').zip([false, true].into_iter().cycle()) {
        // A line break between backticks: the first is not the start of code.
        if is_code && !piece.contains('\n') {
            found.push((at, Token::Code(piece)));
        } else {
            split_prose(piece, at, &mut found);
        }
        at += piece.len() + 1;
    }
    found
}

fn split_prose<'a>(text: &'a str, offset: usize, found: &mut Vec<(usize, Token<'a>)>) {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-'./@".contains(letter);
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, is_part(letter)) {
            (None, true) => start = Some(at),
            (Some(begin), false) => {
                let word = text.get(begin..at).unwrap_or_default();
                push_word(word, offset + begin, found);
                start = None;
            }
            _ => {}
        }
        match letter {
            ';' | ':' | '!' | '?' | '\n' | '(' | ')' | '—' => found.push((offset + at, Token::Stop)),
            ',' => found.push((offset + at, Token::Comma)),
            _ => {}
        }
    }
}

fn push_word<'a>(word: &'a str, at: usize, found: &mut Vec<(usize, Token<'a>)>) {
    let bare = word.trim_end_matches(['.', '-', '\'', '/']);
    let name = bare.trim_start_matches(['.', '-', '\'']);
    if name.contains(char::is_alphanumeric) {
        found.push((at, if looks_like_code(name) { Token::Code(name) } else { Token::Word(name) }));
    }
    if word.ends_with('.') {
        found.push((at + word.len(), Token::Stop));
    }
}

/// `userId`, `user_id`, `src/app`, `a.ts`: written like code.
fn looks_like_code(word: &str) -> bool {
    let inner = word.trim_matches('_');
    let has_hump =
        inner.chars().zip(inner.chars().skip(1)).any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    has_hump || inner.contains('_')
}

/// How code is named in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The rule is about it.
    Subject,
    /// The rule asks for it: `use X`.
    Wanted,
    /// The rule names it as what is there: `is X`, `from X`.
    Given,
    /// The rule forbids it: `never X`.
    Forbidden,
    /// The rule does not hold there: `except in X`.
    Exempt,
}

/// What a rule names, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Named<'a> {
    pub(super) code: Vec<(&'a str, Role)>,
    /// Plain words that name what is forbidden, in lower case: `no enums`.
    pub(super) forbidden_words: Vec<String>,
}

const NEGATIONS: &[&str] = &[
    "avoid",
    "aren't",
    "can't",
    "cannot",
    "don't",
    "fails",
    "forbidden",
    "isn't",
    "never",
    "no",
    "not",
    "prohibited",
    "rejected",
    "without",
];
/// These negate what comes before them.
const NEGATE_BEFORE: &[&str] = &["fails", "forbidden", "prohibited", "rejected"];
const CONTRASTS: &[&str] = &["but", "except", "instead", "outside", "unless", "use", "because", "since"];
const ASKS: &[&str] =
    &["by", "call", "calling", "calls", "defer", "prefer", "through", "use", "uses", "via", "with"];
const GIVES: &[&str] = &["and", "are", "declare", "declares", "from", "has", "have", "is", "or", "to"];
const EXEMPTS: &[&str] = &["except", "outside", "unless"];

/// What a rule names, and how.
pub(super) fn named<'a>(tokens: &[(usize, Token<'a>)]) -> Named<'a> {
    let mut found = Named::default();
    let plain: Vec<Token<'a>> = tokens.iter().map(|(_, token)| *token).collect();
    for clause in plain.split(|token| *token == Token::Stop) {
        read_clause(clause, &mut found);
    }
    found
}

fn is_in(token: Token<'_>, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if words.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

fn read_clause<'a>(clause: &[Token<'a>], found: &mut Named<'a>) {
    let mut role_of_run = None;
    let mut last: Option<Token<'a>> = None;
    for (at, token) in clause.iter().copied().enumerate() {
        let next = clause.get(at + 1).copied();
        match token {
            Token::Word(_) if is_in(token, NEGATE_BEFORE) => {
                forbid_before(clause.get(..at).unwrap_or_default(), found)
            }
            Token::Word(word) if is_in(token, NEGATIONS) || is_instead(word, next) => {
                role_of_run = Some(Role::Forbidden);
                forbid_word(clause.get(at + 1..).unwrap_or_default(), found);
            }
            Token::Word(_) if is_in(token, EXEMPTS) => role_of_run = Some(Role::Exempt),
            Token::Word(_) if is_in(token, CONTRASTS) && role_of_run.is_some() && !is_negation(last) => {
                role_of_run = None
            }
            Token::Code(code) => {
                let role = match role_of_run {
                    // `uses A, never B`; but `never use A for B` is about B.
                    Some(role) => role,
                    None => role_after(last),
                };
                found.code.push((trimmed(code), role));
            }
            Token::Word(_) | Token::Comma | Token::Stop => {}
        }
        last = Some(token);
    }
}

fn is_negation(token: Option<Token<'_>>) -> bool {
    token.is_some_and(|token| is_in(token, NEGATIONS))
}

/// `instead of`, `rather than`.
fn is_instead(word: &str, next: Option<Token<'_>>) -> bool {
    let follows = |expected: &str| next.is_some_and(|next| is_in(next, &[expected]));
    (word.eq_ignore_ascii_case("instead") && follows("of"))
        || (word.eq_ignore_ascii_case("rather") && follows("than"))
}

fn role_after(last: Option<Token<'_>>) -> Role {
    match last {
        Some(token) if is_in(token, ASKS) => Role::Wanted,
        Some(token) if token == Token::Comma || is_in(token, GIVES) => Role::Given,
        _ => Role::Subject,
    }
}

/// `X is forbidden`: what was named before it in its clause.
fn forbid_before<'a>(before: &[Token<'a>], found: &mut Named<'a>) {
    let codes: Vec<&str> = before
        .iter()
        .filter_map(|token| if let Token::Code(code) = token { Some(trimmed(code)) } else { None })
        .collect();
    for (code, role) in &mut found.code {
        if codes.contains(code) {
            *role = Role::Forbidden;
        }
    }
    if codes.is_empty() {
        let nouns =
            before.iter().filter_map(|token| if let Token::Word(word) = token { Some(word) } else { None });
        let nouns = nouns.map(|word| word.to_lowercase()).filter(|word| is_meaningful(word));
        found.forbidden_words.extend(nouns.take(1));
    }
}

/// `no enums`, `never use pip`: the next word, if no code follows.
fn forbid_word(after: &[Token<'_>], found: &mut Named<'_>) {
    if after.iter().any(|token| matches!(token, Token::Code(_))) {
        return;
    }
    let is_noun = |word: &String| is_meaningful(word) && !is_verb(word);
    let words = after
        .iter()
        .map_while(|token| if let Token::Word(word) = token { Some(word.to_lowercase()) } else { None });
    found.forbidden_words.extend(words.take(2).find(is_noun));
}

/// Code without what stands for its arguments.
fn trimmed(code: &str) -> &str {
    let code = code.trim();
    match code.find('(').and_then(|open| Some((code.get(..open)?, code.get(open..)?))) {
        Some((name, "()" | "(...)" | "(…)" | "(\"...\")")) if !name.is_empty() => name,
        _ => code,
    }
}

const AUXILIARIES: &[&str] = &[
    "are", "arrive", "begins", "belong", "belongs", "can", "cannot", "come", "comes", "declare", "declares",
    "depend", "do", "does", "end", "ends", "get", "gets", "go", "goes", "has", "have", "is", "may", "must",
    "need", "needs", "run", "runs", "should", "sit", "stay", "stays", "take", "takes", "use", "uses", "was",
    "were", "work", "works",
];
const VERBS: &[&str] = &[
    "add", "address", "ask", "await", "build", "call", "check", "compare", "convert", "copy", "create",
    "declare", "decode", "give", "handle", "import", "install", "keep", "load", "look", "make", "open",
    "pass", "prefer", "read", "remove", "render", "return", "run", "say", "seek", "select", "send", "set",
    "show", "start", "state", "store", "take", "test", "try", "use", "validate", "wrap", "write",
];

fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok()
}

/// What a rule begins with: the stems of its first words up to its verb, and where that ends.
pub(super) fn lead(tokens: &[(usize, Token<'_>)]) -> (Vec<String>, usize) {
    const MOST_WORDS: usize = 4;
    const MOST_TOKENS: usize = 7;
    let (mut stems, mut counted) = (Vec::new(), 0);
    for (seen, (at, token)) in tokens.iter().enumerate() {
        let is_over = match token {
            Token::Stop => !stems.is_empty(),
            Token::Comma => !stems.is_empty(),
            Token::Word(_) => is_in(*token, AUXILIARIES) && !stems.is_empty(),
            Token::Code(_) => false,
        };
        if is_over || counted >= MOST_WORDS || seen >= MOST_TOKENS {
            return (stems, *at);
        }
        let words: Vec<String> = match token {
            Token::Code(code) => words(code).filter(|word| !is_keyword(word)).collect(),
            Token::Word(word) => {
                let lower = word.to_lowercase();
                if is_verb(&lower) || !is_meaningful(&lower) {
                    continue;
                }
                parts(word).into_iter().map(str::to_lowercase).filter(|word| is_meaningful(word)).collect()
            }
            Token::Stop | Token::Comma => continue,
        };
        counted += 1;
        stems.extend(words.iter().map(|word| similar::stem(word)));
    }
    (stems, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rule: &str) -> Vec<(&str, Role)> {
        named(&tokens(rule)).code
    }

    #[test]
    fn code_has_a_role_in_its_rule() {
        use Role::{Exempt, Forbidden, Given, Subject, Wanted};
        let cases: [(&str, &[(&str, Role)]); 9] = [
            ("Never use `float` for an amount.", &[("float", Forbidden)]),
            (
                "call `clock.now()` and never `datetime.now()` or `datetime.utcnow()`.",
                &[("clock.now", Wanted), ("datetime.now", Forbidden), ("datetime.utcnow", Forbidden)],
            ),
            ("`new Date()` is forbidden outside of that module.", &[("new Date", Forbidden)]),
            ("`console.log` fails the lint.", &[("console.log", Forbidden)]),
            ("Use `secrets` and not `random` for tokens.", &[("secrets", Wanted), ("random", Forbidden)]),
            (
                "`is_incremental()` needs a filter on `loaded_at`",
                &[("is_incremental", Subject), ("loaded_at", Subject)],
            ),
            (
                "Errors are enums made with `thiserror`; `anyhow` only here.",
                &[("thiserror", Wanted), ("anyhow", Subject)],
            ),
            ("Never use `select *` outside of `staging/`", &[("select *", Forbidden), ("staging/", Exempt)]),
            (
                "Every resource has the tags `owner`, `env` and `x`; use `local.tags`.",
                &[("owner", Subject), ("env", Given), ("x", Given), ("local.tags", Wanted)],
            ),
        ];
        for (rule, expected) in cases {
            assert_eq!(read(rule), expected, "{rule}");
        }
    }

    #[test]
    fn plain_words_are_forbidden_too() {
        let cases = [
            ("Enums are forbidden; use a union.", "enums"),
            ("Never use pip.", "pip"),
            ("No semicolons.", "semicolons"),
        ];
        for (rule, expected) in cases {
            assert_eq!(named(&tokens(rule)).forbidden_words, [expected], "{rule}");
        }
    }

    #[test]
    fn a_rule_is_about_what_it_begins_with() {
        let cases = [
            ("NAT gateways cost money: one for dev.", "nat gateway cost money"),
            ("Currency codes are stored lower case.", "currency cod"),
            ("Never open a security group to all.", "security group"),
        ];
        for (rule, expected) in cases {
            assert_eq!(lead(&tokens(rule)).0.join(" "), expected, "{rule}");
        }
    }

    #[test]
    fn the_lists_are_sorted_for_the_search_in_them() {
        assert!(VERBS.is_sorted());
    }
}
