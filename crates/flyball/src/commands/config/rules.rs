//! Example rules, each with its cases. What every project needs is not a rule but a guard, which is on by default.

/// The rules that the reference shows.
pub(super) const EXAMPLES: &[&str] = &[MIGRATIONS, SUBAGENTS];

pub(in crate::commands) const MIGRATIONS: &str = r#"[[rule]]
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

const SUBAGENTS: &str = r#"[[rule]]
id = "subagents-test"
events = ["before_tool"]
tool = ["spawn_agent"]
action = "inject"
message = "Tests run with `make test`; say so in the prompt of a subagent that writes code."
[[rule.case]]
event = { spawn_agent = "developer", prompt = "Add a client." }
expect = "inject"
"#;

/// The lines of a rule as comments.
pub(in crate::commands) fn commented(rule: &str) -> impl Iterator<Item = String> {
    rule.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n")
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use flyball_policies::rules::cases;
    use flyball_world::machine::Machine;

    use super::EXAMPLES;

    #[test]
    fn they_do_what_their_cases_say() {
        let folder = tempfile::tempdir().unwrap();
        let world = Machine::new(Instant::now(), None, folder.path(), Vec::new(), flyball_clients::FACTS);
        let ran = cases::run(&EXAMPLES.concat(), &world).unwrap();
        let failed: Vec<_> = ran.iter().filter(|case| !case.passed()).collect();
        assert_eq!(ran.len(), 3);
        assert!(failed.is_empty(), "{failed:#?}");
    }
}
