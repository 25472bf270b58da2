//! The texts of the loop: for the agent that is blocked, for an agent whose result is missing, and for the person who
//! has to decide.

use std::collections::BTreeSet;

use flyball_core::policy::PolicyError;
use flyball_core::text;
use flyball_core::verdict::{Reason, Snippet};

use super::super::adviser::QUESTIONS;
use super::machine::{OpenPhase, OpenReason, Proof, condense};
use super::report::{self, Choice, choices};
use super::result_format::{ExpectedResult, MARKER_RULE, describe_expected, template};
use super::roster::Roster;
use super::session::Session;
use super::settings::{Domain, Phase};
use super::state::{Ending, Entry, Escalation, PhaseState};
use crate::globs::Glob;

/// How many issues of one phase are shown.
const SHOWN_ISSUES: usize = 8;
/// How many of the last events are shown.
const SHOWN_HISTORY: usize = 6;
/// How many names of files are shown.
const SHOWN_FILES: usize = 3;
/// How many lines a message may have: one screen.
const SCREEN: usize = 20;
/// How many of them are the head and the foot of a block.
const HEAD_AND_FOOT: usize = 3;
/// How many commands without a verdict are shown, and how many lines of each, and of an issue among others.
const SHOWN_UNPROVED: usize = 2;
const ISSUE_LINES: usize = 3;
/// How many lines of a report to the user list what is open; the others have the history and the options.
const ESCALATED_ROOM: usize = 6;
/// What the answer of a run that nobody watches begins with if its work was not proven.
const UNPROVEN: &str = "NOT PROVEN";

/// Whom to spawn for a phase.
struct Spawn {
    /// `` `reviewer` (or `code-reviewer`) ``
    who: String,
    /// What to write into its prompt, and how to have an agent of one's own; empty for a defined agent.
    note: String,
}

