//! What is answered when the agent wants to stop while findings are left.

use std::collections::BTreeSet;

use flyball_core::verdict::{Reason, Verdict};
use flyball_quality::finding::Finding;
use flyball_quality::settings::{AtStop, Settings};

use super::edited::{advice_message, new_of_the_project, with_evidence};
use super::failures;
use super::inputs::Inputs;
use super::memory::{BlockedStop, Fingerprint, Session, fingerprint, is_open};
use super::messages::FindingsMessage;

/// A user who is told of findings sees so many of them; there is a command for the rest.
const NOTICED: usize = 5;

/// Without progress an agent is held so many times in a row.
const MOST_TIMES: u32 = 3;

/// Whether the agent goes on already because it was kept from stopping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Fresh,
    Blocked,
}

/// Keeps the agent from stopping once for the same findings.
pub(super) fn decide(brought: &Inputs, settings: &Settings, session: &mut Session, turn: Turn) -> Verdict {
    let report = &brought.report;
    for name in &brought.gone {
        session.files.remove(name);
    }
    session.record_report(brought);
    let new_of_the_project = new_of_the_project(brought, session);
    let mut open: Vec<&Finding> =
        report.files.iter().flat_map(|file| &file.findings).filter(|finding| is_open(finding)).collect();
    let mut verdict = Verdict::silent();
    if settings.project.blocking {
        open.extend(report.project.iter().filter(|finding| is_open(finding)));
    } else if !new_of_the_project.is_empty() {
        verdict.notices.push(advice_message(new_of_the_project, settings.shown.min(NOTICED)));
    }
    match settings.at_stop {
        AtStop::Block => verdict.join(block(open, settings, session, turn)),
        AtStop::Tell => verdict.join(release(open, settings, session)),
        AtStop::Off => {}
    }
    verdict.join(failures::report(brought, session));
    // The model is not asked to go on for what it can do nothing about.
    verdict.context.clear();
    with_evidence(verdict, brought)
}

fn block(open: Vec<&Finding>, settings: &Settings, session: &mut Session, turn: Turn) -> Verdict {
    let prints: BTreeSet<Fingerprint> = open.iter().map(|finding| fingerprint(finding)).collect();
    if prints.is_empty() {
        session.held = None;
        return Verdict::silent();
    }
    let before = session.held.clone().unwrap_or_default();
    let is_new_row = turn == Turn::Fresh || before.prints.is_empty() || prints.len() < before.fewest;
    let (times, fewest) = if is_new_row { (0, prints.len()) } else { (before.times, before.fewest) };
    if before.prints == prints || times >= MOST_TIMES {
        return release(open, settings, session);
    }
    session.held = Some(BlockedStop { prints, times: times + 1, fewest, let_go: false });
    let told = FindingsMessage { findings: open, shown: settings.shown, verb: "left in" };
    Verdict::deny(Reason::plain(format!(
        "{}\nFix the code, not the rules, before you stop; if one of these cannot be fixed, tell the user which and \
         why. You are not held again for the same findings. A person who does not want this sets \
         `quality.at_stop` in flyball.toml, or FLYBALL_SKIP=quality for one session.",
        told.text()
    )))
}

/// The user is told once of what is left.
fn release(open: Vec<&Finding>, settings: &Settings, session: &mut Session) -> Verdict {
    let prints: BTreeSet<Fingerprint> = open.iter().map(|finding| fingerprint(finding)).collect();
    if prints.is_empty() {
        session.held = None;
        return Verdict::silent();
    }
    let before = session.held.clone().unwrap_or_default();
    if before.prints == prints && before.let_go {
        return Verdict::silent();
    }
    session.held = Some(BlockedStop { prints, let_go: true, ..before });
    let told = FindingsMessage { findings: open, shown: settings.shown.min(NOTICED), verb: "left in" };
    Verdict { notices: vec![told.text()], ..Verdict::silent() }
}
