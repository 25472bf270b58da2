//! What of a file says how a proof runs. The rest of a file that programs share is honest work: dependencies, versions, the
//! settings of other programs.

use flyball_core::path::AbsolutePath;
use flyball_programs::{Format, PROGRAMS};
use serde_json::Value;

use crate::config_entries;

/// Keys of the parts that count, behind which only dependencies are: `[testenv] deps`.
const DEPENDENCIES: [&str; 4] = ["deps", "dependencies", "requires", "dependency_groups"];

/// `None` if nothing of it does.
pub(super) fn relevant_part(path: &AbsolutePath, bytes: Vec<u8>) -> Option<Vec<u8>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "package.json" => return Some(of_package(bytes)),
        "pom.xml" => return Some(of_pom(&String::from_utf8_lossy(&bytes)).into_bytes()),
        _ => {}
    }
    let sections = sections_of(path);
    if sections.is_empty() {
        return Some(bytes);
    }
    let text = String::from_utf8_lossy(&bytes);
    let entries = config_entries::read(&text, Format::from_name(name).unwrap_or(Format::Ini));
    let counts = |key: &str| {
        let last = key.rsplit('.').next().unwrap_or(key);
        !DEPENDENCIES.contains(&last) && sections.iter().any(|section| is_within(key, section))
    };
    let counting = entries.iter().filter(|(key, _)| counts(key));
    let lines =
        counting.flat_map(|(key, values)| values.iter().map(move |it| format!("{key}={}\n", it.value)));
    let part: String = lines.collect();
    (!part.is_empty()).then(|| part.into_bytes())
}

/// The parts of a file that configure programs, whichever of them runs here. None: all of it does.
fn sections_of(path: &str) -> Vec<&'static str> {
    let is_path = |file: &str| {
        let name = file.strip_prefix("~/").unwrap_or(file);
        path.rsplit('/').next().is_some_and(|last| fast_glob::glob_match(name, last))
            || path.ends_with(&format!("/{name}"))
    };
    let settings = PROGRAMS.iter().flat_map(|program| program.facts.settings);
    settings.filter(|setting| is_path(setting.file)).flat_map(|setting| setting.sections).copied().collect()
}

fn is_within(key: &str, section: &str) -> bool {
    let rest = key.strip_prefix(section);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '-']))
}

/// A `package.json` without its version and the dependencies from elsewhere.
fn of_package(bytes: Vec<u8>) -> Vec<u8> {
    let Ok(Value::Object(mut package)) = serde_json::from_slice::<Value>(&bytes) else { return bytes };
    package.remove("version");
    for (key, value) in &mut package {
        if let (true, Value::Object(all)) = (is_dependencies(key), value) {
            all.retain(|_, from| from.as_str().is_some_and(is_of_the_project));
        }
    }
    package
        .retain(|key, value| !is_dependencies(key) || value.as_object().is_some_and(|all| !all.is_empty()));
    Value::Object(package).to_string().into_bytes()
}

fn is_dependencies(key: &str) -> bool {
    key.to_ascii_lowercase().ends_with("dependencies")
}

/// Whether a dependency is a folder, whose own scripts run when it is installed.
fn is_of_the_project(from: &str) -> bool {
    ["file:", "link:", "portal:", ".", "/"].iter().any(|start| from.starts_with(start))
}

/// A `pom.xml` without the dependencies and versions.
fn of_pom(text: &str) -> String {
    let mut rest = text.to_owned();
    for name in ["dependencyManagement", "dependencies", "version"] {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        while let Some((before, inside)) = rest.split_once(&open) {
            let after = inside.split_once(&close).map_or("", |(_, after)| after);
            rest = format!("{before}{after}");
        }
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_how_a_proof_runs_counts() {
        let pyproject = "[project]\nversion = \"1\"\ndependencies = [\"a\"]\n[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n";
        let tox = "[testenv]\ndeps = a\ncommands = pytest\n[flake8]\nignore = E501\n";
        let pom = "<project><version>1</version><dependencies><x/></dependencies><build/></project>";
        let package = r#"{"version": "1", "scripts": {"test": "jest"}, "dependencies": {"a": "1"}}"#;
        let npmrc = "registry = x\nscript-shell = sh\n";
        let cases = [
            ("pyproject.toml", pyproject, "\"a\"", "\"a\", \"b\"", true),
            ("pyproject.toml", pyproject, "version = \"1\"", "version = \"2\"", true),
            ("pyproject.toml", pyproject, "\"tests\"", "\"other\"", false),
            ("pyproject.toml", "", "", "[project]\nname = \"x\"\n", true),
            ("pyproject.toml", "", "", "[tool.pytest]\naddopts = [\"-k\", \"none\"]\n", false),
            ("setup.cfg", "[metadata]\nname = x\n", "x", "y\n[tool:pytest]\naddopts = -k none", false),
            ("tox.ini", tox, "deps = a", "deps = b", true),
            ("tox.ini", tox, "E501", "E502", true),
            ("tox.ini", tox, "commands = pytest", "commands = true", false),
            ("pom.xml", pom, "<x/>", "<y/>", true),
            ("pom.xml", pom, "<build/>", "<build><skipTests>true</skipTests></build>", false),
            ("package.json", package, r#""a": "1""#, r#""a": "2""#, true),
            ("package.json", package, r#""a": "1""#, r#""a": "file:./a""#, false),
            ("package.json", package, "jest", "true", false),
            (".npmrc", npmrc, "registry = x", "registry = y", true),
            (".npmrc", npmrc, "script-shell = sh", "script-shell = ./sh", false),
            (".cargo/config.toml", "", "", "[target.x]\nrunner = \"true\"\n", false),
            ("pnpm-workspace.yaml", "packages:\n  - a\n", "- a", "- a\n  - b", true),
            ("pnpm-workspace.yaml", "packages:\n  - a\n", "- a", "- a\nscriptShell: ./sh", false),
            ("vitest.config.ts", "export default { test: {} }", "{}", "{ include: ['none'] }", false),
        ];
        for (name, before, old, new, is_same) in cases {
            let path = AbsolutePath::from_root(format!("/project/{name}"));
            let after = before.replacen(old, new, 1);
            let part = |text: &str| relevant_part(&path, text.as_bytes().to_vec());
            assert_eq!(part(before) == part(&after), is_same, "{name}: {old} -> {new}");
        }
    }
}
