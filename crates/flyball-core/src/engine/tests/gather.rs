//! What policies do before they judge.

use std::sync::Mutex;

use super::*;
use crate::path::AbsolutePath;
use crate::policy::{Gather, Gathered};
use crate::snapshot::{Snapshot, SnapshotRequest, Snapshots};
use crate::workshop::{
    Created, FileChanges, FileUpdate, Job, JobResult, Limits, Network, NoteChange, NoteChanges, OwnFolders,
    Program, ProgramQuery, Programs, Request, Response, ResultCache, Rewritten, Scratch,
};

/// A place where nothing is to be found and nothing can be done.
impl Programs for Nowhere {
    fn find(&self, _: &ProgramQuery) -> Option<Program> {
        None
    }

    fn run(&self, _: &[Job], _: Limits) -> Vec<JobResult> {
        Vec::new()
    }

    fn variable(&self, name: &str) -> Option<String> {
        Some(format!("the value of {name}"))
    }

    fn trusts_project(&self) -> bool {
        false
    }
}

impl ResultCache for Nowhere {
    fn cached_result(&self, _: &str) -> Option<Vec<u8>> {
        None
    }

    fn cache_result(&self, _: &str, _: &[u8]) {}
}

impl Network for Nowhere {
    fn post(&self, _: &Request) -> Result<Response, PolicyError> {
        Ok(Response { status: 200, retry_after: None, body: String::new() })
    }

    fn pause(&self, _: Duration) {}
}

impl OwnFolders for Nowhere {
    fn scratch(&self, _: &[(&str, &[u8])]) -> Result<Box<dyn Scratch>, PolicyError> {
        panic!("nothing can be done here")
    }

    fn persistent_file(&self, _: &str, _: &[u8]) -> Option<AbsolutePath> {
        None
    }
}

impl FileChanges for Nowhere {
    fn rewrite(&self, _: &AbsolutePath, _: &[u8], _: &[u8]) -> Result<Rewritten, PolicyError> {
        Ok(Rewritten::Overtaken)
    }

    fn create(&self, _: &AbsolutePath, _: &[u8]) -> Result<Created, PolicyError> {
        panic!("nothing can be done here")
    }

    fn update(&self, _: &AbsolutePath, _: &mut FileUpdate<'_>) -> Result<bool, PolicyError> {
        panic!("nothing can be done here")
    }

    fn append(&self, _: &AbsolutePath, _: &str) -> Result<(), PolicyError> {
        panic!("nothing can be done here")
    }

    fn link(&self, _: &AbsolutePath, _: &AbsolutePath) -> Result<bool, PolicyError> {
        panic!("nothing can be done here")
    }
}

impl NoteChanges for Nowhere {
    fn change_note(&self, _: &str, _: &mut NoteChange<'_>) -> Result<(), PolicyError> {
        panic!("nothing can be done here")
    }
}

impl Snapshots for Nowhere {
    fn take_snapshot(&self, _: &SnapshotRequest<'_>) -> Result<Snapshot, PolicyError> {
        panic!("nothing can be done here")
    }
}

/// A memory that writes down what it is asked.
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
    fn add(&self, what: &str, key: &str) {
        self.0.lock().unwrap().push(format!("{what} {key}"));
    }
}

impl Memory for Log {
    fn read(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.add("read", key);
        Ok(None)
    }
    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.add("peek", key);
        Ok(None)
    }
    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        Ok(self.read(key)?.is_some())
    }
    fn write(&self, key: &str, _: String) -> Result<(), PolicyError> {
        self.add("write", key);
        Ok(())
    }

    fn active_time(&self) -> Result<std::time::Duration, PolicyError> {
        Ok(std::time::Duration::ZERO)
    }
}

const fn gathering(id: &'static str, gather: Gather) -> Policy {
    Policy { gather: Some(gather), ..policy(id, OnError::Notice, reports_what_it_gathered) }
}

fn reports_what_it_gathered(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let _: u32 = situation.recall()?;
    let gathered = situation.gathered::<String>().cloned();
    Ok(Verdict::silent().with_evidence("has", gathered.unwrap_or_else(|| "nothing".to_owned())))
}

