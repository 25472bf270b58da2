//! What a session waits for, read from its last events.

use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use serde::Serialize;

use crate::show::text::one_line;

/// How many of a session's last events are looked at for what it waits for.
pub(crate) const LOOKED_AT: usize = 12;

/// Who has to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WaitingOn {
    Person,
    /// The agent, its model or its tools.
    Agent,
    Nobody,
}

/// What a session waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    pub(crate) on: WaitingOn,
    pub(crate) what: String,
}

/// What a session with these events waits for; the newest comes first.
pub(crate) fn from_records(newest_first: &[Record]) -> Waiting {
    newest_first.iter().find_map(from_record).unwrap_or_else(|| agent("no event yet"))
}

/// What an event shows about it; `None` for those that may come at any time.
fn from_record(record: &Record) -> Option<Waiting> {
    let denied = record.stance == Stance::Deny;
    let waiting = match record.kind {
        EventKind::SessionStart | EventKind::SessionSetup | EventKind::InstructionsLoaded => {
            person("started, waiting for a prompt")
        }
        EventKind::PromptSubmit | EventKind::PromptExpanded if denied => {
            person("the prompt was denied, waiting for another")
        }
        EventKind::PromptSubmit | EventKind::PromptExpanded => agent("the model is at work"),
        EventKind::BeforeTool => before_tool(record),
        EventKind::PermissionAsked => permission_asked(record),
        EventKind::PermissionDenied
        | EventKind::AfterTool
        | EventKind::ToolFailed
        | EventKind::AfterBatch
        | EventKind::AgentStart
        | EventKind::AgentStop
        | EventKind::TaskCreated
        | EventKind::TaskCompleted
        | EventKind::AfterCompact
        | EventKind::BeforeModelCall
        | EventKind::AfterModelCall
        | EventKind::ElicitationAnswered => agent("the model is at work"),
        EventKind::Stop if denied => agent("the model is at work: it was blocked from stopping"),
        EventKind::Stop => person("turn ended, waiting for a prompt"),
        EventKind::StopFailed => person(&with_subject("turn ended by an error", record)),
        EventKind::Interrupted => person("interrupted, waiting for a prompt"),
        EventKind::BeforeCompact => agent("its context is being compacted"),
        EventKind::Notification => person(&with_subject("waiting for a person", record)),
        EventKind::Elicitation => person(&with_subject("a tool server asks", record)),
        EventKind::SessionEnd => Waiting { on: WaitingOn::Nobody, what: with_subject("ended", record) },
        EventKind::TeammateIdle
        | EventKind::BeforeModelSwitch
        | EventKind::AfterModelSwitch
        | EventKind::ConfigChanged
        | EventKind::CwdChanged
        | EventKind::FileChanged
        | EventKind::DirectoryAdded
        | EventKind::WorktreeCreate
        | EventKind::WorktreeRemove
        | EventKind::MessageShown
        | EventKind::Unknown => return None,
    };
    Some(waiting)
}

fn before_tool(record: &Record) -> Waiting {
    match record.stance {
        Stance::Deny => agent("the model is at work, after a denial"),
        Stance::Ask => person(&with_subject("waiting for a person's permission", record)),
        Stance::Silent | Stance::Allow => {
            let tool = record.tool.map_or("a tool", |tool| tool.name());
            agent(&with_subject(&format!("running {tool}"), record))
        }
    }
}

fn permission_asked(record: &Record) -> Waiting {
    match record.stance {
        Stance::Deny => agent("the model is at work, after a denial"),
        Stance::Allow => agent(&with_subject("running what was allowed", record)),
        // The client shows its dialog unless a policy decides for the person.
        Stance::Silent | Stance::Ask => person(&with_subject("waiting for a person's permission", record)),
    }
}

fn with_subject(what: &str, record: &Record) -> String {
    let subject = one_line(&record.subject);
    if subject.is_empty() { what.to_owned() } else { format!("{what}: {subject}") }
}

fn person(what: &str) -> Waiting {
    Waiting { on: WaitingOn::Person, what: what.to_owned() }
}

fn agent(what: &str) -> Waiting {
    Waiting { on: WaitingOn::Agent, what: what.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(kind: &str, stance: &str) -> Record {
        let fields = json!({
            "id": "4k7q2m8x", "at": 1, "client": "c", "session": "s", "project": "/p", "kind": kind,
            "native": "", "tool": "shell", "subject": "make", "call": 1, "stance": stance, "micros": 1,
        });
        serde_json::from_value(fields).unwrap()
    }

    /// Kind and stance of events, newest first, and the result.
    type Case = (&'static [(&'static str, &'static str)], WaitingOn, &'static str);

    #[test]
    fn the_newest_event_that_shows_it_decides() {
        let cases: [Case; 9] = [
            (&[], WaitingOn::Agent, "no event yet"),
            (&[("permission_asked", "silent")], WaitingOn::Person, "waiting for a person's permission: make"),
            (&[("before_tool", "silent")], WaitingOn::Agent, "running shell: make"),
            (&[("before_tool", "deny")], WaitingOn::Agent, "the model is at work, after a denial"),
            (&[("stop", "silent")], WaitingOn::Person, "turn ended, waiting for a prompt"),
            (&[("stop", "deny")], WaitingOn::Agent, "the model is at work: it was blocked from stopping"),
            (
                &[("cwd_changed", "silent"), ("after_tool", "silent")],
                WaitingOn::Agent,
                "the model is at work",
            ),
            (&[("notification", "silent")], WaitingOn::Person, "waiting for a person: make"),
            (&[("session_end", "silent"), ("stop", "silent")], WaitingOn::Nobody, "ended: make"),
        ];
        for (events, on, what) in cases {
            let records: Vec<Record> = events.iter().map(|(kind, stance)| record(kind, stance)).collect();
            assert_eq!(from_records(&records), Waiting { on, what: what.to_owned() }, "{events:?}");
        }
    }

    #[test]
    fn every_kind_of_event_shows_who_has_to_do_something_or_nothing() {
        let kinds = |expected: Option<WaitingOn>| -> Vec<&str> {
            let on =
                |kind: &&EventKind| from_record(&record(kind.name(), "silent")).map(|waiting| waiting.on);
            let found = EventKind::ALL.iter().filter(|kind| on(kind) == expected);
            found.map(|kind| kind.name()).collect()
        };
        let person = [
            "session_start",
            "session_setup",
            "instructions_loaded",
            "permission_asked",
            "stop",
            "stop_failed",
            "notification",
            "elicitation",
            "interrupted",
        ];
        assert_eq!(kinds(Some(WaitingOn::Person)), person);
        assert_eq!(kinds(Some(WaitingOn::Nobody)), ["session_end"]);
        let nothing = [
            "teammate_idle",
            "before_model_switch",
            "after_model_switch",
            "config_changed",
            "cwd_changed",
            "file_changed",
            "directory_added",
            "worktree_create",
            "worktree_remove",
            "message_shown",
            "unknown",
        ];
        assert_eq!(kinds(None), nothing);
    }
}
