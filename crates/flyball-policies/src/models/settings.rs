//! The settings of a model provider.

use flyball_quality::providers;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A provider of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Models on your own machine.
    Ollama,
    /// Google.
    Gemini,
    /// `OpenAI`, and servers with its API.
    Openai,
    /// xAI.
    Xai,
    /// Anthropic.
    Anthropic,
}

impl Provider {
    /// Its entry in the table of providers.
    pub(crate) const fn entry(self) -> &'static providers::Provider {
        match self {
            Provider::Ollama => &providers::OLLAMA,
            Provider::Gemini => &providers::GEMINI,
            Provider::Openai => &providers::OPENAI,
            Provider::Xai => &providers::XAI,
            Provider::Anthropic => &providers::ANTHROPIC,
        }
    }
}

/// How one provider is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Its models, the best first: the next is asked if one is not known there or fails. Empty for a list of
    /// flyball's. Of Ollama's models only installed ones are asked, or another size of the same family.
    pub models: Vec<String>,
    /// Where it is, if not at its usual address: `https://…`, or `http://…` on this machine.
    pub url: Option<String>,
    /// The environment variable that holds the key, if not the usual one.
    pub key_variable: Option<String>,
    /// A command that prints the key, word by word: `["op", "read", "op://private/gemini/key"]`. It has 5 seconds,
    /// and takes precedence over variables.
    pub key_command: Vec<String>,
}
