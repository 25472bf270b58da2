//! Facts about one event that several policies share, each computed at most once; [`crate::lookup`] computes them.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use flyball_effects::{DeepLine, Line, WrittenText};

use crate::error::PolicyError;
use crate::event::Change;
use crate::path::AbsolutePath;
use crate::policy_id::PolicyId;
use crate::server::ServerCall;
use crate::time::Time;
use crate::world::ChangedFiles;

/// What a policy's `gather` hands to its `run`.
pub type Gathered = Box<dyn Any + Send + Sync>;

/// What is known so far. Shared by the policies that judge one event.
#[derive(Default)]
pub struct Facts {
    pub(crate) line: OnceLock<Line>,
    pub(crate) deep: OnceLock<Deep>,
    pub(crate) server: OnceLock<ServerCall>,
    pub(crate) call_start: OnceLock<Time>,
    pub(crate) edits: OnceLock<Result<Vec<SeenEdit>, PolicyError>>,
    /// With the time since which.
    pub(crate) changed_files: OnceLock<(Time, Result<ChangedFiles, PolicyError>)>,
    pub(crate) derived: OnceLock<Result<Box<dyn Any + Send + Sync>, PolicyError>>,
    pub(crate) gathering: OnceLock<Arc<Gathering>>,
    /// Whether the end of this turn is held because a loop could not judge it.
    pub(crate) is_held: OnceLock<bool>,
}

/// What the files say that a line runs.
#[derive(Default)]
pub(crate) struct Deep {
    /// The line with it, if that is more than the line itself says.
    pub(crate) line: Option<DeepLine>,
    /// What the line writes, if that was computed without the content of any file.
    pub(crate) written: Option<Vec<WrittenText>>,
}

/// What came of gathering, by policy.
#[derive(Default)]
pub(crate) struct Gathering {
    pub(crate) gathered: Vec<(PolicyId, Gathered)>,
    pub(crate) failed: Vec<(PolicyId, PolicyError)>,
}

impl Facts {
    /// What stays known when the event is judged again, because another one has changed what policies remember: what
    /// was gathered. Linters need not run twice.
    #[must_use]
    pub fn for_next_attempt(&self) -> Facts {
        Facts { gathering: self.gathering.clone(), ..Facts::default() }
    }
}

/// A file that a call changes or changed, whatever tool did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenEdit {
    /// The file, without symlinks.
    pub path: AbsolutePath,
    /// What happens to it, if that is known. Appended text is a replacement of nothing.
    pub change: Option<Change>,
    /// How it was found.
    pub route: EditRoute,
}

/// How an edit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditRoute {
    /// The client's own edit tool.
    Tool,
    /// Read from a command line.
    CommandLine,
    /// Found on disk after a command whose effects could not be read.
    Noticed,
}

/// Where a target leads on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetPaths {
    /// To one of these, without symlinks.
    Known(Vec<AbsolutePath>),
    /// To all files that match one of these patterns.
    Pattern(Vec<AbsolutePath>),
    /// Known only when it runs; this is how it is written.
    Unknown(String),
}

impl TargetPaths {
    /// The paths or patterns, none if unknown.
    #[must_use]
    pub fn paths(&self) -> &[AbsolutePath] {
        match self {
            TargetPaths::Known(paths) | TargetPaths::Pattern(paths) => paths,
            TargetPaths::Unknown(_) => &[],
        }
    }
}
