//! `[loop.feedback.adviser]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::models::{Provider, Server};
use crate::period::Period;

/// `[loop.feedback.adviser]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether models are asked. If not, nothing is sent anywhere, and the advice is flyball's own text.
    pub enabled: bool,
    /// The providers, which are asked one after the other until one answers. Those without a key are skipped.
    pub providers: Vec<Provider>,
    /// How long all of it may take. While there is another provider to ask, none gets more than half of the time. It must
    /// be shorter than the client's timeout for hooks.
    pub deadline: Period,
    /// How many words an answer may have.
    pub max_words: u32,
    /// Ollama, on this machine unless `url` says otherwise. It needs no key.
    pub ollama: Server,
    /// Google's Gemini. Its key is looked for in `GEMINI_API_KEY`.
    pub gemini: Server,
    /// `OpenAI`, or a server with its chat completions API at `url`. Its key is looked for in `OPENAI_API_KEY`.
    pub openai: Server,
    /// xAI. Its key is looked for in `XAI_API_KEY`.
    pub xai: Server,
    /// Anthropic. Its key is looked for in `ANTHROPIC_API_KEY`.
    pub anthropic: Server,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            enabled: false,
            providers: vec![
                Provider::Ollama,
                Provider::Gemini,
                Provider::Openai,
                Provider::Xai,
                Provider::Anthropic,
            ],
            deadline: Period::minutes(1),
            max_words: 200,
            ollama: Server::default(),
            gemini: Server::default(),
            openai: Server::default(),
            xai: Server::default(),
            anthropic: Server::default(),
        }
    }
}

impl Settings {
    /// How this provider is reached.
    pub(super) fn server(&self, provider: Provider) -> &Server {
        match provider {
            Provider::Ollama => &self.ollama,
            Provider::Gemini => &self.gemini,
            Provider::Openai => &self.openai,
            Provider::Xai => &self.xai,
            Provider::Anthropic => &self.anthropic,
        }
    }
}
