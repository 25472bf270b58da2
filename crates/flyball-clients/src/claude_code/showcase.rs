//! A recorded agent session for `flyball demo`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::facts::{ID, MARK, PROJECT_VARIABLE, SESSION};

/// The placeholder for the project's directory in a payload.
const PROJECT: &str = "{PROJECT}";

/// One event of the session.
#[derive(Debug, Deserialize)]
pub struct DemoEvent {
    /// What happens, for the person who watches.
    pub about: String,
    /// The client's name of the event.
    pub event: String,
    /// What the tool wrote before the event, by path in the project.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    payload: Box<RawValue>,
}

impl DemoEvent {
    /// What the client sends.
    #[must_use]
    pub fn payload(&self, project: &str) -> String {
        // A path becomes part of JSON strings, so it is escaped as one.
        let escaped = serde_json::Value::from(project).to_string();
        let inside = escaped.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
        self.payload.get().replace(PROJECT, inside)
    }
}

/// The session: the id of its client, the environment it gives its hooks, and its events.
pub struct Session {
    /// The client it was recorded from.
    pub client: &'static str,
    /// Variables that the client sets for its hooks.
    pub variables: &'static [(&'static str, &'static str)],
    /// The variable that holds the project's directory.
    pub project_variable: &'static str,
    /// Its events, in order.
    pub events: Vec<DemoEvent>,
}

/// The recorded session.
///
/// # Errors
/// Never: the recording is part of the program, and a test reads it.
pub fn session() -> Result<Session, serde_json::Error> {
    read(include_str!("showcase/session.jsonl"))
}

/// Another session in the same project, which has not ended: several agents, an open loop, a task, findings, and a
/// question that waits for a person.
///
/// # Errors
/// Never: the recording is part of the program, and a test reads it.
pub fn unfinished_session() -> Result<Session, serde_json::Error> {
    read(include_str!("showcase/unfinished.jsonl"))
}

/// The plan that the unfinished session works on, and its path in the project.
pub const PLAN: (&str, &str) =
    (".claude/tasks/20261115_forecast_task/PLAN.md", include_str!("showcase/plan.md"));

/// The variable by which a command knows the session that it is run in, and the unfinished session's id.
pub const SESSION_ENV: (&str, &str) = (SESSION, "e1000000-0000-4000-8000-00000000demo");

fn read(text: &str) -> Result<Session, serde_json::Error> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(Session {
        client: ID,
        variables: &[(MARK, "1")],
        project_variable: PROJECT_VARIABLE,
        events: lines.map(serde_json::from_str).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_a_payload_that_its_client_decodes() {
        let client = &crate::claude_code::CLIENT;
        let nothing = |_: &str| None;
        for recorded in session().unwrap().events.iter().chain(&unfinished_session().unwrap().events) {
            let surroundings = crate::CallerContext {
                variable: &nothing,
                folder: &|| None,
                declared_client: None,
                declared_event: Some(&recorded.event),
            };
            let event = client.decode(&recorded.payload("/tmp/a \"b\""), &surroundings).unwrap();
            assert_eq!([event.kind()], *client.kinds_of(&recorded.event), "{}", recorded.about);
            assert_eq!(event.cwd, "/tmp/a \"b\"", "{}", recorded.about);
        }
    }
}
