//! Scripts and packages that the files of a project declare.

use std::collections::BTreeSet;

use serde_json::Value;

/// What a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Scripts, targets and recipes, by name.
    pub(super) scripts: BTreeSet<String>,
    /// Packages that it depends on.
    pub(super) packages: BTreeSet<String>,
}

/// Whether a file of this name declares scripts or packages.
pub(super) fn is_manifest(path: &str) -> bool {
    reader(path).is_some()
}

/// What the text of a file declares.
pub(super) fn read(path: &str, text: &str) -> Manifest {
    reader(path).map(|reader| reader(text)).unwrap_or_default()
}

type Reader = fn(&str) -> Manifest;

fn reader(path: &str) -> Option<Reader> {
    match path.rsplit('/').next().unwrap_or(path) {
        "package.json" | "composer.json" | "deno.json" => Some(json),
        "Makefile" | "makefile" | "GNUmakefile" => Some(make),
        "justfile" | "Justfile" | ".justfile" => Some(just),
        "pyproject.toml" | "Cargo.toml" | "Pipfile" | "mise.toml" => Some(toml_file),
        "requirements.txt" | "requirements-dev.txt" => Some(requirements),
        "go.mod" => Some(go_mod),
        "Gemfile" => Some(gemfile),
        "Taskfile.yml" | "Taskfile.yaml" => Some(taskfile),
        _ => None,
    }
}

fn json(text: &str) -> Manifest {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    let keys = |name: &str| {
        let object = value.get(name).and_then(Value::as_object);
        object.into_iter().flat_map(|object| object.keys().cloned()).collect::<Vec<String>>()
    };
    let tables = [
        "dependencies",
        "devDependencies",
        "peerDependencies",
        "optionalDependencies",
        "require",
        "require-dev",
    ];
    Manifest {
        scripts: keys("scripts").into_iter().chain(keys("tasks")).collect(),
        packages: tables.iter().flat_map(|table| keys(table)).collect(),
    }
}

/// The names before a colon at the start of a line.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '.']));
    let heads = lines.filter_map(|line| {
        let (head, rest) = line.split_once(':')?;
        (!rest.starts_with('=') && !head.contains('=')).then_some(head)
    });
    heads.flat_map(str::split_whitespace)
}

fn make(text: &str) -> Manifest {
    Manifest { scripts: targets(text).map(str::to_owned).collect(), ..Manifest::default() }
}

fn just(text: &str) -> Manifest {
    // A recipe may have parameters behind its name.
    let lines = text.lines().filter(|line| !line.starts_with([' ', '\t', '#', '[']) && line.contains(':'));
    let names = lines.filter(|line| !line.contains(":=")).filter_map(|line| {
        let name = line.trim_start_matches('@').split([' ', ':']).next()?;
        (!name.is_empty()).then(|| name.to_owned())
    });
    Manifest { scripts: names.collect(), ..Manifest::default() }
}

fn taskfile(text: &str) -> Manifest {
    let names = text.lines().skip_while(|line| line.trim_end() != "tasks:").filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|rest| !rest.starts_with([' ', '#']))?;
        name.trim_end().strip_suffix(':').map(str::to_owned)
    });
    Manifest { scripts: names.collect(), ..Manifest::default() }
}

fn toml_file(text: &str) -> Manifest {
    let Ok(table) = text.parse::<toml::Table>() else { return Manifest::default() };
    let at = |path: &str| path.split('.').try_fold(&table, |table, key| table.get(key)?.as_table());
    let keys =
        |path: &str| at(path).into_iter().flat_map(|table| table.keys().cloned()).collect::<Vec<String>>();
    let scripts = [
        "project.scripts",
        "tool.poetry.scripts",
        "tool.pdm.scripts",
        "tool.poe.tasks",
        "tool.taskipy.tasks",
        "tool.hatch.envs.default.scripts",
        "tool.rye.scripts",
        "tool.pixi.tasks",
        "scripts",
        "tasks",
    ];
    let tables = [
        "dependencies",
        "dev-dependencies",
        "build-dependencies",
        "workspace.dependencies",
        "tool.poetry.dependencies",
        "tool.poetry.group.dev.dependencies",
        "tool.poetry.dev-dependencies",
        "packages",
        "dev-packages",
    ];
    let mut packages: BTreeSet<String> = tables.iter().flat_map(|path| keys(path)).collect();
    let lists = at("project").and_then(|project| project.get("dependencies")).into_iter();
    let groups = ["project.optional-dependencies", "dependency-groups"];
    let groups = groups.iter().filter_map(|path| at(path)).flat_map(|group| group.values());
    for list in lists.chain(groups).filter_map(toml::Value::as_array) {
        packages.extend(list.iter().filter_map(toml::Value::as_str).map(requirement));
    }
    Manifest { scripts: scripts.iter().flat_map(|path| keys(path)).collect(), packages }
}

/// The name in `requests[socks]>=2`.
fn requirement(line: &str) -> String {
    let end = line.find(|letter: char| !letter.is_alphanumeric() && !"._-".contains(letter));
    line.get(..end.unwrap_or(line.len())).unwrap_or(line).to_owned()
}

fn requirements(text: &str) -> Manifest {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    Manifest { packages: lines.map(requirement).collect(), ..Manifest::default() }
}

fn go_mod(text: &str) -> Manifest {
    let words = text.lines().filter_map(|line| {
        let line = line.trim().trim_start_matches("require ");
        let (name, version) = line.split_once(' ')?;
        (version.starts_with('v') && name.contains('.')).then(|| name.to_owned())
    });
    Manifest { packages: words.collect(), ..Manifest::default() }
}

fn gemfile(text: &str) -> Manifest {
    let names = text.lines().filter_map(|line| {
        let rest = line.trim().strip_prefix("gem ")?;
        rest.split(['"', '\'']).nth(1).map(str::to_owned)
    });
    Manifest { packages: names.collect(), ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(set: &BTreeSet<String>) -> Vec<&str> {
        set.iter().map(String::as_str).collect()
    }

    #[test]
    fn scripts_and_packages_are_read() {
        let package =
            read("web/package.json", r#"{"scripts":{"lint":"eslint ."},"devDependencies":{"react":"^18"}}"#);
        assert_eq!((names(&package.scripts), names(&package.packages)), (vec!["lint"], vec!["react"]));
        let make = read("Makefile", "A := 1\n.PHONY: all\nall: build\n\techo x: y\nbuild test:\n");
        assert_eq!(names(&make.scripts), ["all", "build", "test"]);
        let just = read("justfile", "x := '1'\n@build target='a':\n  cargo build\ntest: build\n");
        assert_eq!(names(&just.scripts), ["build", "test"]);
        let python = "[project]\ndependencies = ['requests[socks]>=2']\n[project.scripts]\nserve = 'a:b'\n";
        let python = read("pyproject.toml", python);
        assert_eq!((names(&python.scripts), names(&python.packages)), (vec!["serve"], vec!["requests"]));
    }
}
