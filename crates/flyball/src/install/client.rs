//! Which clients are in use on this machine, and in which version.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flyball_clients::install::{Base, Place, Version};
use flyball_clients::{CLIENTS, Client};
use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Ending, Job, Limits, Programs};
use flyball_world::machine::Machine;

use super::mode::is_executable;
use super::site::Site;
use crate::environment;
use crate::progress::Progress;

/// How long a client may take to print its version.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A version is short.
const OUTPUT_BYTES: usize = 1024;

/// A client as it was found on this machine.
pub(crate) struct DetectedClient {
    pub(crate) client: &'static Client,
    /// Whether anything of it was found.
    pub(crate) in_use: bool,
    /// Whether the project has files of it.
    pub(crate) in_project: bool,
    pub(crate) program: Option<PathBuf>,
    /// The version that its program prints.
    pub(crate) version: Option<Version>,
}

impl DetectedClient {
    /// Its name, with the version where that is known.
    pub(crate) fn title(&self) -> String {
        let title = self.client.title();
        self.version.map_or_else(|| title.to_owned(), |version| format!("{title} {version}"))
    }
}

/// Looks for the selected clients, and asks each for its version.
pub(crate) fn detect(
    site: &Site,
    is_selected: &dyn Fn(&Client) -> bool,
    progress: &Progress,
) -> Vec<DetectedClient> {
    let clients = CLIENTS.iter().copied().filter(|client| is_selected(client));
    clients
        .map(|client| {
            progress.set_text(&format!("asking {} for its version", client.title()));
            look_for(client, site)
        })
        .collect()
}

fn look_for(client: &'static Client, site: &Site) -> DetectedClient {
    let facts = client.facts();
    let program = facts.shared.programs.iter().find_map(|name| on_path(name));
    // Its program may be somewhere else than on the search path; its folders show that it is used.
    let has_left = |place: &&Place| facts.locate(place, &site.places()).exists();
    let mut traces = facts.traces.iter().filter(has_left).peekable();
    let in_use = program.is_some() || traces.peek().is_some();
    let in_project = traces.any(|place| place.base == Base::Project);
    let version = program.as_deref().and_then(version_of);
    DetectedClient { client, in_use, in_project, program, version }
}

/// The program of that name on the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = environment::variable("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| is_executable(program))
}

/// The version that a program prints for `--version`. One that hangs is ended with all that it started.
pub(crate) fn version_of(program: &Path) -> Option<Version> {
    let folder = environment::working_directory()?;
    let job = Job {
        program: AbsolutePath::new(std::path::absolute(program).ok()?.to_str()?)?,
        arguments: vec!["--version".to_owned()],
        folder: AbsolutePath::new(folder.to_str()?)?,
        ..Job::default()
    };
    let limits = Limits { timeout: TIMEOUT, output_bytes: OUTPUT_BYTES, ..Limits::default() };
    let machine = Machine::new(Instant::now(), None, &folder, Vec::new(), flyball_clients::FACTS);
    let ran = machine.run(&[job], limits).into_iter().next()?;
    match ran.ending {
        Ending::Exited(_) | Ending::Killed(_) => Version::parse(&String::from_utf8_lossy(&ran.stdout)),
        Ending::TimedOut | Ending::OverLimit(_) | Ending::NotStarted(_) => None,
    }
}
