//! Which files are protected: the configs of the programs that check code, hooks, and what the config
//! adds and removes.

use flyball_core::client::Clients;
use flyball_core::path::strip_folder;
use flyball_programs::{CONFIG_LETTERS, CONFIGS, Config, Kind, MANIFESTS};

use super::Settings;
use super::parts::Part;

/// What a protected file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtectedKind {
    /// The rules by which code is checked.
    Checks,
    /// Programs that run at a commit or at an event of the client.
    Hooks,
    /// Named in the project's config.
    Configured,
}

impl ProtectedKind {
    /// A description for a message.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            ProtectedKind::Checks => "a protected config of the project's checks",
            ProtectedKind::Hooks => "a protected hook of the project",
            ProtectedKind::Configured => "protected by the project's config",
        }
    }
}

/// Protected files that do not belong to a checker, with their owners as the page names them.
const OTHERS: &[(&str, ProtectedKind, &str)] = &[
    ("EditorConfig", ProtectedKind::Checks, ".editorconfig"),
    ("Husky", ProtectedKind::Hooks, ".husky/**"),
    ("git", ProtectedKind::Hooks, ".git/hooks/**"),
];

/// Every default: whose it is, what it is, and its glob in lower case, of a name in any folder or of a
/// path from the project's root.
pub(super) fn defaults() -> impl Iterator<Item = (&'static str, ProtectedKind, &'static str)> {
    let programs = CONFIGS.iter().map(|config| (config.title, kind_of(config), config.pattern));
    programs.chain(OTHERS.iter().copied())
}

/// Folders whose content comes from elsewhere or is generated: configs in them are not the project's.
const FOREIGN: &[&str] =
    &["node_modules", "target", ".venv", "venv", "site-packages", "vendor", "__pycache__", ".tox", ".nox"];

/// Which files of a project are protected.
#[derive(Clone)]
pub struct Protection {
    settings: Settings,
    clients: Clients,
}

impl Protection {
    /// The protection by a project's settings, for these clients.
    #[must_use]
    pub const fn new(settings: Settings, clients: Clients) -> Protection {
        Protection { settings, clients }
    }

    /// The folders of the clients' hooks.
    pub(super) fn hook_folders(&self) -> impl Iterator<Item = &'static str> {
        self.clients.iter().filter_map(|client| client.hooks_folder)
    }

    fn find_default(&self, path: &str) -> Option<ProtectedKind> {
        let by_folder = || {
            let is_hook = self.hook_folders().any(|folder| strip_folder(path, folder).is_some());
            is_hook.then_some(ProtectedKind::Hooks)
        };
        // Asked last: hardly any name gets so far.
        find_default(path).or_else(by_folder).filter(|_| !is_exempt(path))
    }

    /// What protects the file at this path from the project's root.
    #[must_use]
    pub fn find_kind(&self, relative: &str) -> Option<ProtectedKind> {
        // Some file systems ignore case: `.RUFF.toml` is `.ruff.toml` there.
        let path = relative.to_lowercase();
        let found = self.find_configured(&path).or_else(|| self.find_default(&path))?;
        (!self.is_unprotected(&path)).then_some(found)
    }

    /// The protected part of a file whose rest is not protected.
    pub(super) fn part(&self, relative: &str) -> Option<Part> {
        let path = relative.to_lowercase();
        Part::of_manifest(&path).filter(|_| !is_foreign(&path) && !self.is_unprotected(&path))
    }

    fn is_unprotected(&self, path: &str) -> bool {
        self.settings.unprotect.iter().any(|pattern| matches(&pattern.to_lowercase(), path))
    }

    fn find_configured(&self, path: &str) -> Option<ProtectedKind> {
        let is_added = self.settings.paths.iter().any(|pattern| matches(&pattern.to_lowercase(), path));
        is_added.then_some(ProtectedKind::Configured)
    }

    /// Pathspecs for git that match all protected files, and some others.
    pub(super) fn git_pathspecs(&self) -> Vec<String> {
        let added = self.settings.paths.iter().map(String::as_str);
        let hooks = self.hook_folders().map(|folder| -> &str { folder });
        let manifests = MANIFESTS.iter().filter(|manifest| !manifest.protected.is_empty());
        let manifests = manifests.map(|manifest| manifest.file);
        let usual = defaults().map(|(.., pattern)| pattern).chain(hooks);
        let patterns = usual.chain(added).chain(manifests);
        patterns
            // Git tracks nothing in its own folder.
            .filter(|pattern| !pattern.starts_with(".git/"))
            .flat_map(expand_braces)
            .map(git_pathspec)
            .collect()
    }
}

