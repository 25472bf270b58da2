//! `[loop.gate]`: which files are checked, and what they need.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::feedback::defaults::EXTERNAL_CODE;
use super::super::test_run::TESTS;
use crate::code_files;
use crate::globs::{Glob, any_matches, any_matches_name};

/// `[loop.gate]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Globs of the files that are checked, relative to the project. Default: code.
    pub paths: Vec<Glob>,
    /// Globs of files that are not checked all the same. Default: external and generated code.
    pub except: Vec<Glob>,
    /// Which of them.
    pub when: When,
    /// What they need after their last edit.
    pub need: Vec<Need>,
}

impl Default for Settings {
    fn default() -> Settings {
        let globs = |texts: &[&str]| texts.iter().map(|text| Glob::builtin(text)).collect();
        Settings {
            paths: globs(&code_files::all()),
            except: globs(&EXTERNAL_CODE),
            when: When::Uncovered,
            need: vec![
                Need {
                    name: "review".to_owned(),
                    agents: globs(&["reviewer", "*-reviewer"]),
                    commands: Vec::new(),
                },
                Need {
                    name: "tests".to_owned(),
                    agents: globs(&["tester", "*-tester"]),
                    commands: TESTS.iter().map(str::to_owned).collect(),
                },
            ],
        }
    }
}

impl Settings {
    /// Whether a file needs anything, by its path below the project's root.
    pub(super) fn covers(&self, path: &str) -> bool {
        let covers = |path: &str| any_matches(&self.paths, path) && !any_matches(&self.except, path);
        code_files::lookup_names(path).any(|name| covers(&name))
    }
}

/// Which edited files are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Those that no domain of `loop.feedback` covers.
    #[default]
    Uncovered,
    /// All.
    Always,
}

/// Something that has to happen after the last edit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written")]
#[schemars(with = "Written")]
pub struct Need {
    pub(super) name: String,
    pub(super) agents: Vec<Glob>,
    pub(super) commands: Vec<String>,
}

/// An entry as it is written.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Need")]
struct Written {
    /// Its name, for the message.
    name: String,
    /// Globs of the roles of agents whose run counts.
    #[serde(default)]
    agents: Vec<Glob>,
    /// Commands that count when they succeed, with any further arguments.
    #[serde(default)]
    commands: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum NeedError {
    #[error("nothing can meet the need `{0}`; name `agents` or `commands`")]
    Unmeetable(String),
    #[error(
        "a command of the need `{0}` is empty, so every command would match it; remove it, or write a command"
    )]
    Empty(String),
}

impl TryFrom<Written> for Need {
    type Error = NeedError;

    fn try_from(written: Written) -> Result<Need, NeedError> {
        let Written { name, agents, commands } = written;
        if agents.is_empty() && commands.is_empty() {
            return Err(NeedError::Unmeetable(name));
        }
        if commands.iter().any(|command| command.trim().is_empty()) {
            return Err(NeedError::Empty(name));
        }
        Ok(Need { name, agents, commands })
    }
}

impl Need {
    /// Whether the run of an agent of this role counts.
    pub(super) fn is_served_by(&self, role: &str) -> bool {
        any_matches_name(&self.agents, role)
    }

    /// What to do about it, in words.
    pub(super) fn advice(&self) -> String {
        let agent = self.agents.iter().find(|glob| glob.is_plain()).or(self.agents.first());
        let spawn = agent.map(|agent| format!("spawn `{}`", agent.as_str()));
        let some: Vec<String> = self.commands.iter().take(3).map(|command| format!("`{command}`")).collect();
        let more = if self.commands.len() > some.len() { " …" } else { "" };
        let run = (!some.is_empty()).then(|| format!("run {}{more} until it passes", some.join(", ")));
        [spawn, run].into_iter().flatten().collect::<Vec<_>>().join(", or ")
    }
}
