//! Loads the configuration in force: from the cache, from the files, or the last good texts of broken ones.

use std::fs::Metadata;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use flyball_core::config::{
    Config, Diagnostic, Layer, LayerText, Mode, NotInForce, SectionBytes, Standing, broken_layers, compile,
};
use flyball_core::engine::Registry;
use flyball_core::text;
use serde::Serialize;

use super::cache::{Cache, Outcome, fingerprint};
use super::files::{Accepted, ConfigFiles};
use super::last_good::LastGood;
use super::layers::{LayerFile, Layers, Persistence};
use super::pin::{Pin, PinnedTexts};
use super::settle;
use super::stamp::Stamp;
use super::status::Status;

/// The configuration in force, and what to report about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub config: Arc<Config>,
    /// What is wrong with the files and what is done about it, a line each, for the user.
    pub notices: Vec<String>,
    /// What was ignored, a line each, for commands that show it.
    pub warnings: Vec<String>,
    /// Where it was read from.
    pub source: Source,
    /// Whether it is the content of the files.
    pub status: Status,
    /// The texts that are in force: what a session that begins now begins with.
    pub in_force: PinnedTexts,
    /// Whether a person trusts the project: its own programs may be run without being asked for.
    pub is_project_trusted: bool,
    /// Why it could not be cached for the next event; that costs time, nothing else.
    pub uncached: Option<String>,
}

/// Where a configuration was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The cache: no file changed since.
    Cache,
    Fresh,
}

/// Loads the configuration that is in force for a project, as far as an event needs it: a policy that is off has no
/// settings. Events would only copy them.
#[must_use]
pub fn load(files: &ConfigFiles, cache_dir: &Path, registry: Registry) -> Loaded {
    let seen = FileStamps::read(files);
    let key = seen.key(files, registry);
    // The first is what a session that begins now would get, which is what most running ones have, too.
    let shared = Cache::for_project(cache_dir, &files.project).read(&key);
    if let Some(outcome) = shared.filter(|outcome| is_pinned(&outcome.in_force, files)) {
        return loaded(outcome, Source::Cache);
    }
    if let Some(outcome) = files.pin.as_ref().and_then(|pin| pinned_cache(cache_dir, files, pin).read(&key)) {
        return loaded(outcome, Source::Cache);
    }
    let mut loaded = load_all(files, cache_dir, registry);
    loaded.config = Arc::new(strip_unneeded(&loaded.config, registry));
    loaded
}

/// Loads all of it, from the files: for commands that show it or run a policy that is off.
#[must_use]
pub fn load_all(files: &ConfigFiles, cache_dir: &Path, registry: Registry) -> Loaded {
    let now = SystemTime::now();
    let seen = FileStamps::read(files);
    let layers = seen.layers(files);
    // A fresh file may change again under the same stamp, and an unreadable one may become readable without a
    // new stamp: either would make the cache serve an old result.
    let is_settled = seen.files.iter().all(|(_, stamp, _)| !stamp.is_fresh(now))
        && !seen.trust.is_fresh(now)
        && seen.outer.iter().all(|stamp| !stamp.is_fresh(now))
        && layers.unreadable.iter().all(|file| file.persistence == Persistence::UntilChanged);
    let good = LastGood { folder: cache_dir };
    let (outcome, written) = resolve(layers, &good, (files, registry));
    let stored = store_good(&written, &good, files);
    let cache = || {
        let slim = Outcome { config: strip_unneeded(&outcome.config, registry), ..outcome.clone() };
        let cache = match &files.pin {
            Some(pin) => pinned_cache(cache_dir, files, pin),
            None => Cache::for_project(cache_dir, &files.project),
        };
        cache.write(&seen.key(files, registry), &slim)
    };
    // The good texts first: with a cache hit they would not be stored any more.
    let written = if is_settled { stored.and_then(|()| cache()) } else { stored };
    Loaded { uncached: written.err().map(|cause| cause.to_string()), ..loaded(outcome, Source::Fresh) }
}

