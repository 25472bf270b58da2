//! Whether a linter runs code of the project: a config that is a program, a plug-in that a config names, a build script,
//! a program that another one finds in the project.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::configs;
use super::keys::{DiskState, ancestors};
use crate::linter::Linter;

/// Stands for every file: the linter always runs code of the project.
const ALWAYS: &str = "*";

/// How files end that a linter can only use by running them.
const CODE_ENDS: &[&str] = &[
    ".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".py", ".rb", ".lua", ".php", ".pl",
    ".ps1", ".sh", ".exs", ".groovy", ".gradle", ".kts",
];

/// Programs that start those of the project they are in.
const STARTERS: &[&str] = &[
    "bun", "bundle", "bunx", "cargo", "composer", "corepack", "deno", "hatch", "just", "make", "mise", "npm",
    "npx", "pdm", "pipenv", "pnpm", "pnpx", "poetry", "rye", "task", "uv", "yarn",
];

/// Whether a command of a linter for files of a folder runs code of the project.
pub(super) fn is_run(
    disk: &mut DiskState,
    workshop: &dyn Workshop,
    linter: &Linter,
    words: &[String],
    folder: &AbsolutePath,
) -> bool {
    let entry = &linter.entry;
    let is_started = entry.via.as_ref().is_some_and(|via| !via.is_empty());
    if is_started || words.first().is_some_and(|name| STARTERS.contains(&name.as_str())) {
        return true;
    }
    let names: Vec<&str> = match &entry.project_code {
        Some(names) => names.iter().map(String::as_str).collect(),
        None => entry.configs.iter().flatten().map(String::as_str).filter(|name| is_code(name)).collect(),
    };
    if names.contains(&ALWAYS) {
        return true;
    }
    let mut is_there = |folder: &AbsolutePath| {
        names.iter().any(|name| {
            let path = folder.join(name);
            disk.exists(workshop, &path)
                && (!configs::SHARED.contains(name) || may_mention(workshop, &path, &linter.name))
        })
    };
    ancestors(workshop.project_root(), folder).any(|folder| is_there(&folder))
}

fn is_code(name: &str) -> bool {
    CODE_ENDS.iter().any(|end| name.ends_with(end))
}

/// Whether a file of many tools may have settings of this one. A name can be written with escapes, and in a file that
/// cannot be read anything may be.
fn may_mention(workshop: &dyn Workshop, path: &AbsolutePath, tool: &str) -> bool {
    configs::read(workshop, path).is_none_or(|text| text.contains("\\u") || text.contains(tool))
}
