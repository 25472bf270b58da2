//! Asks models of several providers one after the other, until one answers.
//!
//! What is asked is the affair of whoever asks, as is whether anything may be sent at all. A key is a header and nothing
//! else: it is in no argument, no address and no message.

mod answer;
pub(crate) mod api;
mod attempt;
mod installed;
mod key;
mod settings;
#[cfg(test)]
pub(crate) mod testing;

use flyball_core::workshop::Workshop;
use flyball_quality::chat::is_unencrypted;

use self::attempt::Attempt;
pub(crate) use self::attempt::Reply;
pub use self::settings::{Provider, Server};

/// How able a model has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// The best that is there.
    Great,
    /// One that is cheap and quick.
    Small,
}

/// One question to whoever answers first.
pub(crate) struct Query<'a> {
    /// Who is asked, in this order.
    pub(crate) providers: &'a [Provider],
    /// How each is reached.
    pub(crate) server: &'a dyn Fn(Provider) -> &'a Server,
    /// Which models, where the settings name none.
    pub(crate) size: Size,
    /// How long all of it may take, in milliseconds.
    pub(crate) millis: u64,
    /// The question: without secrets.
    pub(crate) question: &'a str,
    /// How many characters of the answer are kept.
    pub(crate) most_chars: usize,
}

impl Query<'_> {
    /// The first answer. Why others did not answer is a trouble each, without secrets.
    pub(crate) fn consult(&self, workshop: &dyn Workshop, troubles: &mut Vec<String>) -> Option<Reply> {
        let ends = workshop.micros().saturating_add(self.millis.saturating_mul(1000));
        let able = self.usable_providers(workshop, troubles);
        for (at, &provider) in able.iter().enumerate() {
            // One that hangs must leave time for the next.
            let half = workshop.micros().saturating_add(self.millis.saturating_mul(500));
            let is_last = at + 1 == able.len();
            let ends = if is_last { ends } else { ends.min(half) };
            let said = self
                .begin(provider, workshop, ends)
                .map_err(|why| troubles.push(format!("{}: {why}", api::for_provider(provider).provider.name)))
                .ok()
                .and_then(|mut turn| turn.ask(self.question, self.most_chars, troubles));
            if said.is_some() {
                return said;
            }
        }
        None
    }

    /// Those who can be asked, each once: the last of them has all the time that is left.
    fn usable_providers(&self, workshop: &dyn Workshop, troubles: &mut Vec<String>) -> Vec<Provider> {
        let mut able = Vec::new();
        for &provider in self.providers {
            let api = api::for_provider(provider);
            match key::missing(api, (self.server)(provider), workshop) {
                Some(why) => troubles.push(format!("{}: {why}", api.provider.name)),
                None if able.contains(&provider) => {}
                None => able.push(provider),
            }
        }
        able
    }

    fn begin<'a>(
        &'a self,
        provider: Provider,
        workshop: &'a dyn Workshop,
        ends: u64,
    ) -> Result<Attempt<'a>, String> {
        let (api, server) = (api::for_provider(provider), (self.server)(provider));
        let left = ends.saturating_sub(workshop.micros()) / 1000;
        if left == 0 {
            return Err("no time was left".to_owned());
        }
        let key = key::find(api, server, workshop, left)?;
        if key.is_some() && is_unencrypted(server.url.as_deref().unwrap_or(api.provider.home)) {
            return Err("the key would be sent unencrypted: its `url` must begin with `https://`".to_owned());
        }
        let usual = match self.size {
            Size::Great => api.provider.models,
            Size::Small => api.provider.small_models,
        };
        Ok(Attempt { api, server, default_models: usual, key, workshop, deadline: ends, has_waited: false })
    }
}
