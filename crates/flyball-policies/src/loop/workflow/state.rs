//! The workflow of a session, and whether it is active.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::text;
use flyball_core::time::{self, Time};
use serde::{Deserialize, Serialize};

use super::super::manifest;
use super::trail::Trail;
use crate::stamp::{Stamp, stamp};

/// An orchestration workflow that is active in a session: it has its own review and tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActiveWorkflow {
    /// The skill or the command that started it, or the name in its manifest.
    pub name: String,
    /// Its manifest, if the session has one.
    pub manifest: Option<Manifest>,
    /// How it was started; `None` if only a manifest says that it is active: anybody can write one.
    pub began: Option<WorkflowStart>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkflowStart {
    pub at: Time,
    /// Whether a person typed its command; else the agent invoked it.
    pub by_person: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    pub path: AbsolutePath,
    pub feature: String,
    /// `current_phase`; empty if it has none.
    pub phase: String,
    /// The status of that phase, else of the whole.
    pub status: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// The workflow and its manifest.
    #[serde(rename = "course")]
    pub(super) progress: Progress,
    pub(super) trail: Trail,
}

/// The part that shows what is active. Other policies read only this.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Progress {
    /// The workflow that was started, unless it ended.
    pub(super) begun: Option<BegunWorkflow>,
    pub(super) manifest: Option<SessionManifest>,
    /// The workflow that a person started last, if its manifest says that it is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) finished: Option<FinishedWorkflow>,
}

/// A workflow of a person that ended properly: what it left behind was reviewed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FinishedWorkflow {
    pub name: String,
    /// When its manifest was last written. What changed later was not in it.
    #[serde(with = "time::millis")]
    pub at: Time,
}

/// A workflow that was started by a skill or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BegunWorkflow {
    pub(super) name: String,
    #[serde(with = "time::millis")]
    pub(super) at: Time,
    /// Whether the turn in which it began is over.
    pub(super) turn_over: bool,
    /// Whether a person typed its command, or the command of the one that it is part of.
    pub(super) by_person: bool,
    /// Whether its skill was really invoked: another policy may deny the call.
    pub(super) is_sure: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SessionManifest {
    pub(super) path: AbsolutePath,
    /// How it became the session's.
    pub(super) by: ManifestSource,
    #[serde(with = "time::millis")]
    pub(super) at: Time,
    pub(super) stamp: Option<Stamp>,
    /// When it last changed on disk.
    #[serde(with = "time::millis")]
    pub(super) changed: Time,
    #[serde(rename = "said")]
    pub(super) summary: ManifestSummary,
}

/// How a manifest became the session's; the strongest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ManifestSource {
    /// It was read while a workflow was active.
    #[default]
    Reading,
    /// The session wrote it.
    Writing,
    /// `flyball manifest use`.
    #[serde(rename = "word")]
    Command,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ManifestSummary {
    #[serde(rename = "standing")]
    pub(super) state: Status,
    pub(super) feature: String,
    pub(super) phase: String,
    pub(super) status: String,
    /// Whether it is over and complete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_complete: bool,
    /// Why it cannot be read, if it cannot.
    pub(super) broken: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// It is gone, cannot be read, or is in no phase.
    #[default]
    #[serde(rename = "unsaid")]
    Unknown,
    /// It is in a phase.
    Running,
    /// It is complete, blocked or cancelled.
    Over,
}

/// Changes the state, after the manifest was read again.
pub(super) fn change(situation: &Situation<'_>, with: impl FnOnce(&mut State)) -> Result<State, PolicyError> {
    situation.update(|state: &mut State| {
        state.progress.refresh(situation.world);
        with(state);
        state.clone()
    })
}

impl Progress {
    /// A workflow was started by a skill or a command. The manifest of one that is over is dropped.
    pub(super) fn begin(&mut self, name: &str, at: Time, by_person: bool) {
        let is_running = |current: &SessionManifest| current.summary.state == Status::Running;
        self.manifest = self.manifest.take().filter(is_running);
        let by_person = by_person || self.begun.as_ref().is_some_and(|begun| begun.by_person);
        // What a person typed has run already; an agent's skill is confirmed after its call.
        let name = name.to_owned();
        self.begun = Some(BegunWorkflow { name, at, turn_over: false, by_person, is_sure: by_person });
        self.finished = None;
    }

    /// The skill that started it was invoked.
    pub(super) fn confirm(&mut self, name: &str) {
        if let Some(begun) = self.begun.as_mut().filter(|begun| begun.name == name) {
            begun.is_sure = true;
        }
    }

    /// The skill that started it was not invoked.
    pub(super) fn withdraw(&mut self, name: &str) {
        self.begun = self.begun.take().filter(|begun| begun.name != name);
    }

