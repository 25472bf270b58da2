//! Claude Code.

mod encode;
mod events;
mod history;
mod install;
mod talk;
mod tool;
mod transcript;

#[cfg(test)]
mod tests;

use flyball_core::answer::Answer;
use flyball_core::event::{Event, EventKind};
use flyball_core::policy::{ContextSize, Tails, Trouble};

use crate::client::{Client, DecodeError, Output, Surroundings};
use crate::dialect::{self, Grammar};
use crate::history::History;
use crate::install::{Facts, Version};
use crate::registration::Entry;

/// Anthropic's Claude Code.
pub(crate) struct ClaudeCode;

impl ClaudeCode {
    /// Its id.
    pub(crate) const ID: &'static str = "claude-code";
}

static GRAMMAR: Grammar = Grammar {
    client: ClaudeCode::ID,
    events: events::EVENTS,
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    tool: tool::tool,
};

impl Client for ClaudeCode {
    fn id(&self) -> &'static str {
        Self::ID
    }

    fn title(&self) -> &'static str {
        "Claude Code"
    }

    fn decode(&self, payload: &str, surroundings: &Surroundings) -> Result<Event, DecodeError> {
        dialect::decode(&GRAMMAR, payload, surroundings)
    }

    fn encode(&self, event: &Event, answer: &Answer) -> Output {
        dialect::encode(&encode::VOICE, event, answer)
    }

    fn encode_failure(&self, declared_event: Option<&str>, text: &str) -> Output {
        dialect::encode_failure(events::EVENTS, declared_event, text)
    }

    fn kind_of(&self, native_event: &str) -> EventKind {
        dialect::find(events::EVENTS, native_event).map_or(EventKind::Unknown, |event| event.kind)
    }

    fn facts(&self) -> &'static Facts {
        &install::FACTS
    }

    fn entries(&self, binary: &str, version: Option<Version>) -> Vec<Entry> {
        install::entries(binary, version)
    }

    fn knows(&self, native_event: &str, version: Version) -> bool {
        dialect::find(events::EVENTS, native_event).is_some_and(|event| event.since <= version)
    }

    fn context_size(&self, tails: &mut Tails<'_>) -> Result<Option<ContextSize>, Trouble> {
        transcript::context_size(tails)
    }

    fn recent_talk(&self, tails: &mut Tails<'_>, most: usize) -> Result<Option<String>, Trouble> {
        talk::recent(tails, most)
    }

    fn history(&self) -> Option<Box<dyn History>> {
        Some(Box::new(history::Reader::default()))
    }

    fn transcripts(&self) -> Option<&'static str> {
        Some("projects")
    }
}
