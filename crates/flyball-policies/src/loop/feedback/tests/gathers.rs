//! When commands are run and advice is asked for before a decision, and when not.

use std::time::Duration;

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Event, EventData, Outcome, Stopping, Tool};
use flyball_core::facts::Facts;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::snapshot::{Snapshot, SnapshotRequest, Snapshots};
use flyball_core::workshop::{
    Created, FileChanges, FileUpdate, Job, JobResult, Limits, Network, NoteChange, NoteChanges, OwnFolders,
    Program, ProgramQuery, Programs, Request, Response, ResultCache, Rewritten, Scratch,
};

use super::super::gather::{Inputs, gather};
use super::super::state::Ending;
use super::{SHORT, Session, background, call};
use crate::testing::{PinnedWorld, event};

/// A workshop in which every action fails the test.
struct Closed(PinnedWorld);

flyball_core::delegate!(Closed, 0: Clock, Place, Processes, Files, Git, Contents, FileApprovals, Notes, Transcripts, KnowsClients);

impl Programs for Closed {
    fn find(&self, query: &ProgramQuery) -> Option<Program> {
        panic!("{query:?} is looked for")
    }

    fn run(&self, jobs: &[Job], _: Limits) -> Vec<JobResult> {
        panic!("{jobs:?} are run")
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn trusts_project(&self) -> bool {
        false
    }
}

impl ResultCache for Closed {
    fn cached_result(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn cache_result(&self, key: &str, _: &[u8]) {
        panic!("{key} is stored")
    }
}

impl Network for Closed {
    fn post(&self, request: &Request) -> Result<Response, PolicyError> {
        panic!("{} is asked", request.url)
    }

    fn pause(&self, _: Duration) {}
}

impl OwnFolders for Closed {
    fn scratch(&self, _: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        panic!("the workshop is closed")
    }

    fn persistent_file(&self, _: &str, _: &[u8]) -> Option<AbsolutePath> {
        None
    }
}

impl FileChanges for Closed {
    fn rewrite(&self, path: &AbsolutePath, _: &[u8], _: &[u8]) -> Result<Rewritten, PolicyError> {
        panic!("{path} is rewritten")
    }

    fn create(&self, _: &AbsolutePath, _: &[u8]) -> Result<Created, PolicyError> {
        panic!("the workshop is closed")
    }

    fn update(&self, _: &AbsolutePath, _: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        panic!("the workshop is closed")
    }

    fn append(&self, _: &AbsolutePath, _: &str) -> Result<(), PolicyError> {
        panic!("the workshop is closed")
    }

    fn link(&self, _: &AbsolutePath, _: &AbsolutePath) -> Result<bool, PolicyError> {
        panic!("the workshop is closed")
    }
}

impl NoteChanges for Closed {
    fn change_note(&self, _: &str, _: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        panic!("the workshop is closed")
    }
}

impl Snapshots for Closed {
    fn take_snapshot(&self, _: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        panic!("the workshop is closed")
    }
}

fn gathered(session: &Session, mode: Mode, event: &Event) -> Option<Inputs> {
    let section = session.sections.iter().find(|(id, _)| id == "loop.feedback").unwrap().1.clone();
    let (world, facts) = (session.world(), Facts::default());
    let situation = Situation {
        policy: super::super::POLICY.id,
        event,
        mode,
        section: &section,
        world: &world,
        memory: &*session.memory,
        facts: &facts,
        wrappers: &[],
        context_chars: 9_500,
        payloads: flyball_core::config::Payloads::Redacted,
    };
    let gathered = gather(&situation, &Closed(session.world())).unwrap();
    gathered.map(|gathered| gathered.downcast_ref::<Inputs>().unwrap().clone())
}

fn stop() -> Event {
    event(EventData::Stop(Stopping::default()))
}

/// A session with something open that only a command can prove.
fn proved() -> Session {
    let mut session = Session::new(&format!("{SHORT}run = {{ review = 'make check' }}\n"));
    session.edit("src/a.go", "one");
    session
}

#[test]
fn nothing_is_gathered_if_nothing_is_open_or_nothing_may_run() {
    let session = proved();
    let untouched = Session::new(SHORT);
    assert_eq!(gathered(&untouched, Mode::Enforce, &stop()), None, "nothing was edited");
    assert_eq!(gathered(&session, Mode::Observe, &stop()), Some(Inputs::default()), "observed only");
    let waiting = event(EventData::Stop(background("subagent", "")));
    assert_eq!(gathered(&session, Mode::Enforce, &waiting), None, "an agent is at work");
    let agent = Some(Agent { id: "a1".to_owned(), role: "developer".to_owned() });
    let finished = EventData::AgentStop { stopping: Stopping::default(), transcript: None };
    let finished = Event { agent, ..event(finished) };
    assert_eq!(gathered(&session, Mode::Enforce, &finished), None, "an agent that serves nothing");
    let mut state = session.state();
    state.ending = Some(Ending::Aborted);
    session.set(&state);
    assert_eq!(gathered(&session, Mode::Enforce, &stop()), None, "a person ended it");
}

#[test]
fn commands_are_not_watched_if_no_phase_has_one() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let shell = Tool::Shell { command: "make check".to_owned(), background: false };
    let ran = event(EventData::AfterTool { call: call("Bash", shell), outcome: Outcome::default() });
    assert_eq!(gathered(&session, Mode::Enforce, &ran), None);
}

#[test]
fn advice_is_asked_for_only_when_a_limit_is_about_to_be_reached() {
    let mut session = Session::new(SHORT);
    for number in 1..=3 {
        session.edit("src/a.go", &format!("version {number}"));
        session.agent("reviewer", &format!("## Review Result\nREVIEW_REJECTED\n- issue {number}"));
        let advice = gathered(&session, Mode::Enforce, &stop()).unwrap().advice;
        assert_eq!(advice.is_some(), number == 3, "{number}");
    }
    assert_eq!(session.state().ending, None);
}
