//! A client as the rest of flyball sees it: data, and the few functions in which clients really differ.

use std::ops::Range;

use flyball_core::answer::Answer;
use flyball_core::event::{Event, EventKind};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{ContextSize, PolicyError, TailReader};

use crate::dialect::{self, Protocol};
use crate::exchange::{CallerContext, DecodeError, Output};
use crate::history::History;
use crate::install::{Facts, HookCall, Scope, Version};
use crate::registration::Entry;

/// A program that runs a coding agent and calls flyball at its events.
pub struct Client {
    /// The id used in registrations, config and records: `some-client`.
    pub id: &'static str,
    /// The name people know it by.
    pub title: &'static str,
    /// Its files, variables and options.
    pub facts: Facts,
    /// Its hook protocol.
    pub(crate) protocol: Protocol,
    /// How its transcripts are read; `None` if flyball cannot read them.
    pub(crate) transcripts: Option<Transcripts>,
    /// How a line is read that it hands to its `shell_wrapper`; `None` if it has none.
    pub(crate) wrapped_line: Option<fn(&str) -> Option<AgentLine>>,
}

/// A line that a client hands to the program through which it starts the commands of its agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentLine {
    /// What the agent wrote, if it can be told from the client's own words.
    pub command: Option<String>,
    /// Where it is in the line, as it is quoted there.
    pub span: Range<usize>,
    /// The shell that has to run the line, if the line says so.
    pub shell: Option<&'static str>,
}

/// How a client's transcripts are read.
pub(crate) struct Transcripts {
    /// The folder below the client's own in which they are.
    pub(crate) folder: &'static str,
    /// How full the model's context is, by the end of the transcript of a session.
    pub(crate) context_size: fn(&mut TailReader<'_>) -> Result<Option<ContextSize>, PolicyError>,
    /// The latest messages and tool calls, from the end of the transcript of a session: plain text, the latest last, up
    /// to a number of characters, without what looks like a secret.
    pub(crate) recent_conversation: fn(&mut TailReader<'_>, usize) -> Result<Option<String>, PolicyError>,
    /// A new reader that starts at the beginning.
    pub(crate) history: fn() -> Box<dyn History>,
}

impl Client {
    /// The id used in registrations, config and records.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The name people know it by.
    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.title
    }

    /// Its files, variables and options.
    #[must_use]
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Reads a line that it hands to its `shell_wrapper`; `None` if the line is not a command of its agent.
    #[must_use]
    pub fn agent_line(&self, line: &str) -> Option<AgentLine> {
        self.wrapped_line.and_then(|read| read(line))
    }

    /// Decodes the client's payload.
    ///
    /// # Errors
    /// When the payload is not a JSON object. Fields and events that we do not know are not an error.
    pub fn decode(&self, payload: &str, surroundings: &CallerContext) -> Result<Event, DecodeError> {
        let event = dialect::decode(&self.protocol, payload, surroundings)?;
        let project = self.facts.shared.project_variable.and_then(surroundings.variable);
        Ok(Event { client: self.id.to_owned(), project: project.and_then(AbsolutePath::new), ..event })
    }

    /// Encodes the answer for the client.
    #[must_use]
    pub fn encode(&self, event: &Event, answer: &Answer) -> Output {
        dialect::encode(&self.protocol, event, answer)
    }

    /// What a tool returned without its secrets, if this client takes another result in place of the real one.
    #[must_use]
    pub fn struck_output(&self, event: &Event, payload: &str) -> Option<String> {
        let call = event.call().filter(|_| event.kind() == EventKind::AfterTool)?;
        dialect::struck_output(self.protocol.output, payload, &call.tool)
    }

    /// The answer when the payload cannot be decoded at all, by the event in the registration:
    /// gates fail closed, everything else passes with an error that the user can see.
    #[must_use]
    pub fn encode_failure(&self, declared_event: Option<&str>, text: &str) -> Output {
        dialect::encode_failure(&self.protocol, declared_event, text)
    }

    /// The kinds that an event of this name can be. More than one if it depends on the payload.
    #[must_use]
    pub fn kinds_of(&self, native_event: &str) -> Vec<EventKind> {
        self.protocol
            .event(native_event)
            .map_or_else(|| vec![EventKind::Unknown], |event| event.meaning.kinds())
    }

    /// The handlers to register in the settings of a scope, for a client of this version; `None` if it is unknown.
    #[must_use]
    pub fn entries(&self, binary: &str, version: Option<Version>, scope: Scope) -> Vec<Entry> {
        // What the client does not know is left out, unless it may know it: then it is registered where that does no harm.
        let is_known = |event: &&dialect::NativeEvent| match version {
            Some(version) => event.since <= version,
            None => self
                .facts
                .assumed_version
                .is_none_or(|assumed| event.since <= assumed || self.ignores_events(assumed)),
        };
        let version = version.or(self.facts.assumed_version);
        let known = self.protocol.events.iter().filter(is_known);
        let entry = |event: &dialect::NativeEvent| {
            let timeout = event.register.timeout()?;
            let call = HookCall { binary, client: self.id, event: event.name, timeout };
            let handler = self.facts.handler(&call, version, scope);
            Some(Entry { event: event.name.to_owned(), matcher: None, handler })
        };
        known.filter_map(entry).collect()
    }

    /// Whether a client of this version knows the event.
    #[must_use]
    pub fn has_event(&self, native_event: &str, version: Version) -> bool {
        self.protocol.event(native_event).is_some_and(|event| event.since <= version)
    }

    /// Whether a client of this version ignores an event in its settings that it does not know, instead of the whole file.
    #[must_use]
    pub fn ignores_events(&self, version: Version) -> bool {
        self.facts.ignores_events_since.is_none_or(|since| since <= version)
    }

    /// The events that are registered where the version allows it, but that a client of this version does not have; of an
    /// unknown version, those that it may not have.
    #[must_use]
    pub fn newer_events(&self, version: Option<Version>) -> Vec<&'static str> {
        let Some(version) = version.or(self.facts.assumed_version) else { return Vec::new() };
        let newer = self.protocol.events.iter().filter(|event| event.since > version);
        newer.filter(|event| event.register.timeout().is_some()).map(|event| event.name).collect()
    }

