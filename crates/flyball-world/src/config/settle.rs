//! Decides which texts are in force: those that a person accepted. Of any other only what tightens is.

use std::path::{Path, PathBuf};

use flyball_core::config::{Layer, LayerText, NotInForce, Standing, trusted_folders};
use flyball_core::policy::ContentHash;
use flyball_core::text;
use flyball_core::time::Time;

use super::files::{Accepted, ConfigFiles};
use super::layers::{LayerFile, Layers, Unreadable};
use super::pin::PinnedTexts;
use super::trust::{Trust, TrustLedger, content_of};

/// More keys than this are counted, not listed.
const SHOWN: usize = 3;

/// What stays in force of a layer.
enum InForce {
    /// The present text.
    Present,
    /// A text that was accepted before; nothing if that was no file.
    Earlier(Option<ContentHash>),
    /// Nothing: a person withdrew it during the session. What tightens counts of the text that it began with, too.
    Withdrawn(Option<ContentHash>),
}

impl Layers {
    /// Gives each text its standing, and adds the accepted ones that the present ones would replace.
    pub(super) fn settle(&mut self, files: &ConfigFiles) {
        let Accepted::Recorded(trust) = &files.accepted else {
            self.is_project_trusted = files.accepted == Accepted::All;
            let proposed = files.accepted == Accepted::Nothing;
            let project = self.readable.iter_mut().filter(|file| proposed && file.layer == Layer::Project);
            project.for_each(|file| file.standing = Standing::Proposed);
            return;
        };
        let ledger = trust.read().unwrap_or_else(|error| {
            self.warnings.push(error.to_string());
            TrustLedger::default()
        });
        let record = Record { files, trust, ledger: &ledger };
        // The user's first: it names the folders whose projects are trusted.
        for layer in [Layer::User, Layer::Project] {
            if self.unreadable.iter().all(|file| file.layer != layer) {
                self.settle_layer(layer, &record);
            } else {
                self.settle_unreadable(layer, &record);
            }
        }
        // Any text, also an older one: its code changes with every pull, and a person trusted it once.
        self.is_project_trusted = ledger.newest(&files.project).is_some()
            || self.trusts_folder(&files.project, files.home.as_deref());
    }

    fn settle_layer(&mut self, layer: Layer, record: &Record<'_>) {
        let files = record.files;
        let Some(path) = files.path(layer) else { return };
        let present = self.readable.iter().find(|file| file.layer == layer);
        let content = present.map(|file| content_of(&file.text));
        let is_trusted = layer == Layer::User || self.trusts_folder(path, files.home.as_deref());
        let earlier = match record.in_force(layer, content.as_ref(), is_trusted) {
            InForce::Present => {
                self.notices.extend(record.accepted_since(layer, content.as_ref()));
                return self.in_force.set(layer, content);
            }
            InForce::Earlier(earlier) => earlier,
            InForce::Withdrawn(pinned) => {
                let present = self.readable.iter_mut().filter(|file| file.layer == layer);
                present.for_each(|file| file.standing = Standing::Proposed);
                return self.propose(layer, pinned.filter(|pinned| Some(pinned) != content.as_ref()), record);
            }
        };
        if let Some(file) = self.readable.iter_mut().find(|file| file.layer == layer) {
            file.standing = Standing::Proposed;
        } else {
            let name = files.display_path(layer);
            self.notices.push(format!(
                "{name} was deleted during the session; it stays in force until `{}` accepts that",
                command(layer)
            ));
        }
        self.put_in_force(layer, earlier, record);
    }

    /// A session stays under the text that it began with while the file cannot be read. Outside of one, the last good
    /// text is used; only accepted texts are stored as such.
    fn settle_unreadable(&mut self, layer: Layer, record: &Record<'_>) {
        let Some(path) = record.files.path(layer) else { return };
        let since = record.files.pin.as_ref().map_or(Time::default(), |pin| pin.at);
        let is_withdrawn =
            record.ledger.is_withdrawn_since(path, since) && record.ledger.newest(path).is_none();
        if record.files.pin.is_none() && !(is_withdrawn && layer == Layer::Project) {
            return;
        }
        let pinned = record.files.pin.as_ref().and_then(|pin| pin.texts.of(layer).cloned());
        let then = if is_withdrawn { "only what tightens is" } else { "what the session began with stays" };
        let broken = self.unreadable.iter().filter(|file| file.layer == layer).map(Unreadable::one_line);
        let notices: Vec<String> = broken.map(|what| format!("{what}; {then} in force")).collect();
        self.notices.extend(notices);
        self.unreadable.retain(|file| file.layer != layer);
        if is_withdrawn {
            self.propose(layer, pinned, record);
        } else {
            self.put_in_force(layer, pinned, record);
        }
    }

    /// Adds the text with this hash as one that nobody accepts any more.
    fn propose(&mut self, layer: Layer, content: Option<ContentHash>, record: &Record<'_>) {
        let shown = format!("{} as the session began", record.files.display_path(layer));
        let text = content.and_then(|content| record.trust.text(&content));
        self.readable.extend(text.map(|text| LayerFile { layer, standing: Standing::Proposed, shown, text }));
        self.in_force.set(layer, None);
    }

