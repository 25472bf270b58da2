//! Reads the clauses of a text one after the other.

use std::borrow::Cow;
use std::ops::Range;

use super::role::{Named, Role};
use super::token::{Token, is_path};
use super::words::{
    ALLOWED_BEHIND, ARTICLES, ASKS, BAD, BE, BESIDE, BETWEEN, CONTRASTS, Class, EXEMPTS, FORBIDDEN_BEHIND,
    FORBIDDEN_BY_BE, GIVES, GOOD, INSIDE, KINDS, MIGRATES, NEEDS, NEGATIONS, NEGLECTS, NEW_THOUGHTS,
    NO_NEGATION_BEFORE, NOT_DONE, NOT_NEEDED, PREFERS, PUTS, REMOVES, REPLACES, VERBS, class,
};
use crate::similar;

/// How far behind a negation its verb is.
const NEAR: usize = 3;

/// Reads a text.
pub(super) struct Reader<'a> {
    found: Named<'a>,
    /// What the words before this clause say about it.
    announced: Option<Role>,
    /// The codes of the clause before.
    before: Range<usize>,
    /// Whether it has nothing but code, of which nothing was said yet.
    is_bare: bool,
}

/// One clause while it is read.
struct Clause<'c, 'a> {
    tokens: &'c [Token<'a>],
    classes: Vec<Class>,
    /// The role of the next code, if words before it say so.
    run: Option<Role>,
    /// Where the words that say so begin.
    since: usize,
    /// Whether they have named something already.
    has_object: bool,
    /// Its first code among those of the text.
    first: usize,
    /// Whether one thing is preferred to another.
    compares: bool,
    /// Whether one thing replaces another, and which.
    change: Change,
    /// Whether it begins with the only thing that may do something.
    is_only: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    /// `Replace A by B`.
    By,
    /// `Migrate from A to B`.
    FromTo,
}

