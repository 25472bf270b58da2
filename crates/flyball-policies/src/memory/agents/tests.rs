//! Subagents in a real project: which rules each gets, and which not.

use flyball_core::event::{Agent, Event, EventData, Outcome, SpawnedAgent, Tool};
use flyball_core::verdict::Evidence;

use crate::test_project::TestProject;
use crate::testing::{before, event};

const ON: &str = "[memory.agents]\nmode = \"enforce\"\n";

const ROOT: &str = "# Project\n\n## Checks\n\n- [ ] Run the tests\n\n## Pitfalls\n\n- Time is in UTC\n\n## Patterns\n\n- Errors are values\n";

const API: &str = "# API\n\n## Pitfalls\n\n### Tokens expire\n\nRefresh them in `auth.ts`.\n\n## Patterns\n\n- Routes are lower case\n";

fn stage() -> TestProject {
    stage_with(ON)
}

fn stage_with(settings: &str) -> TestProject {
    let stage = TestProject::new(settings);
    stage.write("AGENTS.md", ROOT);
    stage.write("src/api/AGENTS.md", API);
    stage.write("src/api/auth.ts", "");
    stage.write("web/CLAUDE.md", "## Pitfalls\n\n- Safari lacks it\n");
    stage
}

fn spawn(role: &str, prompt: &str) -> Event {
    let (role, prompt) = (role.to_owned(), prompt.to_owned());
    before("Agent", Tool::SpawnAgent { role, prompt, background: None })
}

fn start(id: &str, role: &str) -> Event {
    let agent = Some(Agent { id: id.to_owned(), role: role.to_owned() });
    Event { agent, ..event(EventData::AgentStart) }
}

/// The same call with an id.
fn called(id: &str, mut event: Event) -> Event {
    if let EventData::BeforeTool(call) = &mut event.happening {
        call.id = Some(id.to_owned());
    }
    event
}

/// The same call after it failed.
fn failed(event: Event) -> Event {
    let EventData::BeforeTool(call) = event.happening.clone() else { panic!("{event:?}") };
    let outcome = Outcome { text: "refused".to_owned(), ..Outcome::default() };
    Event { happening: EventData::ToolFailed { call, outcome, interrupted: true }, ..event }
}

fn evidence(stage: &TestProject, event: Event) -> Vec<(String, String)> {
    let judgement = stage.judge_event(event);
    let ruling = judgement.rulings.iter().find(|ruling| ruling.policy == super::POLICY.id).unwrap();
    ruling.verdict.evidence.iter().map(|Evidence { name, value }| (name.clone(), value.clone())).collect()
}

#[test]
fn a_subagent_gets_the_rules_of_the_files_in_its_prompt() {
    let stage = stage();
    assert_eq!(stage.injected_context(spawn("helper", "Fix `src/api/auth.ts`.")), "");
    assert_eq!(
        stage.injected_context(start("a1", "helper")),
        "This project's rules for the files of your task (`src/api/auth.ts`):\n\n\
         ## Pitfalls, from `src/api/AGENTS.md`\n### Tokens expire\nRefresh them in `auth.ts`.\n\n\
         ## Patterns, from `src/api/AGENTS.md`\n- Routes are lower case\n\n\
         ## Checks, from `AGENTS.md`\n- [ ] Run the tests\n\n\
         ## Pitfalls, from `AGENTS.md`\n- Time is in UTC"
    );
}

#[test]
fn the_words_of_a_prompt_find_folders_and_rules() {
    let stage = stage();
    stage.write("services/search/AGENTS.md", "## Pitfalls\n\n- An index is never changed in place\n");
    stage.write("services/billing/AGENTS.md", "## Pitfalls\n\n- Webhooks come twice\n");
    stage.write(
        "CLAUDE.md",
        "# App\n\n## Gotchas\n\n- SQL parameters are bound in `query()`.\n- Icons need an `aria-label`.\n",
    );
    let gets = |id: &str, prompt: &str| {
        stage.judge_event(spawn("helper", prompt));
        stage.injected_context(start(id, "helper"))
    };
    let search = gets("a1", "Find out why the search pipeline is slow.");
    assert!(search.contains("An index is never") && !search.contains("Webhooks"), "{search}");
    let billing = gets("a2", "Make the billing webhooks faster");
    assert!(billing.contains("Webhooks come twice") && !billing.contains("An index"), "{billing}");
    let words = gets("a3", "Write the SQL query for the report");
    assert!(words.contains("SQL parameters") && !words.contains("Icons"), "{words}");
}

