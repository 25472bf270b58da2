//! The errors in `[loop.feedback]` as people wrote it, each at its place.

use std::collections::BTreeSet;

use flyball_core::config::{Authored, Located, Problem, Sources};
use flyball_core::nearest::nearest;

use super::settings::{Settings, TESTING, Written, WrittenDomain, WrittenPhase, max_failures_key};

impl Authored for Written {
    type Stored = Settings;

    fn compile(mut self, _: &Sources<'_>) -> Result<Settings, Vec<Problem>> {
        self.drop_unknown_phases();
        self.give_tests_their_command();
        self.written = self.written_limits();
        let problems = self.problems();
        if problems.is_empty() { self.stored() } else { Err(problems) }
    }
}

impl Written {
    /// The default domains name the default phases; a config with other phases does not have to repeat the domains.
    fn drop_unknown_phases(&mut self) {
        let known: BTreeSet<&String> = self.phase.iter().map(|phase| phase.name.value()).collect();
        for domain in self.domain.iter_mut().filter(|domain| is_default(&domain.name)) {
            domain.agents.retain(|phase, _| known.contains(phase.value()));
        }
    }

    /// A phase that has no command of its own gets the one for all tests.
    fn give_tests_their_command(&mut self) {
        let tests = self.phase.iter_mut().find(|phase| phase.name.value() == TESTING);
        if let Some(phase) = tests.filter(|phase| phase.run.is_none()) {
            phase.run.clone_from(&self.test_command);
        }
    }

    /// The limits that have a place in the file, also where they say what they would be anyway.
    fn written_limits(&self) -> BTreeSet<String> {
        let own = [("max_iterations", &self.max_iterations), ("grant", &self.grant)];
        let own = own.into_iter().filter(|(_, value)| !is_default(*value)).map(|(key, _)| key.to_owned());
        let phases = self.phase.iter().filter(|phase| !is_default(&phase.max_failures));
        own.chain(phases.map(|phase| max_failures_key(phase.name.value()))).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = name_problems(self.phase.iter().map(|phase| &phase.name), "phase");
        problems.extend(name_problems(self.domain.iter().map(|domain| &domain.name), "domain"));
        problems.extend(self.phase.iter().flat_map(WrittenPhase::problems));
        problems.extend(self.lost_test_command());
        problems.extend(self.domain.iter().flat_map(|domain| self.problems_of(domain)));
        // Wrong names make phases look unpassable, so those are reported only once the names are right.
        if problems.is_empty() {
            problems.extend(self.unpassable_phases());
        }
        problems.extend(self.limits());
        problems
    }

    /// A command for tests where no phase is for them.
    fn lost_test_command(&self) -> Option<Problem> {
        let command = self.test_command.as_ref()?;
        let has_tests = self.phase.iter().any(|phase| phase.name.value() == TESTING);
        let message = format!("`test_command` proves the phase `{TESTING}`, and there is none");
        let problem =
            Problem::new(command.span(), message).with_help("set `run` of the phase that it is for");
        (!has_tests).then_some(problem)
    }

    fn limits(&self) -> Vec<Problem> {
        let counts = [
            ("max_iterations", &self.max_iterations),
            ("max_identical", &self.max_identical),
            ("max_holds", &self.max_holds),
        ];
        let times = [("max_time", &self.max_time), ("run_time", &self.run_time)];
        let counts = counts.into_iter().filter_map(|(key, count)| zero_problem(key, count));
        let times =
            times.into_iter().filter(|(_, time)| time.value().duration().is_zero()).map(|(key, time)| {
                Problem::new(time.span(), format!("`{key}` leaves no time")).with_help("write `1s` or more")
            });
        counts.chain(times).collect()
    }

