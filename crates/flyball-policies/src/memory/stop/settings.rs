//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::models::{Provider, Server};
use crate::period::Period;

/// `[memory.stop]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The most questions to a model in one session. It is asked only when there are new signs.
    pub most: u32,
    /// The model that is asked.
    pub model: Model,
}

/// `[memory.stop.model]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Model {
    /// Whether a model is asked. If not, nothing is sent, whatever keys exist.
    pub enabled: bool,
    /// The providers that are asked in this order until one replies. Those without a key are skipped.
    pub providers: Vec<Provider>,
    /// The limit for all providers together. It must be shorter than the client's hook timeout.
    pub deadline: Period,
    /// How much of the end of the session is sent, in characters, without secrets.
    pub chars: usize,
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
