//! Which clients are in use on this machine, and in which version.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use flyball_clients::install::Version;
use flyball_clients::{CLIENTS, Client};

use super::mode::is_executable;
use super::site::Site;
use crate::environment;

/// How long a client may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// A client as this machine knows it.
pub(crate) struct Detected {
    /// The client.
    pub(crate) client: &'static dyn Client,
    /// Whether anything of it was found.
    pub(crate) in_use: bool,
    /// Its program.
    pub(crate) program: Option<PathBuf>,
    /// The version that its program says.
    pub(crate) version: Option<Version>,
}

impl Detected {
    /// Its name, with the version where that is known.
    pub(crate) fn title(&self) -> String {
        let title = self.client.title();
        self.version.map_or_else(|| title.to_owned(), |version| format!("{title} {version}"))
    }
}

/// Looks for every client; those that are wanted are asked for their version.
pub(crate) fn detect(site: &Site, wanted: &dyn Fn(&dyn Client) -> bool) -> Vec<Detected> {
    let clients = CLIENTS.iter().copied().filter(|client| wanted(*client));
    clients.map(|client| look_for(client, site)).collect()
}

fn look_for(client: &'static dyn Client, site: &Site) -> Detected {
    let facts = client.facts();
    let program = facts.presence.programs.iter().find_map(|name| on_path(name));
    let left_behind =
        || facts.presence.places.iter().any(|place| facts.locate(place, &site.places()).exists());
    let in_use = program.is_some() || left_behind();
    let version = program.as_deref().and_then(version_of);
    Detected { client, in_use, program, version }
}

/// The program of that name on the search path.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = environment::variable("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| is_executable(program))
}

/// The version that a program says for `--version`.
pub(crate) fn version_of(program: &Path) -> Option<Version> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    if !ends_in_time(&mut child) {
        // What it started in turn may live on and hold the pipe, so nothing is read from it.
        drop(child.kill());
        drop(child.wait());
        return None;
    }
    let mut said = [0; 1024];
    let length = child.stdout.take()?.read(&mut said).ok()?;
    Version::parse(&String::from_utf8_lossy(said.get(..length)?))
}

fn ends_in_time(child: &mut Child) -> bool {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => return false,
        }
    }
    false
}
