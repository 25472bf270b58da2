//! What is remembered of a session's workflow, and whether it goes on.

use flyball_core::policy::{Stat, World};
use flyball_core::text;
use serde::{Deserialize, Serialize};

use super::super::manifest;
use super::trail::Trail;
use super::{Active, Began, Manifest};

/// What is remembered of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    /// The workflow and its manifest.
    pub(super) course: Course,
    pub(super) trail: Trail,
}

/// The part of it that tells what is active. Others read only this.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Course {
    /// The workflow that was begun, unless it ended.
    pub(super) begun: Option<Begun>,
    pub(super) manifest: Option<Held>,
}

/// A workflow that was begun by a skill or a command.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Begun {
    pub(super) name: String,
    /// When: milliseconds since 1970.
    pub(super) at: u64,
    /// Whether the turn in which it began is over.
    pub(super) turn_over: bool,
    /// Whether a person typed its command, or the command of the one that it is part of.
    pub(super) by_person: bool,
    /// Whether its skill was really invoked: others may keep the call from being made, and say nothing here.
    pub(super) is_sure: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Held {
    /// Where it is: absolute.
    pub(super) path: String,
    /// How the session came by it.
    pub(super) by: By,
    /// When: milliseconds since 1970.
    pub(super) at: u64,
    /// What it looked like from outside when it was read: while this is the same, so is what it says.
    pub(super) stamp: Option<Stamp>,
    pub(super) said: Said,
}

/// How a session came by its manifest; the strongest last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum By {
    /// It was read while a workflow was active.
    #[default]
    Reading,
    /// The session wrote it.
    Writing,
    /// Someone said so: `flyball manifest use`.
    Word,
}

/// The time of its last change, its number and its length.
type Stamp = (u64, u64, u64);

/// What a manifest said when it was last read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Said {
    pub(super) standing: Standing,
    pub(super) feature: String,
    pub(super) phase: String,
    pub(super) status: String,
    /// Why it cannot be read, if it cannot.
    pub(super) broken: String,
}

/// What a manifest says about whether its workflow goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Standing {
    /// Nothing: it is gone, cannot be read, or is in no phase.
    #[default]
    Unsaid,
    /// It is in a phase.
    Running,
    /// It is complete, blocked or cancelled.
    Over,
}

impl Course {
    /// A workflow was begun by a skill or a command. The manifest of one that is over is another one's.
    pub(super) fn begin(&mut self, name: &str, at: u64, by_person: bool) {
        let is_running = |held: &Held| held.said.standing == Standing::Running;
        self.manifest = self.manifest.take().filter(is_running);
        let by_person = by_person || self.begun.as_ref().is_some_and(|begun| begun.by_person);
        let name = name.to_owned();
        self.begun = Some(Begun { name, at, turn_over: false, by_person, is_sure: by_person });
    }

    /// What was begun by a skill came about.
    pub(super) fn confirm(&mut self, name: &str) {
        if let Some(begun) = self.begun.as_mut().filter(|begun| begun.name == name) {
            begun.is_sure = true;
        }
    }

    /// What was begun did not come about.
    pub(super) fn withdraw(&mut self, name: &str) {
        self.begun = self.begun.take().filter(|begun| begun.name != name);
    }

    /// The agent ended its turn.
    pub(super) fn end_turn(&mut self) {
        if let Some(begun) = &mut self.begun {
            begun.turn_over = true;
        }
    }

    /// A person speaks: what no manifest carries on is over, unless it began with these words.
    pub(super) fn hear_a_person(&mut self) {
        let is_carried = self.standing() == Standing::Running;
        self.begun = self.begun.take().filter(|begun| is_carried || !begun.turn_over);
    }

