//! Tasks that end: by a command, by a report of the agent, by a limit.

use std::sync::Arc;
use std::time::Duration;

use flyball_core::config::{Config, Section};
use flyball_core::engine::{Case, Faults, Judgement, Registry, Watch, judge};
use flyball_core::event::{
    Agent, BackgroundWork, Change, Event, EventData, FileEdit, Outcome, Stopping, Tool, ToolCall,
};
use flyball_core::policy::Memory;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use super::stop::reports_done;
use super::{POLICY, Task, View, start, stop_task, view};
use crate::r#loop::test_workshop::TestWorkshop;
use crate::testing::{InMemory, PinnedWorld, Surroundings, before, event, judged_in, problems, sections};

const ONLY: Registry = &[&POLICY];
const ID: &str = "loop.iterations";
const ON: &str = "[loop.iterations]\nmode = 'enforce'\n";
const BEGAN: Time = Time::from_millis(1_800_000_000_000);
const DONE: &str = "All green.\n\n## Task Result\n\nTASK_COMPLETE\n";

/// A session in a pinned world.
struct Session {
    sections: Vec<(String, Section)>,
    memory: Arc<InMemory>,
    minutes: u64,
    file: Option<&'static str>,
}

impl Session {
    fn new(config: &str) -> Session {
        Session { sections: sections(config), memory: Arc::default(), minutes: 0, file: None }
    }

    /// A session with a task of this many iterations.
    fn with_task(config: &str, max: Option<u32>) -> Session {
        let session = Session::new(config);
        session.start(Task { text: "fix it".to_owned(), max, until: None });
        session
    }

    fn start(&self, task: Task) {
        let before = self.memory.read(ID).unwrap();
        let started = start(before.as_deref(), task, BEGAN);
        // As if an event had come right then: it counts from there.
        let counted = format!("\"began_after\":{},\"began\":", BEGAN.as_millis());
        self.memory.write(ID, started.replace("\"began\":", &counted)).unwrap();
    }

    fn judge(&self, event: Event) -> Judgement {
        let mut world = PinnedWorld::new();
        if let Some(text) = self.file {
            world = world.file("/project/.claude/config/orchestration-limits.yaml", text);
        }
        world.now = BEGAN + Duration::from_mins(self.minutes);
        judged_in(ONLY, &self.sections, event, Surroundings { world, memory: Arc::clone(&self.memory) })
    }

    fn stop(&self, message: &str) -> (Stance, String) {
        stance_and_text(&self.judge(stop(message, false)))
    }

    fn stop_again(&self) -> (Stance, String) {
        stance_and_text(&self.judge(stop("hm", true)))
    }

    fn view(&self) -> Option<View> {
        view(&self.memory.read(ID).unwrap().unwrap_or_default())
    }

    fn iteration(&self) -> Option<(u32, Option<u32>)> {
        self.view().map(|view| (view.iteration, view.max))
    }
}

fn stop(message: &str, again: bool) -> Event {
    event(EventData::Stop(Stopping { again, last_message: message.to_owned(), ..Stopping::default() }))
}

/// The stance, and the message to the agent or the user.
fn stance_and_text(judgement: &Judgement) -> (Stance, String) {
    let verdict = &judgement.rulings[0].verdict;
    let reasons = verdict.reasons.iter().map(|reason| reason.text());
    (verdict.stance, reasons.chain(verdict.notices.iter().cloned()).collect::<Vec<String>>().join("\n"))
}

fn call(tool: Tool) -> ToolCall {
    ToolCall { id: None, name: "Tool".to_owned(), tool, input: "{}".to_owned() }
}

fn ran(command: &str) -> Event {
    let call = call(Tool::Shell { command: command.to_owned(), background: false });
    event(EventData::AfterTool { call, outcome: Outcome::default() })
}

fn failed(command: &str, interrupted: bool) -> Event {
    let call = call(Tool::Shell { command: command.to_owned(), background: false });
    event(EventData::ToolFailed { call, outcome: Outcome::default(), interrupted })
}

fn skill(name: &str) -> Tool {
    Tool::Skill { name: name.to_owned(), arguments: "the parser".to_owned() }
}

