//! How the config is read, and the errors in it.

use flyball_core::verdict::Stance;

use super::super::settings::{OnFail, Settings};
use super::{ON, REJECTED, Session};
use crate::testing::{problems, sections};

pub(super) fn configured(text: &str) -> Settings {
    let section = sections(text).into_iter().find(|(id, _)| id == "loop.feedback").unwrap().1;
    section.parse().unwrap()
}

#[test]
fn an_empty_section_is_the_default() {
    assert_eq!(configured("[loop.feedback]\nmode = 'enforce'\n"), Settings::default());
    assert_eq!(configured(""), Settings::default());
}

#[test]
fn each_file_has_its_domain() {
    let settings = Settings::default();
    let cases = [
        ("pkg/integrations/github/client.go", Some("integrations")),
        ("integrations/github.go", Some("integrations")),
        ("pkg/capabilities/scan.go", Some("capabilities")),
        ("scanners/port.go", Some("capabilities")),
        ("hunts/find.vql", Some("capabilities")),
        ("nuclei/http/cve.yaml", Some("capabilities")),
        ("deploy/templates/deployment.yaml", None),
        (".claude/tools/x.ts", Some("tools")),
        (".claude/tools/README.md", None),
        (".claude/skills/a/SKILL.md", None),
        ("ui/src/a.ts", Some("frontend")),
        ("app/page.tsx", Some("frontend")),
        ("style.scss", Some("frontend")),
        ("src/components/a.js", Some("frontend")),
        ("build/guide/a.ts", Some("backend")),
        ("main.py", Some("python")),
        ("lib/types.pyi", Some("python")),
        ("lib/service_pb2.py", None),
        ("main.go", Some("backend")),
        ("crates/a/src/lib.rs", Some("backend")),
        ("src/server.ts", Some("backend")),
        ("src/native/a.hpp", Some("backend")),
        ("db/schema.sql", Some("backend")),
        ("api/v1/a.pb.go", None),
        ("node_modules/a/index.js", None),
        ("ui/node_modules/a/index.tsx", None),
        ("vendor/a/a.go", None),
        (".venv/lib/a.py", None),
        ("README.md", None),
        ("Cargo.toml", None),
    ];
    for (path, expected) in cases {
        let domain = settings.domain_of(path).map(|domain| domain.name.as_str());
        assert_eq!(domain, expected, "{path}");
    }
}

#[test]
fn each_domain_has_its_agents() {
    let settings = Settings::default();
    let agents = |domain: &str| -> Vec<Vec<&str>> {
        let domain = settings.domain(domain).unwrap();
        settings.phase.iter().map(|phase| domain.agents_for(phase)).collect()
    };
    let expected =
        |reviewer, tester| vec![vec![reviewer, "reviewer"], vec!["test-lead"], vec![tester, "tester"]];
    let cases = [
        ("integrations", "integration-reviewer", "backend-tester"),
        ("capabilities", "capability-reviewer", "capability-tester"),
        ("tools", "tool-reviewer", "tool-tester"),
        ("frontend", "frontend-reviewer", "frontend-tester"),
        ("python", "backend-reviewer", "backend-tester"),
        ("backend", "backend-reviewer", "backend-tester"),
    ];
    for (domain, reviewer, tester) in cases {
        assert_eq!(agents(domain), expected(reviewer, tester), "{domain}");
    }
    let python = settings.domain("python").unwrap();
    for (role, serves) in [
        ("python-reviewer", true),
        ("team:python-reviewer", true),
        ("code-reviewer", true),
        ("frontend-reviewer", false),
        ("", false),
    ] {
        assert_eq!(python.is_served_by(&settings.phase[0], role), serves, "{role}");
    }
}

#[test]
fn two_phases_or_five_are_possible() {
    let two = "
        [[loop.feedback.phase]]
        name = 'lint'
        run = 'cargo clippy'

        [[loop.feedback.phase]]
        name = 'review'
        heading = 'Verdict'
        pass = 'YES'
        fail = 'NO'
        agents = ['*']
        on_fail = 'restart'
        max_failures = 7
    ";
    let settings = configured(two);
    assert_eq!(settings.phase.len(), 2);
    assert_eq!(settings.phase[1].on_fail, OnFail::Restart);
    assert_eq!((settings.phase[0].max_failures, settings.phase[1].max_failures), (3, 7));
    // The default domains name only phases that exist.
    let backend = settings.domain("backend").unwrap();
    assert_eq!(backend.agents.keys().collect::<Vec<_>>(), ["review"]);
    let five: String = (1..=5)
        .map(|number| format!("[[loop.feedback.phase]]\nname = 'p{number}'\nrun = 'make p{number}'\n"))
        .collect();
    assert_eq!(configured(&five).phase.len(), 5);
}

const PHASE: &str = "[[loop.feedback.phase]]\nname = 'check'\nrun = 'make check'\n";

