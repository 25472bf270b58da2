//! `flyball import limits`: `orchestration-limits.yaml`, for loop.feedback and loop.iterations.

use std::path::PathBuf;

use clap::Args;
use flyball_core::config::Mode;
use flyball_core::policy::Policy;
use flyball_policies::r#loop::feedback::settings::Phase;
use flyball_policies::r#loop::limits::limits_from_yaml;
use flyball_policies::r#loop::{feedback, iterations};
use serde_json::Value as Json;
use toml_edit::Value;

use super::report::{Report, WriteArguments};
use super::source::{Source, broken, locate};
use super::table::Convert::{Number, With};
use super::table::{Found, Row, import, row, skip};
use crate::commands::companions::phases;
use crate::install::{Site, Snapshot};
use crate::outcome::{Done, Failed};
use crate::project_context::{ProjectContext, mode_in};
use crate::terminal::Terminal;

const FILE: &str = ".claude/config/orchestration-limits.yaml";

/// How often a phase may fail: the key of `inter_phase`, and the phase. flyball has it in its list of phases.
const FAILURES: [(&str, &str); 2] =
    [("max_consecutive_review_failures", "review"), ("max_consecutive_test_failures", "testing")];

const TABLE: &[Row] = &[
    row("inter_phase.max_feedback_iterations", "loop.feedback.max_iterations", Number { least: 0 }),
    row("intra_task.max_iterations", "loop.iterations.max_iterations", Number { least: 0 }),
    row("intra_task.max_runtime_minutes", "loop.iterations.max_runtime", With(minutes)),
    row("intra_task.consecutive_error_limit", "loop.iterations.consecutive_errors", Number { least: 0 }),
    row("intra_task.loop_detection_threshold", "loop.iterations.repeated_calls", Number { least: 0 }),
    row(
        "orchestrator.requirement_compliance_retries|quality_fix_retries|test_fix_retries",
        "",
        With(pattern_retries),
    ),
    skip("escalation.default_action", "built in: a person is always asked"),
    skip("escalation.include_iteration_history", "built in: the history is always shown"),
    row("escalation.max_user_continue_iterations", "loop.feedback.grant", Number { least: 0 }),
    skip("escalation.options", "built in: flyball loop continue, accept, abort, handoff, status"),
];

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
    let path = locate(arguments.file.as_deref(), FILE, &site);
    let name = site.show(&path);
    let file = Snapshot::read(&path)?;
    let text = file.content().ok_or_else(|| {
        Failed::new(format!("`{name}` does not exist"), "name the file: `flyball import limits FILE`")
    })?;
    let limits = limits_from_yaml(text.trim_start_matches('\u{feff}'))
        .map_err(|problem| broken(format!("`{name}`: {problem}")))?;
    let mut source = Source { name, object: limits.values.as_object().cloned().unwrap_or_default() };
    let config = Snapshot::read(&site.root.join("flyball.toml"))?;
    let config: toml::Table = config.text().parse().unwrap_or_default();
    let mut report = Report::default();
    import_failures(&mut source, &Phases::find(&site, &config), &mut report);
    import(&source, TABLE, &config, &mut report);
    let done = report.finish(&arguments.outcome, terminal)?;
    warn_disabled(&report, &site, terminal);
    Ok(done)
}

struct Phases {
    in_force: Vec<Phase>,
    /// The project's config has a list of its own.
    are_configured: bool,
}

impl Phases {
    fn find(site: &Site, config: &toml::Table) -> Phases {
        let in_config = config.get("loop").and_then(|section| section.get("feedback")?.get("phase"));
        let loaded = ProjectContext::at(site.root.clone()).load_config().config;
        let section = loaded.sections.get(feedback::POLICY.id.as_str());
        let settings: feedback::Settings =
            section.and_then(|section| section.parse().ok()).unwrap_or_default();
        Phases { in_force: settings.phase, are_configured: in_config.is_some() }
    }
}

/// Takes the limits of single phases out of the source. They can only be written with the list of all phases.
fn import_failures(source: &mut Source, phases: &Phases, report: &mut Report) {
    let Some(Json::Object(section)) = source.object.get_mut("inter_phase") else { return };
    // A list in a config replaces the default as a whole, so one limit means writing all phases.
    let mut changed = phases.in_force.clone();
    for (key, name) in FAILURES {
        // Removed, so that the table does not report it as an unknown key.
        let number = section.remove(key).and_then(|number| u32::try_from(number.as_u64()?).ok());
        let Some(number) = number else { continue };
        let what = format!("inter_phase.{key} = {number}");
        let why = match changed.iter_mut().find(|phase| phase.name == name) {
            None => format!("loop.feedback has no phase `{name}`"),
            Some(phase) if phase.max_failures == number => format!("the phase `{name}` already has it"),
            Some(_) if phases.are_configured => {
                format!("flyball.toml has its own phases; write `max_failures = {number}` in `{name}`")
            }
            Some(phase) => {
                phase.max_failures = number;
                let into =
                    format!("loop.feedback.phase: max_failures = {number} in `{name}`, with all phases");
                report.add_carried(&source.name, &what, into);
                continue;
            }
        };
        report.add_skipped(&source.name, &what, why);
    }
    if changed != phases.in_force {
        report.additions.set(feedback::POLICY.id.as_str(), "phase", phases::to_config_value(&changed));
    }
}

/// Limits of a policy that is off have no effect.
fn warn_disabled(report: &Report, site: &Site, terminal: &Terminal) {
    let config = ProjectContext::at(site.root.clone()).load_config().config;
    let is_affected = |policy: &&Policy| {
        report.additions.0.iter().any(|entry| entry.section == policy.id.as_str())
            && mode_in(&config, policy) == Mode::Off
    };
    for policy in [&feedback::POLICY, &iterations::POLICY].into_iter().filter(is_affected) {
        let id = policy.id;
        terminal.line(&format!("\n{id} is off here; to turn it on: `[{id}] mode = \"enforce\"`"));
    }
}

fn minutes(found: &Found<'_>) -> Result<Value, String> {
    Ok(format!("{}m", found.value).into())
}

fn pattern_retries(found: &Found<'_>) -> Result<Value, String> {
    let pattern = found.name().trim_end_matches("_retries");
    Err(format!(
        "it does not name the skills; write [[loop.iterations.pattern]] with name = \"{pattern}\", retries = {} and `skills`",
        found.value
    ))
}

#[cfg(test)]
mod tests {
    use super::super::table::assert_targets_exist;
    use super::*;

    #[test]
    fn every_row_becomes_a_setting() {
        assert_targets_exist(TABLE, &[]);
    }
}
