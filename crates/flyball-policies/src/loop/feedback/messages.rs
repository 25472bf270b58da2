//! The words in which the loop speaks: to the agent that is held, to the one that owes a result, to the person who
//! has to decide.

use flyball_core::text;
use flyball_core::verdict::Snippet;

use super::agents::ExpectedResult;
use super::machine::{OpenPhase, OpenReason, Proof};
use super::report::limit;
use super::settings::{Domain, Phase, Settings};
use super::state::{Ending, Entry, Escalation, State};

/// So many issues of one phase are shown.
const SHOWN_ISSUES: usize = 8;
/// So many of the last things that happened are shown.
const SHOWN_HISTORY: usize = 12;
/// So many names of files are shown.
const SHOWN_FILES: usize = 3;

/// To an agent that is kept from stopping: all that is open, and in which order it is done.
pub(super) fn blocked(state: &State, settings: &Settings, open: &[OpenPhase], mute: &[&Proof]) -> String {
    let mute: String = mute
        .iter()
        .map(|proof| {
            format!("\n`{}` ({} of {}): {}", proof.command, proof.phase, proof.domain, proof.tail.trim())
        })
        .collect();
    let fix = if open.iter().any(|open| open.why == OpenReason::Failed) {
        "Fix what failed first, then go"
    } else {
        "Go"
    };
    format!(
        "The work is not proven yet ({}). Open:\n{}{mute}\n{fix} through each list from top to bottom without \
         stopping in between; domains can go side by side. Only these agents' own results count, and only for the \
         code as it was when they started: edit first, then have it reviewed.\n{}",
        iteration(state, settings),
        listing(state, settings, open),
        override_help(settings)
    )
}

/// To the user: the agent was let go although something is open.
pub(super) fn paused(state: &State, settings: &Settings, open: &[OpenPhase]) -> String {
    format!(
        "The agent was kept from stopping as often as `max_holds` allows in one turn and is let go for now ({}). \
         Still open:\n{}\nThe loop goes on with the next prompt. {}",
        iteration(state, settings),
        listing(state, settings, open),
        override_help(settings)
    )
}

/// To the user: what they had to decide about is settled.
pub(super) const PASSED_AFTER_ALL: &str =
    "Everything has passed after all: the loop that needed you is done, and there is nothing left to decide.";

/// To the user: a workflow lets the loop off.
pub(super) fn exempted(workflow: &str, by_person: bool, open: &str) -> String {
    let by = if by_person { "that you began" } else { "that the agent began itself" };
    format!(
        "The workflow `{workflow}` {by} brings its own review and tests, so loop.feedback holds nobody while it is \
         active ({open})."
    )
}

/// To the user: what proves the work was edited with it.
pub(super) fn redefined(files: &[String]) -> String {
    format!(
        "The work is proven, but what the proof consists of was edited in this session: {}. Look at it yourself.",
        files.join(", ")
    )
}

/// To the user: a limit was reached, with all that is needed to decide.
pub(super) fn escalated(state: &State, settings: &Settings) -> String {
    let Some(Ending::Escalated(escalation)) = &state.ending else { return String::new() };
    let mut text = format!(
        "The loop needs you: {} ({}). The agent was let go. Open:\n{}",
        escalation.reason,
        iteration(state, settings),
        listing(state, settings, &state.open_phases(settings))
    );
    if !state.history.is_empty() {
        text.push_str(&format!("\nWhat happened:\n{}", history(&state.history)));
    }
    if !escalation.advice.is_empty() {
        text.push_str(&format!("\n{}", advice(escalation)));
    }
    let options = options(settings).into_iter().map(|(command, what)| format!("\n  {command}: {what}"));
    text.push_str("\nYou decide:");
    text.extend(options);
    text
}

/// To the agent, with the first prompt after a limit was reached.
pub(super) fn advised(escalation: &Escalation) -> String {
    let mut text = format!(
        "The loop was stopped: {}. The user was told and decides how it goes on; do what they say now.",
        escalation.reason
    );
    if !escalation.advice.is_empty() {
        text.push_str(&format!("\n{}", advice(escalation)));
    }
    text
}

