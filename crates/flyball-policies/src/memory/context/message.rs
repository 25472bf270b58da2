//! The context that this policy adds.

use flyball_core::verdict::{Snippet, Verdict};

/// Higher than other context for a call: rules that the engine leaves out would count as shown.
const RANK: i32 = 40;

/// Context for the model; silent without paragraphs.
pub(super) fn context_verdict(paragraphs: &[String]) -> Verdict {
    if paragraphs.is_empty() {
        return Verdict::silent();
    }
    let snippet = Snippet { key: "memory.context".to_owned(), rank: RANK, text: paragraphs.join("\n\n") };
    Verdict { context: vec![snippet], ..Verdict::default() }
}
