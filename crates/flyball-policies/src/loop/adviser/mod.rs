//! Asks models for a second opinion when a loop is stuck. It advises; it never decides.
//!
//! What a model says is somebody else's text: it is cleaned and cut, and whoever tells it says whose it is.

mod answer;
mod api;
mod installed;
mod key;
mod own;
mod prompt;
mod settings;
#[cfg(test)]
mod tests;
mod turn;

use flyball_core::workshop::Workshop;
use flyball_quality::chat::is_overheard;

pub use self::settings::{Provider, Server, Settings};
use self::turn::{Said, Turn};

/// How many characters an answer may have for each word that it may have: more than words have, as models miscount.
const CHARS_PER_WORD: usize = 12;

/// What an adviser is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// The limit that was reached, in words.
    pub reason: String,
    /// The iteration that was reached.
    pub iteration: u32,
    /// How many are allowed.
    pub max_iterations: u32,
    /// The open phases, a line each: `review of backend: failed 3 times`.
    pub open: Vec<String>,
    /// The issues that reviewers and testers named, and the ends of failing commands' output; the latest last.
    pub issues: Vec<String>,
    /// The files that were edited.
    pub files: Vec<String>,
    /// What happened, a line each, oldest first.
    pub history: Vec<String>,
}

/// What was advised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Advice {
    /// The text.
    pub text: String,
    /// Who said it, e.g. `Gemini gemini-2.5-pro`; empty for a text of ours.
    pub by: String,
    /// Why others did not, a line each, without secrets.
    pub troubles: Vec<String>,
}

/// Asks the configured models one after the other; without any, or if none answers in time, the text is ours.
#[must_use]
pub fn ask(settings: &Settings, question: &Question, shop: &dyn Workshop) -> Advice {
    let mut troubles = Vec::new();
    let said = settings.enabled.then(|| consult(settings, question, shop, &mut troubles)).flatten();
    match said {
        Some(Said { text, by }) => Advice { text, by, troubles },
        None => Advice { text: own::advise(question), by: String::new(), troubles },
    }
}

/// The first answer of the chain.
fn consult(
    settings: &Settings,
    question: &Question,
    shop: &dyn Workshop,
    troubles: &mut Vec<String>,
) -> Option<Said> {
    let millis = settings.deadline.millis();
    let ends = shop.micros().saturating_add(millis.saturating_mul(1000));
    let question = prompt::write(question, settings.max_words);
    let words = usize::try_from(settings.max_words).unwrap_or(usize::MAX);
    let most_chars = words.saturating_mul(CHARS_PER_WORD).clamp(600, 12_000);
    let able = able(settings, shop, troubles);
    for (at, &provider) in able.iter().enumerate() {
        // One that hangs must leave time for the next.
        let half = shop.micros().saturating_add(millis.saturating_mul(500));
        let is_last = at + 1 == able.len();
        let ends = if is_last { ends } else { ends.min(half) };
        let said = begin(settings, provider, shop, ends)
            .map_err(|why| troubles.push(format!("{}: {why}", api::of(provider).name)))
            .ok()
            .and_then(|mut turn| turn.ask(&question, most_chars, troubles));
        if said.is_some() {
            return said;
        }
    }
    None
}

/// Those who can be asked, each once: the last of them has all the time that is left.
fn able(settings: &Settings, shop: &dyn Workshop, troubles: &mut Vec<String>) -> Vec<Provider> {
    let mut able = Vec::new();
    for &provider in &settings.providers {
        let api = api::of(provider);
        match key::missing(api, settings.server(provider), shop) {
            Some(why) => troubles.push(format!("{}: {why}", api.name)),
            None if able.contains(&provider) => {}
            None => able.push(provider),
        }
    }
    able
}

fn begin<'a>(
    settings: &'a Settings,
    provider: Provider,
    shop: &'a dyn Workshop,
    ends: u64,
) -> Result<Turn<'a>, String> {
    let (api, server) = (api::of(provider), settings.server(provider));
    let left = ends.saturating_sub(shop.micros()) / 1000;
    if left == 0 {
        return Err("no time was left".to_owned());
    }
    let key = key::find(api, server, shop, left)?;
    if key.is_some() && is_overheard(server.url.as_deref().unwrap_or(api.home)) {
        return Err("the key would be sent unencrypted: its `url` must begin with `https://`".to_owned());
    }
    Ok(Turn { api, server, key, shop, ends, has_waited: false })
}
