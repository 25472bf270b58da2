//! The files that flyball itself consists of on this machine, for `guard.self`.

use std::path::Path;

use flyball_clients::CLIENTS;
use flyball_clients::install::Places;
use flyball_core::config::{Config, Mode};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::OwnFile;
use flyball_core::world::OBEYED;
use flyball_quality::linter::Linter;
use flyball_quality::settings::Settings as QualitySettings;
use flyball_world::config::MANAGED_FILE;

use crate::environment::{self, Environment};

/// What the files are in which our hooks are registered.
pub(crate) const REGISTRATION: &str = "where flyball's hooks are registered";

/// The files that the project's config makes flyball run or obey: settings of the fixer's client, scripts of linters.
pub(crate) fn obeyed_files(config: &Config, root: &Path) -> Vec<OwnFile> {
    let section = config.sections.get("quality").filter(|section| section.mode != Mode::Off);
    let Some(settings) = section.and_then(|section| section.parse::<QualitySettings>().ok()) else {
        return Vec::new();
    };
    let fixer = [&settings.fixer.settings_file, &settings.fixer.program].map(|it| it.as_deref());
    let mut files: Vec<OwnFile> = Vec::new();
    for file in fixer.into_iter().flatten().filter(|file| file.contains(['/', '.'])) {
        let path = AbsolutePath::from_path(&root.join(file));
        files.push(OwnFile { path, what: OBEYED });
    }
    for word in settings.linters.iter().flat_map(command_words).filter(|word| is_script(word)) {
        let path = root.join(word);
        if path.is_file() {
            files.push(OwnFile { path: AbsolutePath::from_path(&path), what: OBEYED });
        }
    }
    files
}

fn command_words(linter: &Linter) -> impl Iterator<Item = &str> {
    let entry = &linter.entry;
    let checks = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let filters = entry.format.iter().flatten().map(|filter| &filter.command);
    // The program, or the script that an interpreter is given.
    checks.chain(filters).flat_map(|words| words.iter().take(2)).map(String::as_str)
}

/// Whether a word names a script of the project, and not a package that was installed there.
fn is_script(word: &str) -> bool {
    let is_installed =
        ["node_modules/", ".venv/", "venv/", "vendor/"].iter().any(|folder| word.contains(folder));
    word.contains('/') && !word.starts_with(['/', '-', '~']) && !word.contains('{') && !is_installed
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
