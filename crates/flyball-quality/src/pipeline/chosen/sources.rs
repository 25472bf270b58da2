//! The files of a folder that can choose linters.

use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;

use super::section;
use super::sign::Sign;
use super::words::{self, Said};
use crate::pipeline::globs;

/// Files that run or bring tools: hooks, pipelines, tasks, lists of packages.
const NAMES: &[&str] = &[
    ".pre-commit-config.{yaml,yml}",
    "{,.}lefthook{,-local}.{yml,yaml,toml,json}",
    ".lintstagedrc*",
    "lint-staged.config.*",
    ".gitlab-ci.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    ".drone.yml",
    ".woodpecker.{yml,yaml}",
    "appveyor.yml",
    "Jenkinsfile",
    "{M,m,GNUm}akefile",
    "{,.}{J,j}ustfile",
    "Taskfile.{yml,yaml}",
    "Rakefile",
    "tox.ini",
    "noxfile.py",
    "tasks.py",
    "package.json",
    "composer.json",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "*requirements*.{txt,in}",
    "Pipfile",
    "Gemfile",
    "go.mod",
    "tools.go",
    "build.gradle{,.kts}",
];

/// Folders whose files do.
const FOLDERS: &[&str] =
    &[".github/workflows", ".circleci", ".husky", ".gitea/workflows", "requirements", "scripts", "script"];

/// A longer file is not read.
const MOST_BYTES: u64 = 256 * 1024;
/// In a folder with more files, the others are not read.
const MOST_FILES: usize = 100;

/// What was read of folders, each once.
#[derive(Default)]
pub(super) struct Sources {
    names: BTreeMap<AbsolutePath, Vec<String>>,
    texts: BTreeMap<AbsolutePath, Option<String>>,
    said: BTreeMap<AbsolutePath, Said>,
}

impl Sources {
    /// Where in a folder a sign is.
    pub(super) fn find(
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
            Sign::Words(wanted) => {
                let said = self.said(workshop, folder).iter();
                let mut files = said.filter(|(_, lines)| lines.iter().any(|line| words::has(line, wanted)));
                files.next().map(|(name, _)| format!("{name}: {}", wanted.join(" ")))
            }
        }
    }

    fn file(&mut self, workshop: &dyn Workshop, pattern: &str, folder: &AbsolutePath) -> Option<String> {
        if pattern.contains('/') {
            return workshop.stat(&folder.join(pattern)).map(|_| pattern.to_owned());
        }
        let pattern = [pattern.to_owned()];
        self.names(workshop, folder).iter().find(|name| globs::any(&pattern, name)).cloned()
    }

    fn names(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> &[String] {
        self.names.entry(folder.clone()).or_insert_with_key(|folder| workshop.list(folder))
    }

    fn text(&mut self, workshop: &dyn Workshop, path: &AbsolutePath) -> Option<&str> {
        let read = |path: &AbsolutePath| {
            let content = workshop.read(path, MOST_BYTES).ok().flatten()?;
            Some(String::from_utf8_lossy(&content).into_owned())
        };
        self.texts.entry(path.clone()).or_insert_with_key(read).as_deref()
    }

    fn said(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> &Said {
        if !self.said.contains_key(folder) {
            let said = self.read_said(workshop, folder);
            self.said.insert(folder.clone(), said);
        }
        self.said.entry(folder.clone()).or_default()
    }

    fn read_said(&mut self, workshop: &dyn Workshop, folder: &AbsolutePath) -> Said {
        let wanted: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
        let here = self.names(workshop, folder).iter().filter(|name| globs::any(&wanted, name));
        let mut names: Vec<String> = here.cloned().collect();
        for below in FOLDERS {
            let files = self.names(workshop, &folder.join(below)).iter().take(MOST_FILES);
            names.extend(files.map(|file| format!("{below}/{file}")));
        }
        let mut said = Said::new();
        for name in names {
            if let Some(text) = self.text(workshop, &folder.join(&name)) {
                said.insert(name.clone(), words::lines_of(&name, text));
            }
        }
        said
    }
}
