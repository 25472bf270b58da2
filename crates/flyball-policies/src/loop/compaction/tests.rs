//! When a subagent is started, with which reminder, and when not.

use std::sync::Arc;

use flyball_core::engine::{Judgement, Registry};
use flyball_core::event::{Agent, Event};
use flyball_core::path::AbsolutePath;
use flyball_core::policy::Memory as _;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use super::*;
use crate::testing::{
    InMemory, PinnedWorld, Surroundings, TRANSCRIPT, before, event, judged_in, problems, sections,
};

static ONLY: Registry = &[&POLICY];
const ALWAYS: &str = "[loop.compaction]\nmode = 'enforce'\nwhen = 'always'\n";
const WORKFLOW: &str = "[loop.compaction]\nmode = 'enforce'\n";
const OPUS: &str = "claude-opus-4-8";

/// A session whose context fills and empties.
struct Session {
    config: String,
    memory: Arc<InMemory>,
    manifest: &'static str,
}

impl Session {
    fn new(config: &str) -> Session {
        Session { config: config.to_owned(), memory: Arc::default(), manifest: "current_phase: build\n" }
    }

    /// A session of a workflow with this manifest.
    fn of_workflow(manifest: &'static str) -> Session {
        let session = Session { manifest, ..Session::new(WORKFLOW) };
        let memory = workflow::register(
            None,
            AbsolutePath::from_root("/project/out/MANIFEST.yaml"),
            Time::from_millis(1),
        );
        session.memory.write("loop.workflow", memory).unwrap();
        session
    }

    fn judged(&self, (tokens, model): (u64, &str), event: Event) -> Judgement {
        let world = PinnedWorld::new()
            .file(TRANSCRIPT, &format!("{tokens} {model}"))
            .file("/project/out/MANIFEST.yaml", self.manifest);
        judged_in(
            ONLY,
            &sections(&self.config),
            event,
            Surroundings { world, memory: Arc::clone(&self.memory) },
        )
    }

    fn spawn(&self, tokens: u64, model: &str) -> (Stance, String) {
        let merged = self.judged((tokens, model), spawn_of("developer")).merged;
        let reasons: Vec<String> = merged.reasons.iter().map(|denial| denial.reason.text()).collect();
        (merged.stance, merged.context.text + &reasons.join("\n"))
    }

    fn stance(&self, tokens: u64, model: &str) -> Stance {
        self.spawn(tokens, model).0
    }
}

fn spawn_of(role: &str) -> Event {
    let tool = Tool::SpawnAgent { role: role.to_owned(), prompt: String::new(), background: None };
    Event { transcript: Some(AbsolutePath::from_root(TRANSCRIPT)), ..before("Agent", tool) }
}

fn reminder(percent: u64, tokens: u64) -> (Stance, String) {
    let text = format!(
        "The context is {percent} % full ({tokens} of 200000 tokens). From 85 % on, new subagents are denied until it \
         is compacted. Record the state of your work now, and ask the user for `/compact` at the next good moment."
    );
    (Stance::Silent, text)
}

const SILENT: (Stance, String) = (Stance::Silent, String::new());

#[test]
fn each_level_is_reminded_of_once_until_it_is_left() {
    let session = Session::new(ALWAYS);
    let cases = [
        (149_999, SILENT),
        (150_000, reminder(75, 150_000)),
        (155_000, SILENT),
        (160_000, reminder(80, 160_000)),
        (169_999, SILENT),
        // A little less, and the first level is known already.
        (151_000, SILENT),
        (161_000, reminder(80, 161_000)),
        // Compacted.
        (20_000, SILENT),
        (152_000, reminder(76, 152_000)),
    ];
    for (tokens, expected) in cases {
        assert_eq!(session.spawn(tokens, OPUS), expected, "{tokens}");
    }
}

#[test]
fn the_hard_level_denies_and_opens_by_itself() {
    let session = Session::of_workflow("feature_name: Login\ncurrent_phase: build\n");
    let text = "Record the state of phase `build` in `out/MANIFEST.yaml`, ask the user for `/compact`, and end your turn: \
                the context is 85 % full (170000 of 200000 tokens). From 85 % on the report of `developer` may not \
                fit. If `claude-opus-4-8` has a larger window, the user can set it in `loop.compaction.windows`";
    assert_eq!(session.spawn(170_000, OPUS), (Stance::Deny, text.to_owned()));
    assert_eq!(session.stance(199_000, OPUS), Stance::Deny);
    assert_eq!(session.spawn(2_524, OPUS), SILENT);
    assert_eq!(
        session.spawn(150_000, OPUS).1,
        "The context is 75 % full (150000 of 200000 tokens). From 85 % on, new subagents are denied until it is \
         compacted. Record the state of phase `build` in `out/MANIFEST.yaml` now, and ask the user for `/compact` at \
         the next good moment."
    );
}

