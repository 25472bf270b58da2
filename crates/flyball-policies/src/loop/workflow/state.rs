//! The workflow of a session, and whether it is active.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation, World};
use flyball_core::text;
use serde::{Deserialize, Serialize};

use super::super::events::{Stamp, stamp};
use super::super::manifest;
use super::trail::Trail;

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
    /// When: milliseconds since 1970.
    pub at: u64,
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
    pub(super) course: Progress,
    pub(super) trail: Trail,
}

/// The part that tells what is active. Other policies read only this.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Progress {
    /// The workflow that was started, unless it ended.
    pub(super) begun: Option<BegunWorkflow>,
    pub(super) manifest: Option<SessionManifest>,
}

/// A workflow that was started by a skill or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct BegunWorkflow {
    pub(super) name: String,
    /// When: milliseconds since 1970.
    pub(super) at: u64,
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
    /// How the session came by it.
    pub(super) by: ManifestSource,
    /// When: milliseconds since 1970.
    pub(super) at: u64,
    pub(super) stamp: Option<Stamp>,
    pub(super) said: ManifestSummary,
}

/// How a session came by its manifest; the strongest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ManifestSource {
    /// It was read while a workflow was active.
    #[default]
    Reading,
    /// The session wrote it.
    Writing,
    /// `flyball manifest use`.
    Word,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ManifestSummary {
    pub(super) standing: Status,
    pub(super) feature: String,
    pub(super) phase: String,
    pub(super) status: String,
    /// Why it cannot be read, if it cannot.
    pub(super) broken: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// It is gone, cannot be read, or is in no phase.
    #[default]
    Unsaid,
    /// It is in a phase.
    Running,
    /// It is complete, blocked or cancelled.
    Over,
}

/// Changes what is remembered, after a look at the manifest.
pub(super) fn change(situation: &Situation<'_>, with: impl FnOnce(&mut State)) -> Result<State, PolicyError> {
    situation.update(|state: &mut State| {
        state.course.refresh(situation.world);
        with(state);
        state.clone()
    })
}

impl Progress {
    /// A workflow was started by a skill or a command. The manifest of one that is over is dropped.
    pub(super) fn begin(&mut self, name: &str, at: u64, by_person: bool) {
        let is_running = |held: &SessionManifest| held.said.standing == Status::Running;
        self.manifest = self.manifest.take().filter(is_running);
        let by_person = by_person || self.begun.as_ref().is_some_and(|begun| begun.by_person);
        let name = name.to_owned();
        self.begun = Some(BegunWorkflow { name, at, turn_over: false, by_person, is_sure: by_person });
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
        if let Some(held) = self.manifest.as_mut().filter(|held| held.path == path) {
            held.by = held.by.max(by);
            return;
        }
        let is_held = self.status() == Status::Running;
        let found =
            SessionManifest { path, by, at: world.unix_millis(), ..SessionManifest::default() }.reread(world);
        let is_better = match by {
            // Manifests of other features are read for comparison, also at the beginning.
            ManifestSource::Reading => {
                !is_held && self.begun.is_some() && found.said.standing == Status::Running
            }
            // And those of former ones are fixed in passing.
            ManifestSource::Writing => {
                let is_free = self.manifest.as_ref().is_none_or(|held| held.by <= ManifestSource::Writing);
                (!is_held || is_free) && found.said.standing != Status::Over
            }
            ManifestSource::Word => true,
        };
        if is_better {
            self.manifest = Some(found);
        }
    }

    /// Looks whether the manifest changed on disk.
    pub(super) fn refresh(&mut self, world: &dyn World) {
        self.manifest = self.manifest.take().map(|held| held.reread(world));
        if self.status() == Status::Over {
            self.begun = None;
        }
    }

    /// The workflow that is active, going by what the manifest last said.
    pub(super) fn active(&self) -> Option<ActiveWorkflow> {
        let begun = self.begun.as_ref().map(|begun| begun.name.clone());
        let name = match self.status() {
            Status::Over => return None,
            Status::Unsaid => begun?,
            Status::Running => begun.unwrap_or_else(|| self.feature()),
        };
        let said = self.manifest.as_ref().filter(|held| held.is_readable());
        let manifest = said.map(|held| Manifest {
            path: held.path.clone(),
            feature: held.said.feature.clone(),
            phase: held.said.phase.clone(),
            status: held.said.status.clone(),
        });
        let sure = self.begun.as_ref().filter(|begun| begun.is_sure);
        let began = sure.map(|begun| WorkflowStart { at: begun.at, by_person: begun.by_person });
        Some(ActiveWorkflow { name, manifest, began })
    }

    fn feature(&self) -> String {
        let feature = self.manifest.as_ref().map(|held| held.said.feature.clone()).unwrap_or_default();
        if feature.is_empty() { "an unnamed workflow".to_owned() } else { feature }
    }

    fn status(&self) -> Status {
        self.manifest.as_ref().map(|held| held.said.standing).unwrap_or_default()
    }
}

impl SessionManifest {
    /// The same with what the file says now. It is read only if it changed.
    fn reread(mut self, world: &dyn World) -> SessionManifest {
        let stat = world.stat(&self.path).filter(|stat| !stat.is_folder);
        let stamp = stat.as_ref().map(stamp);
        if stamp.is_none() || stamp != self.stamp {
            self.said =
                if stamp.is_some() { read_manifest(world, &self.path) } else { ManifestSummary::default() };
            self.stamp = stamp;
        }
        self
    }

    fn is_readable(&self) -> bool {
        self.stamp.is_some() && self.said.broken.is_empty()
    }
}

/// What a file says. One that cannot be read says nothing, so that a broken manifest does not switch off the loop.
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
        standing: match (manifest.is_over(), manifest.is_running()) {
            (true, _) => Status::Over,
            (false, true) => Status::Running,
            (false, false) => Status::Unsaid,
        },
        feature: short(manifest.feature()),
        phase: short(&manifest.current_phase),
        status: short(manifest.phase_status()),
        broken: String::new(),
    }
}

/// A text of an agent in one line.
fn short(text: &str) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&line, 120).into_owned()
}
