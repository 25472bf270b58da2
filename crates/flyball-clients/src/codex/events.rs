//! Codex's events: the only list of them.

use flyball_core::event::EventKind as Kind;

use crate::dialect::Channel::{Closed, Field, WithRefusal};
use crate::dialect::Refusal::{Behavior, Block, Inform, Never as CannotRefuse, PermissionToDeny};
use crate::dialect::Register::{Never, Within};
use crate::dialect::{NativeEvent, Powers, Register, event, powers, since};
use crate::install::Version;

/// How long a hook may take by default. A person's trust in a hook is bound to
/// this number: changing it makes the client ask everybody again.
const DEFAULT_TIMEOUT: Register = Within(60);
/// Where a check may have to run the project's tests before the agent may stop.
const LONG_TIMEOUT: Register = Within(600);
/// The client allows no more.
const EXIT_TIMEOUT: Register = Within(3);

/// The oldest version that was looked at.
const SEEN: Version = Version::new(0, 149, 0);
/// The version in which the newer events were seen.
const NEWER: Version = Version::new(0, 166, 0);

/// Nothing can be stopped, model and user can be given a text.
const MODEL_AND_USER: Powers = powers(CannotRefuse, Field, Field);
/// Nothing can be stopped, the user can be given a text.
const USER_ONLY: Powers = powers(CannotRefuse, Closed, Field);
/// Any answer is ignored.
const OBSERVED: Powers = powers(CannotRefuse, Closed, Closed);

/// Name, meaning, first version and timeout; how it refuses, context for the model, notice for the user.
///
/// - `PostToolUse`: a block would take the tool's result away from the model, so the reason is
///   added as context.
/// - `PreCompact`: stopping the compaction would abort the whole turn.
/// - The model requests take no answer, and a process for each would be felt.
pub(super) static EVENTS: &[NativeEvent] = &[
    event("SessionStart", Kind::SessionStart, since(SEEN, DEFAULT_TIMEOUT), MODEL_AND_USER),
    event("UserPromptSubmit", Kind::PromptSubmit, since(SEEN, DEFAULT_TIMEOUT), powers(Block, Field, Field)),
    event(
        "PreToolUse",
        Kind::BeforeTool,
        since(SEEN, DEFAULT_TIMEOUT),
        powers(PermissionToDeny, Field, Field),
    ),
    event(
        "PermissionRequest",
        Kind::PermissionAsked,
        since(SEEN, DEFAULT_TIMEOUT),
        powers(Behavior, Closed, Field),
    ),
    event("PostToolUse", Kind::AfterTool, since(SEEN, LONG_TIMEOUT), powers(Inform, Field, Field)),
    event("Stop", Kind::Stop, since(SEEN, LONG_TIMEOUT), powers(Block, WithRefusal, Field)),
    event("Interrupt", Kind::Interrupted, since(NEWER, DEFAULT_TIMEOUT), USER_ONLY),
    event("SubagentStart", Kind::AgentStart, since(SEEN, DEFAULT_TIMEOUT), MODEL_AND_USER),
    event("SubagentStop", Kind::AgentStop, since(SEEN, LONG_TIMEOUT), powers(Block, WithRefusal, Field)),
    event("PreCompact", Kind::BeforeCompact, since(SEEN, DEFAULT_TIMEOUT), USER_ONLY),
    event("PostCompact", Kind::AfterCompact, since(SEEN, DEFAULT_TIMEOUT), USER_ONLY),
    event("PreModelRequest", Kind::BeforeModelCall, since(NEWER, Never), OBSERVED),
    event("PostModelRequest", Kind::AfterModelCall, since(NEWER, Never), OBSERVED),
    event("SessionEnd", Kind::SessionEnd, since(SEEN, EXIT_TIMEOUT), OBSERVED),
];