#[test]
fn invalid_settings_are_refused_at_their_place() {
    let phase = |rest: &str| format!("[[loop.feedback.phase]]\nname = 'a'\n{rest}");
    let domain = |rest: &str| format!("[[loop.feedback.domain]]\nname = 'api'\npaths = ['**/*.go']\n{rest}");
    let cases: Vec<(String, Vec<&str>)> = vec![
        (
            domain("agents = { reveiw = ['a'] }\n"),
            vec!["flyball.toml:4:12: there is no phase `reveiw`; did you mean `review`?"],
        ),
        (
            domain("run = { lint = 'make' }\n"),
            vec![
                "flyball.toml:4:9: there is no phase `lint`; the phases are `review`, `test-planning`, `testing`",
            ],
        ),
        (
            domain("skip = ['review', 'tests']\n"),
            vec!["flyball.toml:4:19: there is no phase `tests`; the phases are `review`, `test-planning`, `testing`"],
        ),
        (
            format!("{PHASE}{PHASE}"),
            vec!["flyball.toml:5:8: there are two phases `check`; give each a name of its own"],
        ),
        (
            domain("") + &domain(""),
            vec!["flyball.toml:5:8: there are two domains `api`; give each a name of its own"],
        ),
        (
            phase(""),
            vec![
                "flyball.toml:2:8: phase `a` has neither agents nor a marker nor a command; add a command to `run`, or `agents` and a `heading` with the words for `pass` and `fail`",
            ],
        ),
        (
            phase("agents = ['b']\n"),
            vec![
                "flyball.toml:2:8: nothing can pass `a` for domain `integrations`; it needs a command to `run`, or a \
                 `heading` with the words for `pass` and `fail`",
            ],
        ),
        (
            phase("heading = 'H'\npass = 'P'\nfail = 'F'\n"),
            vec![
                "flyball.toml:2:8: nothing can pass `a` for domain `integrations`; name the `agents` that report for it, or a command to `run`",
            ],
        ),
        (
            phase("heading = 'H'\npass = ''\nfail = 'F'\nagents = ['b']\n"),
            vec![
                "flyball.toml:4:8: `pass` of phase `a` is empty; a result needs a `heading` and a word for `pass` and for `fail`",
            ],
        ),
        (
            phase("pass = 'P'\nfail = 'F'\nagents = ['b']\n"),
            vec![
                "flyball.toml:2:8: `heading` of phase `a` is empty; a result needs a `heading` and a word for `pass` and for `fail`",
            ],
        ),
        (
            phase("heading = 'H'\npass = 'P'\nfail = 'P'\nagents = ['b']\n"),
            vec![
                "flyball.toml:5:8: `P` would mean both that `a` passed and that it failed; write another word for \
                 `fail`",
            ],
        ),
        (phase("run = ' '\n"), vec!["flyball.toml:3:7: this command is empty; write a command, or remove the key"]),
        (
            phase("run = 'x'\nmax_failures = 0\n"),
            vec!["flyball.toml:4:16: `max_failures` is 0; write 1 or more"],
        ),
        (
            "[loop.feedback]\nmax_iterations = 0\nmax_identical = 0\nmax_holds = 0\nmax_time = '0s'\nrun_time = '0m'\n"
                .to_owned(),
            vec![
                "flyball.toml:2:18: `max_iterations` is 0; write 1 or more",
                "flyball.toml:3:17: `max_identical` is 0; write 1 or more",
                "flyball.toml:4:13: `max_holds` is 0; write 1 or more",
                "flyball.toml:5:12: `max_time` leaves no time; write `1s` or more",
                "flyball.toml:6:12: `run_time` leaves no time; write `1s` or more",
            ],
        ),
        (
            "[[loop.feedback.phase]]\nname = ''\nrun = 'x'\n".to_owned(),
            vec!["flyball.toml:2:8: a phase needs a name"],
        ),
        (
            phase("run = 'x'\nruns = 'x'\n"),
            vec!["flyball.toml:4:1: unknown key `runs`; did you mean `run`?"],
        ),
        (
            phase("run = 'x'\non_fail = 'stop'\n"),
            vec!["flyball.toml:4:11: unknown value `stop`; the values are `again`, `restart`"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(&text), expected, "{text}");
    }
}

// Defect 13 of the enforcement hooks.
#[test]
fn defect_13_relative_paths_have_their_domain_too() {
    let settings = Settings::default();
    let of = |path: &str| settings.domain_of(path).map(|domain| domain.name.clone());
    assert_eq!(of("ui/src/a.ts").as_deref(), Some("frontend"));
    assert_eq!(of(".claude/tools/x.ts").as_deref(), Some("tools"));
    assert_eq!(of("src/server.js").as_deref(), Some("backend"));
}

#[test]
fn a_file_of_limits_replaces_the_defaults() {
    let limits =
        "inter_phase:\n  max_feedback_iterations: 9\n  max_consecutive_review_failures: 1 # a: comment\n";
    for (config, expected) in
        [(ON.to_owned(), "iteration 1 of 9"), (format!("{ON}max_iterations = 2\n"), "iteration 1 of 2")]
    {
        let mut session = Session::new(&config);
        session.put(".claude/config/orchestration-limits.yaml", limits);
        session.start("startup");
        session.edit("api/a.go", "one");
        let (stance, reasons, ..) = session.stop();
        assert_eq!(stance, Stance::Deny);
        assert!(reasons[0].contains(expected), "{reasons:?}");
        session.agent("backend-reviewer", REJECTED);
        let (stance, _, _, notices) = session.stop_again();
        assert_eq!(stance, Stance::Silent);
        assert!(notices[0].contains("review of backend failed once"), "{notices:?}");
    }
}

#[test]
fn an_invalid_file_of_limits_is_reported_once() {
    let mut session = Session::new(ON);
    session.put(".claude/config/orchestration-limits.yaml", "inter_phase: [");
    session.start("startup");
    session.edit("api/a.go", "one");
    let (_, _, _, notices) = session.stop();
    assert!(
        notices[0].starts_with("`.claude/config/orchestration-limits.yaml` is not used: ")
            && notices[0].ends_with("; the limits in flyball.toml apply"),
        "{notices:?}"
    );
    assert_eq!(session.stop_again().3, Vec::<String>::new());
}

const LIMITS: &str = ".claude/config/orchestration-limits.yaml";

#[test]
fn a_limit_that_is_written_beats_the_file_also_where_it_says_the_default() {
    let file = "inter_phase:\n  max_feedback_iterations: 9\n  max_consecutive_review_failures: 8\nescalation:\n  \
                max_user_continue_iterations: 7\n";
    let limits = crate::r#loop::limits::limits_from_yaml(file).unwrap();
    let of = |config: &str| {
        let settings = Session::new(config).settings().with_limits(&limits);
        (settings.max_iterations, settings.grant, settings.phase[0].max_failures)
    };
    assert_eq!(of(ON), (9, 7, 8));
    assert_eq!(of(&format!("{ON}max_iterations = 5\ngrant = 3\n")), (5, 3, 8));
    let phase =
        "[[loop.feedback.phase]]\nname = 'review'\nheading = 'R'\npass = 'P'\nfail = 'F'\nagents = ['*']\n";
    assert_eq!(of(&format!("{ON}{phase}")), (9, 7, 8));
    assert_eq!(of(&format!("{ON}{phase}max_failures = 3\n")), (9, 7, 3));
    let replaced = |config: &str| Session::new(config).settings().replaced_by(&limits);
    let expected = [("max_iterations", "9"), ("grant", "7"), ("phase.review.max_failures", "8")];
    let expected = expected.map(|(key, value)| (format!("loop.feedback.{key}"), value.to_owned()));
    assert_eq!(replaced(ON), expected);
    let own = format!("{ON}max_iterations = 5\ngrant = 3\n{phase}max_failures = 3\n");
    assert_eq!(replaced(&own), []);
}

#[test]
fn the_limits_with_which_a_session_begins_stay_in_force() {
    let says = |most: u32| format!("inter_phase:\n  max_feedback_iterations: {most}\n");
    let begun = |text: &str| {
        let mut session = Session::new(ON);
        if !text.is_empty() {
            session.put(LIMITS, text);
        }
        session.start("startup");
        session.edit("api/a.go", "one");
        session
    };
    let stopped = |session: &mut Session| {
        let (_, reasons, _, notices) = session.stop();
        (reasons[0].split(')').next().unwrap().to_owned(), notices)
    };
    let changed = |what: &str| {
        vec![format!("`{LIMITS}` changed during this session: until the next one, {what} applies")]
    };
    let before = "what it said when the session began";
    // Whoever changed it, also a script that nobody saw, and by whatever it became.
    for (was, becomes, iterations, instead) in [
        (says(2), says(40), "Not done yet (iteration 1 of 2", before),
        (says(2), String::new(), "Not done yet (iteration 1 of 2", before),
        (says(2), "inter_phase: [".to_owned(), "Not done yet (iteration 1 of 2", before),
        (String::new(), says(40), "Not done yet (iteration 1 of 5", "flyball.toml"),
    ] {
        let mut session = begun(&was);
        session.put(LIMITS, &becomes);
        if becomes.is_empty() {
            session.files.remove(&format!("/project/{LIMITS}"));
        }
        assert_eq!(stopped(&mut session), (iterations.to_owned(), changed(instead)), "{was:?} {becomes:?}");
        // It is reported once, also after it was edited by a tool.
        session.edit(LIMITS, &says(50));
        session.edit("api/a.go", "two");
        assert_eq!(stopped(&mut session), (iterations.to_owned(), Vec::new()), "{was:?} {becomes:?}");
    }
    // A resumed session is the same one; the next begins with what is there.
    let mut session = begun(&says(2));
    session.put(LIMITS, &says(40));
    session.start("resume");
    assert_eq!(stopped(&mut session).0, "Not done yet (iteration 1 of 2");
    session.start("clear");
    session.edit("api/a.go", "two");
    assert_eq!(stopped(&mut session), ("Not done yet (iteration 1 of 40".to_owned(), Vec::new()));
    // A file that the first call of a session wrote is not from before it.
    let mut session = Session::new(ON);
    session.edit(LIMITS, &says(40));
    session.edit("api/a.go", "one");
    assert_eq!(stopped(&mut session).0, "Not done yet (iteration 1 of 5");
}