#[test]
fn what_is_suggested_is_allowed() {
    let session = Session::of_workflow("current_phase: build\n");
    let edit =
        crate::testing::write("/project/out/MANIFEST.yaml", "current_phase: build\nstatus: in-progress\n");
    let edit = Event { transcript: Some(AbsolutePath::from_root(TRANSCRIPT)), ..edit };
    assert_eq!(session.judged((199_000, OPUS), edit).merged.stance, Stance::Silent);
}

#[test]
fn only_the_main_thread_is_looked_at() {
    let session = Session::new(ALWAYS);
    let agent = Some(Agent { id: "a1".to_owned(), role: "developer".to_owned() });
    let nested = Event { agent, ..spawn_of("helper") };
    assert_eq!(session.judged((199_000, OPUS), nested).merged.stance, Stance::Silent);
}

#[test]
fn levels_and_windows_are_checked_when_the_config_is_loaded() {
    let cases = [
        ("hard = 0", "flyball.toml:2:8: expected a percentage from 1 to 100, found the integer `0`"),
        (
            "soft = [75, 101]",
            "flyball.toml:2:13: expected a percentage from 1 to 100, found the integer `101`",
        ),
        ("hard = -1", "flyball.toml:2:8: expected a percentage from 1 to 100, found the integer `-1`"),
        ("window = 0", "flyball.toml:2:10: expected a whole number, 1 or more, found the integer `0`"),
        ("when = 'never'", "flyball.toml:2:8: unknown value `never`; the values are `workflow`, `always`"),
    ];
    for (line, expected) in cases {
        assert_eq!(problems(&format!("[loop.compaction]\n{line}\n")), [expected], "{line}");
    }
    let no_glob = "flyball.toml:2:1: invalid glob `[b`: unclosed character class at byte 0; missing ']' (to match a literal '[', \
                   escape it as '\\[' or '[[]')";
    assert_eq!(problems("[loop.compaction.windows]\n'[b' = 5\n"), [no_glob]);
}

// Defect 16 of the enforcement hooks.
#[test]
fn defect_16_without_data_nothing_is_denied() {
    let session = Session::new(ALWAYS);
    let without = Event { transcript: None, ..spawn_of("developer") };
    let elsewhere =
        Event { transcript: Some(AbsolutePath::from_root("/home/dev/none")), ..spawn_of("developer") };
    for event in [without, elsewhere] {
        let judgement = session.judged((199_000, OPUS), event);
        assert_eq!((judgement.merged.stance, judgement.merged.notices), (Stance::Silent, vec![]));
    }
    let silent = Session::of_workflow("a: [");
    assert_eq!(silent.spawn(199_000, OPUS), SILENT);
}

// Defect 18 of the enforcement hooks.
#[test]
fn defect_18_only_the_transcript_of_this_session_counts() {
    let session = Session::new(ALWAYS);
    let world = PinnedWorld::new()
        .file("/home/dev/projects/newer.jsonl", "199000 claude-opus-4-8")
        .file("/home/dev/projects/own.jsonl", "1000 claude-opus-4-8");
    let own = Event {
        transcript: Some(AbsolutePath::from_root("/home/dev/projects/own.jsonl")),
        ..spawn_of("developer")
    };
    let judgement =
        judged_in(ONLY, &sections(ALWAYS), own, Surroundings { world, memory: Arc::clone(&session.memory) });
    assert_eq!(judgement.merged.stance, Stance::Silent);
}

// Defect 19 of the enforcement hooks.
#[test]
fn defect_19_only_the_manifest_of_this_session_arms_the_gate() {
    assert_eq!(Session::new(WORKFLOW).spawn(199_000, OPUS), SILENT);
    assert_eq!(Session::of_workflow("current_phase: 3\n").stance(199_000, OPUS), Stance::Deny);
    assert_eq!(Session::of_workflow("current_phase: 3\nstatus: complete\n").spawn(199_000, OPUS), SILENT);
    assert_eq!(Session::of_workflow("feature_name: x\n").spawn(199_000, OPUS), SILENT);
}

