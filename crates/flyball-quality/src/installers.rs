//! How the packages that a project declares are installed.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;
use serde_json::Value;

/// A file that shows how packages are installed, and the command.
type Installers = &'static [(&'static str, &'static str)];

const PYTHON: Installers = &[
    ("uv.lock", "uv sync"),
    ("poetry.lock", "poetry install"),
    ("pdm.lock", "pdm install"),
    ("Pipfile.lock", "pipenv sync"),
    ("requirements.txt", "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt"),
    ("pyproject.toml", "python3 -m venv .venv && .venv/bin/pip install -e ."),
];
/// The lock files of Python that name every package.
const LOCKS: usize = 3;

const NODE: Installers = &[
    ("pnpm-lock.yaml", "pnpm install"),
    ("yarn.lock", "yarn install"),
    ("bun.lock", "bun install"),
    ("bun.lockb", "bun install"),
    ("package-lock.json", "npm ci"),
    ("package.json", "npm install"),
];

/// How much of a lock file or a manifest is read.
const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// What packages are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ecosystem {
    Python,
    Node,
}

impl Ecosystem {
    /// Of a linter, by the command that installs it.
    #[must_use]
    pub fn of(install: &str) -> Option<Ecosystem> {
        match install.split(' ').next() {
            Some("npm") => Some(Ecosystem::Node),
            Some("uv") => Some(Ecosystem::Python),
            _ => None,
        }
    }

    /// Where its packages are.
    #[must_use]
    pub const fn folders(self) -> &'static [&'static str] {
        match self {
            Ecosystem::Python => &[".venv", "venv"],
            Ecosystem::Node => &["node_modules"],
        }
    }
}

/// The command that installs the packages of a folder's own manifest.
#[must_use]
pub fn of_folder(
    workshop: &dyn Workshop,
    ecosystem: Ecosystem,
    folder: &AbsolutePath,
) -> Option<&'static str> {
    let all = match ecosystem {
        Ecosystem::Python => PYTHON,
        Ecosystem::Node => NODE,
    };
    let is_there = |(file, _): &&(&str, &str)| workshop.stat(&folder.join(file)).is_some();
    all.iter().find(is_there).map(|(_, command)| *command)
}

/// The command that installs a linter with the packages of a folder, if those have it. `usual` installs it elsewhere.
#[must_use]
pub fn of_linter(workshop: &dyn Workshop, usual: &str, folder: &AbsolutePath) -> Option<&'static str> {
    let package = usual.rsplit(' ').next().unwrap_or_default();
    let text = |name: &str| {
        let content = workshop.read(&folder.join(name), MOST_BYTES).ok().flatten()?;
        String::from_utf8(content).ok()
    };
    Ecosystem::of(usual)?;
    let in_node = || {
        let json: Value = serde_json::from_str(&text("package.json")?).ok()?;
        let lists = ["devDependencies", "dependencies", "optionalDependencies"];
        let is_declared =
            lists.iter().any(|list| json.get(list).and_then(|list| list.get(package)).is_some());
        is_declared.then(|| of_folder(workshop, Ecosystem::Node, folder)).flatten()
    };
    let in_python = || {
        let line = format!("name = \"{package}\"");
        let has = |(file, _): &&(&str, &str)| {
            text(file).is_some_and(|text| text.lines().any(|it| it.trim() == line))
        };
        let locked = PYTHON.iter().take(LOCKS).find(has).map(|(_, command)| *command);
        let is_required = || text("pyproject.toml").is_some_and(|text| requires(&text, package));
        locked.or_else(|| is_required().then(|| of_folder(workshop, Ecosystem::Python, folder)).flatten())
    };
    // Some linters are packages of both: a project declares them where its other packages are.
    in_node().or_else(in_python)
}

/// Whether a manifest of Python has a requirement of that package: `"pyright>=1.1"`.
fn requires(manifest: &str, package: &str) -> bool {
    let is_end = |letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '-' | '_' | '.');
    ["\"", "'"].iter().any(|quote| {
        let start = format!("{quote}{package}");
        manifest.split(start.as_str()).skip(1).any(|rest| rest.starts_with(is_end))
    })
}