    /// The agent ended its turn.
    pub(super) fn end_turn(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.turn_over = true;
        }
    }

    /// A person prompts: a workflow without a running manifest is over, unless this prompt started it.
    pub(super) fn handle_prompt(&mut self) {
        let is_carried = self.status() == Status::Running;
        self.begun = self.begun.take().filter(|begun| is_carried || !begun.turn_over);
    }

    /// The session touched a manifest; it becomes the session's unless there is a better one.
    pub(super) fn adopt(&mut self, world: &dyn World, path: AbsolutePath, by: ManifestSource) {
        if let Some(current) = self.manifest.as_mut().filter(|current| current.path == path) {
            current.by = current.by.max(by);
            return;
        }
        let has_running = self.status() == Status::Running;
        let found = SessionManifest { path, by, at: world.now(), ..SessionManifest::default() }.reread(world);
        let is_better = match by {
            // Manifests of other features are read for comparison, also at the beginning.
            ManifestSource::Reading => {
                !has_running && self.begun.is_some() && found.summary.state == Status::Running
            }
            // And manifests of former features are edited in passing.
            ManifestSource::Writing => {
                let is_free =
                    self.manifest.as_ref().is_none_or(|current| current.by <= ManifestSource::Writing);
                (!has_running || is_free) && found.summary.state != Status::Over
            }
            ManifestSource::Command => true,
        };
        if is_better {
            self.manifest = Some(found);
        }
    }

    /// Looks whether the manifest changed on disk.
    pub(super) fn refresh(&mut self, world: &dyn World) {
        self.manifest = self.manifest.take().map(|current| current.reread(world));
        if self.status() == Status::Over {
            let begun = self.begun.take().filter(|begun| begun.by_person && begun.is_sure);
            let complete = self.manifest.as_ref().filter(|manifest| manifest.summary.is_complete);
            if let Some((begun, manifest)) = begun.zip(complete) {
                self.finished = Some(FinishedWorkflow { name: begun.name, at: manifest.changed });
            }
        }
    }

    /// The active workflow, by the last known content of the manifest.
    pub(super) fn active(&self) -> Option<ActiveWorkflow> {
        let begun = self.begun.as_ref().map(|begun| begun.name.clone());
        let name = match self.status() {
            Status::Over => return None,
            Status::Unknown => begun?,
            Status::Running => begun.unwrap_or_else(|| self.feature()),
        };
        let summary = self.manifest.as_ref().filter(|current| current.is_readable());
        let manifest = summary.map(|current| Manifest {
            path: current.path.clone(),
            feature: current.summary.feature.clone(),
            phase: current.summary.phase.clone(),
            status: current.summary.status.clone(),
        });
        let sure = self.begun.as_ref().filter(|begun| begun.is_sure);
        let began = sure.map(|begun| WorkflowStart { at: begun.at, by_person: begun.by_person });
        Some(ActiveWorkflow { name, manifest, began })
    }

    fn feature(&self) -> String {
        let feature =
            self.manifest.as_ref().map(|current| current.summary.feature.clone()).unwrap_or_default();
        if feature.is_empty() { "an unnamed workflow".to_owned() } else { feature }
    }

    fn status(&self) -> Status {
        self.manifest.as_ref().map(|current| current.summary.state).unwrap_or_default()
    }
}

impl SessionManifest {
    /// The manifest with its current content. The file is read only if it changed.
    fn reread(mut self, world: &dyn World) -> SessionManifest {
        let stat = world.stat(&self.path).filter(|stat| !stat.is_folder);
        let stamp = stat.as_ref().map(stamp);
        if stamp.is_none() || stamp != self.stamp {
            self.summary =
                if stamp.is_some() { read_manifest(world, &self.path) } else { ManifestSummary::default() };
            self.stamp = stamp;
            self.changed = stat.map(|stat| stat.changed).unwrap_or_default();
        }
        self
    }

    fn is_readable(&self) -> bool {
        self.stamp.is_some() && self.summary.broken.is_empty()
    }
}

/// The summary of a file. The state of one that cannot be read is unknown, so that a broken manifest does not switch off
/// the loop.
fn read_manifest(world: &dyn World, path: &AbsolutePath) -> ManifestSummary {
    let broken = |why: String| ManifestSummary { broken: why, ..ManifestSummary::default() };
    let bytes = match world.read(path, manifest::MOST_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return broken(manifest::ManifestError::TooLong.to_string()),
        Err(error) => return broken(error.to_string()),
    };
    let Ok(text) = String::from_utf8(bytes) else { return broken("it is not valid UTF-8".to_owned()) };
    let manifest = match manifest::read(&text) {
        Ok(manifest) => manifest,
        Err(why) => return broken(why.to_string()),
    };
    ManifestSummary {
        state: match (manifest.is_over(), manifest.is_running()) {
            (true, _) => Status::Over,
            (false, true) => Status::Running,
            (false, false) => Status::Unknown,
        },
        feature: short(manifest.feature()),
        phase: short(&manifest.current_phase),
        status: short(manifest.phase_status()),
        is_complete: manifest.is_complete(),
        broken: String::new(),
    }
}

/// A text of an agent in one line.
fn short(text: &str) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&line, 120).into_owned()
}
