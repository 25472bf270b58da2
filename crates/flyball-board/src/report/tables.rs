//! The tables of a report.

use super::model::{Candidate, Certainty, Fired, Report};
use super::section::{Cell, Column, Row, Section};

/// So many answers are named for one thing.
const ANSWERS: usize = 3;

/// All of them, in the order in which they are read.
pub(super) fn all(report: &Report) -> Vec<Section> {
    vec![
        candidates(report),
        overridden(report),
        fired(report),
        never_fired(report),
        repeated(report),
        slow_policies(report),
        slow_events(report),
        errors(report),
    ]
}

fn candidates(report: &Report) -> Section {
    Section {
        title: "False-positive candidates",
        lead: "Stopped, and then let pass: look here first if a rule is in the way of good work.",
        columns: vec![text("Sure"), amount("Times"), text("Stopped by"), text("What")],
        rows: report.candidates.iter().map(candidate).collect(),
        empty: "Nothing that was stopped was let pass afterwards.",
    }
}

fn candidate(candidate: &Candidate) -> Row {
    let sure = match candidate.certainty {
        Certainty::Sure => "deny",
        Certainty::Likely => "ask",
        Certainty::Unclear => "silent",
    };
    let explain = |answer: &String| format!("flyball explain {answer}");
    let commands: Vec<String> = candidate.answers.iter().take(ANSWERS).map(explain).collect();
    let fix = candidate.suggestion.clone().unwrap_or_else(|| {
        "no single setting was found to let it pass; the explanation tells what it stands on".to_owned()
    });
    Row {
        cells: vec![
            Cell::Stance(sure, candidate.certainty.name().to_owned()),
            Cell::Count(candidate.times),
            Cell::Code(candidate.policies.join(", ")),
            Cell::Code(candidate.subject.clone()),
        ],
        details: vec![
            ("passed", Cell::Code(candidate.passed.clone())),
            ("to let it pass", Cell::Code(fix)),
            ("see", Cell::Commands(commands)),
        ],
    }
}

fn overridden(report: &Report) -> Section {
    let rows = report.overridden.iter().map(|it| {
        let sessions = it.sessions.map_or(Cell::Words(String::new()), Cell::Count);
        plain([
            Cell::Words(it.how.clone()),
            Cell::Code(it.who.clone()),
            Cell::Count(it.times),
            sessions,
            Cell::At(it.last_at),
            Cell::Code(it.example.clone()),
        ])
    });
    Section {
        title: "Overridden",
        lead: "What people set aside: by a skip, an approval, an answer, a mode that only observes, a command.",
        columns: vec![
            text("How"),
            text("Whose word"),
            amount("Times"),
            amount("Sessions"),
            text("Last"),
            text("Example"),
        ],
        rows: rows.collect(),
        empty: "Nobody set anything aside.",
    }
}

fn fired(report: &Report) -> Section {
    let row = |it: &Fired| {
        plain([
            Cell::Code(it.name()),
            Cell::Count(it.denied),
            Cell::Count(it.asked),
            Cell::Count(it.allowed),
            Cell::Count(it.told),
            Cell::Count(it.would),
            Cell::Count(it.sessions),
            Cell::At(it.last_at),
            Cell::Code(it.example.clone()),
        ])
    };
    Section {
        title: "Fired",
        lead: "Policies and rules that had a say. Would: it only observed, or was skipped.",
        columns: vec![
            text("Policy"),
            amount("Deny"),
            amount("Ask"),
            amount("Allow"),
            amount("Told"),
            amount("Would"),
            amount("Sess."),
            text("Last"),
            text("Example"),
        ],
        rows: report.fired.iter().map(row).collect(),
        empty: "No policy had anything to say.",
    }
}

fn never_fired(report: &Report) -> Section {
    let rows = report.never_fired.iter().map(|it| {
        let place = it.project.as_deref().map_or_else(|| it.origin.clone(), |root| within(root, &it.origin));
        plain([Cell::Code(it.name()), Cell::Count(it.chances), Cell::Code(place)])
    });
    Section {
        title: "Never fired",
        lead: "Policies and rules that are on, and had no part in any answer. Events: those that they listen to.",
        columns: vec![text("Policy"), amount("Events"), text("Set by")],
        rows: rows.collect(),
        empty: "Everything that is on had a say.",
    }
}

/// A place in a project: `/p/flyball.toml:4`.
fn within(root: &str, origin: &str) -> String {
    if origin.starts_with('/') || origin.starts_with('~') {
        return origin.to_owned();
    }
    format!("{}/{origin}", root.trim_end_matches('/'))
}

fn repeated(report: &Report) -> Section {
    let rows = report.repeated.iter().map(|it| {
        plain([
            Cell::Count(it.times),
            Cell::Count(it.sessions),
            Cell::Code(it.policies.join(", ")),
            Cell::Code(it.answer.clone()),
            Cell::Code(it.subject.clone()),
        ])
    });
    Section {
        title: "Denied again and again",
        lead: "Tried more than once in a session: a rule that is told earlier would spare the attempts.",
        columns: vec![
            amount("Times"),
            amount("Sessions"),
            text("Denied by"),
            text("Last answer"),
            text("What"),
        ],
        rows: rows.collect(),
        empty: "No agent tried again what had been denied.",
    }
}

fn slow_policies(report: &Report) -> Section {
    let rows = report.slow_policies.iter().map(|it| {
        plain([
            Cell::Code(it.policy.clone()),
            Cell::Count(it.asked),
            Cell::Micros(Some(it.total)),
            Cell::Micros(it.p50),
            Cell::Micros(it.p99),
        ])
    });
    Section {
        title: "Time by policy",
        lead: "Where the time in hooks went. Policies run side by side, so their sum may exceed it.",
        columns: vec![text("Policy"), amount("Asked"), amount("Total"), amount("p50"), amount("p99")],
        rows: rows.collect(),
        empty: "No policy was asked.",
    }
}

fn slow_events(report: &Report) -> Section {
    let rows = report.slow_events.iter().map(|it| {
        plain([
            Cell::Micros(Some(it.micros)),
            Cell::Code(it.answer.clone()),
            Cell::Words(it.kind.clone()),
            Cell::Code(it.by.clone()),
            Cell::Code(it.subject.clone()),
        ])
    });
    Section {
        title: "Slowest events",
        lead: "The policy that took most of each is named.",
        columns: vec![amount("Took"), text("Answer"), text("Event"), text("Mostly"), text("What")],
        rows: rows.collect(),
        empty: "No event took any time.",
    }
}

fn errors(report: &Report) -> Section {
    let rows = report.troubles.iter().map(|it| {
        plain([
            Cell::Code(it.policy.clone()),
            Cell::Count(it.times),
            Cell::At(it.last_at),
            Cell::Code(it.answer.clone()),
            Cell::Code(it.text.clone()),
        ])
    });
    Section {
        title: "Troubles",
        lead: "Policies that could not judge. `flyball doctor` tells what is missing.",
        columns: vec![text("Policy"), amount("Times"), text("Last"), text("Answer"), text("Why")],
        rows: rows.collect(),
        empty: "Every policy could judge.",
    }
}

const fn text(title: &'static str) -> Column {
    Column { title, is_amount: false }
}

const fn amount(title: &'static str) -> Column {
    Column { title, is_amount: true }
}

fn plain<const N: usize>(cells: [Cell; N]) -> Row {
    Row { cells: cells.into(), details: Vec::new() }
}