static JUDGES: Policy = policy("test.judges", OnError::Notice, reports_what_it_gathered);
static GATHERS: Policy = gathering("test.gathers", |situation, workshop| {
    let _: u32 = situation.recall()?;
    let text = workshop.variable("X").unwrap_or_default();
    Ok(Some(Box::new(text) as Gathered))
});
static COMES_EMPTY: Policy = gathering("test.comes-empty", |_, _| Ok(None));
static FAILS: Policy = gathering("test.fails", |_, _| {
    Err(PolicyError::World { what: "no linter".into(), fix: "install one".into() })
});
static FALLS: Policy = gathering("test.falls", |_, _| panic!("fell"));
static WRITES: Policy = gathering("test.writes", |situation, _| {
    situation.remember(&1)?;
    Ok(None)
});

fn working(registry: Registry) -> (Case, Arc<Log>) {
    let log = Arc::new(Log::default());
    let memory = Arc::clone(&log) as Arc<dyn Memory>;
    let workshop = Some(Arc::new(Nowhere::default()) as Arc<dyn Workshop>);
    (Case { memory, workshop, ..case(registry, shell()) }, log)
}

fn has(judgement: &Judgement) -> Vec<Option<&str>> {
    let all = judgement.rulings.iter().map(|ruling| ruling.verdict.evidence.first());
    all.map(|seen| seen.map(|seen| seen.value.as_str())).collect()
}

#[test]
fn all_gather_before_any_judges_and_each_gets_what_it_gathered() {
    static ALL: Registry = &[&JUDGES, &GATHERS, &COMES_EMPTY];
    let (case, log) = working(ALL);
    let judgement = judge(ALL, &case);
    assert_eq!(has(&judgement), [Some("nothing"), Some("the value of X"), Some("nothing")]);
    assert_eq!(
        log.lines(),
        ["peek test.gathers", "read test.judges", "read test.gathers", "read test.comes-empty"]
    );
}

#[test]
fn one_that_fails_while_it_gathers_does_not_judge_and_the_others_do() {
    static ALL: Registry = &[&FAILS, &FALLS, &WRITES, &GATHERS];
    let (case, log) = working(ALL);
    let judgement = judge(ALL, &case);
    let errors: Vec<Option<PolicyError>> =
        judgement.rulings.iter().map(|ruling| ruling.error.clone()).collect();
    assert_eq!(
        errors,
        [
            Some(PolicyError::World { what: "no linter".into(), fix: "install one".into() }),
            Some(PolicyError::Bug { what: "fell".into() }),
            Some(PolicyError::Bug { what: "test.writes is written before it is judged".into() }),
            None,
        ]
    );
    assert_eq!(has(&judgement)[3], Some("the value of X"));
    assert_eq!(log.lines(), ["peek test.gathers", "read test.gathers"]);
    assert_eq!(judgement.merged.notices.len(), 3);
}

#[test]
fn nothing_is_gathered_for_a_policy_that_is_skipped_or_off() {
    static ALL: Registry = &[&GATHERS];
    let (case, log) = working(ALL);
    let skipped = Case { skipped: Arc::new(["test.gathers".to_owned()]), ..case.clone() };
    assert_eq!(has(&judge(ALL, &skipped)), [Some("nothing")]);
    let mut config = (*case.config).clone();
    config.sections.get_mut("test.gathers").unwrap().mode = Mode::Off;
    let off = Case { config: Arc::new(config), ..case };
    assert!(judge(ALL, &off).rulings.is_empty());
    assert_eq!(log.lines(), ["read test.gathers"]);
}

#[test]
fn without_a_workshop_nothing_is_gathered() {
    static ALL: Registry = &[&GATHERS, &FALLS];
    let (case, log) = working(ALL);
    let judgement = judge(ALL, &Case { workshop: None, ..case });
    assert_eq!(has(&judgement), [Some("nothing"), Some("nothing")]);
    assert_eq!(log.lines(), ["read test.gathers", "read test.falls"]);
}