fn invoked(name: &str) -> Event {
    event(EventData::AfterTool { call: call(skill(name)), outcome: Outcome::default() })
}

#[test]
fn without_a_task_nothing_is_reported_or_remembered() {
    let session = Session::new(ON);
    for event in [ran("a"), failed("a", false), stop("x", false), invoked("x"), before("Skill", skill("x"))] {
        assert_eq!(stance_and_text(&session.judge(event)), (Stance::Silent, String::new()));
    }
    assert!(!session.memory.has(ID).unwrap());
}

#[test]
fn an_agent_that_stops_is_sent_into_the_next_iteration() {
    let session = Session::with_task(ON, Some(3));
    let message = "Continue with iteration 2 of 3 of task `fix it`: it is not done. When it is done, write TASK_COMPLETE on \
                a line of its own under `## Task Result`. If you are stuck, try a different approach and say what you \
                tried. To override (people only): `flyball loop done`.";
    assert_eq!(session.stop("half of it"), (Stance::Deny, message.to_owned()));
    assert_eq!(session.iteration(), Some((2, Some(3))));
}

// The older hook forced a fixed number of turns, and did not notice that the work was done.
#[test]
fn a_task_that_is_done_ends_in_whatever_iteration_that_is() {
    for iterations in 0..4 {
        let session = Session::with_task(ON, Some(10));
        for _ in 0..iterations {
            assert_eq!(session.stop("not yet").0, Stance::Deny);
        }
        let message = format!(
            "task `fix it` is done in iteration {} of 10: the agent reported TASK_COMPLETE",
            iterations + 1
        );
        assert_eq!(session.stop(DONE), (Stance::Silent, message));
        assert_eq!(session.view(), None);
        assert_eq!(session.stop("and more"), (Stance::Silent, String::new()));
    }
}

#[test]
fn defect_07_a_task_at_its_limit_is_released_and_reported_once() {
    let session = Session::with_task(ON, Some(2));
    assert_eq!(session.stop("a").0, Stance::Deny);
    let message = "task `fix it` is released in iteration 2 of 2 without being done: it used all its iterations. To start \
                it again: `flyball loop start`";
    assert_eq!(session.stop_again(), (Stance::Silent, message.to_owned()));
    assert_eq!(session.stop_again(), (Stance::Silent, String::new()));
}

#[test]
fn defect_31_a_task_may_have_any_name() {
    let session = Session::new(ON);
    let text = "say \"no\" \\ to\n`it`, {\"a\": 1} ü";
    session.start(Task { text: text.to_owned(), max: Some(5), until: None });
    assert_eq!(session.view().map(|view| view.text), Some(text.to_owned()));
    let (stance, message) = session.stop("a");
    assert_eq!(stance, Stance::Deny);
    assert!(
        message.starts_with("Continue with iteration 2 of 5 of task `say \"no\" \\ to `it`, {\"a\": 1} ü`: "),
        "{message}"
    );
}

#[test]
fn a_task_has_limited_time() {
    let mut session = Session::with_task(ON, None);
    session.minutes = 14;
    assert_eq!(session.stop("a").0, Stance::Deny);
    session.minutes = 15;
    let message = "task `fix it` is released in iteration 2 of 10 without being done: it took longer than 15 \
                minutes. To start it again: `flyball loop start`";
    assert_eq!(session.stop("a"), (Stance::Silent, message.to_owned()));
}

#[test]
fn failures_in_a_row_before_a_stop_end_a_task() {
    let cases: [(&str, Vec<Event>, bool); 5] = [
        ("three", vec![failed("a", false), failed("b", false), failed("c", false)], true),
        ("two", vec![failed("a", false), failed("b", false)], false),
        ("got over", vec![failed("a", false), failed("b", false), failed("c", false), ran("d")], false),
        ("interrupted by a person", vec![failed("a", false), failed("b", false), failed("c", true)], false),
        ("of a subagent", (0..3).map(|number| by_agent(failed(&number.to_string(), false))).collect(), false),
    ];
    for (name, events, ends) in cases {
        let session = Session::with_task(ON, None);
        for event in events {
            session.judge(event);
        }
        let (stance, message) = session.stop("a");
        assert_eq!(stance == Stance::Silent, ends, "{name}");
        assert_eq!(message.contains(": the last 3 tool calls failed."), ends, "{name}: {message}");
    }
}

