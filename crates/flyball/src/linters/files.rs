//! The files of a project, to find out which languages it uses.

use std::collections::VecDeque;
use std::path::Path;

use flyball_clients::CLIENTS;
use flyball_core::path::AbsolutePath;
use flyball_core::world::{Git, GitAnswer};
use flyball_world::machine::Machine;

/// Folders with third-party code or build output.
const FOREIGN_FOLDERS: &[&str] = &[
    ".git",
    ".venv",
    "__pycache__",
    "build",
    "dist",
    "node_modules",
    "target",
    "third_party",
    "vendor",
    "venv",
];

/// Whether a folder of this name is the project's own, not somebody else's and not a client's.
fn is_of_project(name: &str) -> bool {
    !FOREIGN_FOLDERS.contains(&name) && !CLIENTS.iter().any(|client| client.facts.home_folder == name)
}

/// A project with the first file is going to have files like the second.
const IMPLIED_FILES: &[(&str, &str)] = &[
    ("pyproject.toml", "main.py"),
    ("setup.py", "main.py"),
    ("requirements.txt", "main.py"),
    ("package.json", "index.js"),
    ("tsconfig.json", "index.ts"),
    ("go.mod", "main.go"),
    ("Cargo.toml", "main.rs"),
    ("docker-compose.yml", "Dockerfile"),
    ("compose.yaml", "Dockerfile"),
];
/// Written by flyball itself, so no sign of what the project uses.
const OWN: &str = "flyball.toml";
/// The limits of the search: its time must not grow with the repository.
const MOST_FILES: usize = 20_000;
const MOST_FOLDERS: usize = 2_000;

/// Paths of files below the root, with `/`, sorted: those that git knows or would add, else all;
/// and those that a manifest implies.
pub(super) fn list_files(machine: &Machine, root: &Path) -> Vec<String> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let answer = match machine.git(&AbsolutePath::from_path(root), &arguments) {
        Ok(GitAnswer::Said(answer)) => answer,
        // The folders show the files as well.
        Ok(GitAnswer::No | GitAnswer::NoRepository) | Err(_) => String::new(),
    };
    // Long output is cut, possibly in the middle of its last name.
    let (known, _) = answer.rsplit_once('\0').unwrap_or_default();
    let known: Vec<String> = known.split_terminator('\0').map(str::to_owned).collect();
    // Without git, or in a repository without files yet.
    let mut files = if known.is_empty() { walk(root) } else { known };
    // Also of what git knows: some projects commit their vendored code.
    files.retain(|file| file != OWN && file.split('/').all(is_of_project));
    files.truncate(MOST_FILES);
    let name = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
    let has = |manifest: &str| files.iter().any(|file| name(file) == manifest);
    let implied: Vec<String> =
        IMPLIED_FILES.iter().filter(|(sign, _)| has(sign)).map(|(_, file)| (*file).to_owned()).collect();
    files.extend(implied);
    files.sort();
    files
}

/// All files, folder by folder, the nearest first.
fn walk(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    // Breadth first: if the limit is reached, the top of the project was seen.
    let mut waiting = VecDeque::from([String::new()]);
    let mut folders = 0;
    while let Some(prefix) = waiting.pop_front() {
        folders += 1;
        if folders > MOST_FOLDERS || files.len() > MOST_FILES {
            break;
        }
        // A folder that cannot be read counts as empty.
        for entry in std::fs::read_dir(root.join(&prefix)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && is_of_project(&name) => {
                    waiting.push_back(path + "/");
                }
                Ok(kind) if kind.is_file() => files.push(path),
                Ok(_) | Err(_) => {}
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Instant;

    use super::*;

    fn listed(root: &Path) -> String {
        let machine = Machine::new(Instant::now(), None, root, Vec::new(), flyball_clients::FACTS);
        list_files(&machine, root).join(" ")
    }

    fn project(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        dir
    }

    #[test]
    fn other_peoples_files_and_our_own_do_not_count() {
        let files = [
            "a.py",
            "b/c/d.sh",
            "flyball.toml",
            ".claude/x.rs",
            "b/node_modules/y.ts",
            "target/z.go",
            ".git/k",
        ];
        assert_eq!(listed(project(&files).path()), "a.py b/c/d.sh");
    }

    #[test]
    fn a_manifest_implies_files() {
        assert_eq!(
            listed(project(&["web/package.json", "go.mod"]).path()),
            "go.mod index.js main.go web/package.json"
        );
    }

    #[test]
    fn in_a_repository_ignored_files_do_not_count() {
        let dir = project(&["kept.py", "new.sh", "out/made.rs"]);
        std::fs::write(dir.path().join(".gitignore"), "out/\n").unwrap();
        let git = |words: &[&str]| {
            let status = Command::new("git").arg("-C").arg(dir.path()).args(words).status().unwrap();
            assert!(status.success());
        };
        git(&["init", "--quiet"]);
        git(&["add", "kept.py"]);
        assert_eq!(listed(dir.path()), ".gitignore kept.py new.sh");
    }
}
