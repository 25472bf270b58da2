//! Which languages a project has, and which of their linters this machine has. Shared by `init` and
//! `doctor`; installs nothing.

mod files;
mod program;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use flyball_core::config::compile;
use flyball_core::world::Place as _;
use flyball_policies::REGISTRY;
use flyball_quality::catalogue;
use flyball_quality::installers;
use flyball_quality::linter::{Entry, Linter};
use flyball_quality::pipeline::{Choice, ChoiceFinder, applies_to_path};
use flyball_quality::settings::Settings;
use flyball_world::config::{ConfigFiles, Layers};
use flyball_world::machine::Machine;

pub(crate) use self::program::State;
use crate::environment;
use crate::install::Site;

/// The language of linters that are for whole projects of any language.
pub(crate) const PROJECT: &str = "project";

/// At most this many folders of a project are searched for programs of their own.
const MOST_FOLDERS: usize = 300;
/// At most this many files of a linter are looked at to see what chose it.
const MOST_FILES: usize = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The languages of the files, switched on or not, sorted.
    pub(crate) languages: Vec<String>,
    /// Every linter that is switched on and has something to do here: by language, linters of whole
    /// projects last.
    pub(crate) linters: Vec<LinterStatus>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinterStatus {
    pub(crate) name: String,
    pub(crate) language: String,
    /// How to install it.
    pub(crate) install: String,
    /// What chose it.
    pub(crate) chosen_by: String,
    pub(crate) state: State,
}

/// The settings that the files hold now; the defaults if they cannot be read. Writes nothing.
pub(crate) fn settings(files: &ConfigFiles) -> Settings {
    let layers = Layers::read(files);
    // `init` and `doctor` must work with a broken config: they are how people find out.
    let compiled = compile(&layers.texts(), REGISTRY).or_else(|_| compile(&[], REGISTRY));
    let section = compiled.ok().and_then(|it| it.config.sections.get("quality").cloned());
    section.and_then(|section| section.parse().ok()).unwrap_or_default()
}

/// The machine that a command sees.
pub(crate) fn machine(site: &Site) -> Machine {
    let machine =
        Machine::new(Instant::now(), Some(site.home.clone()), &site.root, Vec::new(), flyball_clients::FACTS);
    machine.with_environment(environment::variable)
}

/// The files of a project, by their paths from its root.
pub(crate) fn project_files(machine: &Machine, root: &Path) -> Vec<String> {
    files::list_files(machine, root)
}

/// The command that installs a linter: as the project installs what it declares, or else as its makers say.
pub(crate) fn install_command(machine: &Machine, usual: &str) -> String {
    installers::of_linter(machine, usual, machine.project_root()).unwrap_or(usual).to_owned()
}

/// Looks at the project's files and for the programs.
pub(crate) fn survey(site: &Site, settings: &Settings) -> Survey {
    let machine = machine(site);
    let files = files::list_files(&machine, &site.root);
    let project = Files { settings, files };
    let mut finder = ChoiceFinder::new(settings, &machine);
    let mut chosen: Vec<(&Linter, String)> = Vec::new();
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    for linter in &settings.linters {
        if let Some(choice) = project.choice(&mut finder, linter) {
            chosen.push((linter, choice.describe(&linter.name)));
            if choice.of_project().is_some() || linter.entry.optional != Some(true) {
                needed.insert(&linter.name);
            }
        }
    }
    chosen.sort_by_key(|(linter, _)| (language(&linter.entry) == PROJECT, language(&linter.entry)));
    let linters: Vec<&Linter> = chosen.iter().map(|(linter, _)| *linter).collect();
    let states = program::states(&machine, &linters, |linter| project.folders(linter));
    let seen = chosen.into_iter().zip(states).map(|((linter, chosen_by), state)| LinterStatus {
        name: linter.name.clone(),
        language: language(&linter.entry).to_owned(),
        install: install_command(&machine, linter.entry.install.as_deref().unwrap_or_default()),
        chosen_by,
        state,
    });
    let seen =
        seen.filter(|seen| seen.state != State::Missing || needed.contains(seen.name.as_str())).collect();
    Survey { languages: project.languages(), linters: seen }
}

fn language(entry: &Entry) -> &str {
    entry.language.as_deref().unwrap_or(PROJECT)
}

/// The files of a project, and the settings that apply to them.
struct Files<'a> {
    settings: &'a Settings,
    files: Vec<String>,
}

impl Files<'_> {
    /// The languages of the files, whatever is switched off.
    fn languages(&self) -> Vec<String> {
        let builtin = catalogue::builtin().iter();
        let builtin = builtin.map(|(name, entry)| Linter {
            name: name.clone(),
            entry: entry.clone(),
            ..Linter::default()
        });
        let mut languages = BTreeSet::new();
        for linter in builtin.chain(self.settings.linters.iter().cloned()) {
            let language = language(&linter.entry);
            if language != PROJECT && !languages.contains(language) && self.has_file_for(&linter) {
                languages.insert(language.to_owned());
            }
        }
        languages.into_iter().collect()
    }

    /// What chose a linter for one of the files.
    fn choice(&self, finder: &mut ChoiceFinder<'_>, linter: &Linter) -> Option<Choice> {
        // A project may run a linter on some files of a folder only, so that more than one of each is looked at.
        let of_linter = self.files.iter().filter(|file| applies_to_path(linter, file, self.settings));
        of_linter.take(MOST_FILES).find_map(|file| finder.find(linter, file))
    }

    /// The folders below the root that hold files for a linter: each may have its own programs.
    fn folders(&self, linter: &Linter) -> Vec<String> {
        let matching = self.files.iter().filter(|file| applies_to_path(linter, file, self.settings));
        let folders: BTreeSet<&str> = matching.filter_map(|file| Some(file.rsplit_once('/')?.0)).collect();
        folders.into_iter().take(MOST_FOLDERS).map(str::to_owned).collect()
    }

    fn has_file_for(&self, linter: &Linter) -> bool {
        self.files.iter().any(|file| applies_to_path(linter, file, self.settings))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_a_project_declares_is_installed_its_way() {
        let eslint = "npm install --save-dev eslint";
        let declared = ("package.json", r#"{"devDependencies": {"eslint": "^9"}}"#);
        let cases = [
            (&[][..], eslint, eslint),
            (&[("package.json", "{}")], eslint, eslint),
            (&[declared], eslint, "npm install"),
            (&[declared, ("package-lock.json", "{}")], eslint, "npm ci"),
            (&[declared, ("pnpm-lock.yaml", "")], eslint, "pnpm install"),
            (&[("uv.lock", "[[package]]\nname = \"ruff\"\n")], "uv tool install ruff", "uv sync"),
            (&[("uv.lock", "name = \"other\"\n")], "uv tool install ruff", "uv tool install ruff"),
        ];
        for (files, usual, expected) in cases {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                fs::write(folder.path().join(name), text).unwrap();
            }
            let machine =
                Machine::new(Instant::now(), None, folder.path(), Vec::new(), flyball_clients::FACTS);
            assert_eq!(install_command(&machine, usual), expected, "{files:?}");
        }
    }
}
