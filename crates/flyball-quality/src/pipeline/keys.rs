//! What results depend on, as the keys that they are cached under.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::globs;
use super::paths::absolute;

/// Part of every key. Raise it when a linter's output is read differently: old results are then ignored.
const EDITION: &str = "4";
/// A longer file is not a config.
pub(super) const CONFIG_BYTES: u64 = 4 * 1024 * 1024;
/// Results that depend on a project with more files than this are not cached.
const MOST_FILES: usize = 5_000;
/// A longer config is not searched for names of other configs.
const NAMING_BYTES: usize = 64 * 1024;
/// The most configs that one config leads to.
const MOST_CONFIGS: usize = 32;
/// How configs that are named by others end.
const CONFIG_ENDS: &[&str] =
    &[".toml", ".json", ".jsonc", ".json5", ".yaml", ".yml", ".cfg", ".ini", ".js", ".cjs", ".mjs", ".ts"];
/// The folders that projects install packages in.
pub(super) const ENVIRONMENTS: &[&str] = &[".venv", "venv", "node_modules"];

/// Where a linter may look for configs of the user: `~/.shellcheckrc`, `~/.config/ruff/ruff.toml`,
/// `~/.config/yamllint/config`.
fn user_configs(workshop: &dyn Workshop, names: &[String]) -> BTreeSet<AbsolutePath> {
    let home = workshop.variable("HOME").and_then(AbsolutePath::new);
    let config = workshop.variable("XDG_CONFIG_HOME").and_then(AbsolutePath::new);
    let config = config.or_else(|| Some(home.as_ref()?.join(".config")));
    let plain: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !name.contains(['*', '/'])).collect();
    let mut paths: BTreeSet<AbsolutePath> = BTreeSet::new();
    for name in &plain {
        paths.extend(home.iter().map(|home| home.join(name)));
        paths.extend(
            config.iter().flat_map(|config| [config.join(name), config.join(name.trim_start_matches('.'))]),
        );
    }
    let folders: BTreeSet<&str> =
        plain.iter().map(|name| program_name(name)).filter(|name| !name.is_empty()).collect();
    for folder in config.iter().flat_map(|config| folders.iter().map(|name| config.join(name))) {
        paths.insert(folder.join("config"));
        paths.extend(plain.iter().map(|name| folder.join(name)));
    }
    paths
}

/// The name of the program that a config is named after: `ruff` of `.ruff.toml`, `shellcheck` of `.shellcheckrc`.
fn program_name(config: &str) -> &str {
    let name = config.trim_start_matches('.');
    let name = name.split('.').next().unwrap_or(name);
    name.strip_suffix("rc").unwrap_or(name)
}

/// The key of these parts. The length before each part keeps them apart.
pub(super) fn key(workshop: &dyn Workshop, kind: &str, parts: &[&str]) -> String {
    let mut text = format!("{kind} {EDITION} {}\n", env!("CARGO_PKG_VERSION"));
    for part in parts {
        text.push_str(&part.len().to_string());
        text.push(':');
        text.push_str(part);
    }
    workshop.hash(text.as_bytes()).as_str().to_owned()
}

/// What was found on disk, looked up once.
#[derive(Default)]
pub(super) struct DiskState {
    hashes: BTreeMap<AbsolutePath, Option<String>>,
    /// The files that a config names, and which therefore are a part of it.
    named: BTreeMap<AbsolutePath, Vec<AbsolutePath>>,
    existing: BTreeMap<AbsolutePath, bool>,
    tree: Option<Option<Tree>>,
}

/// The files of the project, and what is installed in it.
#[derive(Default)]
struct Tree {
    leaves: Vec<Leaf>,
    installed: String,
}

/// A file of the project.
struct Leaf {
    file: String,
    bytes: u64,
    nanos: u64,
}

