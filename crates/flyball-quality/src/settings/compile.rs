//! Compiles what the user wrote into the settings in force: the catalogue with the user's changes.

use std::collections::BTreeMap;

use flyball_core::config::{Authored, Located, Problem, Sources};

use super::changes::changed;
use super::{Biome, Nursery, Obeyed, Runtime, Settings, Written, problem};
use crate::catalogue;
use crate::finding::Level;
use crate::linter::{Entry, Linter, Origin, Reach};

/// The codes of Biome's experimental rules.
const NURSERY: &str = "lint/nursery/*";

impl Authored for Written {
    type Stored = Settings;

    fn compile(self, _: &Sources<'_>) -> Result<Settings, Vec<Problem>> {
        let problems = problem::all(&self);
        if !problems.is_empty() {
            return Err(problems);
        }
        let linters = linters(&self);
        let owned = |globs: Vec<Located<String>>| globs.into_iter().map(Located::into_value).collect();
        let fixer = self.fixer.value();
        let fixer = [&fixer.settings_file, &fixer.program].into_iter().flatten();
        let fixer = fixer.filter(|file| file.contains(['/', '.'])).cloned();
        let scripts = linters.iter().flat_map(command_words).filter(|word| is_script(word));
        let files = fixer.chain(scripts.map(str::to_owned)).collect();
        Ok(Settings {
            obeyed: Obeyed { files },
            scope: self.scope,
            format: self.format,
            exclude: owned(self.exclude),
            security_exclude: owned(self.security_exclude),
            deadline_seconds: self.deadline_seconds.into_value(),
            timeout_seconds: self.timeout_seconds,
            memory_mb: self.memory_mb,
            processes: self.processes,
            shown: self.shown,
            files_at_once: self.files_at_once,
            at_stop: self.at_stop,
            project: self.project.into_value(),
            fixer: self.fixer.into_value(),
            linters,
        })
    }
}

/// The program of each command, and the script that an interpreter is given.
fn command_words(linter: &Linter) -> impl Iterator<Item = &str> {
    let entry = &linter.entry;
    let checks = entry.check.iter().flat_map(|check| [&check.command, &check.stdin_command]);
    let filters = entry.format.iter().flatten().map(|filter| &filter.command);
    checks.chain(filters).flat_map(|words| words.iter().take(2)).map(String::as_str)
}

/// Whether a word names a script of the project, and not a package that was installed there.
fn is_script(word: &str) -> bool {
    let is_installed =
        ["node_modules/", ".venv/", "venv/", "vendor/"].iter().any(|folder| word.contains(folder));
    word.contains('/') && !word.starts_with(['/', '-', '~']) && !word.contains('{') && !is_installed
}

/// Every linter that is switched on, by name.
fn linters(written: &Written) -> Vec<Linter> {
    let mut all = catalogue::builtin().clone();
    // Before the user's own changes, which must win over what `[quality.biome]` sets.
    for name in ["biome", "biome-format", "biome-json"] {
        if let Some(entry) = all.get_mut(name) {
            set_up_biome(entry, &written.biome);
        }
    }
    for (name, changes) in &written.linters {
        let entry = all.entry(name.value().clone()).or_default();
        *entry = changed(entry, changes);
    }
    if !written.project.value().blocking {
        let is_advice =
            |entry: &&mut Entry| entry.reach == Some(Reach::Project) && entry.compiles != Some(true);
        let project = all.values_mut().filter(is_advice);
        // A level that the entry or the user sets is stronger.
        project.for_each(|entry| entry.level = entry.level.or(Some(Level::Advisory)));
    }
    let is_on = |entry: &Entry| {
        let language = entry.language.as_deref().unwrap_or_default();
        let switched = written.languages.iter().find(|(name, _)| name.value() == language);
        entry.enabled.unwrap_or(true) && switched.is_none_or(|(_, on)| *on)
    };
    let all = all.into_iter().filter(|(_, entry)| is_on(entry));
    let origin = |name: &str, entry: &Entry| match catalogue::builtin().get(name) {
        None => Origin::Own,
        Some(_) if entry.enabled == Some(true) => Origin::Asked,
        Some(_) => Origin::Catalogue,
    };
    all.map(|(name, entry)| Linter { origin: origin(&name, &entry), name, entry }).collect()
}

/// Applies `[quality.biome]` to an entry.
fn set_up_biome(entry: &mut Entry, biome: &Biome) {
    let via: &[&str] = match biome.runtime {
        // Biome's npm package starts node by itself.
        Runtime::Auto | Runtime::Node => &[],
        // Never install: a check must not download and run a package.
        Runtime::Npm => &["npx", "--no-install"],
        Runtime::Pnpm => &["pnpm", "exec"],
        Runtime::Bun => &["bunx", "--no-install"],
    };
    if !via.is_empty() {
        entry.via = Some(via.iter().map(|word| (*word).to_owned()).collect());
    }
    let level = |level| Some(BTreeMap::from([(NURSERY.to_owned(), level)]));
    match biome.nursery {
        Nursery::Off => entry.ignore = Some(vec![NURSERY.to_owned()]),
        Nursery::Warn => entry.levels = level(Level::Advisory),
        Nursery::Error => entry.levels = level(Level::Error),
    }
    if biome.unsafe_fixes {
        let filters = entry.format.iter_mut().flatten().filter(|filter| filter.fixes);
        let commands = filters.flat_map(|filter| [&mut filter.command, &mut filter.many]);
        commands.for_each(|command| {
            if let Some(at) = command.iter().position(|word| word == "--write") {
                command.insert(at + 1, "--unsafe".to_owned());
            }
        });
    }
}
