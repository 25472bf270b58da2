//! `[loop.feedback]` as people write it, and what is wrong with it, each at its place.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::config::{Authored, Located, Problem, Sources};
use flyball_core::nearest::nearest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::adviser;
use super::settings::{Domain, OnFail, Phase, Settings, three};
use crate::globs::{Glob, Globs};
use crate::period::Period;

/// `[loop.feedback]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Written {
    /// The phases that edited code has to pass, in the order in which they are asked for.
    phase: Vec<WrittenPhase>,
    /// The parts of the code, each with its own agents and commands. The first whose globs match a file has it;
    /// a file that none matches is not part of the loop.
    domain: Vec<WrittenDomain>,
    /// Globs of test files: those who serve a phase may write them without undoing the phases before it.
    tests: Vec<Glob>,
    /// How often all of it may begin anew because a phase that restarts the loop failed.
    max_iterations: Located<u32>,
    /// How often the same findings may come back although the code changed.
    max_identical: Located<u32>,
    /// How long a loop may take, from its first edit.
    max_time: Located<Period>,
    /// How often an agent is kept from stopping in one turn; without progress each time counts double. A client
    /// lets an agent go by itself that it held some 8 times without a call of a tool in between.
    max_holds: Located<u32>,
    /// How many more iterations a person grants who says only `flyball loop continue`.
    grant: u32,
    /// The workflow that a person hands over to who says only `flyball loop handoff`.
    handoff: String,
    /// How long a command of a phase may run.
    run_time: Located<Period>,
    /// How many of the last lines of a command's output are shown.
    tail_lines: usize,
    /// A file of limits in the form of `orchestration-limits.yaml`, relative to the project. Where it is there, it
    /// counts for what is left at its default here. Empty: none is looked for.
    limits_file: String,
    /// Whom to ask for advice when a limit is reached.
    adviser: adviser::Settings,
}

/// One phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenPhase {
    /// Its name.
    name: Located<String>,
    /// The heading under which an agent says its result.
    #[serde(default)]
    heading: Located<String>,
    /// The word that says that it passed.
    #[serde(default)]
    pass: Located<String>,
    /// The word that says that it did not.
    #[serde(default)]
    fail: Located<String>,
    /// The headings below which the issues are listed.
    #[serde(default)]
    issues: Vec<String>,
    /// Globs of the roles of agents that may speak for every domain; the first without a wildcard is the one that is
    /// named where a domain has none of its own.
    #[serde(default)]
    agents: Vec<Glob>,
    /// The command that proves it, unless a domain has its own. A phase with a command is passed by nothing else.
    #[serde(default)]
    run: Option<Located<String>>,
    /// What a failure does.
    #[serde(default)]
    on_fail: OnFail,
    /// How many failures in a row of one domain are too many.
    #[serde(default = "three_unwritten")]
    max_failures: Located<u32>,
}

/// A part of the code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrittenDomain {
    /// Its name.
    name: Located<String>,
    /// Globs of its files, relative to the project.
    paths: Globs,
    /// Globs of files that are not meant all the same.
    #[serde(default)]
    except: Vec<Glob>,
    /// By phase: the roles of the agents that speak for this domain, the one to spawn first.
    #[serde(default)]
    agents: BTreeMap<Located<String>, Vec<Glob>>,
    /// By phase: the command that proves it.
    #[serde(default)]
    run: BTreeMap<Located<String>, Located<String>>,
    /// The phases that this domain does without.
    #[serde(default)]
    skip: Vec<Located<String>>,
}

fn three_unwritten() -> Located<u32> {
    three().into()
}

impl Default for Written {
    fn default() -> Written {
        let settings = Settings::default();
        Written {
            phase: settings.phase.into_iter().map(WrittenPhase::from).collect(),
            domain: settings.domain.into_iter().map(WrittenDomain::from).collect(),
            tests: settings.tests,
            max_iterations: settings.max_iterations.into(),
            max_identical: settings.max_identical.into(),
            max_time: settings.max_time.into(),
            max_holds: settings.max_holds.into(),
            grant: settings.grant,
            handoff: settings.handoff,
            run_time: settings.run_time.into(),
            tail_lines: settings.tail_lines,
            limits_file: settings.limits_file,
            adviser: settings.adviser,
        }
    }
}