impl<'a> Reader<'a> {
    pub(super) fn new(is_below_forbidding: bool) -> Reader<'a> {
        Reader {
            found: Named::default(),
            announced: is_below_forbidding.then_some(Role::Forbidden),
            before: 0..0,
            is_bare: false,
        }
    }

    pub(super) fn finish(self) -> Named<'a> {
        self.found
    }

    /// Reads a clause that a colon separates from the one before: "`print`: banned, use `logger`" says it of `print`.
    pub(super) fn read_behind_colon(&mut self, tokens: &[Token<'a>]) {
        let is_end = |token: &Token<'_>| matches!(token, Token::Comma | Token::Code(_));
        let end = tokens.iter().position(is_end).unwrap_or(tokens.len());
        let (said, rest) = tokens.split_at(end);
        let place = role_of_place(said);
        let is_said = !matches!(rest.first(), Some(Token::Code(_))) || place.is_some();
        match role_of_remark(said).filter(|_| self.is_bare && is_said) {
            Some(role) => {
                self.forbid_codes(self.before.clone(), role);
                self.announced = place.filter(|_| !rest.is_empty());
                self.read(rest);
            }
            None => self.read(tokens),
        }
    }

    /// Reads a clause.
    pub(super) fn read(&mut self, tokens: &[Token<'a>]) {
        if tokens.is_empty() {
            return;
        }
        if let Some(label) = label(tokens) {
            self.announced = Some(label);
            return;
        }
        // `Never (ever) use X`
        if let ([Token::Word(word)], Some(_)) = (tokens, self.announced)
            && is_one_of(word, &["ever", "please"])
        {
            return;
        }
        let first = self.found.code.len();
        self.is_bare = self.announced.is_none() && has_only_code(tokens);
        let mut clause = Clause {
            tokens,
            classes: tokens.iter().map(|token| token_class(*token)).collect(),
            run: self.announced.take(),
            since: 0,
            has_object: false,
            first,
            compares: false,
            change: Change::None,
            is_only: is_word(tokens.first(), "only"),
        };
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Word(word) => self.word(&mut clause, at, word),
                Token::Code(code) => self.code(&mut clause, at, code),
                Token::Comma | Token::Stop | Token::Colon => {}
            }
        }
        self.before = first..self.found.code.len();
    }

    fn word(&mut self, clause: &mut Clause<'_, 'a>, at: usize, word: &str) {
        let own = clause.class(at);
        if self.is_said_of_what_was_before(clause, at) {
            return;
        }
        if clause.is_instead(at) || (own.is(NEGATIONS) && !clause.is_no_negation(at)) {
            return self.negation(clause, at);
        }
        if clause.is_neglect(at) {
            clause.run = Some(if own.is(REMOVES) { Role::Kept } else { Role::Wanted });
        } else if word.eq_ignore_ascii_case("without") {
            let is_condition = clause.run == Some(Role::Forbidden) && at > clause.since;
            clause.start(if is_condition { Role::Needed } else { Role::Forbidden }, at);
            if !is_condition {
                self.forbid_word(clause, at);
            }
        } else if own.is(EXEMPTS) {
            clause.start(Role::Exempt, at);
        } else if word.eq_ignore_ascii_case("only") && clause.is_before_place(at) {
            self.forbid_before(clause, at, Role::Forbidden);
            clause.start(Role::Exempt, at);
        } else if clause.is_only && clause.has_object && is_one_of(word, &["may", "can", "should", "must"]) {
            clause.start(Role::Forbidden, at);
            clause.is_only = false;
        } else {
            self.compare(clause, at, word);
        }
    }

    /// Words that compare, replace, or begin another thought.
    fn compare(&self, clause: &mut Clause<'_, 'a>, at: usize, word: &str) {
        let own = clause.class(at);
        let wants = self.found.code.iter().skip(clause.first).any(|(_, role)| *role == Role::Wanted);
        let is_turned = clause.run.is_some() && clause.has_object;
        if own.is(PREFERS) {
            clause.compares = true;
            // `Avoid A in favour of B`.
            if is_turned || is_word(clause.before(at), "in") {
                clause.start(Role::Wanted, at);
            }
        } else if is_one_of(word, &["over", "to"])
            && clause.names_code_next(at)
            && clause.prefers(wants, word)
        {
            clause.start(Role::Forbidden, at);
        } else if own.is(REPLACES) && clause.run.is_none() && clause.has_later(at, &["by", "with"]) {
            clause.change = Change::By;
            clause.start(Role::Forbidden, at);
        } else if own.is(MIGRATES) && clause.run.is_none() && clause.has_later(at, &["from"]) {
            clause.change = Change::FromTo;
        } else if clause.change == Change::By && is_one_of(word, &["by", "with"]) {
            clause.start(Role::Wanted, at);
        } else if clause.change == Change::FromTo && is_one_of(word, &["from", "to"]) {
            clause.start(if word.eq_ignore_ascii_case("from") { Role::Forbidden } else { Role::Wanted }, at);
        } else if own.is(CONTRASTS) && clause.run.is_some() && !clause.class(at.wrapping_sub(1)).is(NEGATIONS)
        {
            clause.run = None;
        } else if own.is(NEW_THOUGHTS) && clause.run.is_some() {
            let is_new = clause.has_object
                || clause.before(at) == Some(&Token::Comma)
                || clause.before(at).is_some_and(|last| is_one_of_token(last, &["and", "instead", "always"]));
            if is_new && clause.before(at).is_some_and(|last| !clause.is_auxiliary(last)) {
                clause.run = None;
            }
        } else if is_turned && own.is(INSIDE) {
            clause.run = Some(Role::Scope);
        } else if is_turned && own.is(BESIDE) && clause.run != Some(Role::Exempt) {
            clause.run = match clause.run {
                Some(Role::Wanted) => {
                    Some(Role::Forbidden).filter(|_| is_one_of(word, &["with", "by", "via"]))
                }
                _ => Some(Role::Given),
            };
        }
    }

    /// `X is deprecated`, `X is fine`: said of what was named before. Whether this word does.
    fn is_said_of_what_was_before(&mut self, clause: &mut Clause<'_, 'a>, at: usize) -> bool {
        let own = clause.class(at);
        let by_be = clause.class(at.wrapping_sub(1)).is(BE);
        let is_negated = clause.is_negated_before(at);
        let names_before = clause.tokens.iter().take(at).any(|token| matches!(token, Token::Code(_)));
        if own.is(FORBIDDEN_BEHIND) || (own.is(FORBIDDEN_BY_BE) && by_be) {
            if is_negated {
                return false;
            }
            // `Do not use deprecated X`.
            if !names_before && matches!(clause.tokens.get(at + 1), Some(Token::Code(_))) {
                clause.start(Role::Forbidden, at);
            } else if at == 0 && !names_before {
                self.forbid_codes(self.before.clone(), Role::Forbidden);
            } else {
                self.forbid_before(clause, at, Role::Forbidden);
                clause.run = None;
            }
            return true;
        }
        if own.is(NOT_NEEDED) && by_be && names_before {
            self.forbid_before(clause, at, Role::Optional);
            return true;
        }
        if own.is(ALLOWED_BEHIND) && by_be && names_before && !is_negated {
            let last_comma = clause.tokens.iter().take(at).rposition(|token| *token == Token::Comma);
            let codes = clause.tokens.iter().take(last_comma.unwrap_or_default());
            let skipped = codes.filter(|token| matches!(token, Token::Code(_))).count();
            for (_, role) in self.found.code.iter_mut().skip(clause.first + skipped) {
                *role = if *role == Role::Exempt { Role::Exempt } else { Role::Wanted };
            }
            return true;
        }
        false
    }

    fn negation(&mut self, clause: &mut Clause<'_, 'a>, at: usize) {
        let behind = |skipped: usize| at + 1 + skipped;
        let skipped = clause.classes.iter().skip(at + 1).take_while(|class| class.is(BETWEEN)).count();
        let verb_at = behind(skipped);
        let verb = clause.class(verb_at);
        let names_before = self.found.code.len() > clause.first;
        if verb.is(NEEDS)
            || (is_word(clause.tokens.get(verb_at), "have") && is_word(clause.tokens.get(verb_at + 1), "to"))
        {
            clause.start(Role::Optional, at);
        } else if verb.is(NOT_DONE)
            && (names_before || !clause.names_code_next(verb_at))
            && at > 0
            && !clause.is_instead(at)
        {
            self.forbid_before(clause, at, Role::Forbidden);
            clause.run = None;
            clause.has_object = true;
        } else if names_before && at > 0 && clause.is_passive(verb_at) && verb.is(NEGLECTS) {
            self.forbid_before(clause, at, Role::Wanted);
        } else if names_before && at > 0 && clause.is_passive(verb_at) && verb.is(REMOVES) {
            self.forbid_before(clause, at, Role::Kept);
        } else {
            clause.start(Role::Forbidden, at);
            self.forbid_word(clause, at);
        }
    }

    fn code(&mut self, clause: &mut Clause<'_, 'a>, at: usize, code: &'a str) {
        let role = match clause.run {
            _ if clause.is_only && !clause.has_object && is_path(code) => Role::Exempt,
            Some(Role::Scope) if !is_path(code) => Role::Given,
            Some(role) => role,
            None if self.is_scope(clause, at, code) => Role::Scope,
            None => clause.role_after(at),
        };
        self.found.code.push((trimmed(code), role));
        clause.has_object = true;
    }

    /// `In X, …`, `dates in X are …`: where the rule holds. `Put it in X` says where something is put.
    fn is_scope(&self, clause: &Clause<'_, 'a>, at: usize, code: &str) -> bool {
        let is_end = clause.tokens.len() == at + 1;
        if !is_path(code) || is_end || clause.classes.iter().take(at).any(|class| class.is(PUTS)) {
            return false;
        }
        let last = clause.classes.iter().take(at).rposition(|class| !class.is(KINDS));
        let Some(last) = last else { return false };
        let joins = matches!(clause.tokens.get(last), Some(Token::Comma))
            || clause.tokens.get(last).is_some_and(|token| is_one_of_token(token, &["and", "or"]));
        let follows_one =
            self.found.code.iter().skip(clause.first).last().is_some_and(|it| it.1 == Role::Scope);
        clause.class(last).is(INSIDE) || (joins && follows_one)
    }

    /// Gives the codes before a place of their clause another role: those that it is about, else where it holds.
    fn forbid_before(&mut self, clause: &Clause<'_, 'a>, at: usize, role: Role) {
        if self.forbid_codes(clause.first..self.found.code.len(), role) || role != Role::Forbidden {
            return;
        }
        let nouns = clause.tokens.iter().take(at).filter_map(|token| match token {
            Token::Word(word) => Some(word.to_lowercase()),
            _ => None,
        });
        self.found.forbidden_words.extend(nouns.filter(|word| is_meaningful(word)).take(1));
    }

    /// Gives codes another role. Whether there are any.
    fn forbid_codes(&mut self, range: Range<usize>, to: Role) -> bool {
        let mut found = false;
        for among in [&[Role::Subject, Role::Given][..], &[Role::Scope]] {
            for (_, role) in self.found.code.iter_mut().skip(range.start).take(range.len()) {
                if !found || among.len() > 1 {
                    let is_meant = among.contains(role);
                    found |= is_meant;
                    *role = if is_meant { to } else { *role };
                }
            }
        }
        found || !range.is_empty()
    }

    /// `no enums`, `never use pip`: the next word, if no code follows.
    fn forbid_word(&mut self, clause: &Clause<'_, 'a>, at: usize) {
        let after = clause.tokens.get(at + 1..).unwrap_or_default();
        if after.iter().any(|token| matches!(token, Token::Code(_))) {
            return;
        }
        let is_noun =
            |word: &String| is_meaningful(word) && !class(word).is(VERBS) && !class(word).is(NEGLECTS);
        let words = after
            .iter()
            .map_while(|token| if let Token::Word(word) = token { Some(word.to_lowercase()) } else { None });
        self.found.forbidden_words.extend(words.take(2).find(is_noun));
    }
}

