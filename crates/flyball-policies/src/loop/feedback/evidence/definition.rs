//! The files that define what a command does: a script that it names, and the task files of programs (`Makefile`).

use flyball_core::policy::World;
use flyball_programs::program;

use super::content::key;

/// Longer files are not scripts.
const MOST_BYTES: u64 = 1024 * 1024;

/// The names that such a file may have, below the project's root.
pub(in super::super) fn names(command: &str) -> Vec<String> {
    let names = words(command).flat_map(|word| task_files(word).iter().copied().chain([word]));
    names.map(str::to_owned).collect()
}

/// A fingerprint of all of them.
pub(super) fn fingerprint(world: &dyn World, command: &str) -> String {
    let mut parts = Vec::new();
    for name in words(command).flat_map(|word| task_files(word).iter().copied().chain([word])) {
        let path = world.project_root().join(name);
        if world.stat(&path).is_some_and(|stat| !stat.is_folder)
            && let Ok(Some(bytes)) = world.read(&path, MOST_BYTES)
        {
            parts.extend([name.to_owned(), world.hash(&bytes).as_str().to_owned()]);
        }
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    key(world, &parts)
}

fn words(command: &str) -> impl Iterator<Item = &str> {
    // Only roughly as a shell splits: a word too many is one more file to look for.
    let is_end = |letter: char| letter.is_whitespace() || ";&|()<>'\"`=".contains(letter);
    let words = command.split(is_end).map(|word| word.strip_prefix("./").unwrap_or(word));
    words.filter(|word| !word.is_empty())
}

fn task_files(word: &str) -> &'static [&'static str] {
    program(word).map_or(&[], |known| known.facts.tasks)
}
