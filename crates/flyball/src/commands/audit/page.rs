//! What an audit came to, for people and for scripts.

use flyball_core::text;
use flyball_store::{Audit, EventRef, Finding, FindingKind, Witness};
use jiff::Zoned;
use serde_json::{Value, json};

use super::digest::Signer;
use crate::show::text::one_line;
use crate::show::time;
use crate::terminal::{Style, Terminal};

/// So many findings are shown; all of them are in the JSON.
const MAX_FINDINGS: usize = 200;

/// The page for a person.
pub(super) fn lines(audit: &Audit, signer: Option<Signer>, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let mut page = Vec::new();
    for finding in audit.findings.iter().take(MAX_FINDINGS) {
        page.extend(finding_lines(finding, terminal, now));
    }
    if audit.findings.len() > MAX_FINDINGS {
        page.push(format!("and {} more (--json has them all)", audit.findings.len() - MAX_FINDINGS));
    }
    for it in &audit.forgotten {
        let (session, at) = (one_line(&it.session), time::full(it.at, now));
        page.push(format!("session {session}: events 1 to {} were forgotten by retention on {at}", it.to));
    }
    for (path, why) in &audit.skipped {
        page.push(format!("not looked at: {}: {}", one_line(&path.to_string_lossy()), one_line(why)));
    }
    page.extend(summary(audit, signer, terminal, now));
    page
}

fn finding_lines(finding: &Finding, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let head = terminal.paint(Style::Bad, describe_finding(finding.kind));
    let mut text = format!("{head}: {}", subject(finding, now));
    if !finding.detail.is_empty() {
        text += &format!(": {}", one_line(&finding.detail));
    }
    let mut page = vec![text];
    if let Some(at) = finding.claimed_at {
        let who = witness(finding.witness);
        page.push(format!("    {who} said so on {}", time::full(at, now)));
    }
    let near = |which: &str, named: &Option<EventRef>| {
        named.as_ref().map(|named| format!("{which} {}", name(named, now)))
    };
    let near: Vec<String> =
        [near("after", &finding.before), near("before", &finding.after)].into_iter().flatten().collect();
    if !near.is_empty() {
        page.push(format!("    {}", near.join(", ")));
    }
    page
}

fn subject(finding: &Finding, now: &Zoned) -> String {
    let place = witness(finding.witness);
    if finding.session.is_empty() {
        return match finding.kind {
            FindingKind::AnchorsBroken if finding.from > 0 => format!("line {} of {place}", finding.from),
            _ => place.to_owned(),
        };
    }
    let session = format!("session {} ({})", one_line(&finding.session), one_line(&finding.client));
    let events = match (finding.from, finding.to) {
        (0, _) => String::new(),
        (from, to) if from == to => match &finding.event {
            Some(event) => format!(", event {}", name(event, now)),
            None => format!(", event {from}"),
        },
        (from, to) => format!(", events {from} to {to}"),
    };
    format!("{session}{events}, by {place}")
}

fn name(named: &EventRef, now: &Zoned) -> String {
    format!("{} ({}, {})", named.seq, one_line(&named.id), time::full(named.at, now))
}

fn summary(audit: &Audit, signer: Option<Signer>, terminal: &Terminal, now: &Zoned) -> Vec<String> {
    let mut page = Vec::new();
    match signer {
        Some(Signer::Trusted) => page.push("the digest is signed with the key that is trusted".to_owned()),
        Some(Signer::Unverified(key)) => page.push(format!(
            "the digest is signed with the key {}; give --key to say that this is the right one",
            key.hex()
        )),
        None => {}
    }
    if audit.unchained > 0 {
        let events = text::counted(audit.unchained, "event");
        page.push(format!("nothing can be proven of {events} from before there were chains"));
    }
    let since = audit.since.map_or(String::new(), |at| format!(", since {}", time::full(at, now)));
    let proven = format!(
        "{} in {} proven{since}",
        text::counted(audit.proven, "event"),
        text::counted(audit.sessions, "session")
    );
    page.push(match audit.findings.len() as u64 {
        0 if audit.is_empty() => "nothing is recorded yet".to_owned(),
        0 => terminal.paint(Style::Good, &proven),
        count => format!("{proven}; {}", terminal.paint(Style::Bad, &text::counted(count, "finding"))),
    });
    page
}

const fn describe_finding(what: FindingKind) -> &'static str {
    match what {
        FindingKind::Changed => "changed",
        FindingKind::Removed => "removed",
        FindingKind::Reordered => "reordered",
        FindingKind::Inserted => "inserted",
        FindingKind::CutOff => "end cut off",
        FindingKind::SessionMissing => "whole session missing",
        FindingKind::JournalMissing => "journal missing",
        FindingKind::BeganAnew => "began anew",
        FindingKind::AnchorsBroken => "anchors broken",
    }
}

const fn witness(witness: Witness) -> &'static str {
    match witness {
        Witness::Journal => "the journal",
        Witness::Index => "the index",
        Witness::Anchors => "the anchors",
        Witness::Digest => "the digest",
        Witness::Export => "the exported file",
    }
}

/// The same for scripts, in one line.
pub(super) fn json(audit: &Audit) -> String {
    let named = |named: &Option<EventRef>| {
        named.as_ref().map(|it| json!({ "number": it.seq, "id": it.id, "at": it.at }))
    };
    let findings: Vec<Value> = audit
        .findings
        .iter()
        .map(|it| {
            json!({
                "what": it.kind.name(), "by": it.witness.name(), "client": it.client, "session": it.session,
                "from": it.from, "to": it.to, "event": named(&it.event), "after": named(&it.before),
                "before": named(&it.after), "told_at": it.claimed_at, "detail": it.detail,
            })
        })
        .collect();
    let forgotten: Vec<Value> = audit
        .forgotten
        .iter()
        .map(|it| json!({ "client": it.client, "session": it.session, "to": it.to, "at": it.at }))
        .collect();
    let skipped: Vec<Value> =
        audit.skipped.iter().map(|(path, why)| json!({ "path": path, "why": why })).collect();
    json!({
        "findings": findings, "sessions": audit.sessions, "proven": audit.proven,
        "unchained": audit.unchained, "since": audit.since, "forgotten": forgotten, "skipped": skipped,
    })
    .to_string()
}
