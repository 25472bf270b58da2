//! `[loop.iterations]`: tasks and patterns.

use std::collections::BTreeSet;
use std::time::Duration;

use flyball_core::config::{Authored, Located, Problem, Sources};
use flyball_core::time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::limits::{Limits, USUAL_FILE, limit_of};
use crate::globs::{Globs, without_plugin};
use crate::period::Period;

/// How often a pattern is tried again by default.
const RETRIES: u32 = 2;

/// The settings as hooks read them.
pub type Settings = SettingsOf<u32, Period>;
pub type Pattern = PatternOf<u32>;

/// The settings as people write them.
pub(super) type Written = SettingsOf<Located<u32>, Located<Period>>;

/// `[loop.iterations]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsOf<N: From<u32> + Serialize, P: From<Period> + Serialize> {
    /// How many iterations a task has that does not set its own number.
    pub max_iterations: N,
    /// How long a task may take.
    pub max_runtime: P,
    /// A task is released at a stop after this many failed tool calls in a row; 0 for never.
    pub consecutive_errors: N,
    /// A task is released at a stop after this many identical tool calls in a row; 0 for never.
    pub repeated_calls: N,
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
    pub pattern: Vec<PatternOf<N>>,
    /// The limits that were written: these the file of limits does not replace. Never written itself.
    #[serde(rename = "#written")]
    #[schemars(skip)]
    pub written: BTreeSet<String>,
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
#[schemars(rename = "Pattern")]
pub struct PatternOf<N: From<u32> + Serialize> {
    /// Its name.
    pub name: String,
    /// Globs of the names of its skills.
    pub skills: Globs,
    /// How often it may be tried again before the next prompt of a person.
    #[serde(default = "retries::<N>")]
    pub retries: N,
}

fn retries<N: From<u32>>() -> N {
    N::from(RETRIES)
}

impl<N: From<u32> + Serialize, P: From<Period> + Serialize> Default for SettingsOf<N, P> {
    fn default() -> Self {
        SettingsOf {
            max_iterations: N::from(10),
            max_runtime: P::from(Period::minutes(15)),
            consecutive_errors: N::from(3),
            repeated_calls: N::from(3),
            max_holds: 7,
            run_time: Period::minutes(8),
            tail_lines: 40,
            limits_file: USUAL_FILE.to_owned(),
            skill: Vec::new(),
            pattern: Vec::new(),
            written: BTreeSet::new(),
        }
    }
}

impl Authored for Written {
    type Stored = Settings;

    fn compile(mut self, _: &Sources<'_>) -> Result<Settings, Vec<Problem>> {
        let is_written = |span: std::ops::Range<usize>| !span.is_empty();
        let own = [
            ("max_iterations", self.max_iterations.span()),
            ("max_runtime", self.max_runtime.span()),
            ("consecutive_errors", self.consecutive_errors.span()),
            ("repeated_calls", self.repeated_calls.span()),
        ];
        let own = own.into_iter().filter(|(_, span)| is_written(span.clone())).map(|(key, _)| key.to_owned());
        let patterns = self.pattern.iter().filter(|pattern| is_written(pattern.retries.span()));
        self.written = own.chain(patterns.map(|pattern| retries_key(&pattern.name))).collect();
        // Without the places, the two forms are the same.
        let plain = serde_json::to_value(&self).and_then(serde_json::from_value);
        plain.map_err(|why| vec![Problem::new(0..0, why.to_string())])
    }
}

/// How the limit of a pattern is called in [`SettingsOf::written`].
fn retries_key(pattern: &str) -> String {
    format!("pattern.{pattern}.retries")
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
        let file = &file.intra_task;
        let is_written = |key: &str| self.written.contains(key);
        let runtime = file.max_runtime_minutes.map(|minutes| Period::minutes(minutes.into()));
        let iterations = limit_of(self.max_iterations, is_written("max_iterations"), file.max_iterations);
        Bounds {
            iterations: own.unwrap_or(iterations).max(1),
            runtime: limit_of(self.max_runtime, is_written("max_runtime"), runtime).duration(),
            errors: limit_of(
                self.consecutive_errors,
                is_written("consecutive_errors"),
                file.consecutive_error_limit,
            ),
            repeats: limit_of(
                self.repeated_calls,
                is_written("repeated_calls"),
                file.loop_detection_threshold,
            ),
        }
    }

    /// The limits that a file replaces, with the key and the value of each.
    #[must_use]
    pub fn replaced_by(&self, limits: &Limits) -> Vec<(String, String)> {
        let values = |file: &Limits| {
            let bounds = self.bounds(None, file);
            let own = [
                ("max_iterations", bounds.iterations.to_string()),
                ("max_runtime", format!("{}m", bounds.runtime.as_secs() / 60)),
                ("consecutive_errors", bounds.errors.to_string()),
                ("repeated_calls", bounds.repeats.to_string()),
            ];
            let own = own.map(|(key, value)| (key.to_owned(), value)).into_iter();
            let patterns =
                self.pattern.iter().map(|it| (retries_key(&it.name), self.retries(it, file).to_string()));
            own.chain(patterns).collect::<Vec<(String, String)>>()
        };
        let (before, after) = (values(&Limits::default()), values(limits));
        let changed = after.into_iter().filter(|value| !before.contains(value));
        changed.map(|(key, value)| (format!("loop.iterations.{key}"), value)).collect()
    }

    /// How often a pattern may be tried again.
    pub(super) fn retries(&self, pattern: &Pattern, file: &Limits) -> u32 {
        let file = match pattern.name.as_str() {
            "requirement_compliance" => file.orchestrator.requirement_compliance_retries,
            "quality_fix" => file.orchestrator.quality_fix_retries,
            "test_fix" => file.orchestrator.test_fix_retries,
            _ => None,
        };
        limit_of(pattern.retries, self.written.contains(&retries_key(&pattern.name)), file)
    }
}

impl Pattern {
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
