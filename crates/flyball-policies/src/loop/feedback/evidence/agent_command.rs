//! Whether a command line that the agent ran proves as much as the command of a phase.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;

/// A command line that the agent ran.
pub(super) struct SeenRun<'a> {
    pub(super) line: &'a str,
    /// Where it has to have run: the project in the checkout that was edited.
    pub(super) folder: &'a AbsolutePath,
}

/// Whether a line is the command and nothing else, run at the project's root. Anything more could hide how it
/// ended: `|| true`, `| tail`, `; echo ok`, a filter behind it.
pub(super) fn proves(situation: &Situation<'_>, run: &SeenRun<'_>, command: &str) -> bool {
    let line = run.line.trim();
    let is_root = |folder: &str| {
        let world = situation.world;
        world.real_path(&situation.event.cwd, folder) == world.real_path(run.folder, ".")
    };
    let line = line.strip_suffix(" 2>&1").unwrap_or(line).trim_end();
    if line == command.trim() {
        return is_root(".");
    }
    let Some((folder, rest)) = line.strip_prefix("cd ").and_then(|line| line.split_once(" && ")) else {
        return false;
    };
    rest.trim() == command.trim() && plain_word(folder.trim()).is_some_and(is_root)
}

/// The word that every shell reads here: quoted as a whole, or without special characters.
fn plain_word(text: &str) -> Option<&str> {
    let is_special = |char: char| "\"$`\\!".contains(char);
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(inner) = quoted('\'') {
        return (!inner.contains('\'')).then_some(inner);
    }
    if let Some(inner) = quoted('"') {
        return (!inner.contains(is_special)).then_some(inner);
    }
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+@:,%=".contains(char);
    // `cd -` leads back, and `cd -P` has an option.
    (!text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain)).then_some(text)
}
