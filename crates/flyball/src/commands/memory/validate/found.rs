//! What was found in a file of rules.

use super::severity::Severity;

/// What is wrong: the line, how bad it is, and what it is.
pub(super) type Found = (usize, Severity, String);
