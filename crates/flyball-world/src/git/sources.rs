//! What decides which files git lists, besides the folders that they are in: while all of it is as it was, the same files
//! are listed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError};

use super::Git;
use super::places::Places;

/// What a folder has all of if it is the data of a repository.
const PARTS: [&str; 3] = ["HEAD", "objects", "refs"];

impl Git {
    /// What this process and its environment add: who asks with another one may get another list.
    pub(crate) fn surroundings(&self) -> String {
        let parts = [self.program(), self.home.as_deref(), self.config_home.as_deref()];
        let parts = parts.map(|path| path.unwrap_or(Path::new("")).to_string_lossy().into_owned());
        let ceilings = self.ceilings.iter().map(|path| path.to_string_lossy().into_owned());
        parts.into_iter().chain(ceilings).collect::<Vec<String>>().join("\n")
    }

    /// The files that decide which files git lists in a folder, whether they are there or not: the index, configuration,
    /// rules outside of the folder. `None` if they cannot be known.
    ///
    /// # Errors
    /// When git does not answer.
    pub(crate) fn sources(&self, folder: &AbsolutePath) -> Result<Option<BTreeSet<PathBuf>>, PolicyError> {
        let Some(places) = Places::of(Path::new(folder)) else { return Ok(None) };
        let above: Vec<&Path> = Path::new(folder).ancestors().collect();
        let Some(depth) = above.iter().position(|it| it.join(".git").exists()) else { return Ok(None) };
        let (Some(top), Some(home)) = (above.get(depth), &self.home) else { return Ok(None) };
        let mut sources = BTreeSet::from([PathBuf::from("/etc/gitconfig"), home.join(".gitconfig")]);
        for name in ["config", "ignore"] {
            sources.insert(
                self.config_home.clone().unwrap_or_else(|| home.join(".config")).join("git").join(name),
            );
        }
        // A damaged repository is not asked: git goes on looking for another one above.
        let parts = [places.own.join("HEAD")].into_iter().chain(PARTS.map(|part| places.common.join(part)));
        for part in parts {
            if !part.exists() {
                return Ok(None);
            }
            sources.insert(part);
        }
        sources.extend(places.configs());
        sources.extend([places.index(), places.common.join("info/exclude")]);
        sources.extend(above.iter().take(depth + 1).map(|above| above.join(".git")));
        // Those in the folder itself are found with what is in it.
        sources.extend(above.iter().take(depth + 1).skip(1).map(|above| above.join(".gitignore")));
        let listing = ["config", "--list", "--show-origin", "--includes", "-z"];
        let GitAnswer::Said(answer) = self.ask_for_list(folder, &listing)? else { return Ok(None) };
        let named = Named { top, home };
        let Some(named) = named.read(&answer) else { return Ok(None) };
        sources.extend(named);
        Ok(Some(sources))
    }

    /// Those of the folders below a folder that git does not look into; none that it may look into.
    ///
    /// # Errors
    /// When git does not answer.
    pub(crate) fn ignored_folders(
        &self,
        folder: &AbsolutePath,
        names: &[&str],
    ) -> Result<BTreeSet<String>, PolicyError> {
        let question: Vec<&str> = ["check-ignore", "--verbose", "--no-index", "--"]
            .into_iter()
            .chain(names.iter().copied())
            .collect();
        let GitAnswer::Said(answer) = self.ask_for_list(folder, &question)? else {
            return Ok(BTreeSet::new());
        };
        // `file:line:pattern`, a tab, and the name. Some versions of git show what a rule with `!` takes out again. A name
        // in quotes is none of ours.
        let ignored = answer.lines().filter_map(|line| line.rsplit_once('\t'));
        Ok(ignored.filter(|(rule, _)| !rule.contains(":!")).map(|(_, name)| name.to_owned()).collect())
    }
}

/// The files that a configuration names.
struct Named<'a> {
    /// The folder from which git names files.
    top: &'a Path,
    home: &'a Path,
}

impl Named<'_> {
    /// All that are read for it, and those with rules of what is ignored; `None` if one of them cannot be known.
    fn read(&self, answer: &str) -> Option<Vec<PathBuf>> {
        let mut named = Vec::new();
        let mut parts = answer.split_terminator('\0');
        while let (Some(origin), Some(setting)) = (parts.next(), parts.next()) {
            // The others are what is said for this question alone.
            let origin = origin.strip_prefix("file:").map(|origin| self.top.join(origin));
            let (key, value) = setting.split_once('\n').unwrap_or((setting, ""));
            let key = key.to_lowercase();
            if key == "include.path" || (key.starts_with("includeif.") && key.ends_with(".path")) {
                named.push(self.expand(value, origin.as_deref()?.parent()?)?);
            } else if key == "core.excludesfile" && !value.is_empty() {
                named.push(self.expand(value, Path::new(""))?);
            }
            if let Some(origin) = origin {
                // Named from elsewhere.
                fs::metadata(&origin).ok()?;
                named.push(origin);
            }
        }
        Some(named)
    }

    fn expand(&self, value: &str, folder: &Path) -> Option<PathBuf> {
        let path = match value.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None if value.starts_with(['~', '%']) => return None,
            None => folder.join(value),
        };
        path.is_absolute().then_some(path)
    }
}