impl Session<'_> {
    /// For an agent that is blocked from stopping: all that is open, in order. What was listed before is not listed again.
    pub(super) fn blocked(&self, open: &[OpenPhase], unproved: &[&Proof], is_alone: bool) -> String {
        if self.state.blocked.repeats > 1 && unproved.is_empty() {
            return self.blocked_again(open, is_alone);
        }
        let unproved: Vec<String> =
            unproved.iter().take(SHOWN_UNPROVED).map(|proof| no_verdict(proof)).collect();
        let fix = if open.iter().any(|open| open.why == OpenReason::Failed) {
            "Fix what failed first, then work"
        } else {
            "Work"
        };
        let used: usize = HEAD_AND_FOOT + unproved.iter().map(|text| text.lines().count()).sum::<usize>();
        let parts = [
            format!("Not done yet ({}). {fix} through each list in order, without stopping in between:", self.iteration()),
            self.listing(open, SCREEN.saturating_sub(used)),
            unproved.join("\n"),
            "Domains can run in parallel. Only the results of these agents count, for the code as it was when they started: edit first, then review.".to_owned(),
            self.override_help(),
        ];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n")
    }

    /// For an agent that is blocked with the same content and findings as the last time.
    fn blocked_again(&self, open: &[OpenPhase], is_alone: bool) -> String {
        let first = open.first().and_then(|open| {
            let (domain, phase) = (self.settings.domain(&open.domain)?, self.settings.phase(&open.phase)?);
            let next = match domain.command_for(phase) {
                Some(command) => format!("make `{command}` pass"),
                None if self.does_not_count(domain, phase) => {
                    return Some("ask the user to decide: its result does not count".to_owned());
                }
                None => {
                    let Spawn { who, note } = self.spawn(domain, phase);
                    return Some(format!("spawn {who} for {} of {}{note}", phase.name, domain.name));
                }
            };
            Some(format!("{next} for {} of {}", phase.name, domain.name))
        });
        let otherwise = if is_alone { "stop and say what is open" } else { "ask the user" };
        format!(
            "Still not done ({}): nothing changed since this was listed: {}.\nNext: {}. If you cannot go on, {otherwise}.\nTo override (people only): `flyball loop accept`, `flyball loop abort`.",
            self.iteration(),
            report::open_line(open),
            first.unwrap_or_default(),
        )
    }

    /// For the user: the agent may stop to ask them something.
    pub(super) fn stays_open(&self) -> String {
        let open = report::open_line(&self.open_phases());
        format!("The agent stopped to ask you something; the loop stays open ({}, {open}).", self.iteration())
    }

    /// For the user: what is open needs subagents, which would be denied now.
    pub(super) fn waits_for_compaction(&self) -> String {
        let open = report::open_line(&self.open_phases());
        format!(
            "Run `/compact`: the context is too full to start a subagent, so the loop waits ({}, {open}). It goes on after the compaction.",
            self.iteration()
        )
    }

    /// For an agent whose run nobody watches: a limit was reached, and its answer is all that anybody will see.
    pub(super) fn unproven(&self, escalation: &Escalation) -> String {
        let open = self.open_phases();
        format!(
            "The loop ends without proof: {} ({}). Nobody is here to decide. Do no more work, and stop with an answer that begins with the line `{UNPROVEN}: {}`, and then says what is open:\n{}",
            escalation.reason,
            self.iteration(),
            escalation.reason,
            self.listing(&open, SCREEN - 2)
        )
    }

    /// For the user: the agent was released although something is open.
    pub(super) fn paused(&self, open: &[OpenPhase]) -> String {
        format!(
            "The agent was blocked from stopping `max_holds` times in this turn and is released for now ({}). Still open:\n{}\nThe loop continues with the next prompt. {}",
            self.iteration(),
            self.listing(open, SCREEN - HEAD_AND_FOOT),
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
            self.listing(&self.open_phases(), ESCALATED_ROOM)
        );
        if !self.state.history.is_empty() {
            text.push_str(&format!("\nHistory:\n{}", history(&self.state.history)));
        }
        // Our own advice lists what is above and below once more.
        let is_own = escalation.adviser.is_empty();
        let questions = escalation.advice.split("\n\n").find(|part| part.starts_with(QUESTIONS));
        match questions.filter(|_| is_own) {
            Some(questions) => text.push_str(&format!("\n{questions}")),
            None if escalation.advice.is_empty() => {}
            None => text.push_str(&format!("\n{}", advice(escalation))),
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
        format!("{text} Still open:\n{}", self.listing(&open, SCREEN - HEAD_AND_FOOT))
    }

    /// For the agent, over a compaction.
    pub(super) fn compacted(&self, open: &[OpenPhase]) -> String {
        format!(
            "The review loop is still active after the compaction ({}). Open:\n{}\nYou can stop when everything has passed.",
            self.iteration(),
            self.listing(open, SCREEN - HEAD_AND_FOOT)
        )
    }

    /// All that is open, domain by domain, phase by phase, in so many lines. Where that does not fit, a domain has one line.
    fn listing(&self, open: &[OpenPhase], room: usize) -> String {
        let domains = self.by_domain(open);
        let failed =
            open.iter().filter(|open| open.why == OpenReason::Failed || is_unproven(open)).count().max(1);
        let whole: usize = domains.iter().map(|(_, open)| 1 + open.len()).sum();
        let mut lines = Vec::new();
        if whole <= room {
            let each = (room - whole) / failed;
            for (domain, open) in &domains {
                let place = self.place(domain);
                lines.push(format!("{}{}{place}", domain.name, self.files(&domain.name)));
                for (at, open) in open.iter().enumerate() {
                    lines.push(format!("  {}. {}", at + 1, self.describe_open(domain, open)));
                    lines.extend(issue_lines(open, each));
                }
            }
            return lines.join("\n");
        }
        let shown = if domains.len() > room { room.saturating_sub(1) } else { domains.len() };
        let each = room.saturating_sub(shown + usize::from(shown < domains.len())) / failed;
        for (domain, open) in domains.iter().take(shown) {
            lines.push(self.domain_line(domain, open));
            lines.extend(open.iter().flat_map(|open| issue_lines(open, each)));
        }
        if shown < domains.len() {
            lines.push(format!("and {} more domains: `flyball loop` lists them", domains.len() - shown));
        }
        lines.join("\n")
    }

    /// What is open, domain by domain.
    fn by_domain<'o>(&self, open: &'o [OpenPhase]) -> Vec<(&Domain, Vec<&'o OpenPhase>)> {
        let domains = self.settings.domain.iter().map(|domain| {
            let open = open.iter().filter(|open| open.domain == domain.name).collect::<Vec<_>>();
            (domain, open)
        });
        domains.filter(|(_, open)| !open.is_empty()).collect()
    }

    /// `backend (a.go): review failed, testing; spawn `backend-reviewer`, then `tester``
    fn domain_line(&self, domain: &Domain, open: &[&OpenPhase]) -> String {
        let phase = |open: &&OpenPhase| match open.why {
            OpenReason::Failed => format!("{} failed", open.phase),
            OpenReason::NotRun | OpenReason::Changed | OpenReason::Stale | OpenReason::Elsewhere => {
                open.phase.clone()
            }
        };
        let phases: Vec<String> = open.iter().map(phase).collect();
        let step = |open: &&OpenPhase| {
            let phase = self.settings.phase(&open.phase)?;
            let command = domain.command_for(phase).map(|command| format!("`{command}` passes"));
            Some(command.unwrap_or_else(|| self.agent_for(domain, phase)))
        };
        let mut steps: Vec<String> = open.iter().filter_map(step).collect();
        let count = steps.len();
        steps.dedup();
        if let [only] = steps.as_mut_slice()
            && count > 1
        {
            only.push_str(" for each");
        }
        format!(
            "{}{}{}: {}; spawn {}",
            domain.name,
            self.files(&domain.name),
            self.place(domain),
            phases.join(", "),
            steps.join(", then ")
        )
    }

    /// For work in another checkout: where its agents have to look.
    fn place(&self, domain: &Domain) -> String {
        let shown = self.state.trees.iter().find(|(_, tree)| Some(*tree) == domain.tree.as_ref());
        shown.map_or_else(String::new, |(shown, _)| format!("; tell the agents to look in `{shown}`"))
    }

    fn files(&self, domain: &str) -> String {
        let names: Vec<&str> = match self.state.domains.get(domain) {
            Some(domain) => domain.files.keys().map(String::as_str).collect(),
            None => Vec::new(),
        };
        if names.is_empty() { String::new() } else { format!(" ({})", text::first(&names, SHOWN_FILES)) }
    }

    /// `review: not done yet; spawn `backend-reviewer``
    fn describe_open(&self, domain: &Domain, open: &OpenPhase) -> String {
        let Some(phase) = self.settings.phase(&open.phase) else { return String::new() };
        let name = &phase.name;
        if open.why == OpenReason::Elsewhere {
            return format!(
                "{name}: the work is on another branch or tag: switch to it and finish it, or delete it"
            );
        }
        if let Some(command) = domain.command_for(phase) {
            let runs = "flyball runs it when you stop";
            return match open.why {
                OpenReason::NotRun | OpenReason::Elsewhere => {
                    format!("{name}: `{command}` has to pass; {runs}")
                }
                OpenReason::Changed | OpenReason::Stale => {
                    format!("{name}: `{command}` passed on older code; {runs}")
                }
                OpenReason::Failed => {
                    format!("{name}: `{command}` failed; flyball runs it again when you stop")
                }
            };
        }
        let known = self.state.domains.get(&domain.name).and_then(|domain| domain.phases.get(name));
        let by = known.map(|phase| phase.by.as_str()).unwrap_or_default();
        if open.why == OpenReason::Failed && self.does_not_count(domain, phase) {
            return format!("{name}: no result of `{by}` counts; ask the user to decide");
        }
        let Spawn { who, note } = self.spawn(domain, phase);
        match open.why {
            OpenReason::NotRun | OpenReason::Elsewhere => format!("{name}: not done yet; spawn {who}{note}"),
            OpenReason::Changed => {
                format!("{name}: passed, but the code changed since; spawn {who} again{note}")
            }
            OpenReason::Stale => {
                let by = if by.is_empty() { "an agent".to_owned() } else { format!("`{by}`") };
                format!(
                    "{name}: the code changed while {by} was working, so its result does not count; spawn {who} again{note}"
                )
            }
            OpenReason::Failed if by.is_empty() => {
                format!("{name}: failed; fix it, then spawn {who} again{note}")
            }
            OpenReason::Failed => {
                format!("{name}: failed (`{by}`); fix it, then spawn {who} again{note}")
            }
        }
    }

    /// Whether the last result of a phase is of an agent whose definition changed, so that only a person can decide.
    fn does_not_count(&self, domain: &Domain, phase: &Phase) -> bool {
        let known = self.state.domains.get(&domain.name).and_then(|domain| domain.phases.get(&phase.name));
        let is_redefined = |known: &PhaseState| {
            !known.by.is_empty()
                && known.issues.contains(&redefined_role(&known.by))
                && known.issues.len() == 1
        };
        known.is_some_and(is_redefined)
    }

    /// Whom to spawn for a phase: agents that are defined here, else the client's own worker.
    fn spawn(&self, domain: &Domain, phase: &Phase) -> Spawn {
        let roster = Roster::read(self.situation).unwrap_or_default();
        let defined = |who: String| Spawn { who, note: String::new() };
        match roster.serving(domain, phase).as_slice() {
            [first, second, ..] => return defined(format!("`{first}` (or `{second}`)")),
            [only] => return defined(format!("`{only}`")),
            [] => {}
        }
        let wanted = domain.agents_for(phase);
        if let Some(worker) = roster.stand_in(domain, phase) {
            let missing =
                wanted.last().map_or_else(|| "one of your own".to_owned(), |name| format!("`{name}`"));
            let note = format!(
                ", with the word `{}` in its prompt (`flyball init --packs loop` makes {missing})",
                phase.pass
            );
            return Spawn { who: format!("`{worker}`"), note };
        }
        defined(match wanted.as_slice() {
            [first, second, ..] => format!("`{first}` (or `{second}`)"),
            [only] => format!("`{only}`"),
            [] => {
                let glob = domain.roles(phase).next().map(Glob::as_str).unwrap_or_default();
                format!("an agent whose role matches `{glob}`")
            }
        })
    }

    /// The name of the agent to spawn.
    fn agent_for(&self, domain: &Domain, phase: &Phase) -> String {
        self.spawn(domain, phase).who.split(" (").next().unwrap_or_default().to_owned()
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

/// For the user: a session begins as a copy of another.
pub(super) const FORKED: &str = "This session is a fork: the reviews and the open work of the session that it came from stay \
    there, and what was edited before is not asked for here. `flyball loop` shows it.";

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
        instead: "Tell the user, and stop again".to_owned(),
    }
}

