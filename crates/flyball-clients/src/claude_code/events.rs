//! Claude Code's events: the only list of them.

use flyball_core::event::EventKind as Kind;

use crate::dialect::Channel::{Closed, Field, Stdout, WithRefusal};
use crate::dialect::Refusal::{Behavior, Block, Decline, Exit, Never as CannotRefuse, Permission, Tell};
use crate::dialect::Register::{Never, Within};
use crate::dialect::{NativeEvent, Register, Ways, event};
use crate::install::Version;

/// How long a hook may take where nothing else is said.
const USUAL: Register = Within(60);
/// Where a check may have to run the project's tests before the agent may go.
const PATIENT: Register = Within(600);
/// The client's own limit for what a person waits for at the prompt.
const PROMPT: Register = Within(30);
/// The client is on its way out and waits no longer than the longest timeout that is registered.
const LEAVING: Register = Within(5);

/// In every version that has hooks.
const ALWAYS: Version = Version::new(1, 0, 0);
/// Events whose first version is not known: the oldest one they were seen in.
const SEEN: Version = Version::new(2, 1, 197);

const fn v2(minor: u32, patch: u32) -> Version {
    Version::new(2, minor, patch)
}

const fn v1(patch: u32) -> Version {
    Version::new(1, 0, patch)
}

/// Nothing can be stopped, model and user can be told something.
const BOTH_TOLD: Ways = (CannotRefuse, Field, Field);
/// Nothing can be stopped, the user can be told something.
const USER_TOLD: Ways = (CannotRefuse, Closed, Field);
/// Any answer is ignored.
const OBSERVED: Ways = (CannotRefuse, Closed, Closed);

/// Name, meaning, (first version, timeout), (how it refuses, context for the model, notice for the
/// user).
///
/// - `Stop` and its kin: context of its own would keep the agent going like a refusal.
/// - `PostToolBatch`: a block would end the turn, so that the model is told instead.
/// - `PreCompact`: whatever is on stdout becomes part of the instructions for the summary.
/// - `WorktreeCreate`: whatever is on stdout is the worktree's path, and being registered replaces
///   `git worktree add`. `FileChanged` needs names to watch. `MessageDisplay` holds up all text.
/// - `DirectoryAdded` would show a notice to the model.
pub(super) static EVENTS: &[NativeEvent] = &[
    event("SessionStart", Kind::SessionStart, (v1(62), USUAL), BOTH_TOLD),
    event("Setup", Kind::SessionSetup, (v2(1, 10), USUAL), BOTH_TOLD),
    event("InstructionsLoaded", Kind::InstructionsLoaded, (v2(1, 69), USUAL), OBSERVED),
    event("UserPromptSubmit", Kind::PromptSubmit, (v1(54), PROMPT), (Block, Field, Field)),
    event("UserPromptExpansion", Kind::PromptExpanded, (SEEN, PROMPT), (Block, Field, Field)),
    event("PreToolUse", Kind::BeforeTool, (ALWAYS, USUAL), (Permission, Field, Field)),
    event("PermissionRequest", Kind::PermissionAsked, (v2(0, 45), USUAL), (Behavior, Closed, Closed)),
    event("PermissionDenied", Kind::PermissionDenied, (v2(1, 89), USUAL), OBSERVED),
    event("PostToolUse", Kind::AfterTool, (ALWAYS, PATIENT), (Block, Field, Field)),
    event("PostToolUseFailure", Kind::ToolFailed, (v2(1, 119), USUAL), (Block, Field, Field)),
    event("PostToolBatch", Kind::AfterBatch, (SEEN, PATIENT), (Tell, Field, Field)),
    event("Stop", Kind::Stop, (v1(41), PATIENT), (Block, WithRefusal, Field)),
    event("StopFailure", Kind::StopFailed, (v2(1, 78), USUAL), OBSERVED),
    event("SubagentStart", Kind::AgentStart, (v2(0, 43), USUAL), BOTH_TOLD),
    event("SubagentStop", Kind::AgentStop, (v1(41), PATIENT), (Block, WithRefusal, Field)),
    event("TeammateIdle", Kind::TeammateIdle, (v2(1, 33), PATIENT), (Block, WithRefusal, Field)),
    event("TaskCreated", Kind::TaskCreated, (v2(1, 84), USUAL), (Block, WithRefusal, Field)),
    event("TaskCompleted", Kind::TaskCompleted, (v2(1, 33), PATIENT), (Block, WithRefusal, Field)),
    event("PreCompact", Kind::BeforeCompact, (v1(48), USUAL), (Exit, Stdout, Closed)),
    event("PostCompact", Kind::AfterCompact, (v2(1, 76), USUAL), (CannotRefuse, Closed, Stdout)),
    event("PreModelSwitch", Kind::BeforeModelSwitch, (v2(1, 251), PROMPT), (Permission, Closed, Field)),
    event("PostModelSwitch", Kind::AfterModelSwitch, (v2(1, 251), PROMPT), BOTH_TOLD),
    event("Notification", Kind::Notification, (ALWAYS, USUAL), OBSERVED),
    event("Elicitation", Kind::Elicitation, (v2(1, 76), USUAL), (Decline, Closed, Closed)),
    event("ElicitationResult", Kind::ElicitationAnswered, (v2(1, 76), USUAL), (Decline, Closed, Closed)),
    event("ConfigChange", Kind::ConfigChanged, (v2(1, 49), USUAL), (Block, Closed, Closed)),
    event("CwdChanged", Kind::CwdChanged, (v2(1, 83), USUAL), USER_TOLD),
    event("FileChanged", Kind::FileChanged, (v2(1, 83), Never), USER_TOLD),
    event("DirectoryAdded", Kind::DirectoryAdded, (v2(1, 219), USUAL), OBSERVED),
    event("WorktreeCreate", Kind::WorktreeCreate, (v2(1, 50), Never), (Exit, Closed, Closed)),
    event("WorktreeRemove", Kind::WorktreeRemove, (v2(1, 50), Never), OBSERVED),
    event("MessageDisplay", Kind::MessageShown, (v2(1, 152), Never), OBSERVED),
    event("SessionEnd", Kind::SessionEnd, (v1(85), LEAVING), OBSERVED),
];
