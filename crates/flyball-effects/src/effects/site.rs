//! Where a program is started.

use crate::model::{Command, Script, Word};

/// A command and the words it is started with: fewer than its own, if it starts another program.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub(super) script: &'a Script,
    pub(super) index: usize,
    pub(super) command: &'a Command,
    pub(super) arguments: &'a [Word],
}
