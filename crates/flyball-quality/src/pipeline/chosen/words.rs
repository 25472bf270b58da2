//! The words of commands, hooks and lists of packages.

use std::collections::BTreeMap;

use serde_json::Value;

/// Parts of `package.json` and `composer.json` that run or bring tools.
const JSON_PARTS: &[&str] =
    &["scripts", "devDependencies", "lint-staged", "husky", "pre-commit", "simple-git-hooks", "require-dev"];

/// Parts of `pyproject.toml` that do: any table of these names, wherever it is.
const TOML_PARTS: &[&str] = &[
    "dependency-groups",
    "optional-dependencies",
    "dev-dependencies",
    "extra-dependencies",
    "group",
    "envs",
    "tasks",
    "taskipy",
    "tox",
];

/// Lines of words by the file that they are in.
pub(super) type Lines = Vec<Vec<String>>;

/// The lines of a file that run or bring tools.
pub(super) fn lines_of(name: &str, text: &str) -> Lines {
    match name {
        "package.json" | "composer.json" => json_lines(text),
        "pyproject.toml" => toml_lines(text),
        _ => text.lines().filter_map(plain_line).map(words).collect(),
    }
}

/// A line without its comment; `None` if nothing is left.
fn plain_line(line: &str) -> Option<&str> {
    let line = line.split(" #").next().unwrap_or_default().trim();
    let is_comment = line.starts_with('#') || line.starts_with("//");
    (!line.is_empty() && !is_comment).then_some(line)
}

fn words(line: &str) -> Vec<String> {
    let is_between = |letter: char| letter.is_whitespace() || "\"'`,;()[]{}<>|&=~!".contains(letter);
    let words = line.split(is_between).map(|word| word.trim_matches(':'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn json_lines(text: &str) -> Lines {
    let Ok(Value::Object(all)) = serde_json::from_str(text) else { return Lines::new() };
    let mut lines = Lines::new();
    for part in JSON_PARTS.iter().filter_map(|part| all.get(*part)) {
        add_json(part, &mut lines);
    }
    lines
}

fn add_json(value: &Value, lines: &mut Lines) {
    match value {
        Value::String(text) => lines.push(words(text)),
        Value::Array(items) => items.iter().for_each(|item| add_json(item, lines)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            lines.push(words(name));
            add_json(value, lines);
        }),
        _ => {}
    }
}

fn toml_lines(text: &str) -> Lines {
    let Ok(table) = text.parse::<toml::Table>() else { return Lines::new() };
    let mut lines = Lines::new();
    find_toml(&table, &mut lines);
    lines
}

fn find_toml(table: &toml::Table, lines: &mut Lines) {
    for (name, value) in table {
        // The scripts of a project are what it installs; those of its tools are commands.
        let runs =
            TOML_PARTS.contains(&name.as_str()) || (name == "scripts" && !table.contains_key("version"));
        match value {
            value if runs => add_toml(value, lines),
            toml::Value::Table(below) => find_toml(below, lines),
            _ => {}
        }
    }
}

fn add_toml(value: &toml::Value, lines: &mut Lines) {
    match value {
        toml::Value::String(text) => lines.push(words(text)),
        toml::Value::Array(items) => items.iter().for_each(|item| add_toml(item, lines)),
        toml::Value::Table(fields) => fields.iter().for_each(|(name, value)| {
            lines.push(words(name));
            add_toml(value, lines);
        }),
        _ => {}
    }
}

/// Whether a line has these words one after the other, with nothing but options between them.
pub(super) fn has(line: &[String], wanted: &[&str]) -> bool {
    let Some((first, rest)) = wanted.split_first() else { return false };
    line.iter().enumerate().filter(|(_, word)| is_called(word, first)).any(|(at, _)| {
        let behind = line.get(at + 1..).unwrap_or_default();
        let mut behind = behind.iter().filter(|word| !word.starts_with(['-', '+']));
        rest.iter().all(|wanted| behind.next().is_some_and(|word| word == wanted))
    })
}

/// Whether a word is this name, whatever its path and its version: `node_modules/.bin/eslint`, `eslint@9`.
fn is_called(word: &str, name: &str) -> bool {
    let plain = match word.rfind('@') {
        Some(at) if at > 0 => word.get(..at).unwrap_or(word),
        _ => word,
    };
    plain == name || (!plain.starts_with('@') && plain.rsplit('/').next() == Some(name))
}

/// What is said in the files of one folder, by file.
pub(super) type Said = BTreeMap<String, Lines>;

#[cfg(test)]
mod tests {
    use super::*;

    fn says(name: &str, text: &str, wanted: &str) -> bool {
        let wanted: Vec<&str> = wanted.split(' ').collect();
        lines_of(name, text).iter().any(|line| has(line, &wanted))
    }

    #[test]
    fn commands_hooks_and_packages_are_found() {
        let cases = [
            ("Makefile", "lint:\n\tuv run ruff check .\n", "ruff", true),
            ("Makefile", "lint:\n\truff check .\n", "ruff format", false),
            ("Makefile", "fmt:\n\tcargo +nightly fmt --all\n", "cargo fmt", true),
            ("Makefile", "# ruff is great\nall: # ruff\n", "ruff", false),
            (".pre-commit-config.yaml", "  - id: ruff-format\n", "ruff-format", true),
            (".pre-commit-config.yaml", "  - id: ruff-format\n", "ruff", false),
            ("ci.yml", "- uses: golangci/golangci-lint-action@v6\n", "golangci-lint-action", true),
            ("ci.yml", "- run: ./node_modules/.bin/eslint@9 .\n", "eslint", true),
            ("package.json", "{\"scripts\":{\"lint\":\"eslint .\"}}", "eslint", true),
            ("package.json", "{\"devDependencies\":{\"@biomejs/biome\":\"2\"}}", "@biomejs/biome", true),
            (
                "package.json",
                "{\"dependencies\":{\"prettier\":\"2\"},\"keywords\":[\"eslint\"]}",
                "prettier",
                false,
            ),
            ("pyproject.toml", "[dependency-groups]\ndev = [\"mypy>=1.8\"]\n", "mypy", true),
            ("pyproject.toml", "[tool.poetry.group.dev.dependencies]\nblack = \"^23\"\n", "black", true),
            ("pyproject.toml", "[project]\nname = \"x\"\nkeywords = [\"black\"]\n", "black", false),
            (
                "pyproject.toml",
                "[project]\nversion = \"1\"\n[project.scripts]\nblack = \"black:main\"\n",
                "black",
                false,
            ),
            (
                "pyproject.toml",
                "[tool.hatch.envs.lint.scripts]\nall = \"ruff format .\"\n",
                "ruff format",
                true,
            ),
            ("requirements-dev.txt", "black==24.1\n", "black", true),
            ("requirements-dev.txt", "flake8-black\n", "black", false),
        ];
        for (name, text, wanted, expected) in cases {
            assert_eq!(says(name, text, wanted), expected, "{wanted} in {text}");
        }
    }
}