/// For the user: files that nobody of this session is known to have written.
pub(super) fn by_others(files: &BTreeSet<String>) -> String {
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let were = if names.len() == 1 { "it was" } else { "they were" };
    format!(
        "{} changed while the agent or its commands ran, not by an edit of this session: {were} not reviewed.",
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
        let consequence = if expected.iter().all(|expected| expected.is_stand_in) {
            "without a result it stays open"
        } else {
            "without a result this counts as failed"
        };
        parts.push(format!("{MARKER_RULE} You are asked once; {consequence}."));
    }
    parts.join("\n")
}

/// The findings of a phase that failed, in at most so many lines: the first issues, or the end of an output.
fn issue_lines(open: &OpenPhase, most: usize) -> Vec<String> {
    if !(open.why == OpenReason::Failed || is_unproven(open)) || most == 0 {
        return Vec::new();
    }
    if let [output] = open.issues.as_slice() {
        let lines: Vec<&str> = output.trim_end().lines().collect();
        let surplus = lines.len().saturating_sub(most);
        let shown = lines.iter().skip(if surplus > 0 { surplus + 1 } else { 0 });
        let mark = (surplus > 0).then_some(&"…");
        let text = mark.into_iter().chain(shown).copied().collect::<Vec<_>>().join("\n");
        return bullet(&text);
    }
    let mut lines = Vec::new();
    for (at, issue) in open.issues.iter().enumerate() {
        let left = open.issues.len() - at;
        let item = bullet(&issue.lines().take(ISSUE_LINES).collect::<Vec<_>>().join("\n"));
        let room = most.saturating_sub(lines.len() + usize::from(left > 1));
        if at == SHOWN_ISSUES || item.len() > room {
            lines.push(format!("     - and {left} more"));
            break;
        }
        lines.extend(item);
    }
    lines
}

