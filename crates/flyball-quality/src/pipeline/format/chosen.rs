//! Which formatters a project has chosen, so that nobody's code is restyled by a tool they never
//! asked for.

use crate::linter::Linter;
use crate::pipeline::context::{Context, MOST_BYTES};
use crate::pipeline::keys;
use crate::pipeline::placeholders::parent;
use crate::settings::Format;

/// Files that hold the settings of many tools.
const SHARED: &[&str] = &["pyproject.toml", "package.json", "setup.cfg", "tox.ini", "Cargo.toml"];

/// Whether the filters of a linter run on the file at this path.
pub(super) fn is_chosen(bench: &mut Context<'_>, linter: &Linter, path: &str) -> bool {
    match bench.settings.format {
        Format::Never => false,
        Format::Always => true,
        Format::Configured => match linter.entry.standard {
            Some(standard) if standard || linter.entry.configs.is_none() => standard,
            Some(_) | None => is_configured(bench, linter, path),
        },
    }
}

/// The nearest folder with a config of a linter, from a folder up to the root; the root if there is none.
pub(in crate::pipeline) fn nearest_config_folder(
    bench: &mut Context<'_>,
    linter: &Linter,
    folder: &str,
) -> String {
    let root = bench.root;
    find_config_folder(bench, linter, folder).unwrap_or_else(|| root.to_owned())
}

/// Whether the project has a config of a linter for the file at this path, or the linter knows none.
pub(in crate::pipeline) fn is_configured(bench: &mut Context<'_>, linter: &Linter, path: &str) -> bool {
    linter.entry.configs.as_deref().unwrap_or_default().is_empty()
        || find_config_folder(bench, linter, parent(path)).is_some()
}

/// The nearest folder with a config, from a folder up to the root. A file of many tools counts if it has settings
/// of this one: in a workspace each member has such a file.
fn find_config_folder(bench: &mut Context<'_>, linter: &Linter, folder: &str) -> Option<String> {
    let configs = linter.entry.configs.as_deref().unwrap_or_default();
    let root = bench.root;
    let holds = |at: &&str| {
        configs.iter().any(|name| {
            let path = format!("{}/{name}", at.trim_end_matches('/'));
            bench.disk_state.exists(bench.workshop, &path)
                && (!SHARED.contains(&name.as_str()) || is_mentioned(bench, &path, &linter.name))
        })
    };
    keys::ancestors(root, folder).into_iter().find(holds).map(str::to_owned)
}

fn is_mentioned(bench: &Context<'_>, path: &str, tool: &str) -> bool {
    let content = bench.workshop.read(path, MOST_BYTES).ok().flatten();
    content.is_some_and(|content| mentions(&String::from_utf8_lossy(&content), path, tool))
}

/// Whether a shared file has settings of a tool.
fn mentions(text: &str, path: &str, tool: &str) -> bool {
    if path.ends_with("/pyproject.toml") {
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
