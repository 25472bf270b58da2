//! A loop with ten domains open, in sessions that are about to stop.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use flyball_core::event::SessionId;
use flyball_core::policy::Memory;
use flyball_core::time::Time;
use flyball_policies::r#loop::feedback::State;
use flyball_policies::r#loop::feedback::state::{DomainState, FileState};
use flyball_store::Store;

use super::contestant::Input;
use super::scratch::Scratch;
use flyball::outcome::Failed;

const DOMAINS: usize = 10;
const FILES: usize = 5;
const WAIT: Duration = Duration::from_secs(10);

/// The config of a project with ten domains.
pub(super) fn config() -> String {
    let domains = (0..DOMAINS).map(|domain| {
        format!("[[loop.feedback.domain]]\nname = \"part-{domain}\"\npaths = [\"part-{domain}/**\"]\n")
    });
    format!("[loop.feedback]\nmode = \"enforce\"\n{}", domains.collect::<String>())
}

/// The files that the sessions edited.
pub(super) fn files(scratch: &Scratch, project: &str) -> Result<(), Failed> {
    for (domain, file) in names() {
        scratch.write(&format!("{project}/{}", path(domain, file)), "x = 1\n")?;
    }
    Ok(())
}

/// Makes every session of a contestant look as if it had edited all of them.
pub(super) fn begin(store: &Store, client: &str, project: &Path, input: &Input) -> Result<(), Failed> {
    let state = serde_json::to_string(&state(project)).unwrap_or_default();
    for session in 0..input.sessions {
        let journal = store.session(client, &SessionId::new(&input.session(session)), WAIT);
        journal.write("engine.root", project.to_string_lossy().into_owned())?;
        journal.write("loop.feedback", state.clone())?;
        journal.keep_memory()?;
    }
    Ok(())
}

/// All files were read when they were edited, and nobody touched them since.
fn state(project: &Path) -> State {
    let mut state = State { iteration: 1, began: Time::MAX, ..State::default() };
    for (domain, file) in names() {
        let domain_state: &mut DomainState = state.domains.entry(format!("part-{domain}")).or_default();
        let known = FileState {
            content: Some(1),
            stamp: stamp(&project.join(path(domain, file))),
            ..FileState::default()
        };
        domain_state.files.insert(path(domain, file), known);
    }
    state
}

/// What a file looks like from outside: when it last changed, its number, its length.
fn stamp(file: &Path) -> (u64, u64, u64) {
    let Ok(data) = file.metadata() else { return (0, 0, 0) };
    let nanos = data.ctime().saturating_mul(1_000_000_000).saturating_add(data.ctime_nsec());
    (u64::try_from(nanos).unwrap_or_default(), data.ino(), data.len())
}

fn names() -> impl Iterator<Item = (usize, usize)> {
    (0..DOMAINS).flat_map(|domain| (0..FILES).map(move |file| (domain, file)))
}

fn path(domain: usize, file: usize) -> String {
    format!("part-{domain}/file-{file}.py")
}
