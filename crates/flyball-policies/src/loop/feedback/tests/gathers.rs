//! When something is done before it is judged, and when nothing is.

use flyball_core::config::Mode;
use flyball_core::event::{Agent, Event, Happening, Outcome, Stopping, Tool};
use flyball_core::facts::Facts;
use flyball_core::policy::{ContentHash, OwnFile, Situation, Stat, Trouble, World};
use flyball_core::workshop::{Job, Limits, Program, Ran, Request, Response, Rewritten, Wanted, Workshop};

use super::super::gather::{Brought, gather};
use super::super::state::Ending;
use super::{SHORT, Session, background, call};
use crate::testing::{PinnedWorld, event};

/// A place where nothing may be done: whoever tries fails the test.
struct Closed(PinnedWorld);

impl World for Closed {
    fn micros(&self) -> u64 {
        self.0.micros()
    }
    fn real_path(&self, base: &str, path: &str) -> String {
        self.0.real_path(base, path)
    }
    fn project_root(&self) -> &str {
        self.0.project_root()
    }
    fn own_files(&self) -> &[OwnFile] {
        self.0.own_files()
    }
    fn unix_millis(&self) -> u64 {
        self.0.unix_millis()
    }
    fn stat(&self, path: &str) -> Option<Stat> {
        self.0.stat(path)
    }
    fn read(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, Trouble> {
        self.0.read(path, most)
    }
    fn list(&self, folder: &str) -> Vec<String> {
        self.0.list(folder)
    }
    fn git(&self, folder: &str, question: &[&str]) -> Result<Option<String>, Trouble> {
        self.0.git(folder, question)
    }
    fn changed_files(&self, since: u64) -> Result<Vec<String>, Trouble> {
        self.0.changed_files(since)
    }
    fn keep(&self, content: &[u8]) -> Result<ContentHash, Trouble> {
        self.0.keep(content)
    }
    fn hash(&self, content: &[u8]) -> ContentHash {
        self.0.hash(content)
    }
}

impl Workshop for Closed {
    fn find(&self, wanted: &Wanted) -> Option<Program> {
        panic!("{wanted:?} is looked for")
    }
    fn run(&self, jobs: &[Job], _: Limits) -> Vec<Ran> {
        panic!("{jobs:?} are run")
    }
    fn rewrite(&self, path: &str, _: &[u8], _: &[u8]) -> Result<Rewritten, Trouble> {
        panic!("{path} is rewritten")
    }
    fn kept_result(&self, key: &str) -> Option<Vec<u8>> {
        panic!("{key} is looked up")
    }
    fn keep_result(&self, key: &str, _: &[u8]) {
        panic!("{key} is kept")
    }
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn post(&self, request: &Request) -> Result<Response, Trouble> {
        panic!("{} is asked", request.url)
    }
}

fn gathered(session: &Session, mode: Mode, event: &Event) -> Option<Brought> {
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
    };
    let home = gather(&situation, &Closed(session.world())).unwrap();
    home.map(|home| home.downcast_ref::<Brought>().unwrap().clone())
}

fn stop() -> Event {
    event(Happening::Stop(Stopping::default()))
}

/// A session with something open that only a command can prove.
fn proved() -> Session {
    let mut session = Session::new(&format!("{SHORT}run = {{ review = 'make check' }}\n"));
    session.edit("src/a.go", "one");
    session
}

#[test]
fn nothing_is_done_where_nothing_is_open_or_nothing_may_be_done() {
    let session = proved();
    let untouched = Session::new(SHORT);
    assert_eq!(gathered(&untouched, Mode::Enforce, &stop()), None, "nothing was edited");
    assert_eq!(gathered(&session, Mode::Observe, &stop()), None, "observed only");
    let waiting = event(Happening::Stop(background("subagent", "")));
    assert_eq!(gathered(&session, Mode::Enforce, &waiting), None, "an agent is at work");
    let agent = Some(Agent { id: "a1".to_owned(), role: "developer".to_owned() });
    let finished = Happening::AgentStop { stopping: Stopping::default(), transcript: None };
    let finished = Event { agent, ..event(finished) };
    assert_eq!(gathered(&session, Mode::Enforce, &finished), None, "an agent that serves nothing");
    let mut state = session.state();
    state.ending = Some(Ending::Aborted);
    session.set(&state);
    assert_eq!(gathered(&session, Mode::Enforce, &stop()), None, "a person ended it");
}

#[test]
fn commands_are_not_watched_where_none_proves_anything() {
    let mut session = Session::new(SHORT);
    session.edit("src/a.go", "one");
    let shell = Tool::Shell { command: "make check".to_owned(), background: false };
    let ran = event(Happening::AfterTool { call: call("Bash", shell), outcome: Outcome::default() });
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
