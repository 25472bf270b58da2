//! What was there before the session: a domain that came back to it has nothing to be judged.

use flyball_core::policy::{PolicyError, Situation, World};

use super::super::settings::Settings;
use super::super::state::{DomainState, State};
use super::moves;

/// Where the commit is kept at which the session began. It is taken before anything is done: a commit of the agent's
/// own work is no beginning.
const BASE: &str = "loop.feedback.base";
/// Of more files nobody asks whether each is what it was.
const MOST_FILES: usize = 16;
/// Longer answers of git are cut.
const MOST_BYTES: u64 = 256 * 1024 - 1;

/// Notes where the session begins, unless that is known or it begins `anew`.
pub(in super::super) fn note(situation: &Situation<'_>, anew: bool) -> Result<(), PolicyError> {
    let Some(head) = moves::head(situation.world) else { return Ok(()) };
    moves::remember(situation, &head)?;
    if anew || situation.memory.read(BASE)?.is_none() {
        situation.memory.write(BASE, head)?;
    }
    Ok(())
}

/// Closes the domains whose files are all what they were when the session began.
pub(in super::super) fn close_unchanged(
    situation: &Situation<'_>,
    settings: &Settings,
    state: &mut State,
) -> Result<(), PolicyError> {
    let open: Vec<String> = state.open_phases(settings).into_iter().map(|open| open.domain).collect();
    let few = |domain: &DomainState| !domain.files.is_empty() && domain.files.len() <= MOST_FILES;
    let mut asked =
        state.domains.iter_mut().filter(|(name, domain)| open.contains(name) && few(domain)).peekable();
    if asked.peek().is_none() {
        return Ok(());
    }
    let Some(base) = situation.memory.read(BASE)? else { return Ok(()) };
    let before = BaseCommit { world: situation.world, root: &super::root(situation), base: &base };
    for (_, domain) in asked {
        if domain.files.keys().all(|name| before.is_same(name)) {
            domain.origin = Some(domain.fingerprint());
        }
    }
    Ok(())
}

/// The project as it was.
struct BaseCommit<'a> {
    world: &'a dyn World,
    root: &'a str,
    base: &'a str,
}

impl BaseCommit<'_> {
    /// Whether a file is what it was. The content itself is compared: what git takes for unchanged, an agent can set.
    fn is_same(&self, name: &str) -> bool {
        let path = format!("{}/{name}", self.root.trim_end_matches('/'));
        let blob = format!("{}:./{name}", self.base);
        let was = self.ask(&["cat-file", "blob", &blob]);
        match (self.world.stat(&path), was) {
            (None, None) => self.ask(&["cat-file", "-e", &format!("{}^{{commit}}", self.base)]).is_some(),
            (Some(stat), Some(was)) if !stat.is_folder => {
                let now = self.world.read(&path, MOST_BYTES).ok().flatten();
                now.is_some_and(|now| now == was.as_bytes())
            }
            _ => false,
        }
    }

    fn ask(&self, question: &[&str]) -> Option<String> {
        let question = [&["--no-replace-objects"][..], question].concat();
        self.world.git(self.root, &question).ok().flatten()
    }
}
