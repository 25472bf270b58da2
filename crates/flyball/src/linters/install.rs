//! How a missing linter is installed: as the project installs what it declares, or else as its makers say.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// How the linters of `package.json` are installed, by the lock file that is there.
const NODE: &[(&str, &str)] = &[
    ("pnpm-lock.yaml", "pnpm install"),
    ("yarn.lock", "yarn install"),
    ("bun.lock", "bun install"),
    ("bun.lockb", "bun install"),
    ("package-lock.json", "npm ci"),
    ("package.json", "npm install"),
];

/// The same for Python, by the lock file that names them.
const PYTHON: &[(&str, &str)] =
    &[("uv.lock", "uv sync"), ("poetry.lock", "poetry install"), ("pdm.lock", "pdm install")];

/// The command that installs a linter in a project. `usual` is the one for projects that do not declare it.
pub(crate) fn command(root: &Path, usual: &str) -> String {
    let package = usual.rsplit(' ').next().unwrap_or_default();
    let by_project = if usual.starts_with("npm ") {
        is_in_package_json(root, package).then(|| first(root, NODE, |_| true)).flatten()
    } else if usual.starts_with("uv ") {
        let line = format!("name = \"{package}\"");
        first(root, PYTHON, |text| text.lines().any(|it| it.trim() == line))
    } else {
        None
    };
    by_project.unwrap_or(usual).to_owned()
}

fn is_in_package_json(root: &Path, package: &str) -> bool {
    let text = fs::read_to_string(root.join("package.json")).unwrap_or_default();
    let json: Value = serde_json::from_str(&text).unwrap_or_default();
    ["devDependencies", "dependencies", "optionalDependencies"]
        .iter()
        .any(|list| json.get(list).and_then(|list| list.get(package)).is_some())
}

fn first(
    root: &Path,
    commands: &'static [(&str, &str)],
    is_about: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let found = commands
        .iter()
        .find(|(file, _)| fs::read_to_string(root.join(file)).is_ok_and(|text| is_about(&text)));
    found.map(|(_, command)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_project_declares_is_installed_its_way() {
        let eslint = "npm install --save-dev eslint";
        let declared = ("package.json", r#"{"devDependencies": {"eslint": "^9"}}"#);
        let cases = [
            (&[][..], eslint, eslint),
            (&[("package.json", "{}")], eslint, eslint),
            (&[declared], eslint, "npm install"),
            (&[declared, ("package-lock.json", "{}")], eslint, "npm ci"),
            (&[declared, ("pnpm-lock.yaml", "")], eslint, "pnpm install"),
            (&[("uv.lock", "[[package]]\nname = \"ruff\"\n")], "uv tool install ruff", "uv sync"),
            (&[("uv.lock", "name = \"other\"\n")], "uv tool install ruff", "uv tool install ruff"),
        ];
        for (files, usual, expected) in cases {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                fs::write(folder.path().join(name), text).unwrap();
            }
            assert_eq!(command(folder.path(), usual), expected, "{files:?}");
        }
    }
}