    /// A reader for one of its transcripts; `None` if flyball cannot read them.
    #[must_use]
    pub fn history(&self) -> Option<Box<dyn History>> {
        self.transcripts.as_ref().map(|transcripts| (transcripts.history)())
    }

    /// The folder of its transcripts, below the client's own; `None` if flyball cannot read them.
    #[must_use]
    pub fn transcripts(&self) -> Option<&'static str> {
        self.transcripts.as_ref().map(|transcripts| transcripts.folder)
    }
}

#[cfg(test)]
mod tests {
    use flyball_core::client::ClientFacts;
    use flyball_core::event::{EventData, EventKind, Tool};

    use super::Client;
    use crate::dialect::examples::NOWHERE;
    use crate::dialect::{
        Channel, ExitCodes, Meaning, NativeEvent, OutputSupport, Protocol, Refusal, Register,
        TerminalSupport, event, powers, since,
    };
    use crate::install::{Facts, FailureRule, ReadBy, Scope, Version};

    static SHARED: ClientFacts = ClientFacts::UNKNOWN;
    const FIRST: Version = Version::new(1, 0, 0);

    /// A client that has one event for calls that succeed and calls that fail.
    static MADE_UP: Client = Client {
        id: "made-up",
        title: "Made Up",
        facts: Facts {
            shared: &SHARED,
            session_variable: "MADE_UP_SESSION",
            hook_session_variable: None,
            hook_mark: None,
            marks: &[],
            tool_marks: &[],
            processes: &[],
            home_folder: ".made-up",
            settings: &[],
            settings_read_by: ReadBy::ItselfOnly,
            agents: &[],
            commands: &[],
            guarded: &[],
            sourced: &[],
            plugins: None,
            status_line: None,
            servers: None,
            add_server: "made-up mcp add",
            blockers: &[],
            traces: &[],
            after_install: None,
            assumed_version: None,
            ignores_events_since: None,
            exec_since: None,
            failure: FailureRule::UNKNOWN,
            own_sandbox: None,
        },
        protocol: Protocol {
            needed: |_| &[],
            events: &[
                event(
                    "BeforeTool",
                    EventKind::BeforeTool,
                    since(FIRST, Register::Within(60)),
                    powers(Refusal::Block, Channel::Closed, Channel::Field),
                ),
                NativeEvent {
                    name: "AfterTool",
                    meaning: Meaning::ByOutcome {
                        has_failed: |payload| payload.object("tool_response").has("error"),
                        succeeded: EventKind::AfterTool,
                        failed: EventKind::ToolFailed,
                    },
                    since: FIRST,
                    register: Register::Within(60),
                    powers: powers(Refusal::Block, Channel::Field, Channel::Field),
                },
            ],
            tool: |_, _| Tool::Other,
            updated_input: |_, _| None,
            longest_text: 1_000,
            nobody_to_ask: "",
            output: OutputSupport::Unsupported,
            terminal: TerminalSupport::Unsupported,
            exit: ExitCodes { refuses: 2, passes: 1 },
        },
        transcripts: None,
        wrapped_line: None,
    };

    fn decoded(response: &str) -> EventData {
        let payload = format!(
            r#"{{"hook_event_name":"AfterTool","tool_name":"read_file","tool_response":{response}}}"#
        );
        MADE_UP.decode(&payload, &NOWHERE).unwrap().happening
    }

    #[test]
    fn one_native_event_is_a_success_or_a_failure_by_its_payload() {
        let EventData::AfterTool { outcome, .. } = decoded(r#"{"result":"hello"}"#) else {
            panic!("not a success")
        };
        assert_eq!(outcome.text, "hello");
        let failed = decoded(r#"{"result":"no","error":{"message":"File not found"}}"#);
        let EventData::ToolFailed { outcome, .. } = failed else { panic!("not a failure") };
        assert_eq!(outcome.text, "no");
    }

    #[test]
    fn both_kinds_of_such_an_event_are_known_and_it_is_registered_once() {
        assert_eq!(MADE_UP.kinds_of("AfterTool"), [EventKind::AfterTool, EventKind::ToolFailed]);
        assert_eq!(MADE_UP.kinds_of("SomethingNew"), [EventKind::Unknown]);
        let entries = MADE_UP.entries("/bin/flyball", None, Scope::User);
        let events: Vec<&str> = entries.iter().map(|entry| entry.event.as_str()).collect();
        assert_eq!(events, ["BeforeTool", "AfterTool"]);
    }

    #[test]
    fn a_payload_that_cannot_be_read_passes_where_the_tool_has_run() {
        assert_eq!(MADE_UP.encode_failure(Some("BeforeTool"), "broken").exit, 2);
        assert_eq!(MADE_UP.encode_failure(Some("AfterTool"), "broken").exit, 1);
    }
}
