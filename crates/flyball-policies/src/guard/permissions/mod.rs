//! Answers the client's permission prompt where the config already decides it.

mod arguments;
mod call;
mod grant;
mod line;
mod options;
mod part;
mod pattern;
mod places;
mod presets;
mod settings;
#[cfg(test)]
mod tests;
mod variables;

pub use presets::Preset;
pub use settings::{Stored, Written};

use flyball_core::config::{Mode, SectionSpec, Tightening};
use flyball_core::event::{EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::text;
use flyball_core::verdict::{Reason, Verdict};

use self::line::{Finding, Judge, NotAllowed};
use self::places::Places;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.permissions"),
    summary: "what is known to be safe is allowed without asking, part by part",
    page: include_str!("policy.md"),
    listens: &[EventKind::PermissionAsked],
    // If it fails, the client asks its user, as it would without flyball.
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<Written>()
        .tightened_by(&[("deny", Tightening::More), ("ask", Tightening::More)]),
    run,
    gather: None,
    review: None,
};

/// Checks that a text is a valid pattern for `allow`, `deny` and `ask`.
///
/// # Errors
/// What is wrong with it, for people.
pub fn check(pattern: &str) -> Result<(), String> {
    pattern::Pattern::parse(pattern).map(drop).map_err(|error| error.what)
}

fn run(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(call) = situation.event.call() else { return Ok(Verdict::silent()) };
    let Stored(rules) = situation.config()?;
    let places = Places::new(situation, &rules);
    let found = match (&call.tool, situation.line()) {
        (Tool::Shell { command, .. }, Some(line)) => {
            let judge = Judge { situation, line, text: command, rules: &rules, places: &places };
            judge.find()
        }
        _ => call::find(call, &rules, &places),
    };
    Ok(verdict(found))
}

fn verdict(found: Finding) -> Verdict {
    match found {
        Finding::Denied { part, by } => denial(&part, &by),
        Finding::Allowed(parts) => {
            let names = text::quoted(parts.iter().map(|(part, _)| part));
            let reason = Reason::plain(format!("allowed by guard.permissions: {names}"));
            let allowed = |(part, by): &(String, String)| format!("`{part}` by `{by}`");
            parts
                .iter()
                .fold(Verdict::allow(reason), |verdict, part| verdict.with_evidence("allowed", allowed(part)))
        }
        // Silent instead of `ask`: the client is about to ask anyway.
        Finding::NotAllowed(NotAllowed { part, why }) => {
            Verdict::silent().with_evidence("left to the user", format!("`{part}`: {why}"))
        }
    }
}

fn denial(part: &str, by: &str) -> Verdict {
    let reason = Reason {
        instead: "Continue without it, or ask the user to do it".to_owned(),
        what: format!("`{part}` is denied by `{by}` in `guard.permissions.deny`"),
        why: String::new(),
    };
    Verdict::deny(reason).with_evidence("denied", format!("`{part}` by `{by}`"))
}