fn by_agent(event: Event) -> Event {
    Event { agent: Some(Agent { id: "a1".to_owned(), role: "tester".to_owned() }), ..event }
}

#[test]
fn the_same_call_again_and_again_ends_a_task_also_over_several_iterations() {
    let session = Session::with_task(ON, None);
    for expected in [Stance::Deny, Stance::Deny, Stance::Silent] {
        session.judge(ran("cargo test"));
        assert_eq!(session.stop("a").0, expected);
    }
    let session = Session::with_task(ON, None);
    for command in ["cargo test", "cargo test", "cat a", "cargo test", "cargo test"] {
        session.judge(ran(command));
    }
    assert_eq!(session.stop("a").0, Stance::Deny);
}

#[test]
fn these_limits_can_be_switched_off() {
    let off = "[loop.iterations]\nmode = 'enforce'\nconsecutive_errors = 0\nrepeated_calls = 0\n";
    let session = Session::with_task(off, None);
    for _ in 0..9 {
        session.judge(failed("a", false));
    }
    assert_eq!(session.stop("a").0, Stance::Deny);
}

#[test]
fn a_turn_is_blocked_up_to_max_holds_and_the_next_continues() {
    let session = Session::with_task(ON, Some(20));
    assert_eq!(session.stop("a").0, Stance::Deny);
    for _ in 1..7 {
        assert_eq!(session.stop_again().0, Stance::Deny);
    }
    let message = "task `fix it` pauses in iteration 8 of 20: the agent was blocked from stopping 7 times in this turn. \
                It continues with your next prompt; to end it: `flyball loop done`";
    assert_eq!(session.stop_again(), (Stance::Silent, message.to_owned()));
    assert_eq!(session.iteration(), Some((8, Some(20))));
    assert_eq!(session.stop("a").0, Stance::Deny);
    assert_eq!(session.iteration(), Some((9, Some(20))));
}

#[test]
fn nothing_is_blocked_or_counted_while_subagents_work() {
    let session = Session::with_task(ON, Some(5));
    let work = |kind: &str| BackgroundWork {
        id: "b1".to_owned(),
        kind: kind.to_owned(),
        description: String::new(),
        command: String::new(),
    };
    let stop = |kind: &str| {
        let background = vec![work(kind)];
        event(EventData::Stop(Stopping {
            again: false,
            last_message: "a".to_owned(),
            background,
            ..Stopping::default()
        }))
    };
    assert_eq!(stance_and_text(&session.judge(stop("subagent"))), (Stance::Silent, String::new()));
    assert_eq!(session.iteration(), Some((1, Some(5))));
    assert_eq!(stance_and_text(&session.judge(stop("shell"))).0, Stance::Deny);
}

#[test]
fn a_task_can_be_ended_and_replaced_from_outside() {
    let session = Session::with_task(ON, Some(5));
    session.stop("a");
    let text = session.memory.read(ID).unwrap().unwrap();
    assert_eq!(view(&stop_task(Some(&text))), None);
    session.start(Task { text: "other".to_owned(), max: Some(2), until: Some("true".to_owned()) });
    let expected = View {
        text: "other".to_owned(),
        iteration: 1,
        max: Some(2),
        until: Some("true".to_owned()),
        began: BEGAN,
    };
    assert_eq!(session.view(), Some(expected));
    session.memory.write(ID, stop_task(Some(&text))).unwrap();
    assert_eq!(session.stop("a"), (Stance::Silent, String::new()));
    assert_eq!(
        (view("no json"), view(&stop_task(None)), view(&stop_task(Some("no json")))),
        (None, None, None)
    );
}

