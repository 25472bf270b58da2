//! The files of a folder that can choose linters.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::readers;
use super::section;
use super::sign::Sign;
use super::uses::{Names, Use};
use crate::pipeline::globs;

/// Files that run or bring tools, those first that decide what is committed.
const NAMES: &[&str] = &[
    ".pre-commit-config.{yaml,yml}",
    "{,.}lefthook{,-local}.{yml,yaml,toml,json}",
    ".lintstagedrc*",
    "lint-staged.config.*",
    "package.json",
    "composer.json",
    "pyproject.toml",
    "{hatch,pixi,tox,mise}.toml",
    ".mise.toml",
    "tox.ini",
    "setup.{cfg,py}",
    "{noxfile,tasks,dodo}.py",
    "{M,m,GNUm}akefile",
    "{,.}{J,j}ustfile",
    "Taskfile.{yml,yaml}",
    "Rakefile",
    "*requirements*.{txt,in}",
    "environment.{yml,yaml}",
    "Pipfile",
    "Gemfile",
    "go.mod",
    "tools.go",
    "build.gradle{,.kts}",
    ".gitlab-ci.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".drone.yml",
    ".woodpecker.{yml,yaml}",
    "appveyor.yml",
    "Jenkinsfile",
];

/// Folders whose files do, and how these end; nothing for those without an end.
const FOLDERS: &[(&str, &[&str])] = &[
    (".husky", &[""]),
    ("requirements", &["txt", "in"]),
    (".github/workflows", &["yml", "yaml"]),
    (".gitea/workflows", &["yml", "yaml"]),
    (".circleci", &["yml", "yaml"]),
    // In other languages they are programs of the project.
    ("scripts", &["", "sh", "bash"]),
    ("script", &["", "sh", "bash"]),
];

/// A longer file is not read.
const MOST_BYTES: u64 = 256 * 1024;
/// Of the files in such folders, no more is read than this.
const MOST_BYTES_BELOW: u64 = 512 * 1024;
/// A longer script of such a folder does more than call linters.
const MOST_SCRIPT_BYTES: u64 = 32 * 1024;

/// What was read of folders, each once.
pub(super) struct Sources {
    /// The names that signs begin with.
    tools: Names,
    names: BTreeMap<AbsolutePath, Vec<String>>,
    texts: BTreeMap<AbsolutePath, Option<String>>,
    uses: BTreeMap<AbsolutePath, Vec<(String, Use)>>,
    /// How much was read of all of them.
    pub bytes_read: usize,
}

impl Sources {
    pub(super) fn new(tools: Names) -> Sources {
        Sources {
            tools,
            names: BTreeMap::new(),
            texts: BTreeMap::new(),
            uses: BTreeMap::new(),
            bytes_read: 0,
        }
    }

    /// The config in a folder that is this sign.
    pub(super) fn config(
        &mut self,
        workshop: &dyn Workshop,
        sign: &Sign<'_>,
        folder: &AbsolutePath,
    ) -> Option<String> {
        match sign {
            Sign::File(pattern) => self.file(workshop, pattern, folder),
            Sign::Section { file, section, is_exact } => {
                let name = self.file(workshop, file, folder)?;
                let text = self.text(workshop, &folder.join(&name))?;
                section::has(&name, text, section, *is_exact).then(|| format!("{name} [{section}]"))
            }
            Sign::Words(_) => None,
        }
    }

    /// The tools that the files of a folder use, each with the file that names it.
    pub(super) fn uses(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> &[(String, Use)] {
        if !self.uses.contains_key(folder) {
            let uses = self.read_uses(workshop, folder);
            self.uses.insert(folder.clone(), uses);
        }
        self.uses.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The text of a config.
    pub(super) fn text(&mut self, workshop: &dyn Workshop, path: &AbsolutePath) -> Option<&str> {
        let bytes_read = &mut self.bytes_read;
        let read = |path: &AbsolutePath| {
            let content = workshop.read(path, MOST_BYTES).ok().flatten()?;
            *bytes_read += content.len();
            Some(String::from_utf8_lossy(&content).into_owned())
        };
        self.texts.entry(path.clone()).or_insert_with_key(read).as_deref()
    }

    fn file(&mut self, workshop: &dyn Workshop, pattern: &str, folder: &AbsolutePath) -> Option<String> {
        if pattern.contains('/') {
            return workshop.stat(&folder.join(pattern)).map(|_| pattern.to_owned());
        }
        self.names(workshop, folder).iter().find(|name| globs::matches(pattern, name)).cloned()
    }

    fn names(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> &[String] {
        self.names.entry(folder.clone()).or_insert_with_key(|folder| workshop.list(folder))
    }

    fn read_uses(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> Vec<(String, Use)> {
        let mut uses = Vec::new();
        for name in self.files_of(workshop, folder) {
            let tools = self.tools.clone();
            let Some(text) = self.text(workshop, &folder.join(&name)) else { continue };
            uses.extend(readers::uses(&name, text, &tools).into_iter().map(|used| (name.clone(), used)));
        }
        uses
    }

    /// The files of a folder that run or bring tools.
    fn files_of(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> Vec<String> {
        let here = self.names(workshop, folder);
        let mut files: Vec<String> = NAMES
            .iter()
            .flat_map(|glob| here.iter().filter(|name| globs::matches(glob, name)).cloned())
            .collect();
        let folders: Vec<_> = FOLDERS
            .iter()
            .filter(|(below, _)| here.iter().any(|name| below.split('/').next() == Some(name.as_str())))
            .collect();
        let mut left = MOST_BYTES_BELOW;
        for (below, ends) in folders {
            for name in self.names(workshop, &folder.join(below)).to_vec() {
                let is_wanted = ends.contains(&name.rsplit_once('.').map_or("", |(_, end)| end));
                let file = format!("{below}/{name}");
                let most = if below.starts_with("script") { MOST_SCRIPT_BYTES } else { MOST_BYTES };
                let stat = if is_wanted { workshop.stat(&folder.join(&file)) } else { None };
                let Some(stat) = stat.filter(|stat| !stat.is_folder && stat.bytes <= most.min(left)) else {
                    continue;
                };
                left -= stat.bytes;
                files.push(file);
            }
        }
        files
    }
}
