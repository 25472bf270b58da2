//! What the loop reads of its config: its phases, its domains, its limits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::adviser;
use super::super::limits::{Limits, USUAL_FILE};
use super::defaults;
use crate::globs::{Glob, Globs, any_matches};
use crate::period::Period;

/// `[loop.feedback]`, checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The phases that edited code has to pass, in the order in which they are asked for.
    pub phase: Vec<Phase>,
    /// The parts of the code, each with its own agents and commands. The first whose globs match a file has it;
    /// a file that none matches is not part of the loop.
    pub domain: Vec<Domain>,
    /// Globs of test files: those who serve a phase may write them without undoing the phases before it.
    pub tests: Vec<Glob>,
    /// How often all of it may begin anew because a phase that restarts the loop failed.
    pub max_iterations: u32,
    /// How often the same findings may come back although the code changed.
    pub max_identical: u32,
    /// How long a loop may take, from its first edit.
    pub max_time: Period,
    /// How often an agent is kept from stopping in one turn; without progress each time counts double. A client
    /// lets an agent go by itself that it held some 8 times without a call of a tool in between.
    pub max_holds: u32,
    /// How many more iterations a person grants who says only `flyball loop continue`.
    pub grant: u32,
    /// The workflow that a person hands over to who says only `flyball loop handoff`.
    pub handoff: String,
    /// How long a command of a phase may run.
    pub run_time: Period,
    /// How many of the last lines of a command's output are shown.
    pub tail_lines: usize,
    /// A file of limits in the form of `orchestration-limits.yaml`, relative to the project. Where it is there, it
    /// counts for what is left at its default here. Empty: none is looked for.
    pub limits_file: String,
    /// Whom to ask for advice when a limit is reached.
    pub adviser: adviser::Settings,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    pub name: String,
    /// The heading under which an agent says its result.
    #[serde(default)]
    pub heading: String,
    /// The word that says that it passed.
    #[serde(default)]
    pub pass: String,
    /// The word that says that it did not.
    #[serde(default)]
    pub fail: String,
    /// The headings below which the issues are listed.
    #[serde(default)]
    pub issues: Vec<String>,
    /// Globs of the roles of agents that may speak for every domain; the first without a wildcard is the one that is
    /// named where a domain has none of its own.
    #[serde(default)]
    pub agents: Vec<Glob>,
    /// The command that proves it, unless a domain has its own. A phase with a command is passed by nothing else.
    #[serde(default)]
    pub run: Option<String>,
    /// What a failure does.
    #[serde(default)]
    pub on_fail: OnFail,
    /// How many failures in a row of one domain are too many.
    #[serde(default = "three")]
    pub max_failures: u32,
}

/// What the failure of a phase does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFail {
    /// The phase has to be passed after a fix.
    #[default]
    Again,
    /// One iteration more, and every phase of every domain has to be passed again.
    Restart,
}

/// A part of the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    pub name: String,
    /// Globs of its files, relative to the project.
    pub paths: Globs,
    /// Globs of files that are not meant all the same.
    #[serde(default)]
    pub except: Vec<Glob>,
    /// By phase: the roles of the agents that speak for this domain, the one to spawn first.
    #[serde(default)]
    pub agents: BTreeMap<String, Vec<Glob>>,
    /// By phase: the command that proves it.
    #[serde(default)]
    pub run: BTreeMap<String, String>,
    /// The phases that this domain does without.
    #[serde(default)]
    pub skip: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            phase: defaults::phases(),
            domain: defaults::domains(),
            tests: defaults::tests(),
            max_iterations: 5,
            max_identical: 2,
            max_time: Period::minutes(240),
            max_holds: 12,
            grant: 3,
            handoff: "/feature".to_owned(),
            run_time: Period::minutes(8),
            tail_lines: 40,
            limits_file: USUAL_FILE.to_owned(),
            adviser: adviser::Settings::default(),
        }
    }
}

