//! How large a source may be.

/// The longest source that is accepted, in bytes: a rule longer than this is a program.
pub(super) const SOURCE_LIMIT: usize = 16 * 1024;

/// How deep a source may nest. Parser, checker and evaluation recurse as deep as the source
/// does, so this is what keeps hostile input from overflowing the stack.
pub(super) const NESTING_LIMIT: usize = 64;
