//! Runs the test cases of rules, for `flyball test`.

use flyball_core::config::{Section, Sources, read_toml};
use flyball_core::event::Event;
use flyball_core::facts::Facts;
use flyball_core::policy::{InMemory, Situation, World};
use flyball_core::verdict::{Stance, Verdict};
use serde::Deserialize;

use super::POLICY;
use super::case::Case;
pub use super::case::Expected;
use super::evaluate;
use super::stored::StoredRules;
use super::written::Rule;

/// A case that was run.
#[derive(Clone, Debug)]
pub struct CaseResult {
    pub rule: String,
    /// The event, as it was written.
    pub event: String,
    /// The place of the case: a byte offset in the file.
    pub at: usize,
    pub expected: Expected,
    /// What the rule did.
    pub got: Expected,
    pub message: String,
    /// Words that were expected in it.
    pub expected_message: Option<String>,
}

impl CaseResult {
    /// Whether the rule did what was expected.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.expected == self.got
            && self.expected_message.as_ref().is_none_or(|words| self.message.contains(words))
    }
}

/// Why cases could not be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrunnable {
    /// The file has no valid rules; `flyball config check` says why.
    #[error("the rules cannot be read: {0}")]
    Unreadable(String),
    /// The event of a case is missing or ambiguous.
    #[error("rule `{rule}`: {problem}")]
    Unclear {
        rule: String,
        problem: String,
        /// The place of the case: a byte offset in the file.
        at: usize,
    },
}

/// Runs all cases of the rules in a config file's text.
///
/// # Errors
/// When the text has no valid rules, or a case is unclear.
pub fn run(text: &str, world: &dyn World) -> Result<Vec<CaseResult>, Unrunnable> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        rule: Vec<Rule>,
    }
    let file: File = read_toml(text).map_err(Unrunnable::Unreadable)?;
    let mut ran = Vec::new();
    for mut rule in file.rule {
        for case in std::mem::take(&mut rule.case) {
            ran.push(run_case(&rule, &case, world)?);
        }
    }
    Ok(ran)
}

fn run_case(rule: &Rule, case: &Case, world: &dyn World) -> Result<CaseResult, Unrunnable> {
    let (id, at) = (rule.id.value().clone(), case.event.span().start);
    let event = case.event.value().event(world.project_root());
    let event = event.map_err(|problem| Unrunnable::Unclear { rule: id.clone(), problem, at })?;
    let verdict = verdict(rule, &event, world)?;
    let mut messages: Vec<String> = verdict.reasons.iter().map(flyball_core::verdict::Reason::text).collect();
    messages.extend(verdict.notices.iter().cloned());
    messages.extend(verdict.context.iter().map(|snippet| snippet.text.clone()));
    Ok(CaseResult {
        rule: id,
        event: case.event.value().shown(),
        at,
        expected: case.expect,
        got: outcome(&verdict),
        message: messages.join("\n"),
        expected_message: case.message.clone(),
    })
}

/// The verdict of one rule, as if it were enforced.
fn verdict(rule: &Rule, event: &Event, world: &dyn World) -> Result<Verdict, Unrunnable> {
    let mut rule = rule.clone();
    rule.mode = None;
    let unreadable = |problem: String| Unrunnable::Unreadable(problem);
    let problems = |found: Vec<flyball_core::config::Problem>| {
        unreadable(found.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("; "))
    };
    let stored = StoredRules { rules: vec![rule.compiled(&Sources::new(&[])).map_err(problems)?] };
    let settings = postcard::to_stdvec(&stored).map_err(|cause| unreadable(cause.to_string()))?;
    let section = Section { mode: POLICY.mode, settings: settings.into() };
    // Every case begins without a memory, so that `once` never silences one.
    let memory = InMemory::default();
    let facts = Facts::default();
    let situation = Situation {
        policy: POLICY.id,
        event,
        mode: section.mode,
        section: &section,
        world,
        memory: &memory,
        facts: &facts,
        wrappers: &[],
        // The default of `engine.context_chars`.
        context_chars: 9_500,
        payloads: flyball_core::config::Payloads::Redacted,
    };
    evaluate::run(&situation).map_err(|error| unreadable(error.to_string()))
}

/// What the rule did.
fn outcome(verdict: &Verdict) -> Expected {
    match verdict.stance {
        Stance::Deny => Expected::Deny,
        Stance::Ask => Expected::Ask,
        Stance::Allow => Expected::Allow,
        Stance::Silent if !verdict.rewrites.is_empty() => Expected::Rewrite,
        Stance::Silent if !verdict.context.is_empty() => Expected::Inject,
        Stance::Silent if !verdict.notices.is_empty() => Expected::Warn,
        Stance::Silent => Expected::Silent,
    }
}
