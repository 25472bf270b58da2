//! The texts of the loop: for the agent that is blocked, for an agent whose result is missing, and for the person who
//! has to decide.

use std::collections::BTreeSet;

use flyball_core::policy::PolicyError;
use flyball_core::text;
use flyball_core::verdict::{Reason, Snippet};

use super::machine::{OpenPhase, OpenReason, Proof};
use super::report::{Choice, choices};
use super::session::Session;
use super::settings::{Domain, Phase};
use super::state::{Ending, Entry, Escalation};

/// How many issues of one phase are shown.
const SHOWN_ISSUES: usize = 8;
/// How many of the last events are shown.
const SHOWN_HISTORY: usize = 12;
/// How many names of files are shown.
const SHOWN_FILES: usize = 3;

/// A phase whose result an agent has to report, and the domains it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpectedResult {
    pub(super) phase: Phase,
    pub(super) domains: Vec<String>,
}

impl Session<'_> {
    /// For an agent that is blocked from stopping: all that is open, in order.
    pub(super) fn blocked(&self, open: &[OpenPhase], unproved: &[&Proof]) -> String {
        let unproved: String = unproved
            .iter()
            .map(|proof| {
                format!("\n`{}` ({} of {}): {}", proof.command, proof.phase, proof.domain, proof.tail.trim())
            })
            .collect();
        let fix = if open.iter().any(|open| open.why == OpenReason::Failed) {
            "Fix what failed first, then work"
        } else {
            "Work"
        };
        format!(
            "Not done yet ({}). {fix} through each list in order, without stopping in between:\n{}{unproved}\nDomains can run in parallel. Only the results of these agents count, for the code as it was when they started: edit first, then review.\n{}",
            self.iteration(),
            self.listing(open),
            self.override_help()
        )
    }

    /// For the user: the agent was released although something is open.
    pub(super) fn paused(&self, open: &[OpenPhase]) -> String {
        format!(
            "The agent was blocked from stopping `max_holds` times in this turn and is released for now ({}). Still open:\n{}\nThe loop continues with the next prompt. {}",
            self.iteration(),
            self.listing(open),
            self.override_help()
        )
    }

    /// For the user: a limit was reached, with all that is needed to decide.
    pub(super) fn escalated(&self) -> String {
        let Some(Ending::Escalated(escalation)) = &self.state.ending else { return String::new() };
        let mut text = format!(
            "The loop needs your decision: {} ({}). The agent was released. Open:\n{}",
            escalation.reason,
            self.iteration(),
            self.listing(&self.open_phases())
        );
        if !self.state.history.is_empty() {
            text.push_str(&format!("\nHistory:\n{}", history(&self.state.history)));
        }
        if !escalation.advice.is_empty() {
            text.push_str(&format!("\n{}", advice(escalation)));
        }
        let choices = choices(&self.settings).into_iter();
        text.push_str("\nYour options:");
        text.extend(choices.map(|Choice { command, what }| format!("\n  {command}: {what}")));
        text
    }

    /// For the agent, with the first prompt after a person handed the loop over.
    pub(super) fn handed_over(&self, workflow: &str) -> String {
        let open = self.open_phases();
        let text = format!(
            "The user handed this work over to the workflow `{workflow}`: start it now. The loop no longer blocks you."
        );
        if open.is_empty() {
            return text;
        }
        format!("{text} Still open:\n{}", self.listing(&open))
    }

    /// For the agent, over a compaction.
    pub(super) fn compacted(&self, open: &[OpenPhase]) -> String {
        format!(
            "The review loop is still active after the compaction ({}). Open:\n{}\nYou can stop when everything has passed.",
            self.iteration(),
            self.listing(open)
        )
    }

    /// All that is open, domain by domain, phase by phase.
    fn listing(&self, open: &[OpenPhase]) -> String {
        let mut text = String::new();
        let mut before = "";
        let mut number = 0;
        for open in open {
            let Some(domain) = self.settings.domain(&open.domain) else { continue };
            let Some(phase) = self.settings.phase(&open.phase) else { continue };
            if open.domain != before {
                text.push_str(&format!("{}{}\n", domain.name, self.files(&domain.name)));
                (before, number) = (&open.domain, 0);
            }
            number += 1;
            let by = self.state.domains.get(&domain.name).and_then(|domain| domain.phases.get(&phase.name));
            let by = by.map(|phase| phase.by.as_str()).unwrap_or_default();
            text.push_str(&format!("  {number}. {}\n", describe_open(domain, phase, open, by)));
            if open.why == OpenReason::Failed || is_unproven(open) {
                text.push_str(&issues(&open.issues));
            }
        }
        text.trim_end().to_owned()
    }

    fn files(&self, domain: &str) -> String {
        let names: Vec<&str> = match self.state.domains.get(domain) {
            Some(domain) => domain.files.keys().map(String::as_str).collect(),
            None => Vec::new(),
        };
        if names.is_empty() { String::new() } else { format!(" ({})", text::first(&names, SHOWN_FILES)) }
    }

    fn override_help(&self) -> String {
        let handoff = match self.settings.handoff.as_str() {
            "" => String::new(),
            workflow => format!(", `flyball loop handoff` (to `{workflow}`)"),
        };
        format!(
            "To override (people only): `flyball loop accept` (take it as it is), `flyball loop abort` (no loop in this session){handoff}, or FLYBALL_SKIP=loop.feedback for a whole session."
        )
    }

    /// `iteration 2 of 5`
    fn iteration(&self) -> String {
        format!("iteration {} of {}", self.state.iteration, self.state.max_iterations(&self.settings))
    }
}

