//! Claude Code's events: the only list of them.

use flyball_core::event::EventKind as Kind;

use crate::dialect::Channel::{Closed, Field, Stdout, WithRefusal};
use crate::dialect::Refusal::{Behavior, Block, Decline, Exit, Inform, Never as CannotRefuse, Permission};
use crate::dialect::Register::{Never, Within};
use crate::dialect::{NativeEvent, Powers, Register, event, powers, since};
use crate::install::Version;

/// How long a hook may take by default.
const DEFAULT_TIMEOUT: Register = Within(60);
/// Where a check may have to run the project's tests before the agent may stop.
const LONG_TIMEOUT: Register = Within(600);
/// The client's own limit for what a person waits for at the prompt.
const PROMPT_TIMEOUT: Register = Within(30);
/// The client is on its way out and waits no longer than the longest timeout that is registered.
const EXIT_TIMEOUT: Register = Within(5);

/// In every version that has hooks.
const ALWAYS: Version = Version::new(1, 0, 0);
/// Events whose first version is not known: the oldest one they were seen in.
const SEEN: Version = Version::new(2, 1, 119);

const fn v2(minor: u32, patch: u32) -> Version {
    Version::new(2, minor, patch)
}

const fn v1(patch: u32) -> Version {
    Version::new(1, 0, patch)
}

/// Nothing can be stopped, model and user can be given a text.
const MODEL_AND_USER: Powers = powers(CannotRefuse, Field, Field);
/// Nothing can be stopped, the user can be given a text.
const USER_ONLY: Powers = powers(CannotRefuse, Closed, Field);
/// Any answer is ignored.
const OBSERVED: Powers = powers(CannotRefuse, Closed, Closed);

/// Name, meaning, first version and timeout; how it refuses, context for the model, notice for the user.
///
/// - `Stop` and its kin: context of its own would keep the agent going like a refusal.
/// - `PostToolBatch`: a block would end the turn, so the reason goes to the model as context.
/// - `PreCompact`: whatever is on stdout becomes part of the instructions for the summary.
/// - `WorktreeCreate`: whatever is on stdout is the worktree's path, and being registered replaces
///   `git worktree add`. `FileChanged` needs names to watch. `MessageDisplay` holds up all text.
/// - `DirectoryAdded` would show a notice to the model.
pub(super) static EVENTS: &[NativeEvent] = &[
    event("SessionStart", Kind::SessionStart, since(v1(62), DEFAULT_TIMEOUT), MODEL_AND_USER),
    event("Setup", Kind::SessionSetup, since(v2(1, 10), DEFAULT_TIMEOUT), MODEL_AND_USER),
    event("InstructionsLoaded", Kind::InstructionsLoaded, since(v2(1, 69), DEFAULT_TIMEOUT), OBSERVED),
    event("UserPromptSubmit", Kind::PromptSubmit, since(v1(54), PROMPT_TIMEOUT), powers(Block, Field, Field)),
    event(
        "UserPromptExpansion",
        Kind::PromptExpanded,
        since(SEEN, PROMPT_TIMEOUT),
        powers(Block, Field, Field),
    ),
    event("PreToolUse", Kind::BeforeTool, since(ALWAYS, DEFAULT_TIMEOUT), powers(Permission, Field, Field)),
    event(
        "PermissionRequest",
        Kind::PermissionAsked,
        since(v2(0, 45), DEFAULT_TIMEOUT),
        powers(Behavior, Closed, Closed),
    ),
    event("PermissionDenied", Kind::PermissionDenied, since(v2(1, 89), DEFAULT_TIMEOUT), OBSERVED),
    event("PostToolUse", Kind::AfterTool, since(ALWAYS, LONG_TIMEOUT), powers(Block, Field, Field)),
    event(
        "PostToolUseFailure",
        Kind::ToolFailed,
        since(v2(1, 119), DEFAULT_TIMEOUT),
        powers(Block, Field, Field),
    ),
    event("PostToolBatch", Kind::AfterBatch, since(SEEN, LONG_TIMEOUT), powers(Inform, Field, Field)),
    event("Stop", Kind::Stop, since(v1(41), LONG_TIMEOUT), powers(Block, WithRefusal, Field)),
    event("StopFailure", Kind::StopFailed, since(v2(1, 78), DEFAULT_TIMEOUT), OBSERVED),
    event("SubagentStart", Kind::AgentStart, since(v2(0, 43), DEFAULT_TIMEOUT), MODEL_AND_USER),
    event("SubagentStop", Kind::AgentStop, since(v1(41), LONG_TIMEOUT), powers(Block, WithRefusal, Field)),
    event(
        "TeammateIdle",
        Kind::TeammateIdle,
        since(v2(1, 33), LONG_TIMEOUT),
        powers(Block, WithRefusal, Field),
    ),
    event(
        "TaskCreated",
        Kind::TaskCreated,
        since(v2(1, 84), DEFAULT_TIMEOUT),
        powers(Block, WithRefusal, Field),
    ),
    event(
        "TaskCompleted",
        Kind::TaskCompleted,
        since(v2(1, 33), LONG_TIMEOUT),
        powers(Block, WithRefusal, Field),
    ),
    event("PreCompact", Kind::BeforeCompact, since(v1(48), DEFAULT_TIMEOUT), powers(Exit, Stdout, Closed)),
    event(
        "PostCompact",
        Kind::AfterCompact,
        since(v2(1, 76), DEFAULT_TIMEOUT),
        powers(CannotRefuse, Closed, Stdout),
    ),
    event(
        "PreModelSwitch",
        Kind::BeforeModelSwitch,
        since(v2(1, 251), PROMPT_TIMEOUT),
        powers(Permission, Closed, Field),
    ),
    event("PostModelSwitch", Kind::AfterModelSwitch, since(v2(1, 251), PROMPT_TIMEOUT), MODEL_AND_USER),
    event("Notification", Kind::Notification, since(ALWAYS, DEFAULT_TIMEOUT), OBSERVED),
    event(
        "Elicitation",
        Kind::Elicitation,
        since(v2(1, 76), DEFAULT_TIMEOUT),
        powers(Decline, Closed, Closed),
    ),
    event(
        "ElicitationResult",
        Kind::ElicitationAnswered,
        since(v2(1, 76), DEFAULT_TIMEOUT),
        powers(Decline, Closed, Closed),
    ),
    event(
        "ConfigChange",
        Kind::ConfigChanged,
        since(v2(1, 49), DEFAULT_TIMEOUT),
        powers(Block, Closed, Closed),
    ),
    event("CwdChanged", Kind::CwdChanged, since(v2(1, 83), DEFAULT_TIMEOUT), USER_ONLY),
    event("FileChanged", Kind::FileChanged, since(v2(1, 83), Never), USER_ONLY),
    event("DirectoryAdded", Kind::DirectoryAdded, since(v2(1, 219), DEFAULT_TIMEOUT), OBSERVED),
    event("WorktreeCreate", Kind::WorktreeCreate, since(v2(1, 50), Never), powers(Exit, Closed, Closed)),
    event("WorktreeRemove", Kind::WorktreeRemove, since(v2(1, 50), Never), OBSERVED),
    event("MessageDisplay", Kind::MessageShown, since(v2(1, 152), Never), OBSERVED),
    event("SessionEnd", Kind::SessionEnd, since(v1(85), EXIT_TIMEOUT), OBSERVED),
];
