//! Where a project configures a linter.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::keys::{CONFIG_BYTES, DiskState, ancestors};
use crate::linter::Linter;

/// Files that contain the settings of many tools.
pub(super) const SHARED: &[&str] = &["pyproject.toml", "package.json", "setup.cfg", "tox.ini", "Cargo.toml"];

/// The nearest folder with a config of a linter, from a folder up to the root. A file of many tools counts only if it
/// has settings of this one: in a workspace each member has such a file.
pub(super) fn nearest_folder(
    disk: &mut DiskState,
    workshop: &dyn Workshop,
    linter: &Linter,
    folder: &AbsolutePath,
) -> Option<AbsolutePath> {
    let configs = linter.entry.configs.as_deref().unwrap_or_default();
    let has_config = |folder: &AbsolutePath| {
        configs.iter().any(|name| {
            let path = folder.join(name);
            disk.exists(workshop, &path)
                && (!SHARED.contains(&name.as_str()) || is_mentioned(workshop, &path, &linter.name))
        })
    };
    ancestors(workshop.project_root(), folder).find(has_config)
}

fn is_mentioned(workshop: &dyn Workshop, path: &AbsolutePath, tool: &str) -> bool {
    read(workshop, path).is_some_and(|text| mentions(&text, path, tool))
}

/// The text of a config; `None` if it cannot be read.
pub(super) fn read(workshop: &dyn Workshop, path: &AbsolutePath) -> Option<String> {
    let content = workshop.read(path, CONFIG_BYTES).ok().flatten()?;
    Some(String::from_utf8_lossy(&content).into_owned())
}

/// Whether a shared file has settings of a tool.
fn mentions(text: &str, path: &str, tool: &str) -> bool {
    if path.ends_with("/pyproject.toml") {
        // `[tool.ruff]` or `[tool.ruff.lint]`, but not `[tool.ruff-extra]`.
        return [']', '.'].iter().any(|end| text.contains(&format!("[tool.{tool}{end}")));
    }
    text.contains(tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_file_counts_if_it_has_settings_of_the_tool() {
        let cases = [
            ("[project]\nname = 'ruff-plugin'\n", "/p/pyproject.toml", "ruff", false),
            ("[tool.ruff]\nline-length = 100\n", "/p/pyproject.toml", "ruff", true),
            ("[tool.ruff.format]\n", "/p/pyproject.toml", "ruff", true),
            ("[tool.typos]\n", "/p/pyproject.toml", "ty", false),
            ("{\"prettier\":{}}", "/p/package.json", "prettier", true),
            ("[flake8]\n", "/p/setup.cfg", "flake8", true),
        ];
        for (text, path, tool, expected) in cases {
            assert_eq!(mentions(text, path, tool), expected, "{text} in {path}");
        }
    }
}
