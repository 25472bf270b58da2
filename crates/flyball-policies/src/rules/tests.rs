//! The results of rules, one row a case.

use std::sync::Arc;

use flyball_core::engine::Registry;
use flyball_core::event::{Event, EventData, Outcome, Stopping, Tool, ToolCall};
use flyball_core::merge::Merged;

use crate::testing::{InMemory, event, judged, judged_with, sections, shell, write};

static ONLY: Registry = &[&super::POLICY];

fn merged(rules: &str, event: Event) -> Merged {
    judged(ONLY, &sections(rules), event).merged
}

fn shown(merged: &Merged) -> String {
    let mut parts = vec![merged.stance.name().to_owned()];
    parts.extend(merged.reasons.iter().map(|denial| denial.reason.text()));
    parts.extend(merged.notices.iter().map(|notice| format!("notice {notice}")));
    if !merged.context.text.is_empty() {
        parts.push(format!("context {}", merged.context.text));
    }
    parts.extend(merged.rewritten.iter().map(|text| format!("rewritten {text}")));
    parts.join(" | ")
}

#[test]
fn each_action_has_its_own_output() {
    let rule = |action: &str, more: &str| {
        format!(
            "[[rule]]\nid = 'r'\nevents = ['before_tool']\naction = '{action}'\nmessage = 'said {{{{tool.command}}}}'\n{more}"
        )
    };
    let cases = [
        ("deny", "", "deny | r: said ls"),
        ("ask", "", "ask | r: said ls"),
        ("allow", "", "allow | r: said ls"),
        ("warn", "", "silent | notice r: said ls"),
        ("inject", "", "silent | context said ls"),
        ("rewrite", "rewrite = { prepend = 'time ' }", "silent | rewritten time ls"),
        ("deny", "mode = 'observe'", "silent"),
        ("deny", "mode = 'off'", "silent"),
        ("deny", "tool = ['edit']", "silent"),
        ("deny", "tool = ['edit', 'shell']", "deny | r: said ls"),
        ("deny", "agent = ['main']", "deny | r: said ls"),
        ("deny", "agent = ['*-reviewer']", "silent"),
        ("deny", "permission_mode = ['bypass']", "silent"),
        ("deny", "when = 'tool.command.startsWith(\"rm\")'", "silent"),
        (
            "deny",
            "when = 'shell.commands[7].program == \"x\"'",
            "ask | Let the user decide, and check the rule with `flyball test`: rule `r` could not be evaluated for this event: index 7 is out of range: the list has 1 items",
        ),
    ];
    for (action, more, expected) in cases {
        assert_eq!(shown(&merged(&rule(action, more), shell("ls"))), expected, "{action} {more}");
    }
}

#[test]
fn a_reason_to_let_pass_is_not_given_as_a_reason_to_stop() {
    let rules = "[[rule]]\nid='a'\nevents=['before_tool']\naction='allow'\nmessage='fine'\n\
                 [[rule]]\nid='b'\nevents=['before_tool']\naction='deny'\nmessage='no'\n\
                 [[rule]]\nid='c'\nevents=['before_tool']\naction='ask'\nmessage='hm'\n\
                 [[rule]]\nid='d'\nevents=['before_tool']\naction='allow'\nmessage='fine'\n";
    assert_eq!(shown(&merged(rules, shell("ls"))), "deny | b: no | c: hm");
}

#[test]
fn once_per_session_is_once() {
    let rules = "[[rule]]\nid='r'\nevents=['stop']\naction='deny'\nmessage='not yet'\nonce='session'\n";
    let memory = Arc::new(InMemory::default());
    let stop = || event(EventData::Stop(Stopping::default()));
    let mut stances = Vec::new();
    for _ in 0..3 {
        let judgement = judged_with(ONLY, &sections(rules), stop(), Arc::clone(&memory));
        stances.push(judgement.merged.stance.name());
    }
    assert_eq!(stances, ["deny", "silent", "silent"]);
}

#[test]
fn fields_have_the_values_of_the_event() {
    let call = ToolCall {
        id: None,
        name: "Bash".into(),
        tool: Tool::Shell { command: "sudo cat a.txt > out.txt".into(), background: false },
        input: r#"{"command":"x"}"#.into(),
    };
    let after =
        event(EventData::AfterTool { call, outcome: Outcome { text: "42".into(), ..Outcome::default() } });
    let true_conditions = [
        "event.kind == 'after_tool' && event.client == 'test'",
        "session.id == 's1' && session.project == '/project' && session.cwd == '/project'",
        "tool.kind == 'shell' && tool.name == 'Bash' && tool.input.contains('command')",
        "shell.commands[0].program == 'cat' && shell.commands[0].wrappers == ['sudo']",
        "shell.commands[0].args == ['a.txt'] && shell.commands[0].writes == ['out.txt'] && shell.is_clear",
        "outcome.text == '42' && !outcome.failed",
        "!has(agent.role) && !has(prompt.text) && edits.size() == 0 && stop.background == 0",
    ];
    for condition in true_conditions {
        let rule = format!(
            "[[rule]]\nid='r'\nevents=['after_tool']\naction='warn'\nmessage='x'\nwhen = \"\"\"{condition}\"\"\"\n"
        );
        assert_eq!(shown(&merged(&rule, after.clone())), "silent | notice r: x", "{condition}");
    }
}

#[test]
fn paths_are_relative_to_the_project() {
    let rule = "[[rule]]\nid='r'\nevents=['before_tool']\naction='warn'\npath=['src/**/*.rs']\nmessage='{{tool.path}} {{edits[0].change}}'\n";
    for (path, expected) in [
        ("/project/src/a/b.rs", "silent | notice r: src/a/b.rs write"),
        ("src/b.rs", "silent | notice r: src/b.rs write"),
        ("./src/../src/b.rs", "silent | notice r: src/b.rs write"),
        ("/elsewhere/src/b.rs", "silent"),
    ] {
        assert_eq!(shown(&merged(rule, write(path, "x"))), expected, "{path}");
    }
}

#[test]
fn five_hundred_rules_are_selected_by_event_and_tool() {
    let many: String = (0..500)
        .map(|n| {
            format!("[[rule]]\nid='r{n}'\nevents=['stop']\ntool=['edit']\naction='deny'\nmessage='no'\n")
        })
        .collect();
    assert_eq!(shown(&merged(&many, shell("ls"))), "silent");
}
