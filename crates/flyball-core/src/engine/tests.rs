//! Policies that err, panic or hang do not take the others down.

mod gather;

use std::sync::{Arc, LazyLock};

use super::*;
use crate::client::{Clients, KnowsClients};
use crate::config::SectionSpec;
use crate::event::{EventData, EventKind, SessionId, Tool, ToolCall};
use crate::path::AbsolutePath;

use crate::time::Time;
use crate::verdict::Rewrite;
use crate::world::{
    Approval, ChangedFiles, Clock, ContentHash, Contents, ContextSize, FileApprovals, FileNote, Files, Git,
    GitAnswer, LeftProcess, Notes, OwnFile, Place, Processes, Stat, Tail, Transcripts,
};

const BEFORE: &[EventKind] = &[EventKind::BeforeTool, EventKind::Stop];

const fn policy(
    id: &'static str,
    on_error: OnError,
    run: fn(&Situation<'_>) -> Result<Verdict, PolicyError>,
) -> Policy {
    Policy {
        id: PolicyId::new(id),
        summary: "",
        page: "",
        listens: BEFORE,
        on_error,
        mode: Mode::Enforce,
        section: SectionSpec::for_type::<()>(),
        run,
        gather: None,
        review: None,
    }
}

static DENIES: Policy = policy("test.denies", OnError::Deny, |_| Ok(Verdict::deny(Reason::plain("no"))));
static PANICS: Policy = policy("test.panics", OnError::Deny, |_| panic!("boom {}", 1));
static ERRS: Policy = policy("test.errs", OnError::Notice, |_| {
    Err(PolicyError::World { what: "the disk is gone".into(), fix: "buy a disk".into() })
});
static HANGS: Policy = policy("test.hangs", OnError::Notice, |_| {
    loop {
        std::thread::park();
    }
});
static REWRITES: Policy = policy("test.rewrites", OnError::Notice, |_| {
    Ok(Verdict { rewrites: vec![Rewrite::Append(" && evil".into())], ..Verdict::default() })
});
static HATES_EVIL: Policy = policy("test.hates-evil", OnError::Deny, |situation| {
    let text = situation.event.call().and_then(|call| call.tool.main_text()).unwrap_or_default();
    Ok(if text.contains("evil") { Verdict::deny(Reason::plain("evil")) } else { Verdict::silent() })
});
static COUNTS: Policy = policy("test.counts", OnError::Deny, |situation| {
    let count: u32 = situation.recall()?;
    situation.remember(&(count + 1))?;
    Ok(Verdict::silent().with_evidence("count", count.to_string()))
});

#[derive(Default)]
struct Nowhere {
    unknown: Option<PolicyError>,
}

impl KnowsClients for Nowhere {
    fn clients(&self) -> Clients {
        &[]
    }
}

impl Clock for Nowhere {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    fn now(&self) -> Time {
        Time::default()
    }

    fn local_minutes(&self) -> Option<u32> {
        None
    }
}

impl Place for Nowhere {
    fn project_root(&self) -> &AbsolutePath {
        static ROOT: LazyLock<AbsolutePath> = LazyLock::new(AbsolutePath::default);
        &ROOT
    }

    fn program(&self) -> Option<AbsolutePath> {
        None
    }

    fn own_files(&self) -> &[OwnFile] {
        &[]
    }

    fn home_of(&self, _: &str) -> Option<AbsolutePath> {
        None
    }
}

impl Processes for Nowhere {
    fn left_running(&self, _: &str, _: Time) -> Option<Vec<LeftProcess>> {
        None
    }
}

impl Files for Nowhere {
    fn real_path(&self, _: &AbsolutePath, path: &str) -> AbsolutePath {
        AbsolutePath::from_root(path)
    }

    fn stat(&self, _: &AbsolutePath) -> Option<Stat> {
        None
    }

    fn read(&self, _: &AbsolutePath, _: u64) -> Result<Option<Vec<u8>>, PolicyError> {
        Ok(None)
    }

    fn tail(&self, _: &AbsolutePath, _: u64) -> Result<Option<Tail>, PolicyError> {
        Ok(None)
    }

    fn list(&self, _: &AbsolutePath) -> Vec<String> {
        Vec::new()
    }

    fn unknown_fact(&self) -> Option<PolicyError> {
        self.unknown.clone()
    }
}

impl Git for Nowhere {
    fn git(&self, _: &AbsolutePath, _: &[&str]) -> Result<GitAnswer, PolicyError> {
        Ok(GitAnswer::NoRepository)
    }

    fn changed_files(&self, _: &AbsolutePath, _: Time) -> Result<ChangedFiles, PolicyError> {
        Ok(ChangedFiles::default())
    }
}

impl Contents for Nowhere {
    fn store(&self, content: &[u8]) -> Result<ContentHash, PolicyError> {
        Ok(self.hash(content))
    }

    fn hash(&self, content: &[u8]) -> ContentHash {
        ContentHash::new(String::from_utf8_lossy(content).into_owned())
    }
}

impl FileApprovals for Nowhere {
    fn approval(&self, _: &AbsolutePath, _: Time) -> Result<Option<Approval>, PolicyError> {
        Ok(None)
    }

    fn add_notes(&self, _: &[(AbsolutePath, FileNote)]) -> Result<(), PolicyError> {
        Ok(())
    }

    fn grants(&self) -> Result<Vec<crate::grant::Grant>, PolicyError> {
        Ok(Vec::new())
    }
}

impl Notes for Nowhere {
    fn project_note(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

impl Transcripts for Nowhere {
    fn context_size(&self, _: &str, _: &AbsolutePath) -> Result<Option<ContextSize>, PolicyError> {
        Ok(None)
    }

    fn recent_conversation(
        &self,
        _: &str,
        _: &AbsolutePath,
        _: usize,
    ) -> Result<Option<String>, PolicyError> {
        Ok(None)
    }
}

struct Broken;

impl Memory for Broken {
    fn read(&self, _: &str) -> Result<Option<String>, PolicyError> {
        Err(PolicyError::World { what: "the store is locked".into(), fix: "wait".into() })
    }
    fn has(&self, key: &str) -> Result<bool, PolicyError> {
        Ok(self.read(key)?.is_some())
    }
    fn peek(&self, key: &str) -> Result<Option<String>, PolicyError> {
        self.read(key)
    }
    fn write(&self, _: &str, _: String) -> Result<(), PolicyError> {
        Ok(())
    }

    fn active_time(&self) -> Result<std::time::Duration, PolicyError> {
        Ok(std::time::Duration::ZERO)
    }
}

fn case(registry: Registry, happening: EventData) -> Case {
    let mut config = Config::default();
    config.engine.deadline_ms = 50;
    for policy in registry {
        let section = Section { mode: policy.mode, settings: (policy.section.default)().into() };
        config.sections.insert(policy.id.as_str().to_owned(), section);
    }
    Case {
        event: Arc::new(Event::new("test", SessionId::new("s"), AbsolutePath::default(), happening)),
        config: Arc::new(config),
        world: Arc::new(Nowhere::default()),
        memory: Arc::new(Broken),
        skipped: Arc::new([]),
        watch: Watch::Trust,
        faults: Faults::default(),
        facts: Arc::default(),
        workshop: None,
    }
}

fn shell() -> EventData {
    let tool = Tool::Shell { command: "ls".into(), background: false };
    EventData::BeforeTool(ToolCall { id: None, name: "Bash".into(), tool, input: "{}".into() })
}

#[test]
fn a_panic_in_a_guard_denies_and_blames_no_rule() {
    static ALL: Registry = &[&PANICS, &DENIES];
    let judgement = judge(ALL, &case(ALL, shell()));
    assert_eq!(judgement.merged.stance, Stance::Deny);
    let texts: Vec<String> =
        judgement.merged.reasons.iter().map(|attributed| attributed.reason.text()).collect();
    assert_eq!(
        texts,
        [
            "Tell the user: flyball could not judge this: test.panics failed (flyball has a bug: boom 1). No rule \
             was broken; guards deny while they cannot judge\nTo fix: `flyball doctor` collects what a bug report needs",
            "no",
        ]
    );
}

#[test]
fn a_guard_that_fails_where_no_client_waits_only_gives_notice() {
    static ALL: Registry = &[&PANICS];
    let judgement = judge(ALL, &case(ALL, EventData::Stop(Default::default())));
    assert_eq!(judgement.merged.stance, Stance::Silent);
    assert_eq!(judgement.merged.notices.len(), 1);
}

/// Judges the end of a turn, with what is left of the memory after the one before.
fn stop_with(registry: Registry, memory: &Arc<dyn Memory>) -> Merged {
    let stop = Case { memory: Arc::clone(memory), ..case(registry, EventData::Stop(Default::default())) };
    judge(registry, &stop).merged
}

#[test]
fn a_loop_that_cannot_judge_holds_the_end_of_a_turn_a_few_times() {
    static FAILS: Policy = policy("test.loop", OnError::Hold, |_| {
        Err(PolicyError::World { what: "git is gone".into(), fix: "find it".into() })
    });
    static FAILS_TOO: Policy = policy("test.other", OnError::Hold, |_| panic!("boom"));
    static ALL: Registry = &[&FAILS, &FAILS_TOO];
    let memory: Arc<dyn Memory> = Arc::new(crate::memory::InMemory::default());
    let stances: Vec<Stance> = (0..8).map(|_| stop_with(ALL, &memory).stance).collect();
    let (held, passed) = (Stance::Deny, Stance::Silent);
    assert_eq!(stances, [held, held, held, passed, held, held, held, passed]);
    let reason = stop_with(ALL, &memory).reasons[0].reason.text();
    assert!(reason.contains("test.loop failed (git is gone). No rule was broken; nobody knows"), "{reason}");
    // Elsewhere it only gives notice.
    let elsewhere = judge(ALL, &case(ALL, shell())).merged;
    assert_eq!((elsewhere.stance, elsewhere.notices.len()), (Stance::Silent, 2));
}

#[test]
fn what_another_version_remembered_holds_nobody() {
    static REMEMBERS: Policy = policy("test.remembers", OnError::Hold, |situation| {
        situation.recall::<u32>()?;
        Ok(Verdict::silent())
    });
    static ALL: Registry = &[&REMEMBERS];
    let memory: Arc<dyn Memory> = Arc::new(crate::memory::InMemory::default());
    memory.write("test.remembers", "{}".to_owned()).unwrap();
    let merged = stop_with(ALL, &memory);
    assert_eq!((merged.stance, merged.notices.len()), (Stance::Silent, 1));
}

#[test]
fn a_convenience_that_errs_lets_pass_and_gives_notice() {
    static ALL: Registry = &[&ERRS];
    let judgement = judge(ALL, &case(ALL, shell()));
    assert_eq!(judgement.merged.stance, Stance::Silent);
    assert_eq!(
        judgement.merged.notices,
        [
            "flyball could not judge this: test.errs failed (the disk is gone); the action was allowed; to fix: buy a disk"
        ]
    );
}

#[test]
fn a_policy_that_hangs_is_left_behind() {
    static ALL: Registry = &[&HANGS, &DENIES];
    let watched = Case { watch: Watch::Deadline, ..case(ALL, shell()) };
    let judgement = judge(ALL, &watched);
    assert_eq!(judgement.rulings[0].error, Some(PolicyError::TimedOut { limit: Duration::from_millis(50) }));
    assert_eq!(judgement.merged.stance, Stance::Deny);
    assert_eq!(judgement.merged.reasons[0].reason, Reason::plain("no"));
}

#[test]
fn a_guard_without_its_memory_denies() {
    static ALL: Registry = &[&COUNTS];
    assert_eq!(judge(ALL, &case(ALL, shell())).merged.stance, Stance::Deny);
}

#[test]
fn a_guard_that_could_not_look_does_not_let_pass() {
    static ALLOWS: Policy = policy("test.allows", OnError::Notice, |_| {
        Ok(Verdict { stance: Stance::Allow, ..Verdict::default() })
    });
    static ALL: Registry = &[&HATES_EVIL, &REWRITES];
    static LENIENT: Registry = &[&ALLOWS];
    let blind = |registry: Registry, happening| {
        let unknown = Some(PolicyError::World { what: "the disk is gone".into(), fix: "buy a disk".into() });
        judge(registry, &Case { world: Arc::new(Nowhere { unknown }), ..case(registry, happening) })
    };
    let judgement = blind(ALL, shell());
    assert_eq!(judgement.merged.stance, Stance::Deny);
    let reason = judgement.merged.reasons[0].reason.text();
    assert!(reason.contains("test.hates-evil failed (the disk is gone)"), "{reason}");
    // Whatever answers for the user needs to know, too.
    let judgement = blind(LENIENT, shell());
    assert_eq!((judgement.merged.stance, judgement.merged.notices.len()), (Stance::Silent, 1));
    // Where no client waits for a decision, nothing is let pass.
    let judgement = blind(ALL, EventData::Stop(Default::default()));
    assert_eq!((judgement.merged.stance, judgement.merged.notices.len()), (Stance::Silent, 0));
}

#[test]
fn an_observing_policy_is_recorded_and_does_not_count() {
    static ALL: Registry = &[&DENIES];
    let mut observed = case(ALL, shell());
    let mut config = (*observed.config).clone();
    config.sections.get_mut("test.denies").unwrap().mode = Mode::Observe;
    observed.config = Arc::new(config);
    let judgement = judge(ALL, &observed);
    assert_eq!(judgement.rulings[0].verdict.stance, Stance::Deny);
    assert_eq!(judgement.merged.stance, Stance::Silent);
}

#[test]
fn a_skipped_policy_is_recorded_and_does_not_count() {
    static ALL: Registry = &[&DENIES];
    let skipped = Case { skipped: Arc::new(["test.denies".to_owned()]), ..case(ALL, shell()) };
    let judgement = judge(ALL, &skipped);
    assert!(judgement.rulings[0].skipped);
    assert_eq!(judgement.merged.stance, Stance::Silent);
}

#[test]
fn no_rewrite_gets_past_a_guard() {
    static ALL: Registry = &[&HATES_EVIL, &REWRITES];
    let judgement = judge(ALL, &case(ALL, shell()));
    assert_eq!(judgement.merged.stance, Stance::Deny);
    assert_eq!(judgement.merged.rewritten, None);
}