/// The same without caching anything for the next event: for commands that change nothing.
#[must_use]
pub fn load_read_only(files: &ConfigFiles, cache_dir: &Path, registry: Registry) -> Loaded {
    let layers = FileStamps::read(files).layers(files);
    let (outcome, _) = resolve(layers, &LastGood { folder: cache_dir }, (files, registry));
    loaded(outcome, Source::Fresh)
}

/// Whether these texts are those that the session began with.
fn is_pinned(in_force: &PinnedTexts, files: &ConfigFiles) -> bool {
    files.pin.as_ref().is_none_or(|pin| pin.texts == *in_force)
}

/// The cache of sessions that began with texts that a session which begins now would not get.
fn pinned_cache(cache_dir: &Path, files: &ConfigFiles, pin: &Pin) -> Cache {
    Cache::for_session(cache_dir, &files.project, &pin.to_string())
}

/// What an event needs of a configuration. A policy that was switched off is still listed; one that is off by default
/// is not.
fn strip_unneeded(config: &Config, registry: Registry) -> Config {
    let mut config = config.clone();
    let is_off_anyway =
        |id: &str| registry.iter().any(|policy| policy.id.as_str() == id && policy.mode == Mode::Off);
    config.sections.retain(|id, section| section.mode != Mode::Off || !is_off_anyway(id));
    for section in config.sections.values_mut().filter(|section| section.mode == Mode::Off) {
        section.settings = SectionBytes::default();
    }
    config
}

fn loaded(outcome: Outcome, source: Source) -> Loaded {
    let Outcome { config, status, notices, warnings, in_force, is_project_trusted } = outcome;
    Loaded {
        config: Arc::new(config),
        notices,
        warnings,
        source,
        status,
        in_force,
        is_project_trusted,
        uncached: None,
    }
}

/// The files as they were found, before any was read: what changes after is seen next time.
struct FileStamps {
    files: Vec<(Layer, Stamp, Option<Metadata>)>,
    trust: Stamp,
    outer: Vec<Stamp>,
}

