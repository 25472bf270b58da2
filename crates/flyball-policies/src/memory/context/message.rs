//! The context that this policy adds.

use flyball_core::verdict::{Snippet, Verdict};

/// Higher than other context for a call: rules that the engine leaves out would count as shown.
const RANK: i32 = 40;

/// Context for the model about the files of a call; silent without paragraphs.
pub(super) fn context_verdict(paragraphs: &[String]) -> Verdict {
    verdict("memory.context", paragraphs)
}

/// The same about a command, which may change files besides.
pub(super) fn command_verdict(paragraphs: &[String]) -> Verdict {
    verdict("memory.context command", paragraphs)
}

fn verdict(key: &str, paragraphs: &[String]) -> Verdict {
    if paragraphs.is_empty() {
        return Verdict::silent();
    }
    let snippet = Snippet { key: key.to_owned(), rank: RANK, text: paragraphs.join("\n\n") };
    Verdict { context: vec![snippet], ..Verdict::default() }
}
