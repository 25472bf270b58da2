//! Anthropic's Claude Code.

mod conversation;
mod encode;
mod events;
mod facts;
mod history;
pub mod showcase;
mod tool;
mod transcript;
mod wrapped_line;

#[cfg(test)]
mod tests;

use crate::client::{Client, Transcripts};
use crate::dialect::{ExitCodes, OutputSupport, Protocol, TerminalSupport};
use crate::evidence::Sign;

use facts::ID;
pub(crate) use facts::SHARED;

pub(crate) const SIGN: Sign = Sign {
    caller: ID,
    holds: |evidence| evidence.is_certainly(ID) || (!evidence.is_nameless() && evidence.is_set(facts::MARK)),
};

pub(crate) static CLIENT: Client = Client {
    id: ID,
    title: "Claude Code",
    facts: facts::FACTS,
    protocol: Protocol {
        events: events::EVENTS,
        tool: tool::tool,
        needed: tool::needed,
        updated_input: encode::updated_input,
        // Above 10,000 the client puts a text into a file and shows the model a preview.
        longest_text: 9_900,
        nobody_to_ask: "",
        output: OutputSupport::Field,
        terminal: TerminalSupport::Supported,
        exit: ExitCodes { refuses: 2, passes: 1 },
    },
    transcripts: Some(Transcripts {
        folder: "projects",
        context_size: transcript::context_size,
        recent_conversation: conversation::read_recent,
        history: || Box::new(history::Reader::default()),
    }),
    wrapped_line: Some(wrapped_line::read),
};