impl<'a> Clause<'_, 'a> {
    fn class(&self, at: usize) -> Class {
        self.classes.get(at).copied().unwrap_or_default()
    }

    fn before(&self, at: usize) -> Option<&Token<'a>> {
        self.tokens.get(at.checked_sub(1)?)
    }

    fn start(&mut self, role: Role, at: usize) {
        (self.run, self.since, self.has_object) = (Some(role), at, false);
    }

    /// `instead of`, `rather than`, `stop using`.
    fn is_instead(&self, at: usize) -> bool {
        let pair = |one: &str, next: &str| {
            is_word(self.tokens.get(at), one) && is_word(self.tokens.get(at + 1), next)
        };
        pair("instead", "of")
            || pair("rather", "than")
            || ["using", "calling", "adding", "writing", "importing"].iter().any(|verb| pair("stop", verb))
    }

    /// `Not only`, `if not`, `whether or not`.
    fn is_no_negation(&self, at: usize) -> bool {
        self.class(at + 1).is(NO_NEGATION_BEFORE)
            || self.before(at).is_some_and(|last| is_one_of_token(last, &["if", "or", "whether"]))
    }

    /// `Never skip`, and `skip` below a heading that forbids.
    fn is_neglect(&self, at: usize) -> bool {
        let own = self.class(at);
        (own.is(NEGLECTS) || own.is(REMOVES))
            && self.run == Some(Role::Forbidden)
            && !self.has_object
            && at - self.since <= NEAR
    }

    /// Whether one of the words before is a negation.
    fn is_negated_before(&self, at: usize) -> bool {
        let near = self.classes.iter().take(at).skip(at.saturating_sub(NEAR));
        near.into_iter().any(|class| class.is(NEGATIONS))
    }

    /// `Only in X`: whether the words behind are about a place.
    fn is_before_place(&self, at: usize) -> bool {
        let is_preposition = self.class(at + 1).is(INSIDE)
            || self.tokens.get(at + 1).is_some_and(|next| is_one_of_token(next, &["from", "through", "by"]));
        let next = self.tokens.iter().skip(at + 2).take(NEAR);
        is_preposition && next.into_iter().any(|token| matches!(token, Token::Code(code) if is_path(code)))
    }

    fn names_code_next(&self, at: usize) -> bool {
        let skipped = self.classes.iter().skip(at + 1).take_while(|class| class.is(ARTICLES)).count();
        matches!(self.tokens.get(at + 1 + skipped), Some(Token::Code(_)))
    }

    /// Whether a word stands between what is wanted and what is not.
    fn prefers(&self, wants: bool, word: &str) -> bool {
        let is_over = word.eq_ignore_ascii_case("over");
        let begins_with_code = matches!(self.tokens.first(), Some(Token::Code(_))) && self.tokens.len() == 3;
        (wants && (is_over || self.compares))
            || (self.compares && self.has_object)
            || (is_over && begins_with_code)
    }

    fn has_later(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.iter().skip(at + 1).any(|token| is_one_of_token(token, words))
    }

    /// Whether a word says that the verb behind it is what was forbidden: `must never be used`, `may use`.
    fn is_auxiliary(&self, token: &Token<'_>) -> bool {
        let small = small(*token);
        class(&small).is(NEGATIONS)
            || ["may", "can", "must", "should", "be", "to", "that", "which"].contains(&&*small)
    }

    fn is_passive(&self, at: usize) -> bool {
        let before = self.classes.iter().take(at).skip(at.saturating_sub(NEAR + 1));
        before.into_iter().any(|class| class.is(BE))
    }

    fn role_after(&self, at: usize) -> Role {
        let is_article = self.class(at.wrapping_sub(1)).is(ARTICLES);
        let last = at.checked_sub(1 + usize::from(is_article));
        let own = last.map(|last| self.class(last)).unwrap_or_default();
        let is_comma = last.is_some_and(|last| self.tokens.get(last) == Some(&Token::Comma));
        let is_use = last.is_some_and(|last| {
            self.tokens
                .get(last)
                .is_some_and(|token| is_one_of_token(token, &["use", "uses", "call", "prefer"]))
        });
        match () {
            () if own.is(ASKS) && (!is_article || is_use) => Role::Wanted,
            () if (is_comma || own.is(GIVES)) && !is_article => Role::Given,
            () => Role::Subject,
        }
    }
}

