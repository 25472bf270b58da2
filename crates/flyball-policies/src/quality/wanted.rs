//! Whether a project is configured for a linter. Other missing linters are not reported again and again.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_quality::catalogue;
use flyball_quality::linter::Entry;
use flyball_quality::report::LinterFailure;
use flyball_quality::settings::Settings;

/// A longer manifest is not read.
const MOST_BYTES: u64 = 1024 * 1024;

/// Files that other tools use too: they have to name the linter.
const SHARED: &[&str] = &[
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "package.json",
    "tsconfig.json",
    "Cargo.toml",
    "Cargo.lock",
    "go.mod",
    "go.sum",
    ".editorconfig",
];

/// Whether the project wants the linter of this failure: it wrote the entry itself, it has
/// the files that the linter is only run for, or it has a config for it.
pub(super) fn is_wanted(world: &dyn World, settings: &Settings, missing: &LinterFailure) -> bool {
    let Some(linter) = settings.linters.iter().find(|linter| linter.name == missing.linter) else {
        return false;
    };
    if linter.entry.needs.is_some() || !catalogue::builtin().contains_key(&linter.name) {
        return true;
    }
    let folders = missing.files.iter().flat_map(|file| folders(file));
    folders.into_iter().any(|folder| is_configured(world, &folder, (&linter.name, &linter.entry)))
}

/// The folders of the project that a file is in; the root is empty.
fn folders(file: &str) -> Vec<String> {
    let ends = file.match_indices('/').filter_map(|(at, _)| file.get(..=at));
    std::iter::once("").chain(ends).map(str::to_owned).collect()
}

fn is_configured(world: &dyn World, folder: &str, (name, entry): (&str, &Entry)) -> bool {
    let root = world.project_root();
    entry.configs.iter().flatten().any(|config| {
        let path = root.join(&format!("{folder}{config}"));
        if SHARED.contains(&config.as_str()) {
            names(world, &path, name)
        } else {
            world.stat(&path).is_some()
        }
    })
}

/// Whether a manifest has something for a linter.
fn names(world: &dyn World, path: &AbsolutePath, linter: &str) -> bool {
    // One that cannot be read counts as empty.
    let text = world.read(path, MOST_BYTES).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if path.ends_with("/pyproject.toml") {
        text.contains(&format!("[tool.{linter}"))
    } else {
        text.contains(linter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_may_be_in_every_folder_above_a_file() {
        assert_eq!(folders("src/api/app.py"), ["", "src/", "src/api/"]);
        assert_eq!(folders("app.py"), [""]);
    }
}
