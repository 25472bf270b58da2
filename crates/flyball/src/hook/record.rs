//! Records the event and its answer, and starts the work that can wait until the client has the answer.

use std::path::{Path, PathBuf};
use std::process::Command;

use flyball_core::answer::Answer;
use flyball_core::config::{OtlpSettings, OtlpSignal};
use flyball_core::engine::{Case, Judgement, Ruling};
use flyball_core::event::{CallKey, Event, EventData, EventKind, Tool};
use flyball_core::pack::utf16_len;
use flyball_core::policy::PolicyError;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::redact::{payload_for_store, redact};
use flyball_core::text;
use flyball_core::time::Time;
use flyball_core::verdict::{Evidence, Reason};
use flyball_policies::observe::events::records;
use flyball_store::SessionJournal;
use flyball_store::outbox::Outbox;

use super::context::EventContext;
use super::follow_up;
use super::input::HookInput;
use crate::environment;

/// The longest subject line, and how much of a text is searched for it.
const SUBJECT_CHARS: usize = 160;
const SEEN_CHARS: usize = 2_000;

/// What was judged, and how.
pub(super) struct Outcome<'a> {
    pub(super) case: &'a Case,
    pub(super) judgement: &'a Judgement,
}

/// What is left to do once the client has its answer.
pub(super) enum BackgroundWork {
    Nothing,
    /// The journals below this state directory are due for the index.
    Fold(PathBuf),
    /// Telemetry is due, sent by a process that folds the journals as well.
    Send {
        state: PathBuf,
        at: Time,
        is_fold_due: bool,
    },
}

/// Records the event. Errors are reported to the user and change no decision.
pub(super) fn record(
    input: &HookInput<'_>,
    context: &EventContext,
    outcome: &Outcome<'_>,
    answer: &mut Answer,
) -> BackgroundWork {
    let Some(journal) = &context.journal else { return BackgroundWork::Nothing };
    let kind = outcome.case.event.kind();
    if !records(&context.config, kind, answer.is_silent()) {
        // The event is not to be recorded, but what policies remember of it must survive.
        if let Err(error) = journal.keep_memory() {
            answer.notices.extend(failure_notice(&error, journal, kind));
        }
        return BackgroundWork::Nothing;
    }
    let mut record = describe(input, context, outcome, answer);
    match journal.commit(&mut record) {
        Ok(committed) => {
            if record.duplicate {
                // Registered twice, in two files or by a plugin too: the first answer had everything. What is denied
                // is denied by both.
                answer.context.clear();
                answer.notices.clear();
            }
            // The end of a session is folded at once: from then on the anchors prove it.
            let due = committed.is_fold_due() || kind == EventKind::SessionEnd;
            let Some(state) = input.environment.state_dir() else { return BackgroundWork::Nothing };
            if has_destination(&context.config.otlp) {
                return BackgroundWork::Send { state: state.to_path_buf(), at: input.at, is_fold_due: due };
            }
            if due { BackgroundWork::Fold(state.to_path_buf()) } else { BackgroundWork::Nothing }
        }
        Err(error) => {
            // The next event that can lock the journal appends what waits beside it.
            match journal.spool(&record) {
                Ok(()) => {
                    answer.notices.push(format!("this event waits to be recorded: {error}; {}", error.fix()))
                }
                Err(_) => answer.notices.extend(failure_notice(&error, journal, kind)),
            }
            BackgroundWork::Nothing
        }
    }
}

/// What the user is told of an event that was not recorded. Without a state directory nothing remembers that they were told:
/// then it is said where a person looks, and not at every call.
fn failure_notice(error: &PolicyError, journal: &SessionJournal, kind: EventKind) -> Option<String> {
    let has_folder = journal.path().parent().is_some_and(Path::is_dir);
    match kind {
        _ if has_folder => Some(format!("this event was not recorded: {error}; {}", error.fix())),
        EventKind::SessionStart | EventKind::PromptSubmit => {
            Some(format!("events are judged but not recorded: {error}; {}", error.fix()))
        }
        _ => None,
    }
}

/// Whether there is anywhere to send what was recorded.
fn has_destination(otlp: &OtlpSettings) -> bool {
    let is_named = || OtlpSignal::ALL.iter().any(|signal| otlp.address(*signal).is_some());
    // A cheap test that may start a sender in vain; the sender resolves the settings itself.
    otlp.may_send() && (is_named() || environment::variable("OTEL_EXPORTER_OTLP_ENDPOINT").is_some())
}

/// Starts the fold or the sender in a process of its own: the client waits for this one to end.
pub(super) fn start_background(work: BackgroundWork) {
    match work {
        BackgroundWork::Nothing => {}
        BackgroundWork::Fold(state) => start(&state, &["fold"]),
        BackgroundWork::Send { state, at, is_fold_due } => {
            // The sender folds too, so that one process is enough.
            if Outbox::below(&state).wants_sender(at) {
                start(&state, &["export", "--detached", &at.as_micros().to_string()]);
            } else if is_fold_due {
                start(&state, &["fold"]);
            }
        }
    }
}