#[test]
fn a_large_project_is_listed_in_part_and_not_for_each_prompt() {
    let stage = stage();
    for number in 0..2_500 {
        stage.write(&format!("packages/part{number}/AGENTS.md"), "## Pitfalls\n\n- Widgets are slow\n");
    }
    let gets = |id: &str, prompt: &str| {
        stage.judge_event(spawn("helper", prompt));
        stage.injected_context(start(id, "helper"))
    };
    assert!(gets("a1", "Make the web app faster").contains("Safari lacks it"));
    let stored = flyball_core::policy::Memory::read(&*stage.memory, "memory.folders").unwrap().unwrap();
    assert!(stored.matches("\"path\"").count() <= 256 && stored.len() < 32 * 1024, "{}", stored.len());
    stage.write("zebra/AGENTS.md", "## Pitfalls\n\n- Stripes are even\n");
    assert!(!gets("a2", "Fix the zebra").contains("Stripes"), "the folders are known already");
    assert!(gets("a3", "Fix zebra/").contains("Stripes"), "a path needs no list");
}

#[test]
fn what_its_client_has_loaded_is_not_added() {
    let stage = stage();
    let context = TestProject::new(&format!("{ON}[memory.context]\nmode = \"enforce\"\n"));
    for file in ["AGENTS.md", "src/api/AGENTS.md"] {
        context.write(file, &stage.read(file));
    }
    context.write("src/api/auth.ts", "");
    let path = context.path("AGENTS.md").to_string();
    context.judge_event(event(EventData::InstructionsLoaded { path }));
    context.judge_event(spawn("helper", "Fix src/api/auth.ts"));
    let injected = context.injected_context(start("a1", "helper"));
    assert!(injected.contains("Tokens expire") && !injected.contains("Run the tests"), "{injected}");
}

#[test]
fn without_a_path_or_a_call_it_gets_the_general_rules() {
    let stage = stage();
    let general = "This project's rules for all of its files:\n\n\
         ## Checks, from `AGENTS.md`\n- [ ] Run the tests\n\n\
         ## Pitfalls, from `AGENTS.md`\n- Time is in UTC";
    stage.judge_event(spawn("helper", "Have a look around."));
    assert_eq!(stage.injected_context(start("a1", "helper")), general);
    assert_eq!(stage.injected_context(start("a2", "helper")), general, "nobody saw its call");
    assert_eq!(stage.injected_context(start("a3", "")), "", "a helper of the client's own");
}

#[test]
fn parallel_calls_of_one_role_reach_their_own_subagents() {
    let stage = stage();
    stage.judge_event(spawn("helper", "Fix src/api/auth.ts"));
    stage.judge_event(spawn("helper", "Fix web/"));
    stage.judge_event(spawn("other", "Fix web/app.ts"));
    let gets = |id: &str, role: &str| {
        let injected = stage.injected_context(start(id, role));
        (injected.contains("Tokens expire"), injected.contains("Safari lacks it"))
    };
    assert_eq!(gets("a1", "helper"), (true, false));
    assert_eq!(gets("a2", "other"), (false, true));
    assert_eq!(gets("a3", "helper"), (false, true));
    assert_eq!(gets("a4", "helper"), (false, false));
}

#[test]
fn a_call_that_was_denied_or_failed_is_matched_with_no_subagent() {
    let stage = stage_with(&format!(
        "{ON}# [rules]\n[[rule]]\nid = \"no-api\"\nevents = [\"before_tool\"]\ntool = [\"spawn_agent\"]\n\
         action = \"deny\"\nmessage = \"not now\"\nwhen = 'tool.prompt.contains(\"api\")'\n"
    ));
    let denied = stage.judge_event(spawn("helper", "Fix src/api/auth.ts"));
    assert_eq!(denied.merged.stance.name(), "deny");
    assert!(!stage.injected_context(start("a1", "helper")).contains("Tokens expire"));
    let call = called("t1", spawn("helper", "Fix web/"));
    stage.judge_event(call.clone());
    stage.judge_event(failed(call));
    assert!(!stage.injected_context(start("a2", "helper")).contains("Safari"));
}

