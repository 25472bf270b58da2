//! What a program is made of, in one line that changes when any of it does.

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use flyball_system::MetadataExt;

/// How much of a script is read to find its interpreter.
const HEAD_BYTES: u64 = 1_024;
/// What package managers write below `node_modules` each time they change it.
const NODE_RECEIPTS: [&str; 3] = [".package-lock.json", ".modules.yaml", ".yarn-state.yml"];

/// The identity of the program at a path.
pub(super) fn identity(path: &Path) -> String {
    // Version managers switch versions by redirecting a link.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let mut line = real.to_string_lossy().into_owned();
    stamp(&mut line, &real);
    for part in python_packages(&real).iter().chain(&node_packages(&real)).chain(&toolchains(&real)) {
        stamp(&mut line, part);
    }
    line
}

/// Adds size and time of what is at a path, if something is. The time is that of the last change
/// of any kind: npm sets the other one to 1985 for all that it installs.
fn stamp(line: &mut String, path: &Path) {
    if let Ok(data) = fs::metadata(path) {
        // Writing to a string cannot fail.
        write!(line, "|{}:{}:{}.{}", data.ino(), data.len(), data.ctime(), data.ctime_nsec()).ok();
    }
}

/// The folders that hold the packages of a script's Python, if it is such a script.
fn python_packages(program: &Path) -> Vec<PathBuf> {
    let Some(interpreter) = python(program) else { return Vec::new() };
    // Not followed if it is a link: what it leads to is not the environment.
    let Some(environment) = interpreter.parent().and_then(Path::parent) else { return Vec::new() };
    let libraries = fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = libraries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python")))
        .flat_map(|path| ["site-packages", "dist-packages"].map(|name| path.join(name)))
        .collect();
    folders.sort_unstable();
    folders
}

/// The Python that a script names.
fn python(program: &Path) -> Option<PathBuf> {
    let mut head = Vec::new();
    fs::File::open(program).ok()?.take(HEAD_BYTES).read_to_end(&mut head).ok()?;
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.strip_prefix("#!")?.lines();
    let first = lines.next()?.trim();
    let interpreter = match lines.next().and_then(|second| second.strip_prefix("'''exec' ")) {
        // How installers write a path that is too long for the first line.
        Some(rest) => {
            rest.strip_prefix('"').map_or_else(|| rest.split(' ').next(), |path| path.split('"').next())?
        }
        None => first.split(' ').next()?,
    };
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if name(interpreter) == "env" {
        let named = first.split(' ').nth(1)?;
        // `env` searches the path; a script of an environment is beside that environment's Python.
        return named.starts_with("python").then(|| program.with_file_name(named));
    }
    name(interpreter).starts_with("python").then(|| PathBuf::from(interpreter))
}

/// What rustup writes when toolchains change: the programs that people call are itself, and stay the same.
fn toolchains(program: &Path) -> Vec<PathBuf> {
    let home = program.ancestors().nth(3).filter(|_| program.file_name().is_some_and(|it| it == "rustup"));
    let Some(rustup) = home.map(|home| home.join(".rustup")) else { return Vec::new() };
    let hashes = fs::read_dir(rustup.join("update-hashes")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = hashes.map(|entry| entry.path()).collect();
    files.push(rustup.join("settings.toml"));
    files.sort_unstable();
    files
}

/// The package a program belongs to, and the receipts of the `node_modules` it is in.
fn node_packages(program: &Path) -> Vec<PathBuf> {
    let parts: Vec<Component<'_>> = program.components().collect();
    let is_modules = |part: &Component<'_>| part.as_os_str() == "node_modules";
    let (Some(first), Some(last)) = (parts.iter().position(is_modules), parts.iter().rposition(is_modules))
    else {
        return Vec::new();
    };
    let below = |count: usize| parts.iter().take(count).collect::<PathBuf>();
    let is_scoped =
        parts.get(last + 1).is_some_and(|part| part.as_os_str().to_string_lossy().starts_with('@'));
    let package = below(last + if is_scoped { 3 } else { 2 }).join("package.json");
    // Receipts are in the outermost `node_modules`; the package is in the innermost, where pnpm links to.
    let receipts = NODE_RECEIPTS.iter().map(|name| below(first + 1).join(name));
    receipts.chain([package]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_script_of_a_package_changes_with_the_package() {
        let folder = tempfile::tempdir().unwrap();
        let modules = folder.path().join("node_modules");
        let program = modules.join(".bin/lint");
        write(&modules.join("@scope/lint/bin/lint.js"), "#!/usr/bin/env node\n");
        write(&modules.join("@scope/lint/package.json"), "{\"version\":\"1\"}");
        fs::create_dir(modules.join(".bin")).unwrap();
        std::os::unix::fs::symlink("../@scope/lint/bin/lint.js", &program).unwrap();
        let before = identity(&program);
        assert_eq!(identity(&program), before);
        write(&modules.join("@scope/lint/package.json"), "{\"version\":\"1.1\"}");
        let after = identity(&program);
        assert_ne!(after, before);
        write(&modules.join(".package-lock.json"), "{}");
        assert_ne!(identity(&program), after);
    }

    #[test]
    fn a_program_of_rustup_changes_with_its_toolchains() {
        let home = tempfile::tempdir().unwrap();
        let program = home.path().join(".cargo/bin/cargo");
        write(&home.path().join(".cargo/bin/rustup"), "");
        write(&home.path().join(".rustup/update-hashes/stable"), "1");
        std::os::unix::fs::symlink("rustup", &program).unwrap();
        let before = identity(&program);
        assert_eq!(identity(&program), before);
        write(&home.path().join(".rustup/update-hashes/stable"), "2.");
        let after = identity(&program);
        assert_ne!(after, before);
        write(&home.path().join(".rustup/settings.toml"), "");
        assert_ne!(identity(&program), after);
    }

    #[test]
    fn a_python_script_changes_with_its_environment() {
        let folder = tempfile::tempdir().unwrap();
        let environment = folder.path().join("a venv");
        let python = environment.join("bin/python3");
        let program = environment.join("bin/lint");
        let packages = environment.join("lib/python3.12/site-packages");
        fs::create_dir_all(&packages).unwrap();
        let heads = [
            format!("#!{}\n", environment.join("bin/python").display()).replace(' ', ""),
            format!("#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n", python.display()),
            "#!/usr/bin/env python3\n".to_owned(),
            "#!/bin/sh\necho\n".to_owned(),
        ];
        let follows: Vec<bool> = heads
            .iter()
            .enumerate()
            .map(|(number, head)| {
                write(&program, head);
                let before = identity(&program);
                write(&packages.join(number.to_string()), "");
                identity(&program) != before
            })
            .collect();
        assert_eq!(follows, [false, true, true, false]);
    }
}
