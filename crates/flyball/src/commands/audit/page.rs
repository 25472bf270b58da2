//! The result of an audit, for people and for scripts.

use flyball_core::text;
use flyball_core::time::Time;
use flyball_store::{Audit, EventRef, Finding, FindingKind, Witness};
use jiff::Zoned;
use serde_json::{Value, json};

use super::digest::Signer;
use crate::show::text::one_line;
use crate::show::{Page, Text, time};
use crate::terminal::Style;

/// The most findings that are shown; the JSON has all of them.
const MAX_FINDINGS: usize = 200;

/// The page for a person.
pub(super) fn page(audit: &Audit, signer: Option<Signer>, now: &Zoned) -> Page {
    let mut page = Page::default();
    for finding in audit.findings.iter().take(MAX_FINDINGS) {
        add_finding(&mut page, finding, now);
    }
    if audit.findings.len() > MAX_FINDINGS {
        page.line(format!("and {} more (--json has them all)", audit.findings.len() - MAX_FINDINGS));
    }
    for it in &audit.forgotten {
        let (session, at) = (one_line(&it.session), time::full(it.at, now));
        page.line(format!("session {session}: events 1 to {} were deleted by retention on {at}", it.to));
    }
    for (path, why) in &audit.skipped {
        page.line(format!("not checked: {}: {}", one_line(&path.to_string_lossy()), one_line(why)));
    }
    add_summary(&mut page, audit, signer, now);
    page
}

fn add_finding(page: &mut Page, finding: &Finding, now: &Zoned) {
    let detail = one_line(&finding.detail);
    let detail = if detail.is_empty() { detail } else { format!(": {detail}") };
    let head = Style::Bad.text(describe_finding(finding.kind));
    page.line(head.and(format!(": {}{detail}", subject(finding, now))));
    if let Some(at) = finding.claimed_at {
        page.line(format!("    according to {} of {}", witness(finding.witness), time::full(at, now)));
    }
    let near = |which: &str, named: &Option<EventRef>| {
        named.as_ref().map(|named| format!("{which} {}", name(named, now)))
    };
    let near: Vec<String> =
        [near("after", &finding.before), near("before", &finding.after)].into_iter().flatten().collect();
    if !near.is_empty() {
        page.line(format!("    {}", near.join(", ")));
    }
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

fn add_summary(page: &mut Page, audit: &Audit, signer: Option<Signer>, now: &Zoned) {
    match signer {
        Some(Signer::Trusted) => page.line("the digest is signed with the trusted key"),
        Some(Signer::Unverified(key)) => page.line(format!(
            "the digest is signed with the key {}; pass --key to check that it is the right one",
            key.hex()
        )),
        None => {}
    }
    if audit.unchained > 0 {
        let events = text::counted(audit.unchained, "event");
        page.line(format!("{events} cannot be proven: recorded before events were chained"));
    }
    let since = audit.since.map_or(String::new(), |at| format!(", since {}", time::full(at, now)));
    let proven = format!(
        "{} in {} proven{since}",
        text::counted(audit.proven, "event"),
        text::counted(audit.sessions, "session")
    );
    page.line(match audit.findings.len() {
        0 if audit.is_empty() => "nothing is recorded yet".into(),
        0 => Style::Good.text(proven),
        count => Text::from(format!("{proven}; ")).then(Style::Bad.text(text::counted(count, "finding"))),
    });
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
        FindingKind::BeganAnew => "restarted",
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
        named.as_ref().map(|it| json!({ "number": it.seq, "id": it.id, "at": it.at.as_micros() }))
    };
    let findings: Vec<Value> = audit
        .findings
        .iter()
        .map(|it| {
            json!({
                "what": it.kind.name(), "by": it.witness.name(), "client": it.client, "session": it.session,
                "from": it.from, "to": it.to, "event": named(&it.event), "after": named(&it.before),
                // Seen from the finding: it comes after the event that is before it.
                "before": named(&it.after), "told_at": it.claimed_at.map(Time::as_micros), "detail": it.detail,
            })
        })
        .collect();
    let forgotten: Vec<Value> = audit
        .forgotten
        .iter()
        .map(|it| json!({ "client": it.client, "session": it.session, "to": it.to, "at": it.at.as_micros() }))
        .collect();
    let skipped: Vec<Value> =
        audit.skipped.iter().map(|(path, why)| json!({ "path": path, "why": why })).collect();
    json!({
        "findings": findings, "sessions": audit.sessions, "proven": audit.proven,
        "unchained": audit.unchained, "since": audit.since.map(Time::as_micros), "forgotten": forgotten, "skipped": skipped,
    })
    .to_string()
}
