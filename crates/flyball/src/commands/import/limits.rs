//! `flyball import limits`: `orchestration-limits.yaml`, for loop.feedback and loop.iterations.

use std::path::PathBuf;

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::policy::Policy;
use flyball_policies::r#loop::feedback::settings::Phase;
use flyball_policies::r#loop::limits::{Escalation, InterPhase, IntraTask, Orchestrator, limits_from_yaml};
use flyball_policies::r#loop::{feedback, iterations};

use super::WriteArguments;
use super::addition::Value;
use super::report::Report;
use crate::commands::companions::phases;
use crate::environment;
use crate::install::{Site, Snapshot};
use crate::outcome::{Done, Failed};
use crate::project_context::{ProjectContext, mode_in};
use crate::terminal::Terminal;

/// Where the file lies.
const FILE: &str = ".claude/config/orchestration-limits.yaml";

/// Arguments of `flyball import limits`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Read this file [default: .claude/config/orchestration-limits.yaml of the project]
    file: Option<PathBuf>,
    #[command(flatten)]
    outcome: WriteArguments,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let site = Site::find()?;
    let here = environment::working_directory().unwrap_or_else(|| site.root.clone());
    let path = arguments.file.as_ref().map_or_else(|| site.root.join(FILE), |path| here.join(path));
    let name = site.show(&path);
    let file = Snapshot::read(&path)?;
    let Some(text) = file.content() else {
        return Err(Failed::new(
            format!("`{name}` does not exist"),
            "name the file: `flyball import limits FILE`",
        ));
    };
    let limits = limits_from_yaml(text.trim_start_matches('\u{feff}')).map_err(|problem| {
        Failed::new(format!("`{name}`: {problem}"), "mend the file, then run the command again")
    })?;
    let config = Snapshot::read(&site.root.join("flyball.toml"))?;
    let mut import =
        Import { place: name, config: config.text().parse().unwrap_or_default(), report: Report::default() };
    import.inter_phase(&limits.inter_phase, &phases_in_force(&site));
    import.intra_task(&limits.intra_task);
    import.orchestrator(&limits.orchestrator);
    import.escalation(&limits.escalation);
    for key in &limits.unknown {
        import.skip(key, "flyball does not know this key");
    }
    let done = import.report.finish(&arguments.outcome, terminal)?;
    warn_disabled(&import.report, &site, terminal);
    Ok(done)
}

fn phases_in_force(site: &Site) -> Vec<Phase> {
    let config = ProjectContext::at(site.root.clone()).load_config().config;
    let section = config.sections.get(feedback::POLICY.id.as_str());
    let settings: feedback::Settings = section.and_then(|section| section.parse().ok()).unwrap_or_default();
    settings.phase
}

/// Limits of something that is off bound nothing.
fn warn_disabled(report: &Report, site: &Site, terminal: &Terminal) {
    let config = ProjectContext::at(site.root.clone()).load_config().config;
    let concerned = |policy: &&Policy| {
        report.additions.0.iter().any(|entry| entry.section == policy.id.as_str())
            && mode_in(&config, policy) == Mode::Off
    };
    for policy in [&feedback::POLICY, &iterations::POLICY].into_iter().filter(concerned) {
        let id = policy.id;
        terminal.line(&format!("\n{id} is off here: `[{id}] mode = \"enforce\"` switches it on"));
    }
}

struct Import {
    place: String,
    /// What the project's config says already.
    config: toml::Table,
    report: Report,
}

impl Import {
    fn skip(&mut self, what: &str, why: impl Into<String>) {
        self.report.add_skipped(&self.place, what, why);
    }

    /// Carries a value over, unless that is what flyball does anyway.
    fn number(&mut self, (key, value): (&str, Option<u32>), (policy, into): (&Policy, &str)) {
        let Some(number) = value else { return };
        self.value((key, &number.to_string()), (policy, into), Value::Number(number));
    }

    fn value(&mut self, (key, shown): (&str, &str), (policy, into): (&Policy, &str), value: Value) {
        let what = format!("{key} = {shown}");
        let default = policy.section.settings().into_iter().find(|setting| setting.key == into);
        let is_default = default.is_some_and(|setting| {
            serde_json::to_value(value.to_toml()).is_ok_and(|value| value == setting.default)
        });
        let section = policy.id.as_str();
        if is_default && self.configured_value(section, into).is_none() {
            return self.skip(&what, "it is the default");
        }
        self.report.add_carried(&self.place, &what, format!("{section}.{into} = {}", value.inline()));
        self.report.additions.set(section, into, value);
    }

