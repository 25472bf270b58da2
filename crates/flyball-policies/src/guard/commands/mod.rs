//! Stops commands that destroy work or leak secrets, by what they would do.

mod bypass;
mod checks;
mod context;
mod databases;
mod deleted;
mod deletion;
mod disposable;
mod files;
mod git;
mod machine;
mod network;
mod opaque;
mod oversight;
mod rule;
mod services;
mod settings;
mod table;
#[cfg(test)]
mod tests;
mod zone;

pub use rule::{Preset, Setting};
pub use settings::Settings;

use std::collections::BTreeSet;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventKind, Tool};
use flyball_core::policy::{OnError, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Stance, Subject, Verdict};

use self::context::{Call, Context};
use self::git::call::GitCall;
use self::rule::{Check, Finding, Rule};
use self::settings::Stored;
use super::secrets::holds_secret;

pub static POLICY: Policy = Policy {
    id: PolicyId::new("guard.commands"),
    summary: "commands that destroy work, leak secrets or slip past checks do not run",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool],
    on_error: OnError::Deny,
    mode: Mode::Enforce,
    section: SectionSpec::compiled::<Settings>(),
    run: judge,
    gather: None,
    review: None,
};

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(line) = situation.effective_line() else { return judge_tool(situation) };
    let settings: Stored = situation.config()?;
    let context = Context::new(situation, line);
    let calls: Vec<Call<'_>> = context.calls().collect();
    let gits = calls.iter().filter(|call| call.program == "git").filter_map(GitCall::read).collect();
    let names = calls.iter().map(|call| call.program).collect();
    let line_calls = LineCalls { calls, names, gits };
    let mut verdict = Verdict::silent();
    // Not only up to the first finding: a later rule may deny what an earlier one asks about.
    for rule in table::rules() {
        let Some(stance) = settings.stance(rule) else { continue };
        if let Some(finding) = check_rule(rule, &context, &line_calls)? {
            verdict.join(rule_verdict(rule, stance, finding));
        }
    }
    Ok(verdict)
}

/// Judges the client's own tool for reading files.
fn judge_tool(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let Some(Tool::Read { path }) = situation.event.call().map(|call| &call.tool) else {
        return Ok(Verdict::silent());
    };
    let is_secret = |path: &str| holds_secret(situation.world.clients(), path);
    // Checking the name first is free, and most files are not secret by it.
    let real = || situation.world.real_path(&situation.event.cwd, path);
    let secret = is_secret(path).then(real).filter(|path| is_secret(path));
    let rule = table::rules().find(|rule| rule.id == network::READ_SECRET);
    let (Some(secret), Some(rule)) = (secret, rule) else { return Ok(Verdict::silent()) };
    let stance = situation.config::<Stored>()?.stance(rule);
    let verdict =
        stance.and_then(|stance| Some(rule_verdict(rule, stance, network::secret_read_finding(&secret)?)));
    Ok(verdict.unwrap_or_default())
}

/// The commands of a line, read once for all rules.
struct LineCalls<'a> {
    calls: Vec<Call<'a>>,
    /// Their programs, without duplicates: a long line has many commands of few programs.
    names: BTreeSet<&'a str>,
    gits: Vec<GitCall<'a>>,
}

/// The first thing that a rule finds.
fn check_rule(
    rule: &Rule,
    context: &Context<'_>,
    line_calls: &LineCalls<'_>,
) -> Result<Option<Finding>, PolicyError> {
    match rule.check {
        Check::Programs(programs, _) if !programs.iter().any(|name| line_calls.names.contains(name)) => {
            Ok(None)
        }
        Check::Programs(programs, look) => {
            let mut matching = line_calls.calls.iter().filter(|call| programs.contains(&call.program));
            Ok(matching.find_map(|call| look(context, call)))
        }
        Check::Clients(look) => {
            let mut clients = line_calls.calls.iter().filter(|call| context.client(call.program).is_some());
            Ok(clients.find_map(|call| look(context, call)))
        }
        Check::Git(look) => Ok(line_calls.gits.iter().find_map(|git| look(context, git))),
        Check::Repository(look) => {
            for git in &line_calls.gits {
                if let Some(finding) = look(context, git)? {
                    return Ok(Some(finding));
                }
            }
            Ok(None)
        }
        Check::Line(look) => Ok(look(context)),
        Check::LineAndRepository(look) => look(context),
    }
}

fn rule_verdict(rule: &Rule, stance: Stance, finding: Finding) -> Verdict {
    let Finding { what, why, instead, file, seen } = finding;
    let reason = Reason { what, why: why.to_owned(), instead };
    // By the intent, guard.denials recognizes another attempt at the same thing.
    let mut verdict = Verdict { stance, reasons: vec![reason], ..Verdict::default() }
        .with_evidence("rule", rule.id)
        .with_subject(Subject::Intent(format!("commands.{}", rule.id)));
    if let Some(path) = file {
        verdict = verdict.with_evidence("file", path.as_str()).with_subject(Subject::File(path));
    }
    if let Some((name, value)) = seen {
        verdict = verdict.with_evidence(name, value);
    }
    verdict
}
