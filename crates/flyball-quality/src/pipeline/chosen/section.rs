//! Parts of files that many tools share.

use flyball_core::config::read_toml;

/// Whether a file has a part of this name: a table, a key of an object, or a heading.
pub(super) fn has(name: &str, text: &str, section: &str, is_exact: bool) -> bool {
    let extension = name.rsplit('.').next().unwrap_or_default();
    match extension {
        // A table that is only there because another one is below it was not written.
        "toml" if is_exact => headings(text).any(|heading| heading == section),
        "toml" => {
            read_toml::<toml::Table>(text).is_ok_and(|table| toml_at(&table, section).is_some())
                || (read_toml::<toml::Table>(text).is_err() && has_heading(text, section))
        }
        "json" => serde_json::from_str::<serde_json::Value>(text)
            .is_ok_and(|value| value.pointer(&format!("/{}", section.replace('.', "/"))).is_some()),
        _ => has_heading(text, section),
    }
}

fn toml_at<'t>(table: &'t toml::Table, path: &str) -> Option<&'t toml::Value> {
    match path.split_once('.') {
        Some((first, rest)) => toml_at(table.get(first)?.as_table()?, rest),
        None => table.get(path),
    }
}

/// `[flake8]`, and what belongs to it: `[mypy-foo.*]`, `[pylint.main]`.
fn has_heading(text: &str, section: &str) -> bool {
    let belongs = |rest: &str| rest.is_empty() || rest.starts_with(['.', '-', ':', ' ']);
    headings(text).any(|heading| heading.strip_prefix(section).is_some_and(belongs))
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| Some(line.trim().strip_prefix('[')?.split_once(']')?.0.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_in_every_form() {
        let cases = [
            ("pyproject.toml", "[tool.ruff.lint]\nselect = []\n", "tool.ruff", true),
            ("pyproject.toml", "[tool.ruff-extra]\n", "tool.ruff", false),
            ("pyproject.toml", "[tool]\nruff = { line-length = 9 }\n", "tool.ruff", true),
            ("pyproject.toml", "[tool.ruff]\nbroken\n", "tool.ruff", true),
            ("package.json", "{\"prettier\": {}}", "prettier", true),
            ("package.json", "{\"devDependencies\": {\"prettier\": \"1\"}}", "prettier", false),
            ("setup.cfg", "[flake8]\n", "flake8", true),
            ("setup.cfg", "[mypy-yaml.*]\n", "mypy", true),
            ("setup.cfg", "[flake8x]\n", "flake8", false),
            ("tox.ini", "[testenv]\ndeps = flake8\n", "flake8", false),
        ];
        for (name, text, section, expected) in cases {
            assert_eq!(has(name, text, section, false), expected, "{section} in {text}");
        }
        assert!(!has("pyproject.toml", "[tool.ruff.lint]\n", "tool.ruff", true));
        assert!(has("pyproject.toml", "[tool.ruff]\n", "tool.ruff", true));
    }
}
