//! `[loop.feedback]`: its phases, its domains, its limits.
//!
//! What people write and what hooks read have the same fields. Their types are the parameters `S`, `N` and `P`: plain
//! in what is stored ([`Settings`]), each with the place where it was written in what is checked ([`Written`]).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use flyball_core::config::Located;
use flyball_core::path::AbsolutePath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::adviser;
use super::super::limits::{Limits, limit_of};
use crate::code_files::lookup_names;
use crate::globs::{Glob, Globs, any_matches};
use crate::period::Period;

/// The phase whose command `test_command` is.
pub(super) const TESTING: &str = "testing";

/// The settings as hooks read them, checked.
pub type Settings = SettingsOf<String, u32, Period>;
pub type Phase = PhaseOf<String, u32>;
pub type Domain = DomainOf<String>;

/// The settings as people write them.
pub(super) type Written = SettingsOf<Located<String>, Located<u32>, Located<Period>>;
pub(super) type WrittenPhase = PhaseOf<Located<String>, Located<u32>>;
pub(super) type WrittenDomain = DomainOf<Located<String>>;

/// A text that may know where it was written.
pub trait Text: From<String> + Ord + Default + Serialize {}

impl<T: From<String> + Ord + Default + Serialize> Text for T {}

/// `[loop.feedback]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsOf<S: Text, N: From<u32> + Serialize, P: From<Period> + Serialize> {
    /// The phases that edited code has to pass, in the order in which they are asked for.
    pub phase: Vec<PhaseOf<S, N>>,
    /// The command that runs all tests: it proves the phase `testing`, which is passed by nothing else then. A phase or
    /// domain with `run` has its own.
    pub test_command: Option<S>,
    /// The parts of the code, each with its own agents and commands. The first whose globs match a file has it;
    /// a file that none matches is not part of the loop.
    pub domain: Vec<DomainOf<S>>,
    /// Changes that need no review: a domain has nothing to be reviewed while its files differ from what passed, or from
    /// what they were before the session, only in these. Comments that a tool obeys (`noqa`, build tags, doctests) are
    /// none of them.
    pub trivial: Vec<Trivial>,
    /// Globs of test files: agents that serve a phase may write them without reopening the phases before it.
    pub tests: Vec<Glob>,
    /// How often the whole loop may start over because a phase with `on_fail = "restart"` failed.
    pub max_iterations: N,
    /// How often the same findings may come back although the code changed.
    pub max_identical: N,
    /// How long a loop may take, from its first edit.
    pub max_time: P,
    /// How often an agent is blocked from stopping in one turn; without progress each time counts double. A client
    /// releases an agent by itself after about 8 blocks without a tool call in between.
    pub max_holds: N,
    /// How many more iterations `flyball loop continue` grants when no number is given.
    pub grant: N,
    /// The workflow that `flyball loop handoff` hands over to when none is named.
    pub handoff: String,
    /// How long a command of a phase may run.
    pub run_time: P,
    /// How many of the last lines of a command's output are shown.
    pub tail_lines: usize,
    /// A file of limits in the form of `orchestration-limits.yaml`, relative to the project. If it exists, it replaces
    /// the defaults of this section. Empty: no file is read.
    pub limits_file: String,
    /// Which models to ask for advice when a limit is reached.
    pub adviser: adviser::Settings,
    /// The limits that were written: these the file of limits does not replace. Never written itself.
    #[serde(rename = "#written")]
    #[schemars(skip)]
    pub written: BTreeSet<String>,
}

/// A kind of change that means nothing to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trivial {
    /// Comments.
    Comments,
    /// Blank lines and spaces, where they make no difference.
    Whitespace,
    /// Doc strings and documentation comments.
    Docs,
}

