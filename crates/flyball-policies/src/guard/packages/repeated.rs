//! Merges the runs of a command in a loop into the one command that is in the line.

use std::borrow::Cow;

use flyball_effects::{Command, Word};

/// Every command once for each place in the line. Words that differ from one run of a loop to the next stay as they
/// are written: `pip install $p`.
pub(super) fn merge_repeats(commands: Vec<&Command>) -> Vec<Cow<'_, Command>> {
    let mut all: Vec<Cow<'_, Command>> = Vec::new();
    for command in commands {
        let before = all.iter_mut().find(|it| is_same(it, command));
        match before {
            Some(before) if before.as_ref() != command => forget_differences(before.to_mut(), command),
            Some(_) => {}
            None => all.push(Cow::Borrowed(command)),
        }
    }
    all
}

fn is_same(one: &Command, other: &Command) -> bool {
    let spelled =
        |command: &Command| command.arguments.iter().map(|word| word.raw.clone()).collect::<Vec<_>>();
    one.span.is_some()
        && one.span == other.span
        && one.directory == other.directory
        && spelled(one) == spelled(other)
}

fn forget_differences(one: &mut Command, other: &Command) {
    for (word, beside) in one.arguments.iter_mut().zip(&other.arguments) {
        if word != beside {
            *word = Word::unknown(word.raw.clone());
        }
    }
}
