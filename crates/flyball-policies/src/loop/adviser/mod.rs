//! Asks models for a second opinion when a loop is stuck. It advises; it never decides.
//!
//! The answer of a model is cleaned, cut, and shown with the name of the model.

mod fallback;
mod prompt;
mod question;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::workshop::Workshop;

use crate::models::{Query, Reply, Size};

pub(in crate::r#loop) use self::fallback::QUESTIONS;
pub use self::question::Question;
pub use self::settings::{Provider, Server, Settings};

/// How many characters are allowed per word of `max_words`: more than words have, because models miscount.
const CHARS_PER_WORD: usize = 12;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    pub text: String,
    /// The model, e.g. `Gemini gemini-2.5-pro`; empty for our own text.
    pub by: String,
    /// Why other models did not answer, a line each, without secrets.
    pub failures: Vec<String>,
}

/// Asks the configured models one after the other; if none answers in time, the advice is our own text.
#[must_use]
pub fn ask(settings: &Settings, question: &Question, workshop: &dyn Workshop) -> Advice {
    let mut failures = Vec::new();
    let reply = settings.enabled.then(|| consult(settings, question, workshop, &mut failures)).flatten();
    match reply {
        Some(Reply { text, source: by }) => Advice { text, by, failures },
        None => Advice { text: fallback::advise(question), by: String::new(), failures },
    }
}

/// The first answer of the chain.
fn consult(
    settings: &Settings,
    question: &Question,
    workshop: &dyn Workshop,
    failures: &mut Vec<String>,
) -> Option<Reply> {
    let words = usize::try_from(settings.max_words).unwrap_or(usize::MAX);
    let query = Query {
        providers: &settings.providers,
        server: &|provider| settings.server(provider),
        size: Size::Great,
        timeout: settings.deadline.duration(),
        question: &prompt::write(question, settings.max_words),
        most_chars: words.saturating_mul(CHARS_PER_WORD).clamp(600, 12_000),
    };
    query.consult(workshop, failures)
}