impl From<Phase> for WrittenPhase {
    fn from(phase: Phase) -> WrittenPhase {
        WrittenPhase {
            name: phase.name.into(),
            heading: phase.heading.into(),
            pass: phase.pass.into(),
            fail: phase.fail.into(),
            issues: phase.issues,
            agents: phase.agents,
            run: phase.run.map(Located::from),
            on_fail: phase.on_fail,
            max_failures: phase.max_failures.into(),
        }
    }
}

impl From<Domain> for WrittenDomain {
    fn from(domain: Domain) -> WrittenDomain {
        WrittenDomain {
            name: domain.name.into(),
            paths: domain.paths,
            except: domain.except,
            agents: domain.agents.into_iter().map(|(phase, roles)| (phase.into(), roles)).collect(),
            run: domain.run.into_iter().map(|(phase, command)| (phase.into(), command.into())).collect(),
            skip: domain.skip.into_iter().map(Located::from).collect(),
        }
    }
}

impl Authored for Written {
    type Stored = Settings;

    fn compile(mut self, _: &Sources<'_>) -> Result<Settings, Vec<Problem>> {
        self.drop_unknown_phases();
        let problems = self.problems();
        if problems.is_empty() { Ok(self.stored()) } else { Err(problems) }
    }
}

impl Written {
    /// Our own domains speak of our own phases; who writes others does not have to write domains too.
    fn drop_unknown_phases(&mut self) {
        let known: BTreeSet<&String> = self.phase.iter().map(|phase| phase.name.value()).collect();
        for domain in self.domain.iter_mut().filter(|domain| is_default(&domain.name)) {
            domain.agents.retain(|phase, _| known.contains(phase.value()));
        }
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = name_problems(self.phase.iter().map(|phase| &phase.name), "phase");
        problems.extend(name_problems(self.domain.iter().map(|domain| &domain.name), "domain"));
        problems.extend(self.phase.iter().flat_map(WrittenPhase::problems));
        problems.extend(self.domain.iter().flat_map(|domain| self.problems_of(domain)));
        if problems.is_empty() {
            problems.extend(self.unpassable_phases());
        }
        problems.extend(self.limits());
        problems
    }

    fn limits(&self) -> Vec<Problem> {
        let counts = [
            ("max_iterations", &self.max_iterations),
            ("max_identical", &self.max_identical),
            ("max_holds", &self.max_holds),
        ];
        let times = [("max_time", &self.max_time), ("run_time", &self.run_time)];
        let counts = counts.into_iter().filter_map(|(key, count)| zero_problem(key, count));
        let times = times.into_iter().filter(|(_, time)| time.value().millis() == 0).map(|(key, time)| {
            Problem::new(time.span(), format!("`{key}` leaves no time")).with_help("write `1s` or more")
        });
        counts.chain(times).collect()
    }

    /// Phases that a domain names and that are not there, and commands that are none.
    fn problems_of(&self, domain: &WrittenDomain) -> Vec<Problem> {
        let known: Vec<&str> = self.phase.iter().map(|phase| phase.name.value().as_str()).collect();
        let named = domain.agents.keys().chain(domain.run.keys()).chain(&domain.skip);
        let lost = named.filter(|phase| !known.contains(&phase.value().as_str())).map(|phase| {
            let message = format!("there is no phase `{}`", phase.value());
            let help = match nearest(phase.value(), known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the phases are `{}`", known.join("`, `")),
            };
            Problem::new(phase.span(), message).with_help(help)
        });
        lost.chain(domain.run.values().filter_map(no_command)).collect()
    }

    /// Phases that nothing could ever pass in some domain.
    fn unpassable_phases(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for phase in &self.phase {
            let name = phase.name.value();
            let is_deaf = |domain: &&WrittenDomain| {
                !domain.skip.iter().any(|skipped| skipped.value() == name)
                    && phase.run.is_none()
                    && !domain.run.keys().any(|phase| phase.value() == name)
                    && (!phase.has_marker() || (phase.agents.is_empty() && !domain.has_agents_for(name)))
            };
            let Some(domain) = self.domain.iter().find(is_deaf) else { continue };
            let message = format!("nothing can pass `{name}` for domain `{}`", domain.name.value());
            let help = if phase.has_marker() {
                "name the `agents` that speak for it, or a command to `run`"
            } else {
                "it needs a command to `run`, or a `heading` with the words for `pass` and `fail`"
            };
            let span = if is_default(&domain.name) { phase.name.span() } else { domain.name.span() };
            problems.push(Problem::new(span, message).with_help(help));
        }
        problems
    }

