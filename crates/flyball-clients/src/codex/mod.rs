//! OpenAI's Codex CLI: the names and shapes of the dialect with a far stricter reader of answers.

mod encode;
mod events;
mod facts;
mod heredoc;
mod patch;
mod tool;

#[cfg(test)]
mod strict;
#[cfg(test)]
mod tests;

use crate::client::Client;
use crate::dialect::{ExitCodes, OutputSupport, Protocol, TerminalSupport};
use crate::evidence::Sign;

use facts::ID;
pub(crate) use facts::SHARED;

pub(crate) const SIGN: Sign = Sign {
    caller: ID,
    holds: |evidence| {
        // Another client has this key too, at one event; there its project variable is set.
        evidence.has("turn_id") && (evidence.is_declared(ID) || !evidence.is_in_project_of_another(ID))
    },
};

pub(crate) static CLIENT: Client = Client {
    id: ID,
    title: "Codex",
    facts: facts::FACTS,
    protocol: Protocol {
        events: events::EVENTS,
        tool: tool::tool,
        needed: tool::needed,
        updated_input: encode::updated_input,
        // Above some 2,500 tokens the client puts a text into a file and shows the model its ends.
        longest_text: 9_000,
        nobody_to_ask: "(a person has to approve this, and the client cannot ask for it here: tell the user \
                        what you want to do and why)",
        output: OutputSupport::Reason,
        terminal: TerminalSupport::Unsupported,
        exit: ExitCodes { refuses: 2, passes: 1 },
    },
    transcripts: None,
    wrapped_line: None,
};
