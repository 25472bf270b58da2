//! Lets a model fix what linters found, and keeps only real fixes.
//!
//! The model works on a copy or answers with edits; the project's file is touched here only:
//!
//! 1. [`tier`] chooses the model, [`prompt`] writes its task.
//! 2. [`guard`] checks its proposal. One that cheats is never written.
//! 3. The rest is written, formatted and checked again by the caller. If that does not show
//!    fewer findings, the file gets its old content back.

mod candidate;
mod claude;
mod code;
mod definitions;
mod edits;
pub mod guard;
pub(crate) mod lines;
mod meaning;
pub mod prompt;
mod request;
mod server;
#[cfg(test)]
mod tests;
pub mod tier;

use std::time::Duration;

use flyball_core::path::{AbsolutePath, ProjectPath};
use flyball_core::workshop::{Rewritten, Workshop};

use self::guard::{Candidate, Guards, Verified, count_fixable};
pub use self::request::IN_FIXER;
use self::request::{FixRequest, failed};
use crate::finding::{Finding, Level};
use crate::report::{FixOutcome, FixReport};
use crate::settings::{FixerSettings, Provider};

/// `off` disables the fixer, whatever the config says.
const SWITCH: &str = "FLYBALL_FIXER";

/// How long the model may take, in seconds, whatever the config says.
const TIMEOUT: &str = "FLYBALL_FIXER_TIMEOUT";

/// One file to fix.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    /// The settings in force.
    pub settings: &'a FixerSettings,
    /// The project's root, without symlinks.
    pub root: &'a AbsolutePath,
    pub path: &'a ProjectPath,
    /// What is in it now, already formatted.
    pub before: &'a str,
    /// What was found in it. Advisories are neither given to the model nor counted.
    pub findings: &'a [Finding],
    /// How long the model may take at most, without the check afterwards.
    pub timeout: Duration,
    /// Formats the file as it is on disk, and collects what linters find in it then.
    pub verify: &'a dyn Fn() -> Verified,
    /// What others know about weakened checks.
    pub guards: Guards,
}

/// Asks a model to fix the findings. `None` if none is asked: it is disabled, there is nothing to fix, or
/// a model may not edit the file.
#[must_use]
pub fn fix(attempt: &Attempt<'_>, workshop: &dyn Workshop) -> Option<FixReport> {
    let is_off = |value: String| matches!(value.to_ascii_lowercase().as_str(), "off" | "0" | "false" | "no");
    if !attempt.settings.enabled
        // Inside the fixer's own client, asking again would never end.
        || workshop.variable(IN_FIXER).is_some()
        || workshop.variable(SWITCH).is_some_and(is_off)
    {
        return None;
    }
    let mut findings = attempt.findings.to_vec();
    findings.retain(|finding| finding.level > Level::Advisory);
    // Asked before the model, because its answer would be refused anyway, and costs money.
    if findings.is_empty() || (attempt.guards.off_limits)(attempt.guards.clients, attempt.path).is_some() {
        return None;
    }
    let began = workshop.elapsed();
    let choice = tier::choose(attempt.settings, &findings);
    let end = match &choice.model {
        Some(model) => {
            let request = FixRequest {
                settings: attempt.settings,
                strength: choice.strength,
                model,
                root: attempt.root,
                path: attempt.path,
                before: attempt.before,
                task: prompt::task(attempt.path, &findings),
                timeout: limit(attempt, &choice, workshop),
            };
            let proposed = if request.timeout.is_zero() {
                Err(failed("no time left".to_owned()))
            } else {
                propose(&request, workshop)
            };
            proposed.and_then(|after| try_proposal(attempt, &findings, &after, workshop))
        }
        None => Err(failed("no model is configured: set `quality.fixer.model`".to_owned())),
    };
    let (Ok(end) | Err(end)) = end;
    let took = workshop.elapsed().saturating_sub(began);
    Some(FixReport { model: choice.model.unwrap_or_default(), given: findings.len(), end, took })
}

/// The file as the model would change it. The project is not touched.
fn propose(request: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
    match request.settings.provider {
        Provider::Claude => claude::propose(request, workshop),
        Provider::Anthropic | Provider::Openai => server::propose(request, workshop),
    }
}

/// How long the model may take.
fn limit(attempt: &Attempt<'_>, choice: &tier::Choice, workshop: &dyn Workshop) -> Duration {
    let variable =
        workshop.variable(TIMEOUT).and_then(|text| text.trim().parse::<u64>().ok()).filter(|it| *it > 0);
    let seconds = variable.unwrap_or_else(|| u64::from(attempt.settings.seconds(choice.strength)));
    Duration::from_secs(seconds).min(attempt.timeout)
}

/// Tries a proposal. Both arms are outcomes; the error is the early one.
fn try_proposal(
    attempt: &Attempt<'_>,
    findings: &[Finding],
    after: &str,
    workshop: &dyn Workshop,
) -> Result<FixOutcome, FixOutcome> {
    let Attempt { path, before, .. } = *attempt;
    if after == before {
        return Ok(FixOutcome::Unchanged);
    }
    let most_lines = attempt.settings.most_lines;
    let candidate = Candidate { path, before, after, findings, most_lines };
    let refusals = guard::refusals(&candidate, attempt.guards);
    if !refusals.is_empty() {
        return Err(FixOutcome::Refused(refusals));
    }
    let file = attempt.root.join(path);
    // Only over the content that the model was given: an edit of the agent in the meantime wins.
    match workshop.rewrite(&file, before.as_bytes(), after.as_bytes()) {
        Ok(Rewritten::Yes) => {}
        Ok(Rewritten::Overtaken) => {
            return Err(failed("the file was changed by someone else in the meantime".to_owned()));
        }
        Err(error) => return Err(failed(format!("the file cannot be written: {error}"))),
    }
    let verified = (attempt.verify)();
    let mut shortfalls = guard::shortfalls(findings, &verified);
    if shortfalls.is_empty() {
        return Ok(FixOutcome::Kept(findings.len() - count_fixable(&verified.findings)));
    }
    shortfalls.extend(restore_file(&file, &verified, before, workshop));
    Err(FixOutcome::Refused(shortfalls))
}

/// Restores the file. Returns why, if it cannot.
fn restore_file(
    file: &AbsolutePath,
    verified: &Verified,
    before: &str,
    workshop: &dyn Workshop,
) -> Option<String> {
    // The formatter may have changed the proposal, so that is what is on disk now.
    match workshop.rewrite(file, verified.content.as_bytes(), before.as_bytes()) {
        Ok(Rewritten::Yes) => None,
        Ok(Rewritten::Overtaken) => {
            Some("the file was changed by someone else in the meantime and was left as it is".to_owned())
        }
        Err(error) => Some(format!("the file could not be restored: {error}")),
    }
}