/// What a cache is good for.
#[derive(Serialize)]
struct Key<'a> {
    version: &'a str,
    program: Stamp,
    registry: u64,
    files: Vec<(&'a [u8], Stamp)>,
    /// What people accepted.
    trust: Stamp,
    outer: Vec<(&'a [u8], Stamp)>,
}

impl FileStamps {
    fn read(files: &ConfigFiles) -> FileStamps {
        let look = |layer: &Layer| {
            let (stamp, metadata) = files.path(*layer).map_or((Stamp::Absent, None), Stamp::read);
            (*layer, stamp, metadata)
        };
        let trust = match &files.accepted {
            Accepted::Recorded(trust) => Stamp::read(&trust.path()).0,
            Accepted::All => Stamp::Hidden,
            Accepted::Nothing => Stamp::Absent,
        };
        let outer = files.outer.iter().map(|path| Stamp::read(path).0).collect();
        FileStamps { files: Layer::ALL.iter().map(look).collect(), trust, outer }
    }

    fn layers(&self, files: &ConfigFiles) -> Layers {
        let mut layers = Layers::default();
        for (layer, stamp, metadata) in &self.files {
            layers.add(*layer, files, (*stamp, metadata.as_ref()));
        }
        layers.settle(files);
        layers.add_outer(files);
        layers
    }

    fn key(&self, files: &ConfigFiles, registry: Registry) -> Vec<u8> {
        let path = |layer| files.path(layer).unwrap_or(Path::new("")).as_os_str().as_encoded_bytes();
        let key = Key {
            version: env!("CARGO_PKG_VERSION"),
            program: program(),
            // The modes are part of it: what is stripped from the cache depends on the defaults.
            registry: registry_fingerprint(registry),
            files: self.files.iter().map(|(layer, stamp, _)| (path(*layer), *stamp)).collect(),
            trust: self.trust,
            outer: files
                .outer
                .iter()
                .map(|path| path.as_os_str().as_encoded_bytes())
                .zip(self.outer.iter().copied())
                .collect(),
        };
        postcard::to_stdvec(&key).unwrap_or_default()
    }
}

/// The program itself: two builds of one version may have different types for a section.
fn program() -> Stamp {
    if cfg!(target_os = "linux") {
        return Stamp::read(Path::new("/proc/self/exe")).0;
    }
    std::env::current_exe().map_or(Stamp::Absent, |path| Stamp::read(&path).0)
}

fn registry_fingerprint(registry: Registry) -> u64 {
    let mut names = String::with_capacity(1024);
    for policy in registry {
        names.extend([policy.id.as_str(), " ", policy.mode.name(), "\n"]);
    }
    fingerprint(names.as_bytes())
}

/// Compiles the files, and returns which of them count as they are. A broken one is replaced by its last good text, and
/// that by nothing, until what is left can be compiled.
fn resolve(layers: Layers, good: &LastGood<'_>, by: (&ConfigFiles, Registry)) -> (Outcome, Vec<LayerFile>) {
    let (files, registry) = by;
    let mut attempt = Attempt {
        stand_ins: Vec::new(),
        status: Status::AsWritten,
        notices: layers.notices,
        written: layers.readable,
        good,
        files,
    };
    for file in layers.unreadable {
        attempt.replace(file.layer, file.one_line());
    }
    // Again after each replacement: the last good text may be invalid for this version of flyball.
    let compiled = loop {
        match compile(&attempt.texts(), registry) {
            Ok(compiled) => break compiled,
            Err(diagnostics) => attempt.replace_broken(&diagnostics),
        }
    };
    // What loosens in a file above is in force where that is the project's.
    let is_outer = |file: &str| files.outer.iter().any(|outer| outer.to_string_lossy() == file);
    let left_out: Vec<NotInForce> =
        compiled.not_in_force.iter().filter(|it| !is_outer(&it.place.file)).cloned().collect();
    let mut warnings = layers.warnings;
    warnings.extend(compiled.warnings.iter().map(Diagnostic::one_line));
    let not_in_force =
        |it: &NotInForce| format!("{}: `{}` is not in force: nobody has accepted it", it.place, it.key);
    warnings.extend(left_out.iter().map(not_in_force));
    let Attempt { status, mut notices, written, .. } = attempt;
    let proposed: Vec<Layer> = written
        .iter()
        .filter(|file| file.standing == Standing::Proposed && !is_outer(&file.shown))
        .map(|file| file.layer)
        .collect();
    // Of a file that nobody ever accepted, settings of policies that are off change nothing.
    let is_reported = |it: &&NotInForce| {
        let layer = it.place.layer;
        let has_accepted = layer == Layer::User || layers.in_force.of(layer).is_some();
        has_accepted || !is_idle(it, &left_out, &compiled.config)
    };
    let reported: Vec<NotInForce> = left_out.iter().filter(is_reported).cloned().collect();
    notices.extend(settle::notices(files, &layers.in_force, &proposed, &reported));
    let outcome = Outcome {
        config: compiled.config,
        status,
        notices,
        warnings,
        in_force: layers.in_force,
        is_project_trusted: layers.is_project_trusted,
    };
    (outcome, written)
}

/// Whether a value is a setting of a policy that is off, and would be if the value were in force.
fn is_idle(value: &NotInForce, left_out: &[NotInForce], config: &Config) -> bool {
    let section = config
        .sections
        .iter()
        .find(|(id, _)| value.key.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with('.')));
    let switches = |other: &NotInForce, id: &str| {
        other.key.strip_suffix(".mode").is_some_and(|of| id == of || id.starts_with(&format!("{of}.")))
    };
    section.is_some_and(|(id, section)| {
        section.mode == Mode::Off && !left_out.iter().any(|other| switches(other, id))
    })
}

/// Stores the texts that were accepted, for the time when a file is broken.
fn store_good(written: &[LayerFile], good: &LastGood<'_>, files: &ConfigFiles) -> std::io::Result<()> {
    let accepted = written.iter().filter(|file| file.standing == Standing::Accepted);
    accepted.into_iter().try_for_each(|file| {
        // Sessions that begin with it are under it until they end.
        if let (Accepted::Recorded(trust), true) = (&files.accepted, file.layer != Layer::Managed) {
            trust.store(&file.text).map_err(|error| std::io::Error::other(error.to_string()))?;
        }
        match files.path(file.layer) {
            Some(path) => good.store(path, &file.text),
            None => Ok(()),
        }
    })
}