/// One phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LoopPhase")]
pub struct PhaseOf<S: Text, N: From<u32> + Serialize> {
    /// Its name.
    pub name: S,
    /// The heading under which an agent reports its result.
    #[serde(default)]
    pub heading: S,
    /// The word that reports a pass.
    #[serde(default)]
    pub pass: S,
    /// The word that reports a failure.
    #[serde(default)]
    pub fail: S,
    /// The headings below which the issues are listed.
    #[serde(default)]
    pub issues: Vec<String>,
    /// Globs of the roles of agents that may report for every domain; the first without a wildcard is suggested where a
    /// domain has none of its own.
    #[serde(default)]
    pub agents: Vec<Glob>,
    /// The command that proves it, unless a domain has its own. A phase with a command is passed by nothing else.
    #[serde(default)]
    pub run: Option<S>,
    /// Whether the pass that an agent reports counts only if tests were seen to pass on the same content in this session.
    /// Without it: for the phase `testing`, if no command proves it.
    #[serde(default)]
    pub needs_run: Option<bool>,
    /// What a failure does.
    #[serde(default)]
    pub on_fail: OnFail,
    /// How many failures in a row of one domain are too many.
    #[serde(default = "three::<N>")]
    pub max_failures: N,
}

/// What the failure of a phase does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnFail {
    /// The phase has to be passed after a fix.
    #[default]
    Again,
    /// A new iteration begins: every phase of every domain has to be passed again.
    Restart,
}

/// A part of the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LoopDomain")]
pub struct DomainOf<S: Text> {
    /// Its name.
    pub name: S,
    /// Globs of its files, relative to the project.
    pub paths: Globs,
    /// Globs of files that are not part of it all the same.
    #[serde(default)]
    pub except: Vec<Glob>,
    /// By phase: the roles of the agents that report for this domain, the one to spawn first.
    #[serde(default)]
    pub agents: BTreeMap<S, Vec<Glob>>,
    /// By phase: the command that proves it.
    #[serde(default)]
    pub run: BTreeMap<S, S>,
    /// The phases that this domain skips.
    #[serde(default)]
    pub skip: Vec<S>,
    /// Where the project is in the checkout that this is about; `None` in its own. Nobody writes it.
    #[serde(skip)]
    pub tree: Option<AbsolutePath>,
}

/// How many failures in a row are too many where the config does not say.
pub(super) fn three<N: From<u32>>() -> N {
    N::from(3)
}

/// How the limit of a phase is called in [`SettingsOf::written`].
pub(super) fn max_failures_key(phase: &str) -> String {
    format!("phase.{phase}.max_failures")
}

impl Settings {
    /// These settings, with the values of a file of limits instead of defaults.
    #[must_use]
    pub fn with_limits(mut self, limits: &Limits) -> Settings {
        let written = std::mem::take(&mut self.written);
        // 0 in the file, which is not checked, counts as missing.
        let of = |key: &str, set: u32, file: Option<u32>| {
            limit_of(set, written.contains(key), file.filter(|number| *number > 0))
        };
        let file = &limits.inter_phase;
        self.max_iterations = of("max_iterations", self.max_iterations, file.max_feedback_iterations);
        self.grant = of("grant", self.grant, limits.escalation.max_user_continue_iterations);
        for phase in &mut self.phase {
            let most = match phase.name.as_str() {
                "review" => file.max_consecutive_review_failures,
                "testing" => file.max_consecutive_test_failures,
                _ => None,
            };
            phase.max_failures = of(&max_failures_key(&phase.name), phase.max_failures, most);
        }
        Settings { written, ..self }
    }

    /// The limits that a file replaces, with the key and the value of each.
    #[must_use]
    pub fn replaced_by(&self, limits: &Limits) -> Vec<(String, String)> {
        let values = |settings: &Settings| {
            let phases = settings.phase.iter().map(|it| (max_failures_key(&it.name), it.max_failures));
            let own = [
                ("max_iterations".to_owned(), settings.max_iterations),
                ("grant".to_owned(), settings.grant),
            ];
            own.into_iter().chain(phases).collect::<Vec<(String, u32)>>()
        };
        let (before, after) = (values(self), values(&self.clone().with_limits(limits)));
        let changed = after.into_iter().filter(|value| !before.contains(value));
        changed.map(|(key, value)| (format!("loop.feedback.{key}"), value.to_string())).collect()
    }

    /// These settings with the domains once more for each other checkout of the repository that was edited.
    #[must_use]
    pub fn with_trees(mut self, trees: &BTreeMap<String, AbsolutePath>) -> Settings {
        self.domain.retain(|domain| domain.tree.is_none());
        let copies = trees.iter().flat_map(|(shown, tree)| {
            let of_tree = |domain: &Domain| Domain {
                name: in_tree(&domain.name, shown),
                tree: Some(tree.clone()),
                ..domain.clone()
            };
            self.domain.iter().map(of_tree).collect::<Vec<_>>()
        });
        self.domain = self.domain.iter().cloned().chain(copies).collect();
        self
    }