    /// Unknown phases that a domain names, and empty commands.
    fn problems_of(&self, domain: &WrittenDomain) -> Vec<Problem> {
        let known: Vec<&str> = self.phase.iter().map(|phase| phase.name.value().as_str()).collect();
        let named = domain.agents.keys().chain(domain.run.keys()).chain(&domain.skip);
        let unknown = named.filter(|phase| !known.contains(&phase.value().as_str())).map(|phase| {
            let message = format!("there is no phase `{}`", phase.value());
            let help = match nearest(phase.value(), known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the phases are `{}`", known.join("`, `")),
            };
            Problem::new(phase.span(), message).with_help(help)
        });
        unknown.chain(domain.run.values().filter_map(no_command)).collect()
    }

    /// Phases that nothing can pass in some domain.
    fn unpassable_phases(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for phase in &self.phase {
            let name = phase.name.value();
            let is_unpassable = |domain: &&WrittenDomain| {
                !domain.skip.iter().any(|skipped| skipped.value() == name)
                    && phase.run.is_none()
                    && !domain.run.keys().any(|phase| phase.value() == name)
                    && (!phase.has_marker() || (phase.agents.is_empty() && !domain.has_agents_for(name)))
            };
            let Some(domain) = self.domain.iter().find(is_unpassable) else { continue };
            let message = format!("nothing can pass `{name}` for domain `{}`", domain.name.value());
            let help = if phase.has_marker() {
                "name the `agents` that report for it, or a command to `run`"
            } else {
                "it needs a command to `run`, or a `heading` with the words for `pass` and `fail`"
            };
            // A default has no place in the file, so the error points at what the user wrote.
            let span = if is_default(&domain.name) { phase.name.span() } else { domain.name.span() };
            problems.push(Problem::new(span, message).with_help(help));
        }
        problems
    }

    /// The same settings without the places: only these differ between the two forms.
    fn stored(&self) -> Result<Settings, Vec<Problem>> {
        let bug = |why: serde_json::Error| vec![Problem::new(0..0, why.to_string())];
        let plain = serde_json::to_value(self).map_err(bug)?;
        let mut settings: Settings = serde_json::from_value(plain).map_err(bug)?;
        for phase in &mut settings.phase {
            let texts = [&mut phase.heading, &mut phase.pass, &mut phase.fail].into_iter();
            texts.chain(&mut phase.run).for_each(trim);
        }
        settings.domain.iter_mut().flat_map(|domain| domain.run.values_mut()).for_each(trim);
        Ok(settings)
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
            let help =
                "add a command to `run`, or `agents` and a `heading` with the words for `pass` and `fail`";
            problems.push(Problem::new(self.name.span(), message).with_help(help));
        } else if are_missing < parts.len() {
            problems.extend(parts.into_iter().filter(|(_, part)| is_missing(part)).map(|(key, part)| {
                let span = if is_default(part) { self.name.span() } else { part.span() };
                Problem::new(span, format!("`{key}` of phase `{name}` is empty"))
                    .with_help("a result needs a `heading` and a word for `pass` and for `fail`")
            }));
        }
        if !is_missing(&self.pass) && self.pass.value().trim() == self.fail.value().trim() {
            let message =
                format!("`{}` would mean both that `{name}` passed and that it failed", self.fail.value());
            problems.push(Problem::new(self.fail.span(), message).with_help("write another word for `fail`"));
        }
        problems.extend(self.run.as_ref().and_then(no_command));
        problems.extend(zero_problem("max_failures", &self.max_failures));
        problems
    }

    fn has_marker(&self) -> bool {
        [&self.heading, &self.pass, &self.fail].into_iter().all(|part| !part.value().trim().is_empty())
    }
}

impl WrittenDomain {
    fn has_agents_for(&self, phase: &str) -> bool {
        self.agents.iter().any(|(name, roles)| name.value() == phase && !roles.is_empty())
    }
}

fn trim(text: &mut String) {
    *text = text.trim().to_owned();
}

/// Duplicate and empty names.
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
    let problem = || {
        Problem::new(command.span(), "this command is empty").with_help("write a command, or remove the key")
    };
    command.value().trim().is_empty().then(problem)
}

/// Whether it is a default: a written value has a place.
fn is_default<T>(value: &Located<T>) -> bool {
    value.span().is_empty()
}