    fn stored(self) -> Settings {
        Settings {
            phase: self.phase.into_iter().map(WrittenPhase::stored).collect(),
            domain: self.domain.into_iter().map(WrittenDomain::stored).collect(),
            tests: self.tests,
            max_iterations: self.max_iterations.into_value(),
            max_identical: self.max_identical.into_value(),
            max_time: self.max_time.into_value(),
            max_holds: self.max_holds.into_value(),
            grant: self.grant,
            handoff: self.handoff,
            run_time: self.run_time.into_value(),
            tail_lines: self.tail_lines,
            limits_file: self.limits_file,
            adviser: self.adviser,
        }
    }
}

impl WrittenPhase {
    fn problems(&self) -> Vec<Problem> {
        let name = self.name.value();
        let mut problems = Vec::new();
        let parts = [("heading", &self.heading), ("pass", &self.pass), ("fail", &self.fail)];
        let is_missing = |part: &Located<String>| part.value().trim().is_empty();
        let are_missing = parts.iter().filter(|(_, part)| is_missing(part)).count();
        if are_missing == parts.len() && self.agents.is_empty() && self.run.is_none() {
            let message = format!("phase `{name}` has neither agents nor a marker nor a command");
            problems.push(Problem::new(self.name.span(), message).with_help("nothing could ever pass it"));
        } else if are_missing < parts.len() {
            problems.extend(parts.into_iter().filter(|(_, part)| is_missing(part)).map(|(key, part)| {
                let span = if is_default(part) { self.name.span() } else { part.span() };
                Problem::new(span, format!("`{key}` of phase `{name}` is empty"))
                    .with_help("a result is said by a `heading` and a word for `pass` or for `fail`")
            }));
        }
        if !is_missing(&self.pass) && self.pass.value().trim() == self.fail.value().trim() {
            let message =
                format!("`{}` would say both that `{name}` passed and that it failed", self.fail.value());
            problems.push(Problem::new(self.fail.span(), message).with_help("write another word for `fail`"));
        }
        problems.extend(self.run.as_ref().and_then(no_command));
        problems.extend(zero_problem("max_failures", &self.max_failures));
        problems
    }

    fn has_marker(&self) -> bool {
        [&self.heading, &self.pass, &self.fail].into_iter().all(|part| !part.value().trim().is_empty())
    }

    fn stored(self) -> Phase {
        let trimmed = |text: Located<String>| text.into_value().trim().to_owned();
        Phase {
            name: self.name.into_value(),
            heading: trimmed(self.heading),
            pass: trimmed(self.pass),
            fail: trimmed(self.fail),
            issues: self.issues,
            agents: self.agents,
            run: self.run.map(trimmed),
            on_fail: self.on_fail,
            max_failures: self.max_failures.into_value(),
        }
    }
}

impl WrittenDomain {
    fn has_agents_for(&self, phase: &str) -> bool {
        self.agents.iter().any(|(name, roles)| name.value() == phase && !roles.is_empty())
    }

    fn stored(self) -> Domain {
        let command = |command: Located<String>| command.into_value().trim().to_owned();
        Domain {
            name: self.name.into_value(),
            paths: self.paths,
            except: self.except,
            agents: self.agents.into_iter().map(|(phase, roles)| (phase.into_value(), roles)).collect(),
            run: self.run.into_iter().map(|(phase, run)| (phase.into_value(), command(run))).collect(),
            skip: self.skip.into_iter().map(Located::into_value).collect(),
        }
    }
}

/// Names that are there twice, or are none.
fn name_problems<'a>(names: impl Iterator<Item = &'a Located<String>>, what: &str) -> Vec<Problem> {
    let (mut seen, mut problems) = (BTreeSet::new(), Vec::new());
    for name in names {
        if name.value().trim().is_empty() {
            problems.push(Problem::new(name.span(), format!("a {what} needs a name")));
        } else if !seen.insert(name.value()) {
            let message = format!("there are two {what}s `{}`", name.value());
            problems.push(Problem::new(name.span(), message).with_help("give each a name of its own"));
        }
    }
    problems
}

fn zero_problem(key: &str, count: &Located<u32>) -> Option<Problem> {
    let problem = || Problem::new(count.span(), format!("`{key}` is 0")).with_help("write 1 or more");
    (*count.value() == 0).then(problem)
}

fn no_command(command: &Located<String>) -> Option<Problem> {
    let problem = || Problem::new(command.span(), "this command is empty");
    command.value().trim().is_empty().then(problem)
}

/// Whether nobody wrote it. What is written stands behind a key.
fn is_default<T>(value: &Located<T>) -> bool {
    value.span().is_empty()
}
