//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{Provider, Server};
use crate::period::Period;

/// `[memory.stop]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How often a model is asked in one session, at most. It is asked only when something new has happened.
    pub most: u32,
    /// Who is asked what there is to be learned.
    pub model: Model,
}

/// `[memory.stop.model]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// Whether a model is asked. While it is not, nothing is sent anywhere, whatever keys there are.
    pub enabled: bool,
    /// Who is asked, one after the other, until one answers. One without a key is left out.
    pub providers: Vec<Provider>,
    /// How long all of it may take. It must be shorter than the time that the client gives a hook.
    pub deadline: Period,
    /// How much of the end of the session is sent, in characters, without what looks like a secret.
    pub chars: usize,
    /// Ollama, on this machine unless `url` says otherwise. It needs no key.
    pub ollama: Server,
    /// Google's Gemini. Its key is looked for in `GEMINI_API_KEY`.
    pub gemini: Server,
    /// `OpenAI`, or whoever speaks its chat completions at `url`. Its key is looked for in `OPENAI_API_KEY`.
    pub openai: Server,
    /// xAI. Its key is looked for in `XAI_API_KEY`.
    pub xai: Server,
    /// Anthropic. Its key is looked for in `ANTHROPIC_API_KEY`.
    pub anthropic: Server,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { most: 3, model: Model::default() }
    }
}

impl Default for Model {
    fn default() -> Model {
        Model {
            enabled: false,
            providers: vec![
                Provider::Ollama,
                Provider::Gemini,
                Provider::Openai,
                Provider::Xai,
                Provider::Anthropic,
            ],
            deadline: Period::seconds(20),
            chars: 24_000,
            ollama: Server::default(),
            gemini: Server::default(),
            openai: Server::default(),
            xai: Server::default(),
            anthropic: Server::default(),
        }
    }
}

impl Model {
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
