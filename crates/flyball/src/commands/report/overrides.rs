//! What people set aside: by a skip, by a mode that only observes, by an answer, by an approval, by a command.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use flyball_board::report::Overridden;
use flyball_core::config::Mode;
use flyball_core::event::EventKind;
use flyball_core::record::Record;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;
use flyball_policies::rules;
use flyball_store::{Filter, VerdictQuery};

use super::context::ReportContext;
use super::firing::{Firings, about};
use super::stopped_calls::{Projects, StoppedCalls, display_subject};
use crate::outcome::Failed;
use crate::show::text::one_line;

/// So many records of one sort are read.
const RECORDS: usize = 2_000;
/// What people say with commands, and what is set aside by it.
const OVERRIDE_COMMANDS: [&str; 8] = [
    "loop continue",
    "loop accept",
    "loop abort",
    "loop handoff",
    "task pause",
    "task release",
    "task cancel",
    "task finish",
];

/// All of it: what people did by themselves first, then the most frequent.
pub(super) fn find(
    look: &ReportContext<'_>,
    fates: &StoppedCalls,
    (firings, projects): (&Firings, &Projects),
) -> Result<Vec<Overridden>, Failed> {
    let mut all = Tallies::default();
    for brief in &fates.approved {
        for policy in &brief.policies {
            let seen = Occurrence { at: brief.at, example: display_subject(brief), answer: &brief.answer };
            all.add(("asked, then run", policy), &brief.session_row.to_string(), seen);
        }
    }
    skipped(look, &mut all)?;
    commands(look, &mut all)?;
    for (root, file, at) in projects.approvals((look.window.since, look.window.until)) {
        let name = Path::new(file).strip_prefix(root).map_or(file.to_owned(), |it| it.display().to_string());
        let seen = Occurrence { at, example: one_line(&name), answer: "" };
        all.add(("approved", "guard.protected"), "", seen);
    }
    let mut all = all.sorted();
    // Behind the rest, however frequent: nobody did anything, a mode was only left at `observe`.
    all.extend(observed(look, firings)?);
    Ok(all)
}

/// What is known of one time.
struct Occurrence<'a> {
    at: Time,
    example: String,
    answer: &'a str,
}

#[derive(Default)]
struct Tallies(BTreeMap<(String, String), (Overridden, BTreeSet<String>)>);

impl Tallies {
    /// Counts one; the session is empty where none is known.
    fn add(&mut self, (how, who): (&str, &str), session: &str, seen: Occurrence<'_>) {
        let (known, sessions) = self.0.entry((how.to_owned(), who.to_owned())).or_default();
        known.how = how.to_owned();
        known.who = who.to_owned();
        known.times += 1;
        if !session.is_empty() {
            sessions.insert(session.to_owned());
        }
        if seen.at >= known.last_at {
            known.last_at = seen.at;
            known.example = seen.example;
            known.answer = seen.answer.to_owned();
        }
    }

    fn sorted(self) -> Vec<Overridden> {
        let whole = |(known, sessions): (Overridden, BTreeSet<String>)| {
            let sessions = (!sessions.is_empty()).then_some(sessions.len() as u64);
            Overridden { sessions, ..known }
        };
        let mut all: Vec<Overridden> = self.0.into_values().map(whole).collect();
        all.sort_by_key(|known| std::cmp::Reverse(known.times));
        all
    }
}

fn occurrence(record: &Record) -> Occurrence<'_> {
    Occurrence { at: record.at, example: about(record), answer: record.id.as_str() }
}

/// What a person switched off for one run of the client.
fn skipped(look: &ReportContext<'_>, all: &mut Tallies) -> Result<(), Failed> {
    let events = look.index.judged(&look.window, VerdictQuery::Overruled, RECORDS)?;
    for record in events.iter().map(|event| &event.record) {
        for ruling in record.rulings.iter().filter(|it| it.skipped && it.stance >= Stance::Ask) {
            all.add(("skipped", &ruling.policy), record.session.as_str(), occurrence(record));
        }
    }
    Ok(())
}

/// What people said with commands.
fn commands(look: &ReportContext<'_>, all: &mut Tallies) -> Result<(), Failed> {
    let filter = Filter {
        kinds: vec![EventKind::Unknown],
        project: look.window.project.clone(),
        since: Some(look.window.since),
        until: Some(look.window.until),
        limit: Some(RECORDS),
        ..Filter::default()
    };
    let events = look.index.events(&filter)?;
    for record in events.iter().map(|event| &event.record) {
        // Clients can send unknown events too: the name and the missing rulings mark our own notes.
        let own = record.native.starts_with("flyball ") && record.rulings.is_empty();
        let Some(how) = OVERRIDE_COMMANDS.into_iter().find(|how| own && record.subject.starts_with(how))
        else {
            continue;
        };
        // To finish what is done sets nothing aside.
        if how == "task finish" && !record.subject.ends_with(" --anyway") {
            continue;
        }
        all.add((how, ""), record.session.as_str(), occurrence(record));
    }
    Ok(())
}

/// What only observed, and would have stopped something.
fn observed(look: &ReportContext<'_>, firings: &Firings) -> Result<Vec<Overridden>, Failed> {
    let mut times: BTreeMap<String, u64> = BTreeMap::new();
    for said in look.index.verdict_counts(&look.window)? {
        let is_it = said.mode == Some(Mode::Observe) && said.stance >= Stance::Ask;
        // The user's rules are listed one by one below.
        if is_it && said.policy != rules::POLICY.id.as_str() {
            *times.entry(said.policy).or_default() += said.events;
        }
    }
    let mut all = Vec::new();
    for (policy, times) in times {
        let events = look.index.judged(&look.window, VerdictQuery::By(&policy), RECORDS)?;
        let is_it = |record: &&Record| {
            let mut own = record.rulings.iter().filter(|ruling| ruling.policy == policy);
            own.any(|ruling| ruling.mode == Mode::Observe && ruling.stance >= Stance::Ask)
        };
        let records: Vec<&Record> = events.iter().map(|event| &event.record).filter(is_it).collect();
        let sessions: BTreeSet<&str> = records.iter().map(|record| record.session.as_str()).collect();
        // The index returns the newest first.
        let last = records.first();
        all.push(Overridden {
            how: "only observed".to_owned(),
            who: policy.clone(),
            times,
            sessions: Some(sessions.len() as u64),
            last_at: last.map(|record| record.at).unwrap_or_default(),
            example: last.map(|record| about(record)).unwrap_or_default(),
            answer: last.map(|record| record.id.as_str().to_owned()).unwrap_or_default(),
        });
    }
    all.extend(firings.observing_rules().map(|(rule, times, sessions)| Overridden {
        how: "only observed".to_owned(),
        who: rule.name(),
        times,
        sessions: Some(sessions as u64),
        last_at: rule.last_at,
        example: rule.example.clone(),
        answer: rule.answer.clone(),
    }));
    all.sort_by_key(|known| std::cmp::Reverse(known.times));
    Ok(all)
}