    /// What the config has under a key of a section.
    fn configured_value(&self, section: &str, key: &str) -> Option<&toml::Value> {
        section.split('.').try_fold(&self.config, |table, name| table.get(name)?.as_table())?.get(key)
    }

    fn inter_phase(&mut self, limits: &InterPhase, phases: &[Phase]) {
        let key = "inter_phase.max_feedback_iterations";
        self.number((key, limits.max_feedback_iterations), (&feedback::POLICY, "max_iterations"));
        let wanted = [
            ("max_consecutive_review_failures", "review", limits.max_consecutive_review_failures),
            ("max_consecutive_test_failures", "testing", limits.max_consecutive_test_failures),
        ];
        let mut changed = phases.to_vec();
        for (key, phase, number) in wanted {
            let Some(number) = number else { continue };
            self.failures((&format!("inter_phase.{key}"), phase), number, &mut changed);
        }
        if changed != phases {
            self.report.additions.set(
                feedback::POLICY.id.as_str(),
                "phase",
                phases::to_config_value(&changed),
            );
        }
    }

    /// How often a phase may fail. Phases can only be written all together.
    fn failures(&mut self, (key, name): (&str, &str), number: u32, phases: &mut [Phase]) {
        let what = format!("{key} = {number}");
        let section = feedback::POLICY.id;
        let Some(phase) = phases.iter_mut().find(|phase| phase.name == name) else {
            return self.skip(&what, format!("{section} has no phase `{name}`"));
        };
        if phase.max_failures == number {
            return self.skip(&what, format!("it is what the phase `{name}` has"));
        }
        if self.configured_value(section.as_str(), "phase").is_some() {
            let why =
                format!("flyball.toml has phases of its own; write `max_failures = {number}` in `{name}`");
            return self.skip(&what, why);
        }
        phase.max_failures = number;
        let into =
            format!("{section}.phase: max_failures = {number} of `{name}`, with all phases written out");
        self.report.add_carried(&self.place, &what, into);
    }

    fn intra_task(&mut self, limits: &IntraTask) {
        let policy = &iterations::POLICY;
        self.number(("intra_task.max_iterations", limits.max_iterations), (policy, "max_iterations"));
        if let Some(minutes) = limits.max_runtime_minutes {
            let (key, value) = ("intra_task.max_runtime_minutes", Value::Text(format!("{minutes}m")));
            self.value((key, &minutes.to_string()), (policy, "max_runtime"), value);
        }
        let key = "intra_task.consecutive_error_limit";
        self.number((key, limits.consecutive_error_limit), (policy, "consecutive_errors"));
        let key = "intra_task.loop_detection_threshold";
        self.number((key, limits.loop_detection_threshold), (policy, "repeated_calls"));
    }

    fn orchestrator(&mut self, limits: &Orchestrator) {
        let all = [
            ("requirement_compliance", limits.requirement_compliance_retries),
            ("quality_fix", limits.quality_fix_retries),
            ("test_fix", limits.test_fix_retries),
        ];
        for (pattern, retries) in all {
            let Some(retries) = retries else { continue };
            let why = format!(
                "it does not say which skills are meant; write [[{}.pattern]] with name = \"{pattern}\", retries = {retries} and `skills`",
                iterations::POLICY.id
            );
            self.skip(&format!("orchestrator.{pattern}_retries = {retries}"), why);
        }
    }

    fn escalation(&mut self, limits: &Escalation) {
        if let Some(action) = &limits.default_action {
            let why = match action.as_str() {
                "ask_user" => "it is built in: a person is asked",
                _ => "there is no other way: a person is asked",
            };
            self.skip(&format!("escalation.default_action = {action}"), why);
        }
        if let Some(with_history) = limits.include_iteration_history {
            let why = if with_history { "it is built in" } else { "the history is always told" };
            self.skip(&format!("escalation.include_iteration_history = {with_history}"), why);
        }
        let key = "escalation.max_user_continue_iterations";
        self.number((key, limits.max_user_continue_iterations), (&feedback::POLICY, "grant"));
        if let Some(options) = &limits.options {
            let why = "the options are built in: flyball loop continue, accept, abort, handoff, status";
            self.skip(&format!("escalation.options = {options:?}"), why);
        }
    }
}
