//! Which texts are added to a session, when, and how much of them.

use std::sync::Arc;

use flyball_core::engine::Registry;
use flyball_core::event::{Agent, CompactTrigger, Event};
use flyball_core::policy::Memory as _;

use super::*;
use crate::testing::{InMemory, PinnedWorld, Surroundings, event, judged_in, problems, sections};

static ONLY: Registry = &[&POLICY];

/// The context for the agent and the notices for the user.
type Output = (String, Vec<String>);

fn output_in(world: PinnedWorld, (config, memory): (&str, &Arc<InMemory>), event: Event) -> Output {
    let config = format!("[loop.session]\nmode = 'enforce'\n{config}");
    let merged =
        judged_in(ONLY, &sections(&config), event, Surroundings { world, memory: Arc::clone(memory) }).merged;
    (merged.context.text, merged.notices)
}

fn started(world: PinnedWorld, config: &str, source: &str) -> Output {
    output_in(world, (config, &Arc::default()), start(source))
}

fn start(source: &str) -> Event {
    event(EventData::SessionStart { source: source.to_owned() })
}

fn compact() -> Event {
    event(EventData::BeforeCompact { trigger: CompactTrigger::Auto, instructions: String::new() })
}

fn prompt(by_machine: bool) -> Event {
    event(EventData::PromptSubmit { text: "go on".to_owned(), by_machine })
}

fn silence() -> Output {
    (String::new(), vec![])
}

const RULES: &str = "[[loop.session.inject]]\nfile = 'docs/rules.md'\n";

#[test]
fn a_file_is_added_at_the_kinds_of_start_in_on() {
    let world = || PinnedWorld::new().file("/project/docs/rules.md", "Be kind.\n");
    let given = ("From `docs/rules.md`:\nBe kind.".to_owned(), vec![]);
    let cases = [
        ("by default", RULES.to_owned(), ["startup", "clear", "compact"].as_slice()),
        ("as configured", format!("{RULES}on = ['resume', 'fork']\n"), &["resume", "fork"]),
        ("never", format!("{RULES}on = []\n"), &[]),
    ];
    for (name, config, on) in cases {
        for source in ["startup", "resume", "clear", "compact", "fork", "unknown"] {
            let expected = if on.contains(&source) { given.clone() } else { silence() };
            assert_eq!(started(world(), &config, source), expected, "{name}: {source}");
        }
    }
}

#[test]
fn a_skill_is_added_without_its_front_matter() {
    let config = "[[loop.session.inject]]\nskill = 'using-skills'\n";
    let skill = "---\nname: using-skills\ndescription: x\n---\n\n# Use them\nAlways.\n";
    let world = || PinnedWorld::new().file("/project/.claude/skills/using-skills/SKILL.md", skill);
    let given = "From `.claude/skills/using-skills/SKILL.md`:\n# Use them\nAlways.";
    assert_eq!(started(world(), config, "startup"), (given.to_owned(), vec![]));
    let elsewhere = format!("skills = ['library', '.claude/skills']\n{config}");
    assert_eq!(started(world(), &elsewhere, "startup"), (given.to_owned(), vec![]));
    let missing = started(PinnedWorld::new(), config, "startup");
    let notice = "the skill `using-skills` does not exist, so the session starts without it; see `inject` of loop.session";
    assert_eq!(missing, (String::new(), vec![notice.to_owned()]));
}

#[test]
fn a_missing_file_is_reported_once() {
    let memory = Arc::default();
    let output = |world: PinnedWorld, source: &str| output_in(world, (RULES, &memory), start(source));
    let notice =
        "`docs/rules.md` does not exist, so the session starts without it; see `inject` of loop.session";
    assert_eq!(output(PinnedWorld::new(), "startup"), (String::new(), vec![notice.to_owned()]));
    assert_eq!(output(PinnedWorld::new(), "compact"), silence());
    let folder = PinnedWorld::new().file("/project/docs/rules.md/a", "x");
    assert_eq!(
        output(folder, "compact"),
        (String::new(), vec!["`docs/rules.md` is a folder; name a file".to_owned()])
    );
}

#[test]
fn texts_are_bounded_each_and_together() {
    let files = |names: &[&str]| -> String {
        names.iter().map(|name| format!("[[loop.session.inject]]\nfile = '{name}'\n")).collect()
    };
    let long = "0123456789abcde\n".repeat(1_000);
    let world =
        || PinnedWorld::new().file("/project/a", &long).file("/project/b", &long).file("/project/c", &long);
    let config = format!("file_chars = 320\ntotal_chars = 600\n{}", files(&["a", "b", "c"]));
    let (text, notices) = started(world(), &config, "startup");
    let body = |lines: usize| "0123456789abcde\n".repeat(lines);
    let expected = format!(
        "From `a`:\n{}(truncated; the rest is in `a`)\nFrom `b`:\n{}(truncated; the rest is in `b`)",
        body(20),
        body(15)
    );
    assert_eq!(text, expected);
    assert_eq!(notices, ["`c` was left out: it does not fit in `total_chars`"]);
    let huge = PinnedWorld::new().file("/project/a", &"x".repeat(2 * 1024 * 1024));
    let (text, notices) = started(huge, &files(&["a"]), "startup");
    assert_eq!(
        (text, notices),
        (String::new(), vec!["`a` is longer than 1024 KiB, so it is not read".to_owned()])
    );
}