#[test]
fn the_marker_counts_on_its_own_line_under_its_heading() {
    let cases = [
        (DONE, true),
        ("## Task Result\nTASK_COMPLETE", true),
        ("### task result:\n**TASK_COMPLETE**\n", true),
        ("## Task Result\nAll is well.\n\n`TASK_COMPLETE`\n## Next\n", true),
        ("TASK_COMPLETE", false),
        ("## Task Result\nI cannot say TASK_COMPLETE yet", false),
        ("## Task Result\nTASK_COMPLETE is what I would say", false),
        ("## Task Result\nnothing\n## Notes\nTASK_COMPLETE\n", false),
        ("TASK_COMPLETE\n## Task Result\n", false),
        ("```\n## Task Result\nTASK_COMPLETE\n```\n", false),
        ("~~~md\n```\n## Task Result\n```\nTASK_COMPLETE\n~~~\n", false),
        ("## Task Result\n> TASK_COMPLETE\n", false),
        ("## Task Results\nTASK_COMPLETE\n", false),
        ("", false),
    ];
    for (message, expected) in cases {
        assert_eq!(reports_done(message), expected, "{message:?}");
    }
}

const SKILL: &str = "[loop.iterations]\nmode = 'enforce'\n[[loop.iterations.skill]]\nname = 'refactor'\nmax = 4\nuntil = 'true'\n";

#[test]
fn a_skill_of_the_list_starts_a_task() {
    let typed = |command: &str| {
        let (command, arguments) = (command.to_owned(), "the parser".to_owned());
        event(EventData::PromptExpanded { command, arguments })
    };
    let cases = [
        ("typed", typed("refactor"), true),
        ("typed with a slash", typed("/refactor"), true),
        ("of a plugin", typed("team:refactor"), true),
        ("another", typed("refactors"), false),
        ("invoked", invoked("refactor"), true),
        ("invoked by a subagent", by_agent(invoked("refactor")), false),
        ("not invoked yet", before("Skill", skill("refactor")), false),
    ];
    for (name, event, starts) in cases {
        let session = Session::new(SKILL);
        session.judge(event);
        let expected = starts.then(|| View {
            text: "refactor the parser".to_owned(),
            iteration: 1,
            max: Some(4),
            until: Some("true".to_owned()),
            began: BEGAN,
        });
        assert_eq!(session.view(), expected, "{name}");
    }
}

#[test]
fn a_person_can_restart_a_task_and_an_agent_cannot() {
    let session = Session::new(SKILL);
    session.judge(invoked("refactor"));
    session.stop("a");
    session.judge(invoked("refactor"));
    assert_eq!(session.iteration(), Some((2, Some(4))));
    let (command, arguments) = ("refactor".to_owned(), String::new());
    session.judge(event(EventData::PromptExpanded { command, arguments }));
    assert_eq!(session.iteration(), Some((1, Some(4))));
}

#[test]
fn only_a_fresh_start_forgets_a_task() {
    for (source, survives) in [("resume", true), ("compact", true), ("startup", false), ("clear", false)] {
        let session = Session::with_task(ON, Some(5));
        session.judge(event(EventData::SessionStart { source: source.to_owned() }));
        assert_eq!(session.view().is_some(), survives, "{source}");
    }
}

#[test]
fn a_file_of_limits_replaces_the_defaults() {
    const FILE: &str = "intra_task:\n  max_iterations: 4 # at most: 4\n  max_runtime_minutes: 2\n  \
                        consecutive_error_limit: 1\n  loop_detection_threshold: 2\n";
    let stopped = |config: &str, max: Option<u32>, events: Vec<Event>, minutes: u64| {
        let mut session = Session::with_task(config, max);
        session.file = Some(FILE);
        session.minutes = minutes;
        for event in events {
            session.judge(event);
        }
        let (stance, _) = session.stop("a");
        (stance, session.iteration())
    };
    let gone = (Stance::Silent, None);
    assert_eq!(stopped(ON, None, Vec::new(), 1), (Stance::Deny, Some((2, Some(4)))));
    assert_eq!(
        stopped(ON, Some(6), Vec::new(), 1),
        (Stance::Deny, Some((2, Some(6)))),
        "the task's own limit"
    );
    assert_eq!(stopped(ON, None, Vec::new(), 2), gone);
    assert_eq!(stopped(ON, None, vec![failed("a", false)], 1), gone);
    assert_eq!(stopped(ON, None, vec![ran("a"), ran("a")], 1), gone);
    let own = "[loop.iterations]\nmode = 'enforce'\nmax_iterations = 7\nmax_runtime = '1h'\nconsecutive_errors = 5\n\
               repeated_calls = 5\n";
    assert_eq!(
        stopped(own, None, vec![failed("a", false), failed("a", false)], 30),
        (Stance::Deny, Some((2, Some(7))))
    );
}

