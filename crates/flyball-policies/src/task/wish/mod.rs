//! What a person's prompt says about going on with a task: to pause, or to continue.
//!
//! A small reading of English sentences, strict where it lets an agent stop: a whole clause has to say so, in the person's
//! own words. What is quoted, pasted, asked, negated, conditional or for later does not count.

mod clause;
mod sentences;
#[cfg(test)]
mod tests;

use self::clause::Clause;
use self::sentences::{Sentence, own_sentences};

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Pause,
    Continue,
}

/// A longer prompt is a document, which may say anything.
const MOST_BYTES: usize = 4_000;

/// What a prompt says at last.
pub(super) fn read(prompt: &str) -> Option<Wish> {
    // Nobody's command has this name; that it is typed like one says what is meant.
    if prompt.trim() == "/pause" {
        return Some(Wish::Pause);
    }
    // A typed command of the client is not a sentence.
    if prompt.len() > MOST_BYTES || prompt.trim_start().starts_with(['/', '!', '#']) {
        return None;
    }
    let sentences = own_sentences(prompt);
    if let [only] = sentences.as_slice()
        && let [clause] = only.clauses().as_slice()
        && !only.is_question
        && clause.is_bare_stop()
    {
        return Some(Wish::Pause);
    }
    sentences.iter().filter_map(wish_of).next_back()
}

/// What a sentence says at last.
fn wish_of(sentence: &Sentence) -> Option<Wish> {
    let clauses = sentence.clauses();
    if clauses.iter().any(Clause::is_condition) {
        return None;
    }
    let pauses = |at: usize, clause: &Clause| {
        // A bare `pause` between commas may be an entry in a list.
        let is_own = clause.is_explicit() || clauses.iter().take(at).all(Clause::is_remark);
        (!sentence.is_question || clause.is_request()) && is_own && clause.pauses()
    };
    let mut wishes = clauses.iter().enumerate().filter_map(|(at, clause)| {
        if pauses(at, clause) { Some(Wish::Pause) } else { clause.continues().then_some(Wish::Continue) }
    });
    wishes.next_back()
}