/// For the user: there is nothing left to decide.
pub(super) const PASSED_AFTER_ALL: &str =
    "Everything has passed: the loop that needed your decision is done.";

/// For the user: the loop does not block while a workflow is active.
pub(super) fn exempted(workflow: &str, open: &str) -> String {
    format!(
        "The workflow `{workflow}`, started by you, has its own review and tests, so loop.feedback does not block while it is active ({open})."
    )
}

/// Why an agent may not stop yet: git did not say what its calls edited.
pub(super) fn unknown_edits(error: &PolicyError) -> Reason {
    Reason {
        what: format!("flyball does not know which files were edited: {error}"),
        why: format!("What is not known is not proven. To fix: {}", error.fix()),
        instead: "Tell the user, and stop again if git still does not answer".to_owned(),
    }
}

/// For the user: files that nobody of this session is known to have written.
pub(super) fn by_others(files: &BTreeSet<String>) -> String {
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let were = if names.len() == 1 { "it was" } else { "they were" };
    format!(
        "{} changed while the agent worked, and not by a call of this session: {were} not reviewed.",
        text::first(&names, SHOWN_FILES)
    )
}

/// Why a person has to decide although everything has passed.
pub(super) fn changed_scripts(files: &[String]) -> String {
    format!("what proves the work changed during this session: {}", text::list(files))
}

/// For the user: look at the scripts behind the proof.
pub(super) fn changed_scripts_question(reason: &str, files: &[String]) -> String {
    format!(
        "The loop needs your decision: everything has passed, but {reason}. A test that was rewritten proves nothing by itself. The agent was released.\nLook at it: `git diff {}`. `flyball loop accept` takes the work as it is.",
        files.join(" ")
    )
}

/// Why the result of an agent does not count.
pub(super) fn redefined_role(role: &str) -> String {
    format!(
        "the definition of `{role}` changed during this session, so its result does not count: ask the user to review it and to run `flyball loop accept`"
    )
}

/// Why a pass does not count: no test run was seen.
pub(super) const UNTESTED: &str = "the tester ran no test on this code that was seen to pass: let it run the tests itself, in the foreground, alone on the line (no pipe, no `||`)";

/// For a tester that reports a pass and ran nothing.
pub(super) fn missing_run(domains: &[String]) -> Reason {
    Reason {
        instead: format!(
            "Run the tests of {} now, in the foreground and alone on the line (no pipe, no `||`), then report again",
            text::list(domains)
        ),
        what: "no test run was seen to pass on this code".to_owned(),
        why: "A report alone does not count. If nothing can be run here, report that it failed, and why"
            .to_owned(),
    }
}

/// Why a pass does not count: nobody spawned the agent.
pub(super) fn unasked(role: &str) -> String {
    format!(
        "no call in this session spawned this `{role}`, so its pass does not count: spawn it with your tool for agents"
    )
}

/// Whether a pass was reported that does not count.
fn is_unproven(open: &OpenPhase) -> bool {
    matches!(open.why, OpenReason::NotRun | OpenReason::Changed) && !open.issues.is_empty()
}

/// For the agent, with the first prompt after a limit was reached.
pub(super) fn advised(escalation: &Escalation) -> String {
    let mut text = format!(
        "The loop stopped: {}. The user was notified and decides how to continue; follow their instructions.",
        escalation.reason
    );
    if !escalation.advice.is_empty() {
        text.push_str(&format!("\n{}", advice(escalation)));
    }
    text
}

/// For an agent that finished without its result, or whose command failed.
pub(super) fn missing_result(role: &str, expected: &[ExpectedResult], failed: &[&Proof]) -> String {
    let mut parts = Vec::new();
    for proof in failed {
        parts.push(format!(
            "`{}`, which proves {} of {}, failed:\n{}\nFix it if that is your task; in any case report the real result.",
            proof.command,
            proof.phase,
            proof.domain,
            indented(&proof.tail, "  ")
        ));
    }
    for expected in expected {
        let missing = format!(
            "Your result as `{role}` is missing: {}. End your answer with",
            describe_expected(expected)
        );
        parts.push(template(&missing, expected));
    }
    if !expected.is_empty() {
        parts.push(format!("{MARKER_RULE} You are asked once; without a result this counts as failed."));
    }
    parts.join("\n")
}

