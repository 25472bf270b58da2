//! The ways in which people install programs besides cargo: how each is recognised by where it puts them, how it updates them,
//! and how it is asked for the newest version.

use std::path::Path;

/// A program that installed us.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packager {
    pub(super) name: &'static str,
    pub(super) update: &'static str,
    /// What prints the newest version, perhaps among others.
    pub(super) ask: &'static [&'static str],
    /// A part of the path of what it installs.
    below: &'static str,
    /// A file of the system that is there if it installed us; empty if the path says it.
    list: &'static str,
}

const ASK_NPM: &[&str] = &["npm", "view", "flyball", "version"];
const ASK_PYPI: &[&str] = &["python3", "-m", "pip", "index", "versions", "flyball"];

/// The first that fits counts.
static PACKAGERS: &[Packager] = &[
    by_path("uvx", "/uv/archive-v", "uvx flyball@latest --version", ASK_PYPI),
    by_path("uv", "/uv/tools/flyball/", "uv tool upgrade flyball", ASK_PYPI),
    by_path("pipx", "/pipx/venvs/flyball/", "pipx upgrade flyball", ASK_PYPI),
    by_path("npx", "/_npx/", "npx flyball@latest --version", ASK_NPM),
    by_path("npm", "/node_modules/", "npm install -g flyball@latest", ASK_NPM),
    by_path("Homebrew", "/Cellar/flyball/", "brew upgrade flyball", &["brew", "info", "flyball"]),
    Packager {
        name: "dpkg",
        update: "sudo apt install --only-upgrade flyball, or install the newer .deb",
        ask: &["apt-cache", "policy", "flyball"],
        below: "/usr/bin/",
        list: "/var/lib/dpkg/info/flyball.list",
    },
    Packager {
        name: "rpm",
        update: "sudo dnf upgrade flyball, or install the newer .rpm",
        ask: &["dnf", "--quiet", "info", "flyball"],
        below: "/usr/bin/",
        list: "/usr/share/doc/flyball",
    },
];

/// In the folder of a project's packages.
static NPM_OF_PROJECT: Packager = by_path("npm, for one project", "", "npm install flyball@latest", ASK_NPM);
/// In a virtual environment.
static PIP: Packager = by_path("pip", "", "pip install --upgrade flyball", ASK_PYPI);

const fn by_path(
    name: &'static str,
    below: &'static str,
    update: &'static str,
    ask: &'static [&'static str],
) -> Packager {
    Packager { name, update, ask, below, list: "" }
}

/// Who installed a program whose path has no symlinks. `exists` says which files there are.
pub(super) fn packager(program: &Path, exists: impl Fn(&Path) -> bool) -> Option<&'static Packager> {
    let path = program.to_string_lossy().replace('\\', "/");
    let is_it =
        |one: &&Packager| path.contains(one.below) && (one.list.is_empty() || exists(Path::new(one.list)));
    let found = PACKAGERS.iter().find(is_it);
    if found.is_some_and(|found| found.name == "npm") && is_of_project(program, &exists) {
        return Some(&NPM_OF_PROJECT);
    }
    let environment = || exists(&program.parent()?.parent()?.join("pyvenv.cfg")).then_some(&PIP);
    found.or_else(environment)
}

/// What is installed for all projects has no manifest beside its packages.
fn is_of_project(program: &Path, exists: &impl Fn(&Path) -> bool) -> bool {
    let mut folders = program.ancestors().filter(|folder| folder.ends_with("node_modules"));
    folders.any(|folder| exists(&folder.with_file_name("package.json")))
}

/// The greatest version in a text.
pub(super) fn greatest_version(text: &str) -> Option<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_digit() || letter == '.'));
    let parse = |word: &str| -> Option<[u64; 3]> {
        let mut parts = word.trim_matches('.').split('.').map(str::parse::<u64>);
        let version = [parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?];
        parts.next().is_none().then_some(version)
    };
    let [major, minor, patch] = words.filter_map(parse).max()?;
    Some(format!("{major}.{minor}.{patch}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_of_installing_is_recognised() {
        let cases = [
            ("/home/a/.cache/uv/archive-v0/x1/bin/flyball", "", Some("uvx")),
            ("/home/a/.local/share/uv/tools/flyball/bin/flyball", "", Some("uv")),
            ("/home/a/.local/share/pipx/venvs/flyball/bin/flyball", "", Some("pipx")),
            ("/home/a/.npm/_npx/0f/node_modules/@flyball/linux-x64/bin/flyball", "", Some("npx")),
            ("/usr/lib/node_modules/@flyball/linux-x64/bin/flyball", "", Some("npm")),
            (
                "/p/node_modules/@flyball/linux-x64/bin/flyball",
                "/p/package.json",
                Some("npm, for one project"),
            ),
            ("/opt/homebrew/Cellar/flyball/0.1.0/bin/flyball", "", Some("Homebrew")),
            ("/usr/bin/flyball", "/var/lib/dpkg/info/flyball.list", Some("dpkg")),
            ("/usr/bin/flyball", "/usr/share/doc/flyball", Some("rpm")),
            ("/p/.venv/bin/flyball", "/p/.venv/pyvenv.cfg", Some("pip")),
            (
                r"C:\Users\a\AppData\Roaming\npm\node_modules\@flyball\win32-x64\bin\flyball.exe",
                "",
                Some("npm"),
            ),
            ("/usr/bin/flyball", "", None),
            ("/home/a/.local/bin/flyball", "", None),
        ];
        for (program, file, expected) in cases {
            let found = packager(Path::new(program), |path| path == Path::new(file));
            assert_eq!(found.map(|found| found.name), expected, "{program}");
        }
    }

    #[test]
    fn the_greatest_version_counts() {
        let cases = [
            ("0.2.0\n", Some("0.2.0")),
            ("flyball (0.10.1)\nAvailable versions: 0.10.1, 0.9.9, 0.1.0", Some("0.10.1")),
            ("  Installed: 0.1.0-1\n  Candidate: 0.3.0-1", Some("0.3.0")),
            ("==> flyball: stable 1.2.3 (bottled)", Some("1.2.3")),
            ("not found 404", None),
        ];
        for (text, expected) in cases {
            assert_eq!(greatest_version(text).as_deref(), expected, "{text}");
        }
    }
}