impl DiskState {
    /// A fingerprint of all files of these names from a folder upwards, also above the root, and in the user's own
    /// folders: linters look there too.
    pub(super) fn configs_fingerprint(
        &mut self,
        workshop: &dyn Workshop,
        names: &[String],
        folder: &AbsolutePath,
    ) -> String {
        let mut fingerprint = String::new();
        let root = workshop.project_root();
        for folder in ancestors(root, folder).chain(root.folder().ancestors()) {
            for name in names {
                self.add_config(workshop, folder.join(name), &mut fingerprint);
            }
        }
        for path in user_configs(workshop, names) {
            self.add_config(workshop, path, &mut fingerprint);
        }
        fingerprint
    }

    /// Adds a config and those that it names.
    fn add_config(&mut self, workshop: &dyn Workshop, path: AbsolutePath, fingerprint: &mut String) {
        let mut open = vec![path];
        let mut seen = BTreeSet::new();
        // Configs can name each other in circles.
        while let Some(path) = open.pop().filter(|_| seen.len() < MOST_CONFIGS) {
            let Some(hash) = self.hash(workshop, &path).filter(|_| !seen.contains(&path)) else { continue };
            fingerprint.push_str(&format!("{path}={hash}\n"));
            open.extend(self.named.get(&path).into_iter().flatten().cloned());
            seen.insert(path);
        }
    }

    fn hash(&mut self, workshop: &dyn Workshop, path: &AbsolutePath) -> Option<String> {
        if let Some(known) = self.hashes.get(path) {
            return known.clone();
        }
        let content = workshop.read(path, CONFIG_BYTES).ok().flatten();
        let named =
            content.as_deref().map(|content| referenced_configs(content, &path.folder())).unwrap_or_default();
        self.named.insert(path.to_owned(), named);
        let hash = content.map(|content| workshop.hash(&content).as_str().to_owned());
        self.hashes.insert(path.to_owned(), hash.clone());
        hash
    }

    /// Whether there is something at this path.
    pub(super) fn exists(&mut self, workshop: &dyn Workshop, path: &AbsolutePath) -> bool {
        *self.existing.entry(path.to_owned()).or_insert_with_key(|path| workshop.stat(path).is_some())
    }

    /// The nearest folder that contains one of these names, from a folder up to the root.
    pub(super) fn nearest_folder(
        &mut self,
        workshop: &dyn Workshop,
        names: &[String],
        folder: &AbsolutePath,
    ) -> Option<AbsolutePath> {
        let contains =
            |folder: &AbsolutePath| names.iter().any(|name| self.exists(workshop, &folder.join(name)));
        ancestors(workshop.project_root(), folder).find(contains)
    }

    /// A fingerprint of all files of the project that match the globs; `None` if there are too many.
    pub(super) fn project_fingerprint(
        &mut self,
        workshop: &dyn Workshop,
        included: &[String],
        excluded: &[String],
    ) -> Option<String> {
        let tree = self.tree.get_or_insert_with(|| walk(workshop, excluded)).as_ref()?;
        let mut text = tree.installed.clone();
        for leaf in tree.leaves.iter().filter(|leaf| globs::any(included, &leaf.file)) {
            // Size and time instead of content: reading every file would cost too much.
            text.push_str(&format!("{} {} {}\n", leaf.bytes, leaf.nanos, leaf.file));
        }
        Some(workshop.hash(text.as_bytes()).as_str().to_owned())
    }

    /// Forgets what may have changed since.
    pub(super) fn forget_tree(&mut self) {
        self.tree = None;
    }
}

/// A folder and those above it, up to the root. Only the root for what is not below it.
pub(super) fn ancestors(
    root: &AbsolutePath,
    folder: &AbsolutePath,
) -> impl Iterator<Item = AbsolutePath> + use<> {
    let (root, top) = (root.clone(), root.clone());
    folder.ancestors().take_while(move |folder| folder.strip_folder(&root).is_some()).chain([top])
}

