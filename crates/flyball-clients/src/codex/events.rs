//! Codex's events: the only list of them.

use flyball_core::event::EventKind as Kind;

use crate::dialect::Channel::{Closed, Field, WithRefusal};
use crate::dialect::Refusal::{Behavior, Block, Never as CannotRefuse, PermissionToDeny, Tell};
use crate::dialect::Register::{Never, Within};
use crate::dialect::{NativeEvent, Register, Ways, event};
use crate::install::Version;

/// How long a hook may take where nothing else is said. A person's trust in a hook is bound to
/// this number: changing it asks everybody again.
const USUAL: Register = Within(60);
/// Where a check may have to run the project's tests before the agent may go.
const PATIENT: Register = Within(600);
/// The client allows no more.
const LEAVING: Register = Within(3);

/// The oldest version that was looked at.
const SEEN: Version = Version::new(0, 149, 0);
/// The version in which the newer events were seen.
const NEWER: Version = Version::new(0, 166, 0);

/// Nothing can be stopped, model and user can be told something.
const BOTH_TOLD: Ways = (CannotRefuse, Field, Field);
/// Nothing can be stopped, the user can be told something.
const USER_TOLD: Ways = (CannotRefuse, Closed, Field);
/// Any answer is ignored.
const OBSERVED: Ways = (CannotRefuse, Closed, Closed);

/// Name, meaning, (first version, timeout), (how it refuses, context for the model, notice for the
/// user).
///
/// - `PostToolUse`: a block would take the tool's result away from the model, so that the model is
///   told beside it.
/// - `PreCompact`: stopping the compaction would abort the whole turn.
/// - The model requests take no answer, and a process for each would be felt.
pub(super) static EVENTS: &[NativeEvent] = &[
    event("SessionStart", Kind::SessionStart, (SEEN, USUAL), BOTH_TOLD),
    event("UserPromptSubmit", Kind::PromptSubmit, (SEEN, USUAL), (Block, Field, Field)),
    event("PreToolUse", Kind::BeforeTool, (SEEN, USUAL), (PermissionToDeny, Field, Field)),
    event("PermissionRequest", Kind::PermissionAsked, (SEEN, USUAL), (Behavior, Closed, Field)),
    event("PostToolUse", Kind::AfterTool, (SEEN, PATIENT), (Tell, Field, Field)),
    event("Stop", Kind::Stop, (SEEN, PATIENT), (Block, WithRefusal, Field)),
    event("Interrupt", Kind::Interrupted, (NEWER, USUAL), USER_TOLD),
    event("SubagentStart", Kind::AgentStart, (SEEN, USUAL), BOTH_TOLD),
    event("SubagentStop", Kind::AgentStop, (SEEN, PATIENT), (Block, WithRefusal, Field)),
    event("PreCompact", Kind::BeforeCompact, (SEEN, USUAL), USER_TOLD),
    event("PostCompact", Kind::AfterCompact, (SEEN, USUAL), USER_TOLD),
    event("PreModelRequest", Kind::BeforeModelCall, (NEWER, Never), OBSERVED),
    event("PostModelRequest", Kind::AfterModelCall, (NEWER, Never), OBSERVED),
    event("SessionEnd", Kind::SessionEnd, (SEEN, LEAVING), OBSERVED),
];
