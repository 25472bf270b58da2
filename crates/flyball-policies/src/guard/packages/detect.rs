//! `auto`: finds the package manager of a project by its files.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, World};
use flyball_core::world::real_root;

use super::tool::{Ecosystem, Tool};

/// Longer files are not read for a hint.
const MOST_BYTES: u64 = 512 * 1024;

/// Lock files are long; one is only read to word a suggestion.
const LONGEST_LOCK: u64 = 8 * 1024 * 1024;

/// The package manager that a project uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DetectedTool {
    pub(super) tool: Tool,
    /// The file or setting that names it.
    pub(super) sign: String,
}

/// Lock files and their managers. `None` is one that is not governed here: with it, nothing is enforced.
const LOCKS: &[(Ecosystem, &str, Option<Tool>)] = &[
    (Ecosystem::Python, "uv.lock", Some(Tool::Uv)),
    (Ecosystem::Python, "poetry.lock", Some(Tool::Poetry)),
    (Ecosystem::Python, "Pipfile.lock", Some(Tool::Pipenv)),
    (Ecosystem::Python, "Pipfile", Some(Tool::Pipenv)),
    (Ecosystem::Python, "conda-lock.yml", Some(Tool::Conda)),
    (Ecosystem::Python, "pdm.lock", None),
    (Ecosystem::JavaScript, "bun.lock", Some(Tool::Bun)),
    (Ecosystem::JavaScript, "bun.lockb", Some(Tool::Bun)),
    (Ecosystem::JavaScript, "pnpm-lock.yaml", Some(Tool::Pnpm)),
    (Ecosystem::JavaScript, "yarn.lock", Some(Tool::Yarn)),
    (Ecosystem::JavaScript, "package-lock.json", Some(Tool::Npm)),
    (Ecosystem::JavaScript, "npm-shrinkwrap.json", Some(Tool::Npm)),
];

/// The package manager that the files of one folder show.
enum FolderSigns {
    /// None: the folder above may show one.
    Nothing,
    /// Two, or one that is not governed here.
    Unclear,
    One(DetectedTool),
}

/// The package manager of the project around a folder, by the nearest folder that shows any; `None` if none does or it
/// is unclear.
pub(super) fn detect(
    world: &dyn World,
    folder: &AbsolutePath,
    what: Ecosystem,
) -> Result<Option<DetectedTool>, PolicyError> {
    for folder in upwards(world, folder) {
        match read_signs(world, &folder, what)? {
            FolderSigns::Nothing => {}
            FolderSigns::Unclear => return Ok(None),
            FolderSigns::One(followed) => return Ok(Some(followed)),
        }
    }
    Ok(None)
}

/// Remembers what was detected: a long line asks about the same folder many times.
#[derive(Default)]
pub(super) struct DetectionCache {
    seen: RefCell<BTreeMap<(AbsolutePath, Ecosystem), Option<DetectedTool>>>,
}

impl DetectionCache {
    pub(super) fn detect(
        &self,
        world: &dyn World,
        folder: &AbsolutePath,
        what: Ecosystem,
    ) -> Result<Option<DetectedTool>, PolicyError> {
        let key = (folder.to_owned(), what);
        if let Some(known) = self.seen.borrow().get(&key) {
            return Ok(known.clone());
        }
        let found = detect(world, folder, what)?;
        self.seen.borrow_mut().insert(key, found.clone());
        Ok(found)
    }
}

/// A folder of the project and those above it, up to the project's root. None for a folder
/// outside of the project.
pub(super) fn upwards(world: &dyn World, folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let root = real_root(world);
    folder.ancestors().take_while(|folder| folder.is_in(&root)).collect()
}