/// How many failures in a row are too many where the config does not say.
pub(super) const fn three() -> u32 {
    3
}

impl Settings {
    /// These settings with what a file of limits says in the place of defaults.
    #[must_use]
    pub fn with_limits(mut self, limits: &Limits) -> Settings {
        let usual = Settings::default();
        let of = |set: u32, usual: u32, file: Option<u32>| {
            if set == usual { file.filter(|number| *number > 0).unwrap_or(set) } else { set }
        };
        let file = &limits.inter_phase;
        self.max_iterations = of(self.max_iterations, usual.max_iterations, file.max_feedback_iterations);
        self.grant = of(self.grant, usual.grant, limits.escalation.max_user_continue_iterations);
        for phase in &mut self.phase {
            let most = match phase.name.as_str() {
                "review" => file.max_consecutive_review_failures,
                "testing" => file.max_consecutive_test_failures,
                _ => None,
            };
            phase.max_failures = of(phase.max_failures, three(), most);
        }
        self
    }

    /// The domain of a file, by its path below the project's root.
    pub(crate) fn domain_of(&self, path: &str) -> Option<&Domain> {
        self.domain.iter().find(|domain| domain.paths.match_path(path) && !any_matches(&domain.except, path))
    }

    /// The domain of this name.
    pub(crate) fn domain(&self, name: &str) -> Option<&Domain> {
        self.domain.iter().find(|domain| domain.name == name)
    }

    /// The phases that a domain has to pass, in order.
    pub(crate) fn phases_of<'a>(&'a self, domain: &'a Domain) -> impl Iterator<Item = &'a Phase> {
        self.phase.iter().filter(|phase| !domain.skip.contains(&phase.name))
    }

    /// Whether a file is a test.
    pub(crate) fn is_test(&self, path: &str) -> bool {
        any_matches(&self.tests, path)
    }

    /// All commands that prove something.
    pub(super) fn commands(&self) -> impl Iterator<Item = &str> {
        let own = self.domain.iter().flat_map(|domain| domain.run.values());
        own.chain(self.phase.iter().filter_map(|phase| phase.run.as_ref())).map(String::as_str)
    }
}

impl Phase {
    /// Whether agents say its result by a word under a heading.
    pub(crate) fn has_marker(&self) -> bool {
        !self.heading.is_empty() && !self.pass.is_empty() && !self.fail.is_empty()
    }
}

impl Domain {
    /// Whether an agent of this role speaks for this domain in a phase.
    pub(crate) fn is_served_by(&self, phase: &Phase, role: &str) -> bool {
        let last = role.rsplit(':').next().unwrap_or_default();
        let own = self.agents.get(&phase.name).into_iter().flatten();
        own.chain(&phase.agents).any(|glob| [role, last].into_iter().any(|role| glob.matches(role)))
    }

    /// The agent to spawn for a phase, if one is configured.
    pub(crate) fn agent_for<'a>(&'a self, phase: &'a Phase) -> Option<&'a str> {
        let own = self.agents.get(&phase.name).into_iter().flatten();
        own.chain(&phase.agents).map(Glob::as_str).find(|name| is_plain(name))
    }

    /// The agents that may be spawned for a phase, each by its name: its own first, then the one that is there for
    /// every domain. Not every project has them all.
    pub(super) fn agents_for<'a>(&'a self, phase: &'a Phase) -> Vec<&'a str> {
        let shared = phase.agents.iter().map(Glob::as_str).find(|name| is_plain(name));
        let mut names: Vec<&str> = self.agent_for(phase).into_iter().chain(shared).collect();
        names.dedup();
        names
    }

    /// The command that proves a phase, if one does.
    pub(crate) fn command_for<'a>(&'a self, phase: &'a Phase) -> Option<&'a str> {
        self.run.get(&phase.name).or(phase.run.as_ref()).map(String::as_str)
    }
}

/// Whether a glob is the name of one role.
fn is_plain(name: &str) -> bool {
    !name.contains(['*', '?', '[', '{', '!'])
}