// Defect 20 of the enforcement hooks.
#[test]
fn defect_20_window_and_levels_go_by_the_model_and_the_config() {
    use Stance::{Deny, Silent};
    let own = "window = 100000\nhard = 50\nwindows = { 'claude-*' = 400000, 'claude-haiku-*' = 200000 }\n";
    let cases = [
        ("usual", "", 180_000, OPUS, Deny),
        ("by its name", "", 180_000, "claude-opus-4-8[1m]", Silent),
        ("by its name, and full", "", 850_000, "claude-opus-4-8[1m]", Deny),
        ("unknown", "", 180_000, "some-model", Deny),
        ("without a name", "", 180_000, "", Deny),
        ("configured", own, 180_000, OPUS, Silent),
        ("configured, and half full", own, 200_000, OPUS, Deny),
        ("the longest glob", own, 100_000, "claude-haiku-5", Deny),
        ("in none of them", own, 50_000, "gpt-5.5", Deny),
        ("more than is known to fit", "windows = { '*' = 100000 }\n", 190_000, OPUS, Deny),
    ];
    for (name, config, tokens, model, expected) in cases {
        assert_eq!(Session::new(&format!("{ALWAYS}{config}")).stance(tokens, model), expected, "{name}");
    }
}

#[test]
fn a_model_that_had_more_in_it_than_assumed_has_a_larger_window() {
    let session = Session::new(ALWAYS);
    assert_eq!(session.stance(190_000, OPUS), Stance::Deny);
    assert_eq!(session.stance(210_000, OPUS), Stance::Silent);
    assert_eq!(session.stance(190_000, OPUS), Stance::Silent);
    assert_eq!(session.stance(850_000, OPUS), Stance::Deny);
    // Another model has its own window.
    assert_eq!(session.stance(190_000, "claude-haiku-5"), Stance::Deny);
}

#[test]
fn a_model_switch_shows_the_variant_that_the_transcript_does_not() {
    let session = Session::new(ALWAYS);
    let switch = |to: &str| {
        let happening = EventData::AfterModelSwitch { from: OPUS.to_owned(), to: to.to_owned() };
        session.judged((0, OPUS), event(happening));
    };
    switch("claude-opus-4-8[1m]");
    assert_eq!(session.stance(190_000, OPUS), Stance::Silent);
    assert_eq!(session.stance(190_000, "claude-opus-4"), Stance::Deny);
    switch(OPUS);
    assert_eq!(session.stance(190_000, OPUS), Stance::Deny);
    let fresh = Session::new(ALWAYS);
    fresh.judged((0, OPUS), event(EventData::AfterModelSwitch { from: String::new(), to: OPUS.to_owned() }));
    assert_eq!(fresh.memory.read("loop.compaction").unwrap(), None);
}

/// Whether a policy after it reads, at a stop, that a subagent would be denied.
#[test]
fn the_policies_behind_it_know_at_a_stop_whether_a_subagent_would_be_denied() {
    static PROBE: Policy = Policy {
        id: PolicyId::new("probe"),
        summary: "asks",
        page: "",
        listens: &[EventKind::Stop],
        on_error: OnError::Notice,
        mode: Mode::Enforce,
        section: SectionSpec::for_type::<Settings>(),
        run: |situation| {
            Ok(Verdict::silent().with_evidence("denied", denies_subagents(situation)?.to_string()))
        },
        gather: None,
        review: None,
    };
    static BOTH: Registry = &[&POLICY, &PROBE];
    let cases = [
        ("full", ALWAYS, 170_000, "true"),
        ("with room", ALWAYS, 169_999, "false"),
        ("observed", "[loop.compaction]\nmode = 'observe'\nwhen = 'always'\n", 170_000, "false"),
        ("off", "", 170_000, "false"),
        ("without a workflow", WORKFLOW, 170_000, "false"),
    ];
    for (name, config, tokens, expected) in cases {
        let world = PinnedWorld::new().file(TRANSCRIPT, &format!("{tokens} {OPUS}"));
        let stop = event(EventData::Stop(flyball_core::event::Stopping::default()));
        let stop = Event { transcript: Some(AbsolutePath::from_root(TRANSCRIPT)), ..stop };
        let surroundings = Surroundings { world, memory: Arc::default() };
        let judgement = judged_in(BOTH, &sections(config), stop, surroundings);
        let probe = judgement.rulings.iter().find(|ruling| ruling.policy.as_str() == "probe").unwrap();
        assert_eq!(probe.verdict.evidence[0].value, expected, "{name}");
    }
}
