//! The content before the session: a domain that is back at it has nothing to be reviewed.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError, Situation, World};

use super::super::session::Session;
use super::super::state::DomainState;
use super::moves;

/// The commit at which the session began. It is recorded before anything is done, so that it is never a commit of the
/// agent's own work.
const BASE: &str = "loop.feedback.base";
/// With more files, whether each is unchanged is not checked.
const MOST_FILES: usize = 16;
/// Longer answers of git are cut.
const MOST_BYTES: u64 = 256 * 1024 - 1;

/// Notes where the session begins, unless that is known or it begins `anew`.
pub(in super::super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    let head = moves::head(situation.world);
    // What is not known now is not known later either: by then, the agent may have committed its work.
    let base = head.as_ref().ok().cloned().flatten().unwrap_or_default();
    if let Some(head) = head? {
        moves::remember(situation, &head)?;
    }
    if anew || situation.memory.read(BASE)?.is_none() {
        situation.memory.write(BASE, base)?;
    }
    Ok(())
}

impl Session<'_> {
    /// Closes the domains whose files are all unchanged since the session began.
    pub(in super::super) fn close_unchanged(&mut self) -> Result<(), PolicyError> {
        let open: Vec<String> = self.open_phases().into_iter().map(|open| open.domain).collect();
        // Each file costs a call of git.
        let few = |domain: &DomainState| !domain.files.is_empty() && domain.files.len() <= MOST_FILES;
        let domains = self.state.domains.iter_mut();
        let mut asked = domains.filter(|(name, domain)| open.contains(name) && few(domain)).peekable();
        if asked.peek().is_none() {
            return Ok(());
        }
        let base = self.situation.memory.read(BASE)?.filter(|base| !base.is_empty());
        let Some(base) = base else { return Ok(()) };
        let before =
            BaseCommit { world: self.situation.world, root: &super::root(self.situation), base: &base };
        for (_, domain) in asked {
            if domain.files.keys().all(|name| before.is_same(name)) {
                domain.origin = Some(domain.fingerprint());
            }
        }
        Ok(())
    }
}

/// The project as it was when the session began.
struct BaseCommit<'a> {
    world: &'a dyn World,
    root: &'a AbsolutePath,
    base: &'a str,
}

impl BaseCommit<'_> {
    /// Whether a file is known to be unchanged. The content itself is compared, because an agent can set what git takes for
    /// unchanged.
    fn is_same(&self, name: &str) -> bool {
        let path = self.root.join(name);
        let blob = format!("{}:./{name}", self.base);
        let was = self.ask(&["cat-file", "blob", &blob]);
        let is_same = match (self.world.stat(&path), was) {
            // If the commit is gone, git finds no file in it at all: that must not count as unchanged.
            (None, Ok(GitAnswer::No)) => {
                let commit = self.ask(&["cat-file", "-e", &format!("{}^{{commit}}", self.base)]);
                matches!(commit, Ok(GitAnswer::Said(_)))
            }
            (Some(stat), Ok(GitAnswer::Said(was))) if !stat.is_folder => {
                let now = self.world.read(&path, MOST_BYTES);
                now.is_ok_and(|now| now.is_some_and(|now| now == was.as_bytes()))
            }
            // Also if git does not answer.
            _ => false,
        };
        is_same && self.world.unknown_fact().is_none()
    }

    fn ask(&self, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        // With `git replace`, an agent could put its own content in the place of the old.
        let question = [&["--no-replace-objects"][..], question].concat();
        self.world.git(self.root, &question)
    }
}