/// `Bad:`, `never:`, `good:`: what a clause says that is about the next one only.
fn label(tokens: &[Token<'_>]) -> Option<Role> {
    if tokens.len() > 2 || tokens.iter().any(|token| !matches!(token, Token::Word(_))) {
        return None;
    }
    let words: Vec<Cow<'_, str>> = tokens.iter().map(|token| small(*token)).collect();
    let joined = class(&words.join(" "));
    if joined.is(BAD) {
        return Some(Role::Forbidden);
    }
    joined.is(GOOD).then_some(Role::Wanted)
}

/// Whether there is nothing but code: "`a`", "`a`, `b` and `c`".
fn has_only_code(tokens: &[Token<'_>]) -> bool {
    let is_joint =
        |token: &Token<'_>| *token == Token::Comma || is_one_of_token(token, &["and", "or", "the", "both"]);
    tokens.iter().all(|token| matches!(token, Token::Code(_)) || is_joint(token))
}

/// What a remark behind a colon says of the code in front of it: "banned", "not allowed here", "never". "Not sorted"
/// describes it.
fn role_of_remark(tokens: &[Token<'_>]) -> Option<Role> {
    let classes: Vec<Class> = tokens.iter().map(|token| token_class(*token)).collect();
    let (first, rest) = classes.split_first()?;
    if first.is(FORBIDDEN_BEHIND) {
        return (!is_one_of_token(tokens.first()?, &["fails", "rejected"])).then_some(Role::Forbidden);
    }
    if !first.is(NEGATIONS) {
        return None;
    }
    let is_place = role_of_place(tokens).is_some();
    match rest.iter().find(|class| !class.is(BETWEEN)) {
        None => Some(Role::Forbidden),
        Some(verb) if verb.is(NEEDS) => Some(Role::Optional),
        Some(verb) if verb.is(NEGLECTS) => Some(Role::Wanted),
        Some(verb) if verb.is(REMOVES) => Some(Role::Kept),
        Some(verb) if verb.is(INSIDE) || verb.is(EXEMPTS) || is_place => Some(Role::Forbidden),
        Some(verb) if verb.is(NOT_DONE) || verb.is(ASKS) => Some(Role::Forbidden),
        Some(_) => None,
    }
}

/// What the words before a piece of code make of it: "not allowed in", "never outside of", "never without".
fn role_of_place(tokens: &[Token<'_>]) -> Option<Role> {
    let last =
        tokens.iter().rfind(|token| !token_class(**token).is(KINDS) && !is_one_of_token(token, &["of"]))?;
    match token_class(*last) {
        own if own.is(INSIDE) => Some(Role::Scope),
        own if own.is(EXEMPTS) => Some(Role::Exempt),
        _ => is_one_of_token(last, &["without"]).then_some(Role::Needed),
    }
}

/// A word in lower case; empty for code.
fn small(token: Token<'_>) -> Cow<'_, str> {
    match token {
        Token::Word(word) if word.contains(char::is_uppercase) || word.contains('’') => {
            Cow::Owned(word.to_lowercase().replace('’', "'"))
        }
        Token::Word(word) => Cow::Borrowed(word),
        Token::Code(_) | Token::Stop | Token::Colon | Token::Comma => Cow::Borrowed(""),
    }
}

fn token_class(token: Token<'_>) -> Class {
    class(&small(token))
}

fn is_word(token: Option<&Token<'_>>, expected: &str) -> bool {
    token.is_some_and(|token| is_one_of_token(token, &[expected]))
}

fn is_one_of_token(token: &Token<'_>, words: &[&str]) -> bool {
    matches!(token, Token::Word(word) if is_one_of(word, words))
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.iter().any(|one| word.eq_ignore_ascii_case(one))
}

fn is_meaningful(word: &str) -> bool {
    word.len() > 2 && !word.starts_with(char::is_numeric) && !similar::is_filler(word)
}

/// Code without what stands for its arguments: `close()`, `Model<T>`.
fn trimmed(code: &str) -> &str {
    let code = code.trim();
    let split = |at: usize| Some((code.get(..at)?, code.get(at..)?));
    match code.find(['(', '<']).and_then(split) {
        Some((name, "()" | "(...)" | "(…)" | "(\"...\")" | "<T>" | "<...>")) if !name.is_empty() => name,
        _ => code,
    }
}