    /// Adds the text with this hash as the accepted one of a layer.
    fn put_in_force(&mut self, layer: Layer, content: Option<ContentHash>, record: &Record<'_>) {
        let name = record.files.display_path(layer);
        match content.as_ref().map(|content| record.trust.text(content)) {
            Some(Some(text)) => {
                let shown = format!("{name} as accepted");
                self.readable.push(LayerFile { layer, standing: Standing::Accepted, shown, text });
            }
            Some(None) => self.notices.push(format!(
                "the accepted text of {name} is gone, so that only defaults and what tightens are in force; run `{}`",
                command(layer)
            )),
            None => {}
        }
        self.in_force.set(layer, content);
    }

    /// Whether the user or the administrator trusts the projects in a folder above this file.
    fn trusts_folder(&self, file: &Path, home: Option<&Path>) -> bool {
        let accepted =
            |file: &&LayerFile| file.layer != Layer::Project && file.standing == Standing::Accepted;
        let texts: Vec<LayerText<'_>> =
            self.readable.iter().filter(accepted).map(LayerFile::as_text).collect();
        let folder = |name: String| match (name.strip_prefix("~/"), home) {
            (Some(below), Some(home)) => home.join(below),
            _ if name == "~" => home.unwrap_or(Path::new("")).to_path_buf(),
            _ => PathBuf::from(name),
        };
        trusted_folders(&texts)
            .into_iter()
            .map(folder)
            .any(|folder| folder.is_absolute() && file.starts_with(folder))
    }
}

/// What is known of the files when their standing is decided.
struct Record<'a> {
    files: &'a ConfigFiles,
    trust: &'a Trust,
    ledger: &'a TrustLedger,
}

impl Record<'_> {
    /// What is in force of a layer whose present text has this hash. `is_trusted`: whatever a session finds there when
    /// it begins counts.
    fn in_force(&self, layer: Layer, content: Option<&ContentHash>, is_trusted: bool) -> InForce {
        let Some(path) = self.files.path(layer) else { return InForce::Present };
        let found = self.ledger.find(path, content);
        let Some(pin) = &self.files.pin else {
            // Where there is no file, nobody has to accept anything.
            if is_trusted || content.is_none() || found.is_some() {
                return InForce::Present;
            }
            return InForce::Earlier(self.ledger.newest(path).and_then(|newest| newest.content.clone()));
        };
        let pinned = pin.texts.of(layer);
        if found.is_none() && self.ledger.is_withdrawn_since(path, pin.at) {
            return InForce::Withdrawn(pinned.cloned());
        }
        if pinned == content || found.is_some_and(|acceptance| acceptance.at >= pin.at) {
            return InForce::Present;
        }
        let newest = self.ledger.newest(path).filter(|newest| newest.at >= pin.at);
        InForce::Earlier(newest.map_or_else(|| pinned.cloned(), |newest| newest.content.clone()))
    }
}

impl Record<'_> {
    /// What to report where somebody accepted a change during the session: a forged acceptance must not go unnoticed.
    fn accepted_since(&self, layer: Layer, content: Option<&ContentHash>) -> Option<String> {
        let pin = self.files.pin.as_ref().filter(|pin| pin.texts.of(layer) != content)?;
        let found = self.ledger.find(self.files.path(layer)?, content).filter(|found| found.at >= pin.at)?;
        let name = self.files.display_path(layer);
        Some(format!(
            "{name} has changed and is in force: it was accepted during the session ({}); if that was not you, run `{} --withdraw`",
            found.how,
            command(layer)
        ))
    }
}

/// The command that accepts the file of a layer.
fn command(layer: Layer) -> &'static str {
    if layer == Layer::User { "flyball trust --user" } else { "flyball trust" }
}

/// What is said of a project's file of which no text was ever accepted.
pub const NOT_TRUSTED: &str = "is not trusted";

/// What to report about values that are not in force, a line for each file.
pub(super) fn notices(
    files: &ConfigFiles,
    pinned: &PinnedTexts,
    proposed: &[Layer],
    left_out: &[NotInForce],
) -> Vec<String> {
    let line = |layer: &Layer| {
        let keys: Vec<&str> =
            left_out.iter().filter(|it| it.place.layer == *layer).map(|it| it.key.as_str()).collect();
        let has_accepted = *layer == Layer::User || pinned.of(*layer).is_some();
        if keys.is_empty() {
            let name = files.display_path(*layer);
            let is_other = proposed.contains(layer) && pinned.of(*layer).is_some();
            return is_other.then(|| {
                format!(
                    "{name} has changed and nobody has accepted that; what was accepted stays in force, and what tightens counts; `{}` accepts it",
                    command(*layer)
                )
            });
        }
        let name = files.display_path(*layer);
        // Of a project's file there may never have been a text that counts.
        let what = if has_accepted { "has changed and nobody has accepted that" } else { NOT_TRUSTED };
        Some(format!(
            "{name} {what}; not in force: {}; `{}` shows and accepts it",
            text::first(&keys, SHOWN),
            command(*layer)
        ))
    };
    Layer::ALL.iter().filter_map(line).collect()
}