    /// The session touched a manifest; it becomes the session's unless that has a better one.
    pub(super) fn adopt(&mut self, world: &dyn World, path: String, by: By) {
        if let Some(held) = self.manifest.as_mut().filter(|held| held.path == path) {
            held.by = held.by.max(by);
            return;
        }
        let is_held = self.standing() == Standing::Running;
        let found = Held { path, by, at: world.unix_millis(), ..Held::default() }.looked_at(world);
        let is_better = match by {
            // Manifests of other features are read for comparison, also at the beginning.
            By::Reading => !is_held && self.begun.is_some() && found.said.standing == Standing::Running,
            // And those of former ones are mended in passing.
            By::Writing => {
                let is_free = self.manifest.as_ref().is_none_or(|held| held.by <= By::Writing);
                (!is_held || is_free) && found.said.standing != Standing::Over
            }
            By::Word => true,
        };
        if is_better {
            self.manifest = Some(found);
        }
    }

    /// Looks whether the manifest changed on disk.
    pub(super) fn refresh(&mut self, world: &dyn World) {
        self.manifest = self.manifest.take().map(|held| held.looked_at(world));
        if self.standing() == Standing::Over {
            self.begun = None;
        }
    }

    /// The workflow that is active, going by what the manifest last said.
    pub(super) fn active(&self) -> Option<Active> {
        let begun = self.begun.as_ref().map(|begun| begun.name.clone());
        let name = match self.standing() {
            Standing::Over => return None,
            Standing::Unsaid => begun?,
            Standing::Running => begun.unwrap_or_else(|| self.feature()),
        };
        let said = self.manifest.as_ref().filter(|held| held.is_readable());
        let manifest = said.map(|held| Manifest {
            path: held.path.clone(),
            feature: held.said.feature.clone(),
            phase: held.said.phase.clone(),
            status: held.said.status.clone(),
        });
        let sure = self.begun.as_ref().filter(|begun| begun.is_sure);
        let began = sure.map(|begun| Began { at: begun.at, by_person: begun.by_person });
        Some(Active { name, manifest, began })
    }

    fn feature(&self) -> String {
        let feature = self.manifest.as_ref().map(|held| held.said.feature.clone()).unwrap_or_default();
        if feature.is_empty() { "a workflow without a name".to_owned() } else { feature }
    }

    fn standing(&self) -> Standing {
        self.manifest.as_ref().map(|held| held.said.standing).unwrap_or_default()
    }
}

impl Held {
    /// The same with what the file says now. It is read only if it changed.
    fn looked_at(mut self, world: &dyn World) -> Held {
        let stat = world.stat(&self.path).filter(|stat| !stat.is_folder);
        let stamp = stat.as_ref().map(stamp);
        if stamp.is_none() || stamp != self.stamp {
            self.said = if stamp.is_some() { said(world, &self.path) } else { Said::default() };
            self.stamp = stamp;
        }
        self
    }

    fn is_readable(&self) -> bool {
        self.stamp.is_some() && self.said.broken.is_empty()
    }
}

fn stamp(stat: &Stat) -> Stamp {
    (stat.changed_nanos, stat.inode, stat.bytes)
}

/// What a file says. One that cannot be read says nothing: nobody gets rid of the loop by making it so.
fn said(world: &dyn World, path: &str) -> Said {
    let broken = |why: String| Said { broken: why, ..Said::default() };
    let bytes = match world.read(path, manifest::MOST_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return broken(manifest::Unreadable::TooLong.to_string()),
        Err(trouble) => return broken(trouble.to_string()),
    };
    let Ok(text) = String::from_utf8(bytes) else { return broken("it is no UTF-8".to_owned()) };
    let manifest = match manifest::read(&text) {
        Ok(manifest) => manifest,
        Err(why) => return broken(why.to_string()),
    };
    Said {
        standing: match (manifest.is_over(), manifest.is_running()) {
            (true, _) => Standing::Over,
            (false, true) => Standing::Running,
            (false, false) => Standing::Unsaid,
        },
        feature: short(manifest.feature()),
        phase: short(&manifest.current_phase),
        status: short(manifest.phase_status()),
        broken: String::new(),
    }
}

/// A text of an agent's, as far as a line has room for it.
fn short(text: &str) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    text::cut(&line, 120).into_owned()
}
