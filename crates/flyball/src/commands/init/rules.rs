//! Rules to begin with, fitted to what a project is made of. Each brings its own cases.

use super::findings::{Finding, Findings};

/// Package managers of one ecosystem: a project that locks with one should not use another.
struct Ecosystem {
    rule: &'static str,
    /// The manager, and how it adds a package.
    managers: &'static [(&'static str, &'static str)],
    /// What people reach for although the project does not.
    also: &'static [&'static str],
}

const ECOSYSTEMS: &[Ecosystem] = &[
    Ecosystem {
        rule: "python-packages",
        managers: &[
            ("uv", "uv add"),
            ("poetry", "poetry add"),
            ("pdm", "pdm add"),
            ("pipenv", "pipenv install"),
        ],
        also: &["pip", "pip3"],
    },
    Ecosystem {
        rule: "node-packages",
        managers: &[("pnpm", "pnpm add"), ("yarn", "yarn add"), ("bun", "bun add"), ("npm", "npm install")],
        also: &[],
    },
];

/// The rules for a project, as they stand in its config.
pub(super) fn fitting(findings: &Findings) -> Vec<String> {
    let mut rules: Vec<String> =
        ECOSYSTEMS.iter().filter_map(|ecosystem| packages(ecosystem, findings)).collect();
    rules.extend(linter_files(findings));
    rules.push(FORCE_PUSH.to_owned());
    rules
}

fn packages(ecosystem: &Ecosystem, findings: &Findings) -> Option<String> {
    let is_used = |(manager, _): &&(&str, &str)| findings.locks_with(manager);
    let mut used = ecosystem.managers.iter().filter(is_used);
    let (manager, add) = used.next()?;
    // Two lock files side by side: nothing says which one counts.
    if used.next().is_some() {
        return None;
    }
    let others = ecosystem.also.iter().chain(ecosystem.managers.iter().map(|(name, _)| name));
    let others: Vec<&str> = others.copied().filter(|other| other != manager).collect();
    let list: Vec<String> = others.iter().map(|other| format!("\"{other}\"")).collect();
    let wrong = others.first()?;
    Some(format!(
        r#"[[rule]]
id = "{id}"
events = ["before_tool"]
tool = ["shell"]
when = 'shell.commands.exists(c, c.program in [{list}])'
action = "deny"             # deny | ask | allow | warn | inject | rewrite
message = "this project uses {manager}: run `{add}` instead of `{{{{tool.command}}}}`"
[[rule.case]]
event = {{ shell = "cd api && {wrong} install left-pad" }}
expect = "deny"
[[rule.case]]
event = {{ shell = "{add} left-pad" }}
expect = "silent"
"#,
        id = ecosystem.rule,
        list = list.join(", "),
    ))
}

/// Files that hold more than a linter's settings, and which an agent has to edit.
const SHARED: &[&str] =
    &["pyproject.toml", "package.json", "Makefile", "makefile", "GNUmakefile", "justfile", "Justfile"];

fn linter_files(findings: &Findings) -> Option<String> {
    let own = |found: &&Finding| !SHARED.contains(&found.file.rsplit('/').next().unwrap_or_default());
    let files: Vec<&str> = findings.linters.iter().filter(own).map(|found| found.file.as_str()).collect();
    let first = files.first()?;
    let list: Vec<String> = files.iter().map(|file| format!("\"{file}\"")).collect();
    Some(format!(
        r#"[[rule]]
id = "linter-settings"
events = ["before_tool"]
path = [{list}]
action = "ask"
message = "the linters are set up by people: mend the code, not its linter"
[[rule.case]]
event = {{ write = "{first}", content = "" }}
expect = "ask"
"#,
        list = list.join(", "),
    ))
}

const FORCE_PUSH: &str = r#"[[rule]]
id = "force-push"
events = ["before_tool"]
tool = ["shell"]
when = 'shell.commands.exists(c, c.program == "git" && "push" in c.args && "--force" in c.args)'
action = "ask"
message = "a forced push can throw away other people's work"
[[rule.case]]
event = { shell = "git push --force origin main" }
expect = "ask"
"#;
