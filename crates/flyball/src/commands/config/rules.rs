//! Example rules for a new project, each with its cases. What every project needs is not a rule but a
//! guard, which is on by default.

use super::findings::Findings;

/// The rules for a project, as its config has them.
pub(super) fn starter_rules(findings: &Findings) -> Vec<String> {
    let mut rules = vec![MIGRATIONS.to_owned()];
    rules.extend(findings.tests.first().map(|tests| run_the_tests(&tests.name)));
    rules
}

const MIGRATIONS: &str = r#"[[rule]]
id = "migrations"
events = ["before_tool"]
path = ["migrations/**"]
action = "ask"              # deny | ask | allow | warn | inject | rewrite
message = "`{{tool.path}}` is a migration: a person decides"
[[rule.case]]
event = { write = "migrations/0001_init.sql", content = "" }
expect = "ask"
[[rule.case]]
event = { write = "docs/migrations.md", content = "" }
expect = "silent"
"#;

fn run_the_tests(command: &str) -> String {
    format!(
        r#"[[rule]]
id = "subagents-test"
events = ["before_tool"]
tool = ["spawn_agent"]
action = "inject"
message = "Tests run with `{command}`; say so in the prompt of a subagent that writes code."
[[rule.case]]
event = {{ spawn_agent = "developer", prompt = "Add a client." }}
expect = "inject"
"#
    )
}