fn bullet(text: &str) -> Vec<String> {
    format!("     - {}", indented(text, "       ").trim_start()).lines().map(str::to_owned).collect()
}

/// A command that said nothing about the code.
fn no_verdict(proof: &Proof) -> String {
    let lines: Vec<&str> = proof.tail.trim().lines().collect();
    let tail = lines.get(lines.len().saturating_sub(ISSUE_LINES)..).unwrap_or_default().join("\n");
    format!("`{}` ({} of {}): {tail}", proof.command, proof.phase, proof.domain)
}

fn indented(text: &str, by: &str) -> String {
    text.trim_end().lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}

fn history(history: &[Entry]) -> String {
    let shown = condense(history, SHOWN_HISTORY);
    let left_out = history.len() - shown.len();
    let mut lines: Vec<String> = Vec::new();
    if left_out > 0 {
        lines.push(format!("  … {left_out} left out (`flyball loop` has them)"));
    }
    lines.extend(shown.iter().map(|entry| format!("  {}. {}", entry.iteration, entry.what)));
    lines.join("\n")
}

fn advice(escalation: &Escalation) -> String {
    let by = if escalation.adviser.is_empty() { String::new() } else { format!(" ({})", escalation.adviser) };
    format!("Advice{by}:\n{}", indented(&escalation.advice, "  "))
}

pub(super) fn snippet(key: &str, text: String) -> Snippet {
    Snippet { key: format!("loop.feedback.{key}"), rank: 0, text }
}