struct Attempt<'a> {
    /// The files that count as they are.
    written: Vec<LayerFile>,
    /// The last good texts of those that do not.
    stand_ins: Vec<LayerFile>,
    status: Status,
    notices: Vec<String>,
    good: &'a LastGood<'a>,
    files: &'a ConfigFiles,
}

impl Attempt<'_> {
    fn texts(&self) -> Vec<LayerText<'_>> {
        self.written.iter().chain(&self.stand_ins).map(LayerFile::as_text).collect()
    }

    /// Takes out what is broken. With nothing left to take out the defaults remain, and those
    /// compile: so this ends.
    fn replace_broken(&mut self, diagnostics: &[Diagnostic]) {
        let broken = broken_layers(diagnostics);
        // A text that nobody accepted may clash with an accepted one of another file, which is then called broken.
        let blames_proposed = broken.iter().any(|layer| self.has_proposed(Some(*layer)));
        if !blames_proposed && self.has_proposed(None) {
            self.written.retain(|file| file.standing == Standing::Accepted);
            self.status = self.status.max(Status::LastGood);
            let what = broken.first().map(|layer| first_error(*layer, diagnostics)).unwrap_or_default();
            self.notices.push(format!("{what}; nothing that nobody accepted is in force"));
            return;
        }
        for layer in broken {
            // What nobody accepted can only tighten, so that without it what was accepted is in force.
            let proposed = |file: &LayerFile| file.layer == layer && file.standing == Standing::Proposed;
            if self.has_proposed(Some(layer)) {
                self.written.retain(|file| !proposed(file));
                self.status = self.status.max(Status::LastGood);
                let what = first_error(layer, diagnostics);
                let has_accepted = self.written.iter().any(|file| file.layer == layer);
                let then = if has_accepted { "what was accepted stays" } else { "nothing of the file is" };
                self.notices.push(text::followed(&what, &format!("{then} in force")));
                continue;
            }
            // A broken file must not switch guards off: its last good text applies, then the defaults.
            if self.written.iter().any(|file| file.layer == layer) {
                self.written.retain(|file| file.layer != layer);
                self.replace(layer, first_error(layer, diagnostics));
            } else {
                self.stand_ins.retain(|file| file.layer != layer);
                self.status = Status::Defaults;
                let what = "the last good config is no longer valid; the defaults are used";
                self.notices.push(format!("{}: {what}", self.files.display_path(layer)));
            }
        }
    }

    /// Whether there is a text, of this layer or of any, that nobody accepted.
    fn has_proposed(&self, layer: Option<Layer>) -> bool {
        let mut proposed = self.written.iter().filter(|file| file.standing == Standing::Proposed);
        proposed.any(|file| layer.is_none_or(|layer| file.layer == layer))
    }

    fn replace(&mut self, layer: Layer, what: String) {
        let text = self.files.path(layer).and_then(|path| self.good.text(path));
        let (status, then) = match text {
            Some(text) => {
                self.stand_ins.push(LayerFile {
                    layer,
                    standing: Standing::Accepted,
                    shown: self.files.display_path(layer),
                    text,
                });
                (Status::LastGood, "the last good config stays in force")
            }
            None => (Status::Defaults, "the defaults are used instead"),
        };
        self.status = self.status.max(status);
        self.notices.push(text::followed(&what, then));
    }
}

/// The first error of a file in one line, and how many more there are.
fn first_error(layer: Layer, diagnostics: &[Diagnostic]) -> String {
    let mut own = diagnostics.iter().filter(|diagnostic| diagnostic.layer() == layer);
    let first = own.next().map(Diagnostic::one_line).unwrap_or_default();
    match own.count() {
        0 => first,
        more => format!("{first} (and {more} more)"),
    }
}