/// The files that a config in this folder may include: `extend = "../base.toml"`. A wrong guess only costs
/// one more read.
fn referenced_configs(content: &[u8], folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let Ok(text) = std::str::from_utf8(content) else { return Vec::new() };
    if text.len() > NAMING_BYTES {
        return Vec::new();
    }
    let words = text.split(|letter: char| letter.is_whitespace() || "\"'`,;()[]{}<>=".contains(letter));
    let is_config = |word: &str| CONFIG_ENDS.iter().any(|end| word.ends_with(end));
    let mut named: Vec<AbsolutePath> = Vec::new();
    // A schema on the web is not a file.
    for word in words.filter(|word| !word.contains("://")) {
        if is_config(word) {
            named.push(absolute(folder, word));
        } else if word.starts_with("./") || word.starts_with("../") {
            // As tsconfig.json may write it.
            named.push(absolute(folder, &format!("{word}.json")));
        }
    }
    named.sort_unstable();
    named.dedup();
    named
}

/// A fingerprint of what is installed in an environment of a project: a new package changes what linters
/// that follow imports find.
pub(super) fn installed_fingerprint(workshop: &dyn Workshop, environment: &AbsolutePath) -> String {
    let libraries = workshop.list(&environment.join("lib")).into_iter();
    let python = libraries.map(|name| format!("lib/{name}/site-packages"));
    let node = ["", ".package-lock.json", ".modules.yaml", ".yarn-state.yml"].map(str::to_owned);
    let mut fingerprint = String::new();
    for name in python.chain(node) {
        let path = environment.join(&name);
        if let Some(stat) = workshop.stat(&path) {
            fingerprint.push_str(&format!("{} {} {path}\n", stat.bytes, stat.changed_nanos));
        }
    }
    fingerprint
}

/// All files of the project that are not excluded; `None` if there are too many.
fn walk(workshop: &dyn Workshop, excluded: &[String]) -> Option<Tree> {
    let root = workshop.project_root();
    let mut tree = Tree::default();
    if let Some(active) = workshop.variable("VIRTUAL_ENV").and_then(AbsolutePath::new) {
        tree.installed.push_str(&installed_fingerprint(workshop, &active));
    }
    let mut folders = vec![String::new()];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for name in workshop.list(&root.join(&folder)) {
            seen += 1;
            // Folders and excluded files cost a look each, so they are bounded too.
            if seen > 4 * MOST_FILES || tree.leaves.len() > MOST_FILES {
                return None;
            }
            let is_environment = ENVIRONMENTS.contains(&name.as_str());
            let file = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let path = root.join(&file);
            let Some(stat) = workshop.stat(&path) else { continue };
            if is_environment {
                tree.installed.push_str(&installed_fingerprint(workshop, &path));
            }
            if !stat.is_folder {
                tree.leaves.push(Leaf { file, bytes: stat.bytes, nanos: stat.changed_nanos });
            } else if file != ".git"
                && !globs::all_below(excluded, &file)
                // A symbolic link to a folder may lead out of the project or around in a circle.
                && workshop.real_path(root, &file) == path
            {
                folders.push(file);
            }
        }
    }
    Some(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configs_are_found_in_other_configs() {
        let cases: [(&str, &[&str]); 4] = [
            ("extend = \"../base.toml\"\n", &["/p/base.toml"]),
            ("{\"extends\":[\"./tsconfig.base\",\"https://x/y.json\"]}", &["/p/a/tsconfig.base.json"]),
            ("extends: more/rules.yaml\n", &["/p/a/more/rules.yaml"]),
            ("line-length = 100\n", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(
                referenced_configs(text.as_bytes(), &AbsolutePath::from_root("/p/a")),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn the_folders_above_end_at_the_root() {
        let ancestors = |root, folder| {
            let path = |text: &str| AbsolutePath::from_root(text);
            ancestors(&path(root), &path(folder)).collect::<Vec<_>>()
        };
        assert_eq!(ancestors("/p", "/p/a/b"), ["/p/a/b", "/p/a", "/p"]);
        assert_eq!(ancestors("/p", "/p"), ["/p"]);
        assert_eq!(ancestors("/p", "/elsewhere"), ["/p"]);
        assert_eq!(ancestors("/p", "/park"), ["/p"]);
    }
}