fn start(state: &Path, arguments: &[&str]) {
    let Some(program) = environment::program() else { return };
    let mut command = Command::new(program);
    // A process that outlives the session must not keep its folder busy.
    command.args(arguments).env("FLYBALL_STATE_DIR", state).current_dir("/");
    // If it cannot be started, the next reader folds and the next event sends.
    follow_up::detach(command);
}

fn describe(input: &HookInput<'_>, context: &EventContext, outcome: &Outcome<'_>, answer: &Answer) -> Record {
    let event = &outcome.case.event;
    Record {
        id: answer.id.clone(),
        at: input.at,
        client: event.client.clone(),
        session: event.session.clone(),
        agent: event.agent.clone(),
        project: context.root.to_string_lossy().into_owned(),
        kind: event.kind(),
        native: event.native.clone(),
        tool: event.call().map(|call| call.tool.kind()),
        subject: subject(event),
        // Of the payload as it came: two registrations of one call get the same bytes.
        call: CallKey::from_payload(input.payload.as_bytes()),
        duplicate: false,
        stance: answer.stance,
        said: if answer.reasons.is_empty() {
            String::new()
        } else {
            clean(&answer.reason_text(event.kind()))
        },
        context_chars: utf16_len(&answer.context),
        notices: answer.notices.iter().map(|notice| clean(notice)).collect(),
        rewritten: answer.rewritten.is_some(),
        rulings: outcome.judgement.rulings.iter().map(ruling).collect(),
        took: outcome.case.world.elapsed(),
        payload: payload_for_store(&input.payload, context.config.store.payloads),
    }
}

fn ruling(ruling: &Ruling) -> RecordedRuling {
    RecordedRuling {
        policy: ruling.policy.as_str().to_owned(),
        mode: ruling.mode,
        skipped: ruling.skipped,
        stance: ruling.verdict.stance,
        reasons: ruling.verdict.reasons.iter().map(clean_reason).collect(),
        evidence: ruling.verdict.evidence.iter().map(clean_evidence).collect(),
        error: ruling.error.as_ref().map(|error| clean(&error.to_string())),
        took: ruling.took,
    }
}

/// What an event is about, in one line without secrets.
pub(crate) fn subject(event: &Event) -> String {
    let text = match &event.happening {
        EventData::PromptSubmit { text, .. } | EventData::MessageShown { text } => text.as_str(),
        EventData::PromptExpanded { command, .. } => command,
        EventData::SessionStart { source } => source,
        EventData::SessionEnd { reason } => reason,
        EventData::Stop(stopping) | EventData::AgentStop { stopping, .. } => &stopping.last_message,
        EventData::Notification { message, .. } | EventData::Elicitation { message, .. } => message,
        EventData::InstructionsLoaded { path }
        | EventData::FileChanged { path, .. }
        | EventData::DirectoryAdded { path } => path,
        EventData::StopFailed { error } => error,
        EventData::TaskCreated { subject, .. } | EventData::TaskCompleted { subject, .. } => subject,
        EventData::CwdChanged { to, .. }
        | EventData::BeforeModelSwitch { to, .. }
        | EventData::AfterModelSwitch { to, .. } => to,
        _ => event.call().map_or("", |call| tool_subject(&call.tool).unwrap_or(&call.name)),
    };
    // Redacted before it is cut: half a secret would no longer look like one.
    let head = text::head(text.lines().next().unwrap_or_default(), SEEN_CHARS);
    text::head(&clean(head), SUBJECT_CHARS).to_owned()
}

/// A text without secrets: a rule's message may quote the command that holds one.
fn clean(text: &str) -> String {
    redact(text).into_owned()
}

fn clean_reason(reason: &Reason) -> Reason {
    Reason { what: clean(&reason.what), why: clean(&reason.why), instead: clean(&reason.instead) }
}

fn clean_evidence(evidence: &Evidence) -> Evidence {
    Evidence { name: evidence.name.clone(), value: clean(&evidence.value) }
}

fn tool_subject(tool: &Tool) -> Option<&str> {
    match tool {
        Tool::Shell { command, .. } => Some(command),
        Tool::Edit(edits) => edits.first().map(|edit| edit.path.as_str()),
        Tool::Read { path } => Some(path),
        Tool::Search { pattern, .. } => Some(pattern),
        Tool::SpawnAgent { prompt, .. } => Some(prompt),
        Tool::Skill { name, .. } => Some(name),
        Tool::TaskCreate { subject } => Some(subject),
        Tool::Fetch { url } => Some(url),
        Tool::WebSearch { query } => Some(query),
        Tool::TaskUpdate { .. } | Tool::Mcp { .. } | Tool::Unreadable | Tool::Other => None,
    }
}
