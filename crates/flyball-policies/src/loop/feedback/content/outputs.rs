//! What a build makes: what comes without a name into a folder that is called as such folders are, and of which git has
//! nothing, is no work of anybody.

use std::cell::RefCell;
use std::collections::BTreeMap;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::walk;

use super::base::known_commits;
use super::trees::{Checkouts, Located};
use crate::built_folders::{is_build_folder, may_be_build_folder};

/// Below these, such a name is that of a part of the program.
const SOURCES: [&str; 8] = ["src", "source", "sources", "Sources", "lib", "internal", "pkg", "cmd"];

/// Tells what a build made.
pub(super) struct Outputs<'a, 's> {
    situation: &'a Situation<'s>,
    checkouts: &'a Checkouts<'a>,
    /// The folders that were asked about, and whether git has something of them.
    known: RefCell<BTreeMap<(AbsolutePath, String), bool>>,
}

impl<'a, 's> Outputs<'a, 's> {
    pub(super) fn new(situation: &'a Situation<'s>, checkouts: &'a Checkouts<'a>) -> Outputs<'a, 's> {
        Outputs { situation, checkouts, known: RefCell::default() }
    }

    /// Whether a file that no call names is a build output.
    ///
    /// # Errors
    /// When git does not answer.
    pub(super) fn has(&self, place: &Located) -> Result<bool, PolicyError> {
        let base = place.tree.as_ref().unwrap_or_else(|| self.checkouts.root());
        // Without git, nobody can say what was there before.
        let folder = output_folder(self.situation.world, base, &place.name);
        let Some(folder) = folder.filter(|_| self.checkouts.has_git()) else { return Ok(false) };
        let key = (base.clone(), folder);
        if let Some(is_source) = self.known.borrow().get(&key) {
            return Ok(!is_source);
        }
        let is_source = is_in_git(self.situation, &key.0, &key.1)?;
        self.known.borrow_mut().insert(key, is_source);
        Ok(!is_source)
    }
}

/// The outermost folder above a file that may be made by a build, or have what was installed.
fn output_folder(world: &dyn World, base: &AbsolutePath, name: &str) -> Option<String> {
    let (folders, _) = name.rsplit_once('/')?;
    let mut path = String::new();
    for part in folders.split('/') {
        if SOURCES.contains(&part) {
            return None;
        }
        if !path.is_empty() {
            path.push('/');
        }
        path.push_str(part);
        if is_build_folder(part) || may_be_build_folder(part) || walk::is_installed(world, &base.join(&path))
        {
            return Some(path);
        }
    }
    None
}

/// Whether git has a file of a folder, or had one when the session began.
fn is_in_git(situation: &Situation<'_>, base: &AbsolutePath, folder: &str) -> Result<bool, PolicyError> {
    let has = |question: &[&str]| -> Result<bool, PolicyError> {
        let question = [&["--literal-pathspecs"], question, &["--", folder]].concat();
        Ok(situation.world.git(base, &question)?.text().is_some_and(|answer| !answer.is_empty()))
    };
    let commits = known_commits(situation)?;
    let Some(began) = commits.lines().next() else { return has(&["ls-files", "-z"]) };
    Ok(has(&["ls-files", "-z"])? || has(&["ls-tree", "-z", began])?)
}
