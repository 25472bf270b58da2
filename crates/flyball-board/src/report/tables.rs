//! The tables of a report.

use super::model::{Candidate, Certainty, Fired, Report};
use crate::table::{Cell, Detail, Entry, Row, Section, Style};

/// How many decisions are named for one thing.
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

/// The same row for each entry of a list.
fn rows<T>(entries: &[T], row: impl Fn(&T) -> Row) -> Vec<Entry> {
    entries.iter().map(|entry| row(entry).into()).collect()
}

fn code(text: &str) -> Cell {
    Cell::Code(text.to_owned())
}

fn candidates(report: &Report) -> Section {
    Section {
        title: "False-positive candidates",
        lead: "Stopped, and then allowed: look here first if a rule blocks good work.",
        columns: vec!["Sure", "Times", "Stopped by", "What"],
        entries: report.candidates.iter().map(candidate).collect(),
        empty: "Nothing that was stopped was allowed afterwards.",
    }
}

fn candidate(candidate: &Candidate) -> Entry {
    let sure = match candidate.certainty {
        Certainty::Sure => Style::Bad,
        Certainty::Likely => Style::Warning,
        Certainty::Unclear => Style::Faint,
    };
    let explain = |answer: &String| format!("flyball explain {answer}");
    let fix = candidate.suggestion.as_deref();
    let detail = |label, cell| Detail { label, cell };
    Entry {
        row: vec![
            Cell::new(sure, candidate.certainty.name()),
            Cell::Count(candidate.times),
            Cell::Code(candidate.policies.join(", ")),
            code(&candidate.subject),
        ],
        details: vec![
            detail("passed", code(&candidate.passed)),
            detail("to allow it", code(fix.unwrap_or("no single setting allows it; see the explanation"))),
            detail("see", Cell::Commands(candidate.answers.iter().take(ANSWERS).map(explain).collect())),
        ],
    }
}

fn overridden(report: &Report) -> Section {
    Section {
        title: "Overridden",
        lead: "What people overrode: by a skip, an approval, an answer, a mode that only observes, a command.",
        columns: vec!["How", "Policy", "Times", "Sessions", "Last", "Example"],
        entries: rows(&report.overridden, |it| {
            vec![
                Cell::plain(&it.how),
                code(&it.who),
                Cell::Count(it.times),
                it.sessions.map_or(Cell::plain(""), Cell::Count),
                Cell::At(it.last_at),
                code(&it.example),
            ]
        }),
        empty: "Nobody overrode anything.",
    }
}

fn fired(report: &Report) -> Section {
    Section {
        title: "Fired",
        lead: "Policies and rules that took part in a decision. Would: it only observed, or was skipped.",
        columns: vec![
            "Policy", "Deny", "Hold", "Find", "Ask", "Allow", "Added", "Would", "Sess.", "Last", "Example",
        ],
        entries: rows(&report.fired, |it: &Fired| {
            let counts = [it.denied, it.held, it.found, it.asked, it.allowed, it.told, it.would, it.sessions]
                .map(Cell::Count);
            let mut row = vec![Cell::Code(it.name())];
            row.extend(counts);
            row.extend([Cell::At(it.last_at), code(&it.example)]);
            row
        }),
        empty: "No policy took part in a decision.",
    }
}

fn never_fired(report: &Report) -> Section {
    Section {
        title: "Never fired",
        lead: "Policies and rules that are on, but took part in no decision. Events: those they listen to.",
        columns: vec!["Policy", "Events", "Set by"],
        entries: rows(&report.never_fired, |it| {
            let within = |root: &str| within(root, &it.origin);
            let place = it.project.as_deref().map_or_else(|| it.origin.clone(), within);
            vec![Cell::Code(it.name()), Cell::Count(it.chances), Cell::Code(place)]
        }),
        empty: "Everything that is on took part in a decision.",
    }
}

/// A place in a project: `/p/flyball.toml:4`.
fn within(root: &str, origin: &str) -> String {
    // Settings of the user are not within the project.
    if origin.starts_with('/') || origin.starts_with('~') {
        return origin.to_owned();
    }
    format!("{}/{origin}", root.trim_end_matches('/'))
}

fn repeated(report: &Report) -> Section {
    Section {
        title: "Denied repeatedly",
        lead: "Tried more than once in a session: agents should know this rule before they try.",
        columns: vec!["Times", "Sessions", "Denied by", "Last decision", "What"],
        entries: rows(&report.repeated, |it| {
            vec![
                Cell::Count(it.times),
                Cell::Count(it.sessions),
                Cell::Code(it.policies.join(", ")),
                code(&it.answer),
                code(&it.subject),
            ]
        }),
        empty: "No agent repeated a denied call.",
    }
}

fn slow_policies(report: &Report) -> Section {
    Section {
        title: "Time by policy",
        lead: "Where the time in hooks went. Policies run side by side, so their sum may exceed it.",
        columns: vec!["Policy", "Runs", "Total", "p50", "p99"],
        entries: rows(&report.slow_policies, |it| {
            let times = [Some(it.total), it.p50, it.p99].map(Cell::Took);
            [code(&it.policy), Cell::Count(it.asked)].into_iter().chain(times).collect()
        }),
        empty: "No policy ran.",
    }
}

fn slow_events(report: &Report) -> Section {
    Section {
        title: "Slowest events",
        lead: "Each with the policy that took most of its time.",
        columns: vec!["Took", "Decision", "Event", "Mostly", "What"],
        entries: rows(&report.slow_events, |it| {
            vec![
                Cell::Took(Some(it.took)),
                code(&it.answer),
                Cell::plain(&it.kind),
                code(&it.by),
                code(&it.subject),
            ]
        }),
        empty: "No event took any time.",
    }
}

fn errors(report: &Report) -> Section {
    Section {
        title: "Errors",
        lead: "Policies that failed. `flyball doctor` shows what is missing.",
        columns: vec!["Policy", "Times", "Last", "Decision", "Why"],
        entries: rows(&report.troubles, |it| {
            vec![
                code(&it.policy),
                Cell::Count(it.times),
                Cell::At(it.last_at),
                code(&it.answer),
                code(&it.text),
            ]
        }),
        empty: "No policy failed.",
    }
}
