//! Folders whose code a command runs by building or installing it.

use crate::model::{Command, Target, Word};

/// Whether a command may build or install the code of a folder. Asked for every line.
pub fn builds(command: &Command) -> bool {
    matches!(
        command.program_name(),
        Some(
            "make"
                | "gmake"
                | "ninja"
                | "meson"
                | "scons"
                | "rake"
                | "just"
                | "cmake"
                | "pip"
                | "pip3"
                | "pipx"
                | "uv"
                | "npm"
                | "yarn"
                | "pnpm"
                | "bun"
                | "cargo"
                | "go"
        )
    )
}

/// The folders whose code a command runs by building or installing it.
pub fn built_folders(command: &Command) -> Vec<Target> {
    let words: Vec<&Word> = command.arguments.iter().collect();
    let behind = |option: &str| {
        let at = words.iter().position(|word| word.is(option))?;
        words.get(at + 1).copied().cloned()
    };
    let has = |verbs: &[&str]| words.iter().any(|word| verbs.iter().any(|verb| word.is(verb)));
    let here = || Word::literal(".");
    let named = |verbs: &[&str]| {
        let is_path =
            |word: &&&Word| word.text.as_deref().is_some_and(|text| text.starts_with(['.', '/', '~']));
        if has(verbs) {
            words.iter().filter(is_path).map(|word| (*word).clone()).collect()
        } else {
            Vec::new()
        }
    };
    let folders: Vec<Word> = match command.program_name().unwrap_or_default() {
        "make" | "gmake" | "ninja" | "meson" | "scons" | "rake" | "just" => {
            vec![behind("-C").or_else(|| behind("--directory")).unwrap_or_else(here)]
        }
        "cmake" => behind("--build").into_iter().collect(),
        "pip" | "pip3" | "pipx" => named(&["install", "wheel"]),
        "uv" => named(&["pip", "sync", "run"]),
        "python" | "python3" if has(&["pip"]) => named(&["install"]),
        "npm" | "yarn" | "pnpm" | "bun" => {
            vec![behind("--prefix").or_else(|| behind("--cwd")).or_else(|| behind("-C")).unwrap_or_else(here)]
        }
        "cargo" => vec![behind("--path").unwrap_or_else(here)],
        "go" => named(&["run", "install", "generate", "test"]),
        _ => Vec::new(),
    };
    folders.iter().map(|folder| Target::new(folder, &command.directory)).collect()
}