/// A name in any folder begins with a wildcard, which git answers without walking its patterns.
fn git_pathspec(pattern: String) -> String {
    let pattern = pattern.trim_end_matches("/**").trim_end_matches('/');
    match (pattern.contains('/'), pattern.contains(['*', '?', '['])) {
        (false, _) => format!("*{pattern}"),
        (true, false) => pattern.to_owned(),
        (true, true) => format!(":(glob,icase){pattern}"),
    }
}

/// `a.{b,c}` as `a.b` and `a.c`.
fn expand_braces(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else { return vec![pattern.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![pattern.to_owned()] };
    choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
}

fn find_default(path: &str) -> Option<ProtectedKind> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let first = |text: &str| text.as_bytes().first().copied().unwrap_or_default();
    let (of_path, of_name) = (first(path), first(name));
    // Runs for every word of a script and every name in a folder: most differ in the first letter, and those lie side by side.
    let is_any = |letter: u8| matches!(letter, b'*' | b'?' | b'[' | b'{' | b'\\' | b'/');
    let may_fit = |letter: u8| letter == of_name || letter == of_path || is_any(letter);
    let fits = |pattern: &str| match pattern.contains('/') {
        true => matches(pattern, path),
        false => first(pattern) == of_name && matches_whole(pattern, name),
    };
    let by_letter = |&(at, letter): &(usize, &u8)| {
        let config = may_fit(*letter).then(|| CONFIGS.get(at)).flatten();
        config.filter(|config| fits(config.pattern))
    };
    let of_program = CONFIG_LETTERS.iter().enumerate().find_map(|it| by_letter(&it)).map(kind_of);
    of_program.or_else(|| OTHERS.iter().find(|(.., pattern)| fits(pattern)).map(|(_, what, _)| *what))
}

/// What a program's own file is.
fn kind_of(config: &Config) -> ProtectedKind {
    if config.kind == Kind::HookRunner { ProtectedKind::Hooks } else { ProtectedKind::Checks }
}

fn is_exempt(path: &str) -> bool {
    is_foreign(path) || path.ends_with(".sample")
}

/// Whether a folder of this name may contain the project's own files.
pub(super) fn is_project_folder(name: &str) -> bool {
    name != ".git" && !FOREIGN.contains(&name.to_lowercase().as_str())
}

fn is_foreign(path: &str) -> bool {
    path.split('/').any(|folder| FOREIGN.contains(&folder))
}

/// Whether a glob matches a path from the root, or its name if the glob names no folder. A folder
/// includes all its files.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
    let literal = pattern.split(['*', '?', '[', '{', '\\', '/']).next().unwrap_or_default();
    if !path.starts_with(literal) && pattern.contains('/') {
        return false;
    }
    if !pattern.contains('/') {
        return path.split('/').any(|name| matches_whole(pattern, name));
    }
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    folders.chain([path]).any(|part| matches_whole(pattern, part))
}

fn matches_whole(pattern: &str, text: &str) -> bool {
    // Most patterns differ in their first letters, which is cheap to compare.
    let literal = pattern.split(['*', '?', '[', '{', '\\']).next().unwrap_or_default();
    text.starts_with(literal)
        && (literal.len() == pattern.len() && text.len() == pattern.len()
            || literal.len() < pattern.len() && fast_glob::glob_match(pattern, text))
}
