//! How often a whole pattern is tried before a person is asked.

use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Reason, Verdict};

use super::settings::{Pattern, Settings};
use super::state::State;

/// The agent wants to invoke a skill.
pub(super) fn judge(situation: &Situation<'_>, skill: &str) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let meant: Vec<&Pattern> = settings.pattern.iter().filter(|pattern| pattern.has_skill(skill)).collect();
    if meant.is_empty() {
        return Ok(Verdict::silent());
    }
    let mut state: State = situation.recall()?;
    let (file, notice) = state.read_limits(situation, &settings)?;
    let mut verdict = Verdict { notices: notice.into_iter().collect(), ..Verdict::silent() };
    let tried = |pattern: &Pattern| state.tried.get(&pattern.name).copied().unwrap_or_default();
    let used_up = meant.iter().find(|pattern| tried(pattern) > settings.retries(pattern, &file));
    if let Some(pattern) = used_up {
        verdict.join(denied(skill, pattern, tried(pattern)));
    } else {
        for pattern in meant {
            *state.tried.entry(pattern.name.clone()).or_default() += 1;
        }
    }
    situation.remember(&state)?;
    Ok(verdict)
}

fn denied(skill: &str, pattern: &Pattern, tried: u32) -> Verdict {
    let times = if tried == 1 { "once".to_owned() } else { format!("{tried} times") };
    Verdict::deny(Reason {
        what: format!("`{}` was tried {times} since the last prompt", pattern.name),
        why: format!("The user's next prompt allows `{skill}` again"),
        instead: "Stop, and tell the user what you tried, what is left and what you suggest".to_owned(),
    })
    .with_evidence("escalation", &*pattern.name)
}
