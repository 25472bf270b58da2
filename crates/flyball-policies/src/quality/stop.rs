//! The decision when the agent wants to stop while findings are left.

use std::collections::BTreeSet;

use flyball_core::verdict::{Reason, Verdict};
use flyball_quality::finding::Finding;
use flyball_quality::report::FileReport;
use flyball_quality::settings::{AtStop, Settings};

use super::blocked::Turn;
use super::edited::{
    advice_message, blocks, describe_changes, is_rewritten, new_of_the_project, reread, with_evidence,
};
use super::failures;
use super::fingerprint::{Fingerprint, fingerprint};
use super::inputs::Inputs;
use super::memory::{Session, is_open};
use super::messages::FindingsMessage;
use crate::blocking::StopDecision;

/// How many findings a notice shows; there is a command for the rest.
const NOTICED: usize = 5;

/// Blocks the agent once for the same findings.
pub(super) fn decide(inputs: &Inputs, settings: &Settings, session: &mut Session, turn: Turn) -> Verdict {
    let report = &inputs.report;
    for name in &inputs.gone {
        session.files.remove(name);
    }
    session.record_report(inputs);
    let new_of_the_project = new_of_the_project(inputs, session);
    let mut open: Vec<&Finding> =
        report.files.iter().flat_map(|file| &file.findings).filter(|finding| is_open(finding)).collect();
    let mut verdict = Verdict::silent();
    // Linters of files check the whole project too, and find the same again.
    let of_the_project = report.project.iter().filter(|finding| blocks(finding, settings));
    let of_others: Vec<&Finding> = of_the_project.filter(|finding| !open.contains(finding)).collect();
    open.extend(of_others);
    let advice: Vec<&Finding> =
        new_of_the_project.into_iter().filter(|finding| !blocks(finding, settings)).collect();
    if !advice.is_empty() {
        verdict.notices.push(advice_message(advice, settings.shown.min(NOTICED)));
    }
    let changed: Vec<&FileReport> = report.files.iter().filter(|file| is_rewritten(file)).collect();
    verdict.notices.extend(changed.iter().map(|file| format!("{}: {}", file.file, describe_changes(file))));
    verdict.join(decide_open(Left { open, changed: &changed }, settings, session, turn));
    verdict.join(failures::report(inputs, session));
    // The model can do nothing about these.
    verdict.context.clear();
    with_evidence(verdict, inputs)
}

/// What is left, and what was changed at the end.
struct Left<'a> {
    open: Vec<&'a Finding>,
    changed: &'a [&'a FileReport],
}

fn decide_open(left: Left<'_>, settings: &Settings, session: &mut Session, turn: Turn) -> Verdict {
    let Left { open, changed } = left;
    let prints: BTreeSet<Fingerprint> = open.iter().map(|finding| fingerprint(finding)).collect();
    if settings.at_stop == AtStop::Off {
        return Verdict::silent();
    }
    if prints.is_empty() {
        session.blocked = None;
        return Verdict::silent();
    }
    let blocked = session.blocked.get_or_insert_default();
    let decision = match settings.at_stop {
        AtStop::Block => blocked.stop(prints, turn),
        AtStop::Tell | AtStop::Off => blocked.release(prints),
    };
    match decision {
        StopDecision::Block => block(open, changed, settings),
        StopDecision::Release => {
            let message =
                FindingsMessage { findings: open, shown: settings.shown.min(NOTICED), verb: "left in" };
            Verdict { notices: vec![message.text()], ..Verdict::silent() }
        }
        StopDecision::Silent => Verdict::silent(),
    }
}

fn block(open: Vec<&Finding>, changed: &[&FileReport], settings: &Settings) -> Verdict {
    let changed = if changed.is_empty() { String::new() } else { format!("\n{}", reread(changed)) };
    let message = FindingsMessage { findings: open, shown: settings.shown, verb: "left in" };
    Verdict::deny(Reason::plain(format!(
        "{}{changed}\nFix the code, not the rules, before you stop; if a finding cannot be fixed, tell the user which and why. \
         You will not be blocked again for the same findings. To turn this off, set `quality.at_stop` in flyball.toml, \
         or FLYBALL_SKIP=quality for one session.",
        message.text()
    )))
}