#[test]
fn a_file_of_limits_that_the_session_edited_does_not_count() {
    let mut session = Session::with_task(ON, None);
    session.file = Some("intra_task:\n  max_iterations: 4\n");
    session.judge(event(EventData::PromptSubmit { text: "go on".to_owned(), by_machine: false }));
    session.file = Some("intra_task:\n  max_iterations: 40\n");
    let change = Change::Replace { old: "4".to_owned(), new: "40".to_owned(), all: false };
    let path = "/project/.claude/config/orchestration-limits.yaml".to_owned();
    let call = call(Tool::Edit(vec![FileEdit { path, change }]));
    session.judge(event(EventData::AfterTool { call, outcome: Outcome::default() }));
    let (stance, message) = session.stop("a");
    assert_eq!(stance, Stance::Deny);
    let notice =
        "changed during this session: until the next one, what it said when the session began applies";
    assert!(message.contains(notice), "{message}");
    assert_eq!(session.iteration(), Some((2, Some(4))));
    // A value that is written beats the file, also where it says the default.
    let written = "max_iterations = 10\nmax_runtime = '15m'\nconsecutive_errors = 3\nrepeated_calls = 3\n";
    let mut session = Session::with_task(&format!("{ON}{written}"), None);
    session.file = Some("intra_task:\n  max_iterations: 40\n  max_runtime_minutes: 99\n");
    session.stop("a");
    assert_eq!(session.iteration(), Some((2, Some(10))));
}

#[test]
fn an_invalid_file_of_limits_is_reported_once() {
    let mut session = Session::with_task(ON, None);
    session.file = Some("intra_task:\n  max_iterations: many\n");
    let (stance, message) = session.stop("a");
    assert_eq!(stance, Stance::Deny);
    let notice = message.lines().last().unwrap();
    assert!(
        notice.starts_with("`.claude/config/orchestration-limits.yaml` is not used: ")
            && notice.contains("line 2")
            && notice.ends_with("; the limits in flyball.toml apply"),
        "{notice}"
    );
    assert_eq!(session.iteration(), Some((2, Some(10))));
    assert_eq!(session.stop("a").1.lines().count(), 1);
    session.start(Task { text: "another".to_owned(), max: None, until: None });
    assert_eq!(session.stop("a").1.lines().count(), 1);
}

#[test]
fn a_pattern_is_tried_a_limited_number_of_times_between_prompts() {
    let config = "[loop.iterations]\nmode = 'enforce'\n[[loop.iterations.pattern]]\nname = 'test_fix'\nskills = ['fix-*']\n";
    let session = Session::new(config);
    let fix = || before("Skill", skill("fix-tests"));
    let stances = |session: &Session, times: usize| -> Vec<Stance> {
        (0..times).map(|_| stance_and_text(&session.judge(fix())).0).collect()
    };
    use Stance::{Deny, Silent};
    assert_eq!(stances(&session, 5), [Silent, Silent, Silent, Deny, Deny]);
    let message = "Stop, and tell the user what you tried, what is left and what you suggest: `test_fix` was tried 3 times \
                since the last prompt. The user's next prompt allows `fix-tests` again";
    assert_eq!(stance_and_text(&session.judge(fix())).1, message);
    let prompt = |by_machine| event(EventData::PromptSubmit { text: "go on".to_owned(), by_machine });
    session.judge(prompt(true));
    assert_eq!(stances(&session, 1), [Deny]);
    session.judge(prompt(false));
    assert_eq!(stances(&session, 4), [Silent, Silent, Silent, Deny]);
    let mut session = Session::new(config);
    session.file = Some("orchestrator:\n  test_fix_retries: 0\n");
    assert_eq!(stances(&session, 2), [Silent, Deny]);
    // The suggestion in the denial is allowed.
    assert_eq!(session.stop("this was tried"), (Silent, String::new()));
}

