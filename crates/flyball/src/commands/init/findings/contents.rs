//! Files whose content has to be read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flyball_programs::{MANIFESTS, PACKAGES};
use serde_json::Value;

use super::finding::Findings;
use super::signs::{Aspect, is_check};

/// The most that is read of a file.
const MOST_BYTES: u64 = 256 * 1024;

/// What `npm init` writes where a test command should be.
const NO_TESTS: &str = "no test specified";

/// Reads the file if it is one of those.
pub(super) fn inspect(root: &Path, file: &str, findings: &mut Findings) {
    let name = file.rsplit('/').next().unwrap_or(file);
    let read: fn(&str, &str, &mut Findings) = match name {
        "package.json" => package_json,
        "pyproject.toml" => pyproject,
        "pytest.ini" | "tox.ini" | "conftest.py" => |_, file, findings| pytest(file, findings),
        "Makefile" | "makefile" | "GNUmakefile" => {
            |text, file, findings| recipes("make", (text, file), findings)
        }
        "justfile" | "Justfile" | ".justfile" => {
            |text, file, findings| recipes("just", (text, file), findings)
        }
        _ => return,
    };
    read(&text(&root.join(file)), file, findings);
}

fn text(path: &Path) -> String {
    let mut bytes = Vec::new();
    // A file that cannot be read counts as empty.
    drop(File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut bytes)));
    String::from_utf8_lossy(&bytes).into_owned()
}

fn package_json(text: &str, file: &str, findings: &mut Findings) {
    // A broken manifest shows nothing: this is a guess for a person to confirm, not a check.
    let package: Value = serde_json::from_str(text).unwrap_or_default();
    let depends_on = |name: &str| {
        ["dependencies", "devDependencies"]
            .iter()
            .any(|kind| package.get(kind).is_some_and(|all| all.get(name).is_some()))
    };
    for linter in PACKAGES.iter().filter(|package| depends_on(package.file)) {
        findings.add(Aspect::Linter, linter.name, file);
    }
    if depends_on("typescript") {
        findings.add(Aspect::Language, "TypeScript", file);
    }
    let script = package.get("scripts").and_then(|scripts| scripts.get("test")).and_then(Value::as_str);
    if script.is_some_and(|script| !script.contains(NO_TESTS)) {
        let manager = ["pnpm", "yarn", "bun"].into_iter().find(|manager| findings.locks_with(manager));
        // `bun test` is bun's own runner and not the script.
        let command = if manager == Some("bun") { "bun run" } else { manager.unwrap_or("npm") };
        findings.add(Aspect::Test, format!("{command} test"), file);
    }
}

fn pyproject(text: &str, file: &str, findings: &mut Findings) {
    // By lines, since only headers matter: `[tool.ruff]` and `[tool.ruff.lint]`, but not `[tool.ruffle]`.
    let is_header = |line: &str, table: &str| {
        let rest = line.strip_prefix('[').and_then(|line| line.strip_prefix(table));
        rest.is_some_and(|rest| rest.starts_with([']', '.']))
    };
    let has_table = |table: &str| text.lines().any(|line| is_header(line, table));
    let sections = MANIFESTS.iter().filter(|manifest| manifest.file == "pyproject.toml");
    let sections = sections.flat_map(|manifest| manifest.sections);
    for section in sections.filter(|section| is_check(section.kind) && has_table(section.name)) {
        findings.add(Aspect::Linter, section.program, file);
    }
    if has_table("tool.pytest") || text.contains("\"pytest") || text.contains("\npytest =") {
        pytest(file, findings);
    }
}

fn pytest(file: &str, findings: &mut Findings) {
    let manager = ["uv", "poetry", "pdm", "pipenv"].into_iter().find(|manager| findings.locks_with(manager));
    let command = manager.map_or_else(|| "pytest".to_owned(), |manager| format!("{manager} run pytest"));
    findings.add(Aspect::Test, command, file);
}

/// The recipes of a `Makefile` or `justfile` with conventional names.
fn recipes(runner: &str, (text, file): (&str, &str), findings: &mut Findings) {
    // Without indentation: an indented `test:` is part of a recipe, not a target.
    let has = |recipe: &str| {
        text.lines()
            .any(|line| line.strip_prefix(recipe).is_some_and(|rest| rest.trim_start().starts_with(':')))
    };
    if has("test") {
        findings.add(Aspect::Test, format!("{runner} test"), file);
    }
    if has("lint") {
        findings.add(Aspect::Linter, format!("{runner} lint"), file);
    }
}