#[test]
fn a_subagent_in_the_background_may_start_after_its_call_has_ended() {
    let stage = stage();
    let call = called("t1", spawn("helper", "Fix web/"));
    stage.judge_event(call.clone());
    let EventData::BeforeTool(inner) = call.happening.clone() else { panic!() };
    let spawned = Some(SpawnedAgent { id: "a1".to_owned(), is_running: true });
    let outcome = Outcome { spawned, ..Outcome::default() };
    stage.judge_event(Event { happening: EventData::AfterTool { call: inner, outcome }, ..call });
    assert!(stage.injected_context(start("a1", "helper")).contains("Safari"));
}

#[test]
fn rules_are_not_repeated_until_a_compaction() {
    let stage = stage();
    stage.judge_event(spawn("helper", "Fix web/"));
    assert!(stage.injected_context(start("a1", "helper")).contains("Safari"));
    stage.judge_event(spawn("helper", "Fix web/"));
    assert_eq!(stage.injected_context(start("a1", "helper")), "");
    stage.judge_event(event(EventData::SessionStart { source: "compact".to_owned() }));
    stage.judge_event(spawn("helper", "Fix web/"));
    assert!(stage.injected_context(start("a1", "helper")).contains("Safari"));
}

#[test]
fn other_policies_can_see_which_rules_were_injected() {
    let stage = stage();
    stage.judge_event(spawn("helper", "Fix web/"));
    stage.judge_event(start("a1", "helper"));
    let memory = stage.memory.as_ref();
    let text = flyball_core::policy::Memory::read(memory, "memory.agents").unwrap().unwrap();
    let state: super::State = serde_json::from_str(&text).unwrap();
    // The root's check and pitfall, and the pitfall of `web`.
    assert_eq!(state.known_rules("a1").len(), 3);
    assert_eq!(state.known_rules("a2").len(), 0);
    let web = flyball_knowledge::node::covering(&stage.machine(), &stage.path("web/app.ts")).unwrap();
    let rules: Vec<_> = web.iter().skip(1).flat_map(flyball_knowledge::node::rules).collect();
    assert!(
        rules.iter().all(|rule| state.known_rules("a1").contains(&super::rule_digest(rule))),
        "{rules:?}"
    );
}

#[test]
fn rules_that_do_not_fit_are_left_out_whole_and_counted() {
    let stage = stage_with("[memory.agents]\nmode = \"enforce\"\ntokens = 150\n");
    let rules: String =
        (0..50).map(|at| format!("- Rule {at} {}\n", "which is long enough to matter ".repeat(3))).collect();
    stage.write("web/CLAUDE.md", &format!("## Pitfalls\n\n{rules}"));
    stage.judge_event(spawn("helper", "Fix web/"));
    let injected = stage.injected_context(start("a1", "helper"));
    assert!(injected.len() <= 150 * 4, "{} {injected}", injected.len());
    assert!(injected.contains("\n\nLeft out to save space: "), "{injected}");
    let whole =
        injected.lines().filter(|line| line.starts_with("- Rule ")).all(|line| line.ends_with("to matter"));
    assert!(whole, "{injected}");
}

#[test]
fn in_observe_mode_no_rule_counts_as_injected() {
    let stage = stage_with("[memory.agents]\nmode = \"observe\"\n");
    stage.judge_event(spawn("helper", "Fix web/"));
    let seen = evidence(&stage, start("a1", "helper"));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        seen,
        [
            pair("nodes", "web/CLAUDE.md, AGENTS.md"),
            pair("rules", "3 shown, 0 left out"),
            pair("agent", "helper"),
            pair("its call", "seen"),
        ]
    );
    let text = flyball_core::policy::Memory::read(&*stage.memory, "memory.agents").unwrap().unwrap();
    let state: super::State = serde_json::from_str(&text).unwrap();
    assert_eq!((state.calls.len(), state.shown.len()), (0, 0));
}

#[test]
fn a_project_without_rules_adds_nothing_and_prompts_are_not_stored() {
    let stage = TestProject::new(ON);
    stage.write("a.py", "");
    stage.judge_event(spawn("helper", "Fix a.py with the password hunter2"));
    let text = flyball_core::policy::Memory::read(&*stage.memory, "memory.agents").unwrap().unwrap();
    assert!(text.contains("a.py") && !text.contains("hunter2") && !text.contains("Fix"), "{text}");
    assert_eq!(stage.injected_context(start("a1", "helper")), "");
}

