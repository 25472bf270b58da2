//! `[loop.iterations]`: tasks and patterns.

use std::time::Duration;

use flyball_core::time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::limits::{Limits, USUAL_FILE, limit_of};
use crate::globs::{Globs, without_plugin};
use crate::period::Period;

/// How often a pattern is tried again by default.
const RETRIES: u32 = 2;

/// `[loop.iterations]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How many iterations a task has that does not set its own number.
    pub max_iterations: u32,
    /// How long a task may take.
    pub max_runtime: Period,
    /// A task is released at a stop after this many failed tool calls in a row; 0 for never.
    pub consecutive_errors: u32,
    /// A task is released at a stop after this many identical tool calls in a row; 0 for never.
    pub repeated_calls: u32,
    /// How often an agent is blocked from stopping in one turn. Clients release an agent by themselves after about 8
    /// blocks.
    pub max_holds: u32,
    /// How long the `until` command of a task may run.
    pub run_time: Period,
    /// How many of the last lines of its output are shown.
    pub tail_lines: usize,
    /// A file of limits in the form of `orchestration-limits.yaml`, relative to the project. If it exists, it replaces
    /// the defaults of this section.
    pub limits_file: String,
    /// Skills and typed commands that start a task.
    pub skill: Vec<Skill>,
    /// Patterns that may be tried a limited number of times.
    pub pattern: Vec<Pattern>,
}

/// A skill or a typed command that starts a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Skill {
    /// Its name, without a slash.
    pub name: String,
    /// How many iterations the task has; without it `max_iterations`.
    #[serde(default)]
    pub max: Option<u32>,
    /// The command that exits with 0 when it is done.
    #[serde(default)]
    pub until: Option<String>,
}

/// Something that is tried by invoking a skill, and again when it did not help.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Its name.
    pub name: String,
    /// Globs of the names of its skills.
    pub skills: Globs,
    /// How often it may be tried again before the next prompt of a person.
    #[serde(default = "retries")]
    pub retries: u32,
}

const fn retries() -> u32 {
    RETRIES
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_iterations: 10,
            max_runtime: Period::minutes(15),
            consecutive_errors: 3,
            repeated_calls: 3,
            max_holds: 7,
            run_time: Period::minutes(8),
            tail_lines: 40,
            limits_file: USUAL_FILE.to_owned(),
            skill: Vec::new(),
            pattern: Vec::new(),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bounds {
    pub(super) iterations: u32,
    #[serde(rename = "runtime_millis", with = "time::millis")]
    pub(super) runtime: Duration,
    pub(super) errors: u32,
    pub(super) repeats: u32,
}

impl Settings {
    /// The bounds of a task: its own, then this section, then the file.
    pub(super) fn bounds(&self, own: Option<u32>, file: &Limits) -> Bounds {
        let (file, usual) = (&file.intra_task, Settings::default());
        // A value equal to the default counts as not written.
        let iterations = limit_of(self.max_iterations, usual.max_iterations, file.max_iterations);
        let runtime = file.max_runtime_minutes.map(|minutes| Period::minutes(minutes.into()));
        let runtime = limit_of(self.max_runtime, usual.max_runtime, runtime);
        Bounds {
            iterations: own.unwrap_or(iterations).max(1),
            runtime: runtime.duration(),
            errors: limit_of(self.consecutive_errors, usual.consecutive_errors, file.consecutive_error_limit),
            repeats: limit_of(self.repeated_calls, usual.repeated_calls, file.loop_detection_threshold),
        }
    }
}

impl Pattern {
    pub(super) fn retries(&self, file: &Limits) -> u32 {
        let file = match self.name.as_str() {
            "requirement_compliance" => file.orchestrator.requirement_compliance_retries,
            "quality_fix" => file.orchestrator.quality_fix_retries,
            "test_fix" => file.orchestrator.test_fix_retries,
            _ => None,
        };
        limit_of(self.retries, RETRIES, file)
    }

    /// Whether a skill belongs to it.
    pub(super) fn has_skill(&self, skill: &str) -> bool {
        self.skills.match_name(skill.trim_start_matches('/'))
    }
}

impl Skill {
    /// Whether this is its name.
    pub(super) fn is_named(&self, skill: &str) -> bool {
        let (name, skill) = (self.name.trim_start_matches('/'), skill.trim_start_matches('/'));
        name == skill || name == without_plugin(skill)
    }
}
