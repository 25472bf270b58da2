//! How much of a model's context a text takes.

/// Bytes per token, roughly, for prose and code.
const BYTES: usize = 4;

/// About how many tokens a text has.
#[must_use]
pub const fn estimate(text: &str) -> usize {
    text.len().div_ceil(BYTES)
}