/// To the agent, with the first prompt after a person handed the loop over.
pub(super) fn handed_over(state: &State, settings: &Settings, workflow: &str) -> String {
    let open = state.open_phases(settings);
    let text = format!(
        "The user handed this work over to the workflow `{workflow}`: start it now. The loop holds nobody any more."
    );
    if open.is_empty() {
        return text;
    }
    format!("{text} It was left at:\n{}", listing(state, settings, &open))
}

/// To the agent, over a compaction.
pub(super) fn compacted(state: &State, settings: &Settings, open: &[OpenPhase]) -> String {
    format!(
        "The loop is in force and outlives the compaction ({}). Open:\n{}\nYou can stop when all of it has passed.",
        iteration(state, settings),
        listing(state, settings, open)
    )
}

/// To an agent that finished without saying its result, or whose result a command does not bear out.
pub(super) fn missing_result(role: &str, owed: &[ExpectedResult<'_>], failed: &[&Proof]) -> String {
    let mut parts = Vec::new();
    for proof in failed {
        parts.push(format!(
            "`{}`, which proves {} of {}, failed:\n{}\nMend it if that is your task; in any case report what is so.",
            proof.command,
            proof.phase,
            proof.domain,
            indented(&proof.tail, "  ")
        ));
    }
    for owed in owed {
        let missing = format!(
            "You are `{role}`, and your result is missing: {}. End your answer with",
            describe_expected(owed)
        );
        parts.push(template(&missing, owed));
    }
    if !owed.is_empty() {
        parts.push(format!("{MARKER_RULE} You are asked once; without a result this counts as failed."));
    }
    parts.join("\n")
}

const MARKER_RULE: &str = "The word stands alone on its line and outside of code and quotations.";

/// To an agent that begins: how its result is said.
pub(super) fn result_format(owed: &[ExpectedResult<'_>]) -> String {
    let parts = owed.iter().map(|owed| {
        template(
            &format!(
                "The result of {} is read from the end of this agent's answer:",
                describe_expected(owed)
            ),
            owed,
        )
    });
    format!("{}\n{MARKER_RULE}", parts.collect::<Vec<_>>().join("\n"))
}

/// `review of backend and python`
fn describe_expected(owed: &ExpectedResult<'_>) -> String {
    format!("{} of {}", owed.phase.name, text::list(&owed.domains))
}

/// What an agent writes to say its result.
fn template(opening: &str, owed: &ExpectedResult<'_>) -> String {
    let ExpectedResult { phase, domains } = owed;
    let Phase { heading, pass, fail, issues, .. } = phase;
    let list = issues.first().map_or_else(String::new, |heading| format!("\n### {heading}"));
    let mut text = format!(
        "{opening}\n\n## {heading}\n{pass}\n\nor, if something has to change,\n\n## {heading}\n{fail}{list}\n- one \
         line for each\n"
    );
    if domains.len() > 1 {
        text.push_str(&format!(
            "\nIf it is only about some of them, say so below the heading: `Domains: {}`.",
            domains.first().copied().unwrap_or_default()
        ));
    }
    text
}

/// All that is open, domain by domain, phase by phase.
fn listing(state: &State, settings: &Settings, open: &[OpenPhase]) -> String {
    let mut text = String::new();
    let mut before = "";
    let mut number = 0;
    for open in open {
        let Some(domain) = settings.domain(&open.domain) else { continue };
        let Some(phase) = settings.phase.iter().find(|phase| phase.name == open.phase) else { continue };
        if open.domain != before {
            text.push_str(&format!("{}{}\n", domain.name, files(state, &domain.name)));
            (before, number) = (&open.domain, 0);
        }
        number += 1;
        let by = state.domains.get(&domain.name).and_then(|domain| domain.phases.get(&phase.name));
        let by = by.map(|phase| phase.by.as_str()).unwrap_or_default();
        text.push_str(&format!("  {number}. {}\n", line((domain, phase), open, by)));
        if open.why == OpenReason::Failed {
            text.push_str(&issues(&open.issues));
        }
    }
    text.trim_end().to_owned()
}

fn files(state: &State, domain: &str) -> String {
    let names: Vec<&str> = match state.domains.get(domain) {
        Some(domain) => domain.files.keys().map(String::as_str).collect(),
        None => Vec::new(),
    };
    if names.is_empty() { String::new() } else { format!(" ({})", text::first(&names, SHOWN_FILES)) }
}

/// `review: not done yet; spawn `backend-reviewer``
fn line((domain, phase): (&Domain, &Phase), open: &OpenPhase, by: &str) -> String {
    let name = &phase.name;
    if let Some(command) = domain.command_for(phase) {
        let runs = "flyball runs it itself when you stop";
        return match open.why {
            OpenReason::NotRun => format!("{name}: `{command}` has to pass; {runs}"),
            OpenReason::Changed | OpenReason::Stale => {
                format!("{name}: `{command}` passed on other code; {runs}")
            }
            OpenReason::Failed => format!("{name}: `{command}` failed; {runs} again"),
        };
    }
    let spawn = spawn(domain, phase);
    match open.why {
        OpenReason::NotRun => format!("{name}: not done yet; spawn {spawn}"),
        OpenReason::Changed => format!("{name}: passed, but the code changed since; spawn {spawn} again"),
        OpenReason::Stale => {
            let who = if by.is_empty() { "an agent".to_owned() } else { format!("`{by}`") };
            format!(
                "{name}: the code changed while {who} was at work, so its result is void; spawn {spawn} again"
            )
        }
        OpenReason::Failed if by.is_empty() => {
            format!("{name}: failed; once it is fixed, spawn {spawn} again")
        }
        OpenReason::Failed => {
            format!("{name}: failed by the word of `{by}`; once it is fixed, spawn {spawn} again")
        }
    }
}

fn spawn(domain: &Domain, phase: &Phase) -> String {
    match domain.agents_for(phase).as_slice() {
        [first, second, ..] => format!("`{first}` (or `{second}`)"),
        [only] => format!("`{only}`"),
        [] => {
            let globs = domain.agents.get(&phase.name).into_iter().flatten().chain(&phase.agents);
            let globs: Vec<String> = globs.map(|glob| format!("`{}`", glob.as_str())).collect();
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
        lines.push(format!("  … {left_out} before"));
    }
    lines.extend(history.iter().skip(left_out).map(|entry| format!("  {}. {}", entry.iteration, entry.what)));
    lines.join("\n")
}

fn advice(escalation: &Escalation) -> String {
    let by = if escalation.adviser.is_empty() { String::new() } else { format!(" ({})", escalation.adviser) };
    format!("Advice{by}:\n{}", indented(&escalation.advice, "  "))
}

/// What a person can do, and what that does.
pub(super) fn options(settings: &Settings) -> [(String, String); 4] {
    let grant = settings.grant;
    let handoff = if settings.handoff.is_empty() {
        ("flyball loop handoff WORKFLOW".to_owned(), "hand it over to a workflow".to_owned())
    } else {
        ("flyball loop handoff".to_owned(), format!("hand it over to `{}`", settings.handoff))
    };
    [
        (format!("flyball loop continue {grant}"), format!("go on, for {grant} more iterations")),
        ("flyball loop accept".to_owned(), "it is good as it is".to_owned()),
        ("flyball loop abort".to_owned(), "no more of this loop in this session".to_owned()),
        handoff,
    ]
}

/// How a person lets go.
fn override_help(settings: &Settings) -> String {
    let handoff = match settings.handoff.as_str() {
        "" => String::new(),
        workflow => format!(", `flyball loop handoff` (over to `{workflow}`)"),
    };
    format!(
        "A person, and only a person, can let go: `flyball loop accept` (good as it is), `flyball loop abort` (no loop \
         in this session){handoff}, or FLYBALL_SKIP=loop.feedback for a whole session."
    )
}

/// `iteration 2 of 5`
fn iteration(state: &State, settings: &Settings) -> String {
    format!("iteration {} of {}", state.iteration, limit(state, settings))
}

/// A piece of knowledge for the model.
pub(super) fn snippet(key: &str, text: String) -> Snippet {
    Snippet { key: format!("loop.feedback.{key}"), rank: 0, text }
}