    /// The domain of a file, by its path below the project's root.
    pub(crate) fn domain_of(&self, path: &str) -> Option<&Domain> {
        self.domain_in(None, path)
    }

    /// The same for another checkout, by where the project is in it.
    pub(super) fn domain_in(&self, tree: Option<&AbsolutePath>, path: &str) -> Option<&Domain> {
        let names: Vec<Cow<'_, str>> = lookup_names(path).collect();
        let covers = |domain: &&Domain| {
            names.iter().any(|path| domain.paths.match_path(path) && !any_matches(&domain.except, path))
        };
        self.domain.iter().filter(|domain| domain.tree.as_ref() == tree).find(covers)
    }

    pub(crate) fn domain(&self, name: &str) -> Option<&Domain> {
        self.domain.iter().find(|domain| domain.name == name)
    }

    pub(super) fn phase(&self, name: &str) -> Option<&Phase> {
        self.phase.iter().find(|phase| phase.name == name)
    }

    /// The phases that a domain has to pass, in order.
    pub(crate) fn phases_of<'a>(&'a self, domain: &'a Domain) -> impl Iterator<Item = &'a Phase> {
        self.phase.iter().filter(|phase| !domain.skip.contains(&phase.name))
    }

    /// Whether agents of this role report for any phase.
    pub(super) fn is_served_by(&self, role: &str) -> bool {
        self.phase.iter().any(|phase| self.domain.iter().any(|domain| domain.is_served_by(phase, role)))
    }

    pub(crate) fn is_test(&self, path: &str) -> bool {
        any_matches(&self.tests, path)
    }

    /// All commands that prove something.
    pub(super) fn commands(&self) -> impl Iterator<Item = &str> {
        let own = self.domain.iter().flat_map(|domain| domain.run.values());
        own.chain(self.phase.iter().filter_map(|phase| phase.run.as_ref())).map(String::as_str)
    }
}

/// The name of a domain in another checkout.
pub(super) fn in_tree(domain: &str, shown: &str) -> String {
    format!("{domain} in {shown}")
}

impl Phase {
    /// Whether what an agent reports needs a test run that was seen.
    pub(super) fn needs_run(&self) -> bool {
        self.needs_run.unwrap_or(self.name == TESTING)
    }

    /// Whether agents report its result by a word under a heading.
    pub(crate) fn has_marker(&self) -> bool {
        !self.heading.is_empty() && !self.pass.is_empty() && !self.fail.is_empty()
    }
}

impl Domain {
    /// Whether a report means this domain by a name. In whichever checkout it is, its own name is enough.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let own = self.name.split_once(" in ").filter(|_| self.tree.is_some()).map(|(own, _)| own);
        own.into_iter().chain([self.name.as_str()]).any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The globs of the roles that report for a phase: this domain's first.
    pub(super) fn roles<'a>(&'a self, phase: &'a Phase) -> impl Iterator<Item = &'a Glob> {
        self.agents.get(&phase.name).into_iter().flatten().chain(&phase.agents)
    }

    /// Whether agents of this role report for this domain in a phase.
    pub(crate) fn is_served_by(&self, phase: &Phase, role: &str) -> bool {
        self.roles(phase).any(|glob| glob.matches_name(role))
    }

    /// The agent to spawn for a phase, if one is configured.
    pub(crate) fn agent_for<'a>(&'a self, phase: &'a Phase) -> Option<&'a str> {
        self.roles(phase).find(|glob| glob.is_plain()).map(Glob::as_str)
    }

    /// The agents that may be spawned for a phase: the domain's own, then the one for every domain. Not every project
    /// has them all.
    pub(super) fn agents_for<'a>(&'a self, phase: &'a Phase) -> Vec<&'a str> {
        let shared = phase.agents.iter().find(|glob| glob.is_plain()).map(Glob::as_str);
        let mut names: Vec<&str> = self.agent_for(phase).into_iter().chain(shared).collect();
        names.dedup();
        names
    }

    /// The command that proves a phase, if one does.
    pub(crate) fn command_for<'a>(&'a self, phase: &'a Phase) -> Option<&'a str> {
        self.run.get(&phase.name).or(phase.run.as_ref()).map(String::as_str)
    }
}