/// The result of a stop where commands can be run.
fn stopped_in(machine: &Arc<TestWorkshop>, memory: &Arc<InMemory>, message: &str) -> (Stance, String) {
    let mut config = Config::default();
    config.sections.extend(sections(ON));
    let (world, workshop, memory) = (Arc::clone(machine), Arc::clone(machine), Arc::clone(memory));
    stance_and_text(&judge(
        ONLY,
        &Case {
            event: Arc::new(stop(message, false)),
            config: Arc::new(config),
            world,
            memory,
            skipped: Arc::new([]),
            watch: Watch::Trust,
            faults: Faults::default(),
            facts: Arc::default(),
            workshop: Some(workshop),
        },
    ))
}

fn until(command: &str) -> (Arc<TestWorkshop>, Arc<InMemory>) {
    let memory = InMemory::default();
    let task = Task { text: "fix it".to_owned(), max: Some(3), until: Some(command.to_owned()) };
    // Far in the future, so that the time of the test does not matter.
    memory.write(ID, start(None, task, Time::MAX)).unwrap();
    (Arc::new(TestWorkshop::bare()), Arc::new(memory))
}

#[test]
fn a_task_ends_when_its_command_passes_and_not_by_a_report() {
    let (workshop, memory) = until("echo 2 failed; test -f done");
    let message = "Continue with iteration 2 of 3 of task `fix it`: it is not done. It is done when `echo 2 failed; test -f \
                done` exits with 0; flyball runs it when you stop. If you are stuck, try a different approach and say \
                what you tried. To override (people only): `flyball loop done`.\n\
                exit code 1\n2 failed";
    assert_eq!(stopped_in(&workshop, &memory, DONE), (Stance::Deny, message.to_owned()));
    workshop.write("done", "");
    let message = "task `fix it` is done in iteration 2 of 3: `echo 2 failed; test -f done` passed";
    assert_eq!(stopped_in(&workshop, &memory, "a"), (Stance::Silent, message.to_owned()));
    assert_eq!(workshop.take_command_lines().len(), 2);
    assert_eq!(stopped_in(&workshop, &memory, "a"), (Stance::Silent, String::new()));
    assert_eq!(workshop.take_command_lines().len(), 0);
}

#[test]
fn a_task_at_its_limit_reports_how_its_command_ended() {
    let (workshop, memory) = until("exit 4");
    stopped_in(&workshop, &memory, "a");
    stopped_in(&workshop, &memory, "a");
    let message = "task `fix it` is released in iteration 3 of 3 without being done: it used all its iterations \
                (the last run of its command: exit code 4). To start it again: `flyball loop start`";
    assert_eq!(stopped_in(&workshop, &memory, "a"), (Stance::Silent, message.to_owned()));
}

#[test]
fn if_the_command_cannot_run_the_agent_may_stop_and_the_task_goes_on() {
    let (workshop, memory) = until("no-such-program-here");
    let (stance, message) = stopped_in(&workshop, &memory, "a");
    assert_eq!(stance, Stance::Deny);
    assert!(message.contains("\nno verdict on the code: could not start: exit code 127."), "{message}");
    let (stance, message) = stopped_in(&workshop, &memory, DONE);
    let expected = "task `fix it` pauses in iteration 2 of 3: the agent reported TASK_COMPLETE, and \
                    `no-such-program-here` could not run (";
    assert_eq!(stance, Stance::Silent);
    assert!(message.starts_with(expected), "{message}");
    let text = memory.read("loop.iterations").unwrap().unwrap();
    assert!(view(&text).is_some(), "it is not done");
}

#[test]
fn a_runner_that_is_missing_is_no_failure_of_the_code() {
    let (workshop, memory) = until("echo '/usr/bin/python3: No module named pytest' >&2; exit 1");
    let (stance, message) = stopped_in(&workshop, &memory, "a");
    assert_eq!(stance, Stance::Deny);
    let part = "\nno verdict on the code: could not start: /usr/bin/python3: No module named pytest. Install it, or fix \
                the command in flyball.toml\n";
    assert!(message.contains(part), "{message}");
    let (workshop, memory) = until("echo \"ModuleNotFoundError: No module named 'app.cart'\" >&2; exit 1");
    let (_, message) = stopped_in(&workshop, &memory, "a");
    assert!(message.contains("\nexit code 1\nModuleNotFoundError"), "{message}");
}