fn read_signs(world: &dyn World, folder: &AbsolutePath, what: Ecosystem) -> Result<FolderSigns, PolicyError> {
    if what == Ecosystem::JavaScript
        && let Some(tool) = declared(world, folder)?
    {
        return Ok(tool.map_or(FolderSigns::Unclear, |tool| {
            FolderSigns::One(DetectedTool { tool, sign: "`packageManager` in package.json".to_owned() })
        }));
    }
    let locks = LOCKS.iter().filter(|(of, name, _)| {
        *of == what && world.stat(&folder.join(name)).is_some_and(|stat| !stat.is_folder)
    });
    let mut locks: Vec<(Option<Tool>, &'static str)> = locks.map(|(_, name, tool)| (*tool, *name)).collect();
    // Beside another lock file, npm's is what one careless `npm install` left behind.
    if locks.iter().any(|(tool, _)| *tool != Some(Tool::Npm)) {
        locks.retain(|(tool, _)| *tool != Some(Tool::Npm));
    }
    match (locks.is_empty(), what) {
        (true, Ecosystem::Python) => Ok(agreed(&hints(world, folder)?)),
        (true, Ecosystem::JavaScript) => Ok(FolderSigns::Nothing),
        (false, _) => Ok(agreed(&locks)),
    }
}

fn agreed(signs: &[(Option<Tool>, &'static str)]) -> FolderSigns {
    let Some((tool, sign)) = signs.first() else { return FolderSigns::Nothing };
    match tool {
        Some(tool) if signs.iter().all(|(other, _)| *other == Some(*tool)) => {
            FolderSigns::One(DetectedTool { tool: *tool, sign: (*sign).to_owned() })
        }
        Some(_) | None => FolderSigns::Unclear,
    }
}

pub(super) fn text(world: &dyn World, path: &AbsolutePath) -> Result<Option<String>, PolicyError> {
    let bytes = world.read(path, MOST_BYTES)?;
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// The `packageManager` in `package.json`: `Some(None)` is one that we do not know.
fn declared(world: &dyn World, folder: &AbsolutePath) -> Result<Option<Option<Tool>>, PolicyError> {
    let Some(text) = text(world, &folder.join("package.json"))? else { return Ok(None) };
    // Most manifests have none and need not be parsed.
    if !text.contains("\"packageManager\"") {
        return Ok(None);
    }
    let value: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    let name = value.as_ref().and_then(|value| value.get("packageManager")?.as_str());
    Ok(name.map(|name| {
        let tool = Tool::from_name(name.split('@').next().unwrap_or(name));
        tool.filter(|tool| tool.ecosystem() == Ecosystem::JavaScript)
    }))
}

/// Whether the yarn of a folder is of version 2 or later; `None` if the folder does not show it. A file that cannot be
/// read does not matter: this only decides how a suggestion is worded.
pub(super) fn modern_yarn(world: &dyn World, folder: &AbsolutePath) -> Option<bool> {
    if world.stat(&folder.join(".yarnrc.yml")).is_some() {
        return Some(true);
    }
    let read = |name: &str, most: u64| world.read(&folder.join(name), most).ok().flatten();
    if let Some(lock) = read("yarn.lock", LONGEST_LOCK) {
        // The lock file of Yarn 2 and later begins with `__metadata:`.
        let first = lock.get(..1024).unwrap_or(&lock);
        return Some(String::from_utf8_lossy(first).contains("__metadata:"));
    }
    let text = String::from_utf8(read("package.json", MOST_BYTES)?).ok()?;
    let version = text.split("\"yarn@").nth(1)?;
    Some(!version.starts_with("1."))
}

/// Signs of a package manager in a folder without a lock file.
fn hints(world: &dyn World, folder: &AbsolutePath) -> Result<Vec<(Option<Tool>, &'static str)>, PolicyError> {
    let mut found = Vec::new();
    if let Some(text) = text(world, &folder.join("pyproject.toml"))? {
        let has = |table: &str| {
            text.lines().any(|line| {
                let rest = line.trim().strip_prefix("[tool.").and_then(|rest| rest.strip_prefix(table));
                rest.is_some_and(|rest| rest.starts_with([']', '.']))
            })
        };
        let tables = [
            ("uv", Some(Tool::Uv), "`[tool.uv]` in pyproject.toml"),
            ("poetry", Some(Tool::Poetry), "`[tool.poetry]` in pyproject.toml"),
            ("pdm", None, "`[tool.pdm]` in pyproject.toml"),
        ];
        found.extend(tables.iter().filter(|(table, _, _)| has(table)).map(|(_, tool, sign)| (*tool, *sign)));
    }
    if found.is_empty()
        && let Some(text) = text(world, &folder.join("environment.yml"))?
        // An environment that names pip uses both.
        && !text.contains("pip")
    {
        found.push((Some(Tool::Conda), "environment.yml"));
    }
    Ok(found)
}
