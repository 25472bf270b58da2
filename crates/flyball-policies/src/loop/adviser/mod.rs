//! Asks models for a second opinion when a loop is stuck. It advises; it never decides.
//!
//! What a model says is somebody else's text: it is cleaned and cut, and whoever tells it says whose it is.

mod fallback;
mod prompt;
mod question;
mod settings;
#[cfg(test)]
mod tests;

use flyball_core::workshop::Workshop;

use crate::models::{Query, Reply, Size};

pub use self::question::Question;
pub use self::settings::{Provider, Server, Settings};

/// How many characters an answer may have for each word that it may have: more than words have, as models miscount.
const CHARS_PER_WORD: usize = 12;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    pub text: String,
    /// Who said it, e.g. `Gemini gemini-2.5-pro`; empty for a text of ours.
    pub by: String,
    /// Why others did not, a line each, without secrets.
    pub failures: Vec<String>,
}

/// Asks the configured models one after the other; without any, or if none answers in time, the text is ours.
#[must_use]
pub fn ask(settings: &Settings, question: &Question, workshop: &dyn Workshop) -> Advice {
    let mut troubles = Vec::new();
    let said = settings.enabled.then(|| consult(settings, question, workshop, &mut troubles)).flatten();
    match said {
        Some(Reply { text, source: by }) => Advice { text, by, failures: troubles },
        None => Advice { text: fallback::advise(question), by: String::new(), failures: troubles },
    }
}

/// The first answer of the chain.
fn consult(
    settings: &Settings,
    question: &Question,
    workshop: &dyn Workshop,
    troubles: &mut Vec<String>,
) -> Option<Reply> {
    let words = usize::try_from(settings.max_words).unwrap_or(usize::MAX);
    let asking = Query {
        providers: &settings.providers,
        server: &|provider| settings.server(provider),
        size: Size::Great,
        millis: settings.deadline.millis(),
        question: &prompt::write(question, settings.max_words),
        most_chars: words.saturating_mul(CHARS_PER_WORD).clamp(600, 12_000),
    };
    asking.consult(workshop, troubles)
}