#[test]
fn the_reminder_comes_with_the_prompts_of_people() {
    let config = "reminder = \"  Tests first.\\n\"\n";
    let output = |event: Event| output_in(PinnedWorld::new(), (config, &Arc::default()), event);
    assert_eq!(output(prompt(false)), ("Tests first.".to_owned(), vec![]));
    assert_eq!(output(prompt(true)), silence());
    let agent = Some(Agent { id: "a1".to_owned(), role: "developer".to_owned() });
    assert_eq!(output(Event { agent, ..prompt(false) }), silence());
    assert_eq!(output(start("startup")), silence());
}

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let long = "word ".repeat(80);
    let cases = [
        (
            "[[loop.session.inject]]\nfile = '../secrets'\n".to_owned(),
            "flyball.toml:2:8: `../secrets` is not inside the project; write a path from the project's root, without `..`",
        ),
        (
            "[[loop.session.inject]]\nfile = '/etc/passwd'\n".to_owned(),
            "flyball.toml:2:8: `/etc/passwd` is not inside the project; write a path from the project's root, without `..`",
        ),
        (
            "[[loop.session.inject]]\nskill = '../x'\n".to_owned(),
            "flyball.toml:2:9: invalid skill name `../x`: write the name of the skill's folder",
        ),
        (
            "[[loop.session.inject]]\non = ['startup']\n".to_owned(),
            "flyball.toml:1:1: name either a `file` or a `skill`",
        ),
        (
            "[[loop.session.inject]]\nfile = 'a'\non = ['start']\n".to_owned(),
            "flyball.toml:3:7: unknown value `start`; did you mean `startup`?",
        ),
        (
            format!("[loop.session]\nreminder = '{long}'\n"),
            "flyball.toml:2:12: the reminder has about 100 tokens and comes with every prompt; write less than 100",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(&text), [expected], "{text}");
    }
}

/// The memory of the policy `quality` of a session with open findings.
const OPEN: &str = r#"{"files":{"src/a.py":{"open":[1,2]},"src/b.py":{"open":[]},"src/it's.py":{"open":[7]},
    "src/gone.py":{"open":[3]}}}"#;

#[test]
fn open_findings_are_carried_over_a_compaction() {
    let memory = Arc::new(InMemory::default());
    memory.write("quality", OPEN.to_owned()).unwrap();
    let output = |event: Event| {
        let world = PinnedWorld::new().file("/project/src/a.py", "").file("/project/src/it's.py", "");
        output_in(world, ("", &memory), event)
    };
    let open = "Linter findings that are not fixed yet:\n\
                src/a.py: 2 findings; see `flyball lint src/a.py`\n\
                src/it's.py: 1 finding; see `flyball lint 'src/it'\\''s.py'`";
    assert_eq!(output(compact()), (open.to_owned(), vec![]));
    assert_eq!(output(start("compact")), (open.to_owned(), vec![]));
    for source in ["startup", "resume", "clear"] {
        assert_eq!(output(start(source)), silence(), "{source}");
    }
    assert_eq!(output_in(PinnedWorld::new(), ("", &Arc::default()), compact()), silence());
}

#[test]
fn many_files_with_findings_are_not_all_named() {
    let files: Vec<String> = (10..40).map(|number| format!("\"{number}.py\":{{\"open\":[1]}}")).collect();
    let memory = Arc::new(InMemory::default());
    memory.write("quality", format!("{{\"files\":{{{}}}}}", files.join(","))).unwrap();
    let world =
        (10..40).fold(PinnedWorld::new(), |world, number| world.file(&format!("/project/{number}.py"), ""));
    let (text, _) = output_in(world, ("", &memory), compact());
    assert_eq!(text.lines().count(), 22);
    assert_eq!(text.lines().last(), Some("and 10 more files; see `flyball lint --changed`"));
}

// Defect 5 of the enforcement hooks.
#[test]
fn defect_5_a_start_deletes_nothing_of_what_others_remember() {
    let memory = Arc::new(InMemory::default());
    for key in ["quality", "loop.feedback", "loop.workflow"] {
        memory.write(key, OPEN.to_owned()).unwrap();
    }
    for source in ["startup", "resume", "clear", "compact"] {
        output_in(PinnedWorld::new(), (RULES, &memory), start(source));
    }
    for key in ["quality", "loop.feedback", "loop.workflow"] {
        assert_eq!(memory.read(key).unwrap().as_deref(), Some(OPEN), "{key}");
    }
}

// Defect 27 of the enforcement hooks.
#[test]
fn defect_27_the_reminder_does_not_invent_a_status() {
    let memory = Arc::new(InMemory::default());
    memory.write("loop.feedback", r#"{"iteration":2}"#.to_owned()).unwrap();
    let (text, _) = output_in(PinnedWorld::new(), ("reminder = 'Tests first.'\n", &memory), prompt(false));
    assert_eq!(text, "Tests first.");
    assert_eq!(output_in(PinnedWorld::new(), ("", &memory), prompt(false)), silence());
}