#[test]
fn each_role_gets_the_topics_that_matter_to_it_first() {
    use flyball_knowledge::role::Role;
    let stage = stage();
    stage.write(
        "src/api/AGENTS.md",
        &format!("{API}\n## Checks\n\n- [ ] Ask security\n\n## Context\n\n- It is old\n"),
    );
    let headings = |role: Option<Role>, paths: &[&str]| {
        let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
        let known = std::collections::BTreeSet::new();
        let task = super::Task {
            role,
            paths: &paths,
            about: &[],
            known: &known,
            in_context: &|_| std::collections::BTreeSet::new(),
            has_read: &|_, _| false,
        };
        let injected = super::messages::build_injection(&stage.machine(), &task, &super::Settings::default())
            .unwrap()
            .unwrap();
        let mut topics: Vec<String> = injected
            .text
            .lines()
            .filter_map(|line| Some(line.strip_prefix("## ")?.split(',').next()?.to_owned()))
            .collect();
        // Those of the folder come first, then those for all files.
        topics.truncate(4);
        topics.join(" ")
    };
    let all = "Checks Pitfalls Patterns Context";
    let cases = [
        (Some(Role::Review), all),
        (Some(Role::Test), all),
        (None, all),
        (Some(Role::Develop), "Pitfalls Patterns Checks Context"),
    ];
    for (role, expected) in cases {
        assert_eq!(headings(role, &["src/api/auth.ts"]), expected, "{role:?}");
        assert_eq!(headings(role, &[]), "Checks Pitfalls", "{role:?}");
    }
}

#[test]
fn recently_accepted_reports_about_its_folders_are_added() {
    use flyball_knowledge::report::{Draft, Kind, Origin, Status, ledger};
    let stage = stage();
    stage.write(".intent-layer/readme", "");
    let machine = stage.machine();
    for (title, folder) in [("Ids are opaque", "src/api"), ("Nobody reads this", "docs")] {
        let draft = Draft {
            kind: Kind::Insight,
            origin: Origin::Person,
            title: title.to_owned(),
            folder: folder.to_owned(),
            operation: String::new(),
            detail: "So it is.".to_owned(),
            said: String::new(),
            command: String::new(),
            file: String::new(),
            node: String::new(),
            told_before: Vec::new(),
            agent: String::new(),
            sameness: title.to_owned(),
        };
        let ledger::Recorded::New(id) = ledger::record(&machine, &draft).unwrap() else { panic!("{title}") };
        let (from, to) = (format!("pending/{id}.md"), format!("accepted/{id}.md"));
        let text = stage.read(&format!(".intent-layer/mistakes/{from}"));
        stage.write(&format!(".intent-layer/mistakes/{to}"), &text);
        std::fs::remove_file(stage.root().join(".intent-layer/mistakes").join(from)).unwrap();
        ledger::record_move(&machine, &id, Status::Pending, Status::Accepted).unwrap();
    }
    stage.judge_event(spawn("helper", "Fix src/api/auth.ts"));
    let injected = stage.injected_context(start("a1", "helper"));
    assert!(
        injected.ends_with("\n\n## Recently accepted, not yet in a file\n- Ids are opaque (`src/api`)"),
        "{injected}"
    );
}

#[test]
fn the_header_of_a_table_is_there_once() {
    let stage = stage();
    stage.write(
        "src/api/AGENTS.md",
        "# API\n\n## Contracts\n\n| Route | Rule |\n|---|---|\n| `/a` | Never cached. |\n| `/b` | Always logged. |\n",
    );
    stage.judge_event(spawn("helper", "Fix src/api/auth.ts"));
    let injected = stage.injected_context(start("a1", "helper"));
    assert!(injected.contains("| `/a` | Never cached. |\n| `/b` | Always logged. |"), "{injected}");
    assert_eq!(injected.matches("|---|---|").count(), 1, "{injected}");
}

#[test]
fn a_sentence_that_the_user_has_loaded_is_not_given_again() {
    let stage = TestProject::new(&format!("{ON}[memory.context]\nmode = \"enforce\"\n"));
    stage.write("AGENTS.md", ROOT);
    let own = stage.root().parent().unwrap().join("own.md");
    std::fs::write(&own, "# Mine\n\n## Pitfalls\n\n- Time is in UTC\n").unwrap();
    stage.judge_event(event(EventData::InstructionsLoaded { path: own.to_string_lossy().into_owned() }));
    let injected = stage.injected_context(start("a1", "helper"));
    assert!(injected.contains("Run the tests") && !injected.contains("UTC"), "{injected}");
}
