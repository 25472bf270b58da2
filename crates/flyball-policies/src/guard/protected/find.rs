//! Finds the protected files that exist in a project, at a bounded cost.

use std::cell::OnceCell;
use std::collections::{BTreeSet, VecDeque};

use flyball_core::path::{AbsolutePath, strip_folder};
use flyball_core::policy::{OwnFile, PolicyError, World};
use flyball_core::world::{OBEYED, real_root};

use super::extent::{self, Extent};
use super::names::{Protection, is_project_folder};
use super::parts;
use crate::guard::gaming::is_test_file;
use crate::test_files::TEST_FILES;

/// Folders in which every file may be protected, tracked or not.
const FOLDERS: &[&str] = &[".husky", ".git/hooks"];
/// The most folders that are listed to find new files.
const MOST_FOLDERS: usize = 48;
/// The most entries that are checked without git.
const MOST_ENTRIES: usize = 600;
/// The end of the path of the user's config.
const USER_CONFIG: &str = "/config.toml";
/// The most folders and tests that are watched.
const MOST_TRACKED: usize = 400;
/// The depth below the root without git.
const MOST_DEPTH: usize = 3;

/// A project and what is protected in it.
pub struct ProtectedProject<'a> {
    pub world: &'a dyn World,
    pub protection: Protection,
    root: AbsolutePath,
    /// flyball's own files, without symlinks.
    own_files: OnceCell<BTreeSet<AbsolutePath>>,
    /// The folder in which git keeps the config and the hooks.
    git_folder: OnceCell<AbsolutePath>,
    /// Files that a person allowed agents to edit for a while.
    allowed: BTreeSet<AbsolutePath>,
}

/// How far the protection of a file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coverage {
    Whole,
    /// A part, in a normalized form: it can be compared, but not restored.
    Part,
    Nothing,
}

/// What a search without git finds.
#[derive(Default)]
struct Walk {
    files: BTreeSet<AbsolutePath>,
    folders: BTreeSet<AbsolutePath>,
}

impl<'a> ProtectedProject<'a> {
    /// The project of this world.
    #[must_use]
    pub fn new(world: &'a dyn World, protection: Protection) -> ProtectedProject<'a> {
        let root = real_root(world);
        ProtectedProject {
            world,
            protection,
            root,
            own_files: OnceCell::new(),
            git_folder: OnceCell::new(),
            allowed: BTreeSet::new(),
        }
    }

    /// The same project in which these files are not protected.
    pub(super) fn without(&self, allowed: &BTreeSet<AbsolutePath>) -> ProtectedProject<'a> {
        ProtectedProject {
            allowed: allowed.clone(),
            ..ProtectedProject::new(self.world, self.protection.clone())
        }
    }

    /// Whether agents may edit a file for a while.
    pub(super) fn is_allowed(&self, path: &AbsolutePath) -> bool {
        self.allowed.contains(path)
    }

