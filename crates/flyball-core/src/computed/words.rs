//! The words of a command.

use flyball_effects::Command;

/// The operands and options of a command, as texts; none of them if one is only known at run time.
pub(super) fn known_words(command: &Command) -> Option<Vec<&str>> {
    command.arguments.iter().map(|word| word.text.as_deref()).collect()
}