#[test]
fn the_bounds_of_a_task_are_stored_as_before() {
    let bounds = r#"{"iterations":4,"runtime_millis":900000,"errors":3,"repeats":2}"#;
    let memory = format!(
        r#"{{"task":{{"text":"fix it","began":1800000000000,"iteration":2,"bounds":{bounds}}},"tried":{{}},"told":null}}"#
    );
    let expected = View { text: "fix it".to_owned(), iteration: 2, max: Some(4), until: None, began: BEGAN };
    assert_eq!(view(&memory), Some(expected));
    let session = Session::with_task(ON, None);
    session.stop("a");
    let stored = session.memory.read(ID).unwrap().unwrap();
    assert!(stored.contains(r#""runtime_millis":900000,"#), "{stored}");
}

#[test]
fn a_wrong_key_is_refused_at_its_place() {
    let cases = [
        (
            "[loop.iterations]\nmax_iteration = 3\n",
            "flyball.toml:2:1: unknown key `max_iteration`; did you mean `max_iterations`?",
        ),
        ("[[loop.iterations.skill]]\nmax = 3\n", "flyball.toml:1:1: missing key `name`"),
        (
            "[[loop.iterations.pattern]]\nname = 'a'\nskills = []\n",
            "flyball.toml:3:10: the list is empty, so this entry can never match; name at least one",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), [expected], "{text}");
    }
}

/// A task whose command an agent set.
fn until_by_agent(command: &str) -> (Arc<TestWorkshop>, Arc<InMemory>) {
    let memory = InMemory::default();
    let task = Task { text: "fix it".to_owned(), max: Some(3), until: Some(command.to_owned()) };
    memory.write(ID, super::start_by_agent(None, task, Time::MAX)).unwrap();
    (Arc::new(TestWorkshop::bare()), Arc::new(memory))
}

fn after_line(memory: &Arc<InMemory>, line: &str) {
    let surroundings = Surroundings { memory: Arc::clone(memory), ..Surroundings::default() };
    judged_in(ONLY, &sections(ON), ran(line), surroundings);
}

#[test]
fn a_command_that_an_agent_set_unseen_is_never_run() {
    let (workshop, memory) = until_by_agent("echo ran >> runs");
    // Neither of these shows that a person agreed to this command.
    after_line(&memory, "./x loop start --task 'fix it' --until 'echo ran >> runs'");
    after_line(&memory, "flyball loop start --task 'fix it' --until 'make test'");
    let (stance, message) = stopped_in(&workshop, &memory, "a");
    assert_eq!(stance, Stance::Deny);
    let part = "flyball does not run `echo ran >> runs`: an agent set it, and nobody confirmed it";
    assert!(message.contains(part), "{message}");
    assert_eq!(workshop.take_command_lines().len(), 0);
    let message = "task `fix it` is done in iteration 2 of 3: the agent reported TASK_COMPLETE, and `echo ran >> runs` \
                was not confirmed by a person";
    assert_eq!(stopped_in(&workshop, &memory, DONE), (Stance::Silent, message.to_owned()));
}

#[test]
fn a_command_that_an_agent_set_in_a_call_that_ran_is_run() {
    for line in [
        "flyball loop start --task 'fix it' --until 'exit 0'",
        "cd src && flyball loop start --max 3 '--until=exit 0' --task 'fix it'",
    ] {
        let (workshop, memory) = until_by_agent("exit 0");
        after_line(&memory, line);
        let message = "task `fix it` is done in iteration 1 of 3: `exit 0` passed";
        assert_eq!(stopped_in(&workshop, &memory, "a"), (Stance::Silent, message.to_owned()), "{line}");
        assert_eq!(workshop.take_command_lines().len(), 1);
    }
}

#[test]
fn a_plan_is_not_held_and_its_task_goes_on() {
    use flyball_core::event::PermissionMode;
    let session = Session::with_task(ON, Some(3));
    let stop =
        event(EventData::Stop(Stopping { last_message: "the plan".to_owned(), ..Stopping::default() }));
    let planning = Event { permission_mode: Some(PermissionMode::Plan), ..stop.clone() };
    assert_eq!(session.judge(planning).merged.stance, Stance::Silent);
    assert_eq!(session.judge(stop).merged.stance, Stance::Deny);
}
