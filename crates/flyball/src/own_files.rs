//! The files that flyball itself consists of on this machine, for `guard.self`.

use std::path::Path;

use flyball_clients::CLIENTS;
use flyball_clients::install::Places;
use flyball_core::config::{Config, Mode};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::OwnFile;
use flyball_core::world::OBEYED;
use flyball_quality::settings::Obeyed;
use flyball_world::config::MANAGED_FILE;

use crate::environment::{self, Environment};

/// What the files are in which our hooks are registered.
pub(crate) const REGISTRATION: &str = "where flyball's hooks are registered";

/// The files that the config makes flyball run or obey.
pub(crate) fn obeyed_files(config: &Config, root: &Path) -> Vec<OwnFile> {
    let section = config.sections.get("quality").filter(|section| section.mode != Mode::Off);
    // Only the beginning of the section is decoded.
    let obeyed = section.and_then(|section| section.parse_beginning::<Obeyed>().ok()).unwrap_or_default();
    let files = obeyed.files.iter().map(|file| AbsolutePath::from_path(&root.join(file)));
    files.map(|path| OwnFile { path, what: OBEYED }).collect()
}

/// flyball's configuration, registration, state and program, as an agent could reach them.
pub(crate) fn own_files(environment: &Environment, root: &Path) -> Vec<OwnFile> {
    let own = |path: &Path, what| OwnFile { path: AbsolutePath::from_path(path), what };
    let mut files = vec![
        own(&root.join("flyball.toml"), "flyball's configuration"),
        own(Path::new(MANAGED_FILE), "flyball's configuration"),
    ];
    files.extend(environment.config_dir().map(|dir| own(dir, "flyball's configuration")));
    files.extend(environment.state_dir().map(|dir| own(dir, "flyball's recorded state")));
    // The usual places too: the next client may be started without the variables that moved them.
    if let Some(home) = environment.home.as_deref() {
        files.push(own(&home.join(".config/flyball"), "flyball's configuration"));
        files.push(own(&home.join(".local/state/flyball"), "flyball's recorded state"));
    }
    // An agent that replaces the program has switched off every guard.
    files.extend(environment::program().map(|program| own(&program, "flyball's program")));
    let home = environment.home.as_deref().unwrap_or(root);
    let places = Places { project: root, home, variable: &environment::variable };
    for facts in CLIENTS.iter().map(|client| client.facts()) {
        let guarded = facts.guarded.iter().map(|place| facts.locate(place, &places));
        files.extend(guarded.map(|path| own(&path, REGISTRATION)));
    }
    files
}