    /// The path from the project's root; `None` outside the project.
    #[must_use]
    pub fn relative<'p>(&self, path: &'p str) -> Option<&'p str> {
        strip_folder(path, &self.root)
    }

    /// The root, without symlinks.
    #[must_use]
    pub fn root(&self) -> &AbsolutePath {
        &self.root
    }

    /// How much of a file is watched for changes.
    pub(super) fn extent(&self, path: &AbsolutePath) -> Option<Extent> {
        if self.is_user_config(path) {
            return Some(Extent::Whole);
        }
        if self.own_files().contains(path) {
            let is_settings = path.to_lowercase().ends_with(".json") && !self.is_obeyed(path);
            return Some(if is_settings { Extent::Only(parts::CLIENT_SETTINGS) } else { Extent::Whole });
        }
        if let Some(extent) = self.git_extent(path) {
            return Some(extent);
        }
        let relative = self.relative(path)?;
        let part = || self.protection.part(relative).map(Extent::Only);
        self.protection.find_kind(relative).map(|_| Extent::Whole).or_else(part)
    }

    /// Whether we obey all of a file. In the other settings of ours, clients keep their own too.
    fn is_obeyed(&self, path: &AbsolutePath) -> bool {
        let is_it = |own: &OwnFile| own.what == OBEYED && self.world.real_path(&own.path, ".") == *path;
        self.world.own_files().iter().any(is_it)
    }

    /// How much of a file of git is watched: its hooks, and the settings that run programs.
    fn git_extent(&self, path: &AbsolutePath) -> Option<Extent> {
        let is_config = path.ends_with("/config") || path.ends_with("/config.worktree");
        if !is_config && !path.contains("/hooks/") {
            return None;
        }
        let inside = path.strip_folder(self.git_folder())?;
        match inside {
            "config" | "config.worktree" => Some(Extent::Only(parts::Part::Git)),
            hook if hook.starts_with("hooks/") && !hook.ends_with(".sample") => Some(Extent::Whole),
            _ => None,
        }
    }

    /// The folder of the repository. In a linked worktree, `.git` is a file that leads to it.
    fn git_folder(&self) -> &AbsolutePath {
        self.git_folder.get_or_init(|| {
            let own = self.root.join(".git");
            let line = |path: &AbsolutePath| {
                let bytes = self.world.read(path, 4096).ok().flatten()?;
                Some(String::from_utf8_lossy(&bytes).trim().to_owned())
            };
            let Some(linked) = line(&own) else { return own };
            let folder = self.world.real_path(&self.root, linked.trim_start_matches("gitdir:").trim());
            match line(&folder.join("commondir")) {
                Some(common) => self.world.real_path(&folder, &common),
                None => folder,
            }
        })
    }

    /// The configs of git, and the hooks of a repository that is elsewhere.
    fn git_files(&self) -> Vec<AbsolutePath> {
        let folder = self.git_folder();
        let hooks = folder.join("hooks");
        let elsewhere = if self.relative(folder).is_some() { Vec::new() } else { self.world.list(&hooks) };
        let hooks =
            elsewhere.into_iter().filter(|name| !name.ends_with(".sample")).map(|name| hooks.join(&name));
        [folder.join("config"), folder.join("config.worktree")].into_iter().chain(hooks).collect()
    }

    /// flyball's own files.
    pub(super) fn own_files(&self) -> &BTreeSet<AbsolutePath> {
        self.own_files.get_or_init(|| {
            self.world.own_files().iter().map(|own| self.world.real_path(&own.path, ".")).collect()
        })
    }

    /// Whether all of a file is protected, or a part, or nothing.
    #[must_use]
    pub fn coverage(&self, path: &AbsolutePath) -> Coverage {
        match self.extent(path) {
            Some(Extent::Whole) => Coverage::Whole,
            Some(Extent::Only(_)) => Coverage::Part,
            None => Coverage::Nothing,
        }
    }

    /// The protected content of a text of this file. Approvals and notes store its hash.
    #[must_use]
    pub fn protected_content(&self, path: &AbsolutePath, text: &[u8]) -> Vec<u8> {
        self.extent(path).map_or_else(Vec::new, |covered| extent::extract(text, covered))
    }

    /// The protected content of a file now; `None` if it does not exist.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_protected(&self, path: &AbsolutePath) -> Result<Option<Vec<u8>>, PolicyError> {
        Ok(self.world.read(path, extent::MOST_BYTES)?.map(|text| self.protected_content(path, &text)))
    }

    /// The existing protected files that are found, sorted.
    ///
    /// # Errors
    /// When git does not answer.
    pub fn find_existing(&self) -> Result<Vec<AbsolutePath>, PolicyError> {
        let pathspecs = self.protection.git_pathspecs();
        let mut question = vec!["ls-files", "-z", "--"];
        question.extend(pathspecs.iter().map(String::as_str));
        let answer = self.world.git(&self.root, &question)?;
        let tracked: BTreeSet<AbsolutePath> = answer.text().map_or_else(BTreeSet::new, |answer| {
            self.filter_watched(answer.split('\0').map(|path| self.root.join(path))).collect()
        });
        // Before the first commit, and without a repository, nothing is tracked.
        Ok(self.with_untracked(if tracked.is_empty() { self.walked() } else { tracked }))
    }

    /// The same without git: those that are deep in the project may be left out.
    pub(super) fn find_without_git(&self) -> Vec<AbsolutePath> {
        self.with_untracked(self.walked())
    }

    /// These files, as far as they exist, and those in the folders that are looked at in any case.
    fn with_untracked(&self, mut found: BTreeSet<AbsolutePath>) -> Vec<AbsolutePath> {
        // Git lists only tracked files; the others are found in these folders.
        let folders = self.folders(found.iter());
        found.extend(self.list_protected(&folders));
        found.extend(self.own_watched());
        found.extend(self.git_files());
        // Git also lists tracked files that are deleted on disk.
        found.retain(|path| self.world.stat(path).is_some_and(|stat| !stat.is_folder));
        found.into_iter().collect()
    }

    /// The folders in which a new protected file is noticed: those that have one already.
    pub(super) fn folders<'p>(
        &self,
        files: impl Iterator<Item = &'p AbsolutePath>,
    ) -> BTreeSet<AbsolutePath> {
        let mut folders: BTreeSet<AbsolutePath> = FOLDERS
            .iter()
            .copied()
            .chain(self.protection.hook_folders())
            .map(|folder| self.root.join(folder))
            .collect();
        folders.insert(self.root.clone());
        let below = files.filter(|path| self.relative(path).is_some()).map(AbsolutePath::folder);
        folders.extend(below.take(MOST_FOLDERS));
        folders
    }

    /// The protected files in these folders.
    pub(super) fn list_protected(&self, folders: &BTreeSet<AbsolutePath>) -> Vec<AbsolutePath> {
        let below = |folder: &AbsolutePath| {
            let folder = folder.clone();
            self.world.list(&folder).into_iter().map(move |name| folder.join(&name))
        };
        self.filter_watched(folders.iter().flat_map(below)).collect()
    }

    fn filter_watched(
        &self,
        paths: impl Iterator<Item = AbsolutePath>,
    ) -> impl Iterator<Item = AbsolutePath> {
        paths.filter(|path| self.is_watched_by_name(path))
    }

    fn is_watched_by_name(&self, path: &str) -> bool {
        let Some(relative) = self.relative(path) else { return false };
        self.protection.find_kind(relative).is_some() || self.protection.part(relative).is_some()
    }

    /// Our own files whose content can be watched: not the state, which changes all the time, and
    /// not the program.
    pub(super) fn own_watched(&self) -> impl Iterator<Item = AbsolutePath> {
        let by_name =
            self.own_files().iter().filter(|path| path.ends_with(".json") || self.relative(path).is_some());
        let is_folder = |path: &&AbsolutePath| {
            let is_file = || self.world.stat(path).is_some_and(|stat| !stat.is_folder);
            self.relative(path).is_none()
                && !path.ends_with(".json")
                && !path.ends_with(".toml")
                // The program may be called as the folder of the config is.
                && !is_file()
        };
        let configs = self
            .own_files()
            .iter()
            .filter(is_folder)
            .map(|folder| folder.join(USER_CONFIG.trim_start_matches('/')));
        by_name.cloned().chain(configs)
    }

    /// Whether this is the user's own config of flyball: the folder that it is in is ours.
    fn is_user_config(&self, path: &AbsolutePath) -> bool {
        path.ends_with(USER_CONFIG) && self.own_files().contains(&path.folder())
    }

    /// The folders of the project in which files are tracked: a new config may appear in each of them.
    pub(super) fn tracked_folders(&self) -> Result<BTreeSet<AbsolutePath>, PolicyError> {
        let question = ["ls-tree", "-d", "-r", "-z", "--name-only", "HEAD"];
        // Without a commit nothing is tracked yet.
        let Some(answer) = self.world.git(&self.root, &question)?.text() else {
            return Ok(self.walk().folders);
        };
        let is_own = |path: &&str| !path.is_empty() && path.split('/').all(is_project_folder);
        let folders = answer.split('\0').filter(is_own).map(|path| self.root.join(path));
        Ok(folders.take(MOST_TRACKED).collect())
    }

    /// The tracked files with tests.
    pub(super) fn tracked_tests(&self) -> Result<BTreeSet<AbsolutePath>, PolicyError> {
        let globs = TEST_FILES.iter().map(|glob| format!(":(glob){glob}"));
        let globs: Vec<String> = globs.collect();
        let mut question = vec!["ls-files", "-z", "--"];
        question.extend(globs.iter().map(String::as_str));
        let Some(answer) = self.world.git(&self.root, &question)?.text() else { return Ok(BTreeSet::new()) };
        let files = answer
            .split('\0')
            .filter(|path| !path.is_empty() && is_test_file(path))
            .map(|path| self.root.join(path));
        // Those that are gone already are not lost now.
        Ok(files.take(MOST_TRACKED).filter(|path| self.world.stat(path).is_some()).collect())
    }

    /// The protected files that git has in its index or would add, wherever they are.
    pub(super) fn listed_by_git(&self) -> Result<Vec<AbsolutePath>, PolicyError> {
        let pathspecs = self.protection.git_pathspecs();
        let mut question = vec!["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"];
        question.extend(pathspecs.iter().map(String::as_str));
        let Some(answer) = self.world.git(&self.root, &question)?.text() else { return Ok(Vec::new()) };
        Ok(self.filter_watched(answer.split('\0').map(|path| self.root.join(path))).collect())
    }

    /// The folders of a project without git, as far as they are searched.
    pub(super) fn walked_folders(&self) -> BTreeSet<AbsolutePath> {
        self.walk().folders
    }

    fn walked(&self) -> BTreeSet<AbsolutePath> {
        self.walk().files
    }

    /// Finds the protected files folder by folder.
    fn walk(&self) -> Walk {
        let mut walk = Walk::default();
        let mut waiting = vec![(self.root.clone(), 0)];
        let mut checked = 0;
        while let Some((folder, depth)) = waiting.pop() {
            for name in self.world.list(&folder) {
                checked += 1;
                let path = folder.join(&name);
                if self.is_watched_by_name(&path) {
                    walk.files.insert(path);
                    continue;
                }
                // A guess by the name, which saves a system call for most files.
                let may_be_folder = !name.contains('.') && is_project_folder(&name);
                if depth < MOST_DEPTH
                    && may_be_folder
                    && checked < MOST_ENTRIES
                    && self.world.stat(&path).is_some_and(|stat| stat.is_folder)
                {
                    walk.folders.insert(path.clone());
                    waiting.push((path, depth + 1));
                }
            }
        }
        walk
    }

    /// An existing protected file below a folder, or below the root if the folder contains it.
    pub(super) fn find_below(
        &self,
        folder: &AbsolutePath,
        fits: impl Fn(&str) -> bool,
    ) -> Option<AbsolutePath> {
        let folder = if self.root.is_in(folder) { &self.root } else { folder };
        if !folder.is_in(&self.root) {
            return None;
        }
        // Breadth first: the limit is used for the folders near the top.
        let mut waiting = VecDeque::from([folder.clone()]);
        let mut checked = 0;
        while let Some(folder) = waiting.pop_front() {
            for name in self.world.list(&folder) {
                checked += 1;
                let path = folder.join(&name);
                let is_protected =
                    self.relative(&path).is_some_and(|it| self.protection.find_kind(it).is_some());
                if is_protected
                    && !self.is_allowed(&path)
                    && fits(&path)
                    && self.world.stat(&path).is_some_and(|stat| !stat.is_folder)
                {
                    return Some(path);
                }
                if checked < MOST_ENTRIES && is_project_folder(&name) {
                    waiting.push_back(path);
                }
            }
        }
        None
    }
}