const MARKER_RULE: &str = "Put the word alone on its line, outside of code blocks and quotes.";

/// For an agent that starts: how to report its result.
pub(super) fn result_format(expected: &[ExpectedResult]) -> String {
    let parts = expected.iter().map(|expected| {
        template(
            &format!(
                "The result of {} is read from the end of this agent's answer:",
                describe_expected(expected)
            ),
            expected,
        )
    });
    format!("{}\n{MARKER_RULE}", parts.collect::<Vec<_>>().join("\n"))
}

/// `review of backend and python`
fn describe_expected(expected: &ExpectedResult) -> String {
    format!("{} of {}", expected.phase.name, text::list(&expected.domains))
}

/// What an agent writes to report its result.
fn template(opening: &str, expected: &ExpectedResult) -> String {
    let ExpectedResult { phase, domains } = expected;
    let Phase { heading, pass, fail, issues, .. } = phase;
    let list = issues.first().map_or_else(String::new, |heading| format!("\n### {heading}"));
    let mut text = format!(
        "{opening}\n\n## {heading}\n{pass}\n\nor, if something has to change,\n\n## {heading}\n{fail}{list}\n- one line per issue\n"
    );
    if domains.len() > 1 {
        text.push_str(&format!(
            "\nIf it is about some of them only, add a line below the heading: `Domains: {}`.",
            domains.first().map(String::as_str).unwrap_or_default()
        ));
    }
    text
}

/// `review: not done yet; spawn `backend-reviewer``
fn describe_open(domain: &Domain, phase: &Phase, open: &OpenPhase, by: &str) -> String {
    let name = &phase.name;
    if let Some(command) = domain.command_for(phase) {
        let runs = "flyball runs it when you stop";
        return match open.why {
            OpenReason::NotRun => format!("{name}: `{command}` has to pass; {runs}"),
            OpenReason::Changed | OpenReason::Stale => {
                format!("{name}: `{command}` passed on older code; {runs}")
            }
            OpenReason::Failed => format!("{name}: `{command}` failed; flyball runs it again when you stop"),
        };
    }
    let spawn = spawn(domain, phase);
    match open.why {
        OpenReason::NotRun => format!("{name}: not done yet; spawn {spawn}"),
        OpenReason::Changed => format!("{name}: passed, but the code changed since; spawn {spawn} again"),
        OpenReason::Stale => {
            let who = if by.is_empty() { "an agent".to_owned() } else { format!("`{by}`") };
            format!(
                "{name}: the code changed while {who} was working, so its result does not count; spawn {spawn} again"
            )
        }
        OpenReason::Failed if by.is_empty() => {
            format!("{name}: failed; fix it, then spawn {spawn} again")
        }
        OpenReason::Failed => {
            format!("{name}: failed (`{by}`); fix it, then spawn {spawn} again")
        }
    }
}

fn spawn(domain: &Domain, phase: &Phase) -> String {
    match domain.agents_for(phase).as_slice() {
        [first, second, ..] => format!("`{first}` (or `{second}`)"),
        [only] => format!("`{only}`"),
        [] => {
            let globs: Vec<String> = domain.roles(phase).map(|glob| format!("`{}`", glob.as_str())).collect();
            format!("an agent whose role matches {}", globs.join(" or "))
        }
    }
}

fn issues(issues: &[String]) -> String {
    let shown = issues.iter().take(SHOWN_ISSUES);
    let mut text: String =
        shown.map(|issue| format!("     - {}\n", indented(issue, "       ").trim_start())).collect();
    if issues.len() > SHOWN_ISSUES {
        text.push_str(&format!("     - and {} more\n", issues.len() - SHOWN_ISSUES));
    }
    text
}

fn indented(text: &str, by: &str) -> String {
    text.trim_end().lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

fn history(history: &[Entry]) -> String {
    let left_out = history.len().saturating_sub(SHOWN_HISTORY);
    let mut lines: Vec<String> = Vec::new();
    if left_out > 0 {
        lines.push(format!("  … {left_out} earlier"));
    }
    lines.extend(history.iter().skip(left_out).map(|entry| format!("  {}. {}", entry.iteration, entry.what)));
    lines.join("\n")
}

fn advice(escalation: &Escalation) -> String {
    let by = if escalation.adviser.is_empty() { String::new() } else { format!(" ({})", escalation.adviser) };
    format!("Advice{by}:\n{}", indented(&escalation.advice, "  "))
}

pub(super) fn snippet(key: &str, text: String) -> Snippet {
    Snippet { key: format!("loop.feedback.{key}"), rank: 0, text }
}
