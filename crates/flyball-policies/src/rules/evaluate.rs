//! Evaluates the rules for an event.

use flyball_core::config::Mode;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Reason, Snippet, Verdict};

use super::action::Action;
use super::fields::EventScope;
use super::matching;
use super::stored::{Body, StoredRules};

/// The verdict of all rules that match the event.
pub(super) fn run(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let rules: StoredRules = situation.config()?;
    let scope = EventScope::new(situation);
    let mut verdict = Verdict::silent();
    for rule in rules.candidates(situation.event) {
        let body = rule.body()?;
        if let Some(own) = evaluate(&body, &scope, situation)? {
            verdict.join(own);
        }
    }
    Ok(verdict)
}

/// The verdict of one rule; `None` if it does not match the event.
fn evaluate(
    rule: &Body,
    scope: &EventScope<'_>,
    situation: &Situation<'_>,
) -> Result<Option<Verdict>, PolicyError> {
    if !matching::fits(rule, situation) {
        return Ok(None);
    }
    let is_met = rule.when.as_ref().map_or(Ok(true), |condition| condition.holds(scope));
    let message = match is_met {
        Ok(false) => return Ok(None),
        Ok(true) => rule.message.render(scope),
        Err(failure) => Err(failure),
    };
    let verdict = match message {
        Ok(message) => action_verdict(rule, message),
        Err(failure) => error_verdict(rule, &failure.to_string()),
    };
    // Before `once`, which a rule that only observes must not use up.
    if rule.mode == Mode::Observe {
        return Ok(Some(
            Verdict::silent().with_evidence("rule", format!("{} would {}", name(rule), rule.action.name())),
        ));
    }
    if rule.once.is_some() && !first_time(rule, situation)? {
        return Ok(None);
    }
    Ok(Some(verdict.with_evidence("rule", format!("{}: {}", name(rule), rule.action.name()))))
}

/// The rule and where it was written, for the explanation.
fn name(rule: &Body) -> String {
    if rule.origin.is_empty() { rule.id.clone() } else { format!("{} at {}", rule.id, rule.origin) }
}

fn action_verdict(rule: &Body, message: String) -> Verdict {
    let reason = Reason::plain(format!("{}: {message}", rule.id));
    match rule.action {
        Action::Deny => Verdict::deny(reason),
        Action::Ask => Verdict::ask(reason),
        Action::Allow => Verdict::allow(reason),
        Action::Warn => Verdict { notices: vec![reason.text()], ..Verdict::default() },
        Action::Inject => {
            let snippet = Snippet { key: format!("rule {}", rule.id), rank: rule.rank, text: message };
            Verdict { context: vec![snippet], ..Verdict::default() }
        }
        Action::Rewrite => Verdict { rewrites: rule.rewrites.clone(), ..Verdict::default() },
    }
}

/// A rule that cannot be evaluated for this event: the user is asked about what it guards.
fn error_verdict(rule: &Body, failure: &str) -> Verdict {
    let text = format!("rule `{}` could not be evaluated for this event: {failure}", rule.id);
    match rule.action {
        Action::Deny | Action::Ask => Verdict::ask(Reason {
            what: text,
            why: String::new(),
            instead: "Let the user decide, and check the rule with `flyball test`".to_owned(),
        }),
        Action::Allow | Action::Warn | Action::Inject | Action::Rewrite => {
            Verdict { notices: vec![text], ..Verdict::default() }
        }
    }
}

/// Whether a rule that applies once per session applies now; if so, that is remembered.
fn first_time(rule: &Body, situation: &Situation<'_>) -> Result<bool, PolicyError> {
    let mut applied: Vec<String> = situation.recall()?;
    if applied.contains(&rule.id) {
        return Ok(false);
    }
    applied.push(rule.id.clone());
    situation.remember(&applied)?;
    Ok(true)
}
