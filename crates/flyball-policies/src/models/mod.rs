//! Asks models of several providers one after the other, until one replies.
//!
//! The caller decides what is asked, and whether anything may be sent at all.

mod answer;
mod attempt;
mod installed;
mod key;
mod settings;
#[cfg(test)]
pub(crate) mod testing;

use std::time::Duration;

use flyball_core::workshop::Workshop;
use flyball_quality::chat::is_unencrypted;

use self::attempt::Attempt;
pub(crate) use self::attempt::Reply;
pub use self::settings::{Provider, Server};

/// Which default models to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// The best ones.
    Great,
    /// Cheap and quick ones.
    Small,
}

/// One question to the first provider that replies.
pub(crate) struct Query<'a> {
    /// In the order in which they are asked.
    pub(crate) providers: &'a [Provider],
    pub(crate) server: &'a dyn Fn(Provider) -> &'a Server,
    /// Which default models, if the settings name none.
    pub(crate) size: Size,
    /// The limit for all providers together.
    pub(crate) timeout: Duration,
    /// Without secrets.
    pub(crate) question: &'a str,
    /// How many characters of the reply are used.
    pub(crate) most_chars: usize,
}

impl Query<'_> {
    /// The first reply. Each provider that does not reply adds an error, without secrets.
    pub(crate) fn consult(&self, workshop: &dyn Workshop, errors: &mut Vec<String>) -> Option<Reply> {
        let ends = workshop.elapsed().saturating_add(self.timeout);
        let usable = self.usable_providers(workshop, errors);
        for (at, &provider) in usable.iter().enumerate() {
            // A hanging provider must leave time for the next.
            let half = workshop.elapsed().saturating_add(self.timeout / 2);
            let is_last = at + 1 == usable.len();
            let ends = if is_last { ends } else { ends.min(half) };
            let reply = self
                .begin(provider, workshop, ends)
                .map_err(|why| errors.push(format!("{}: {why}", provider.entry().name)))
                .ok()
                .and_then(|mut attempt| attempt.ask(self.question, self.most_chars, errors));
            if reply.is_some() {
                return reply;
            }
        }
        None
    }

    /// The providers that can be asked, each once.
    fn usable_providers(&self, workshop: &dyn Workshop, errors: &mut Vec<String>) -> Vec<Provider> {
        let mut usable = Vec::new();
        for &provider in self.providers {
            let entry = provider.entry();
            match key::missing(entry, (self.server)(provider), workshop) {
                Some(why) => errors.push(format!("{}: {why}", entry.name)),
                None if usable.contains(&provider) => {}
                None => usable.push(provider),
            }
        }
        usable
    }

    fn begin<'a>(
        &'a self,
        provider: Provider,
        workshop: &'a dyn Workshop,
        ends: Duration,
    ) -> Result<Attempt<'a>, String> {
        let (entry, server) = (provider.entry(), (self.server)(provider));
        let left = ends.saturating_sub(workshop.elapsed());
        if left.is_zero() {
            return Err("no time was left".to_owned());
        }
        let key = key::find(entry, server, workshop, left)?;
        if key.is_some() && is_unencrypted(server.url.as_deref().unwrap_or(entry.home)) {
            return Err("the key would be sent unencrypted: its `url` must begin with `https://`".to_owned());
        }
        let default_models = match self.size {
            Size::Great => entry.models,
            Size::Small => entry.small_models,
        };
        Ok(Attempt {
            provider: entry,
            server,
            default_models,
            key,
            workshop,
            deadline: ends,
            has_waited: false,
        })
    }
}
