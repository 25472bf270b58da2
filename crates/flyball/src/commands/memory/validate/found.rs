//! What was found in a rule file.

use super::severity::Severity;

/// What is wrong: the line, how bad it is, and what it is.
pub(super) type Found = (usize, Severity, String);
