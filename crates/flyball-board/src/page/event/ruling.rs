//! The ruling of each policy, its evidence, and where its settings come from.

use flyball_core::config::Mode;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::text::plural;
use flyball_core::verdict::{Reason, Stance};
use maud::{Markup, html};

use crate::explanation::{Explanation, NoteExplained, PolicyExplained, SettingExplained};
use crate::page::inline_code::with_code;
use crate::page::parts;
use crate::page::reading::Reading;
use crate::route::Route;

/// The policies: those with a verdict each by itself, the others in a line.
pub(super) fn policies(explanation: &Explanation, reading: Reading) -> Markup {
    let record = &explanation.record;
    let (with_opinion, quiet): (Vec<&RecordedRuling>, Vec<&RecordedRuling>) =
        record.rulings.iter().partition(|it| has_opinion(it));
    html! {
        section.card {
            h2 { "Policies" }
            @if record.rulings.is_empty() { p.muted { "No policy listens to this kind of event." } }
            @for ruling in &with_opinion { (one(ruling, explanation, reading)) }
            @if !quiet.is_empty() { (silent(&quiet, reading)) }
        }
    }
}

fn has_opinion(ruling: &RecordedRuling) -> bool {
    let RecordedRuling { stance, reasons, evidence, error, .. } = ruling;
    *stance != Stance::Silent || !reasons.is_empty() || !evidence.is_empty() || error.is_some()
}

fn one(ruling: &RecordedRuling, explanation: &Explanation, reading: Reading) -> Markup {
    let now = explanation.policies.iter().find(|explained| explained.policy == ruling.policy);
    html! {
        details.ruling id={ "policy-" (parts::cut(&ruling.policy, 80)) } open {
            summary {
                strong.mono { (parts::cut(&ruling.policy, 80)) } " "
                (parts::stance(ruling.stance)) " "
                (parts::mode(ruling.mode.name()))
                @if let Some(note) = note(ruling, &explanation.record) { " " (parts::pill("ask", note)) }
                " " span.muted { (parts::duration(ruling.took)) }
            }
            @if let Some(now) = now { p.muted { (now.summary) @if reading == Reading::Board { " " (page_link(&ruling.policy)) } } }
            @for reason in &ruling.reasons { (reason_parts(reason)) }
            (grounds(ruling, now, reading))
        }
    }
}

/// Why a ruling is not in the answer.
fn note(ruling: &RecordedRuling, record: &Record) -> Option<&'static str> {
    let is_weaker = ruling.stance >= Stance::Ask && ruling.stance < record.stance;
    match (ruling.skipped, ruling.mode) {
        (true, _) => Some("skipped, did not count"),
        (false, Mode::Observe) => Some("only observed, did not count"),
        (false, _) if is_weaker => Some("another was stronger"),
        (false, _) => None,
    }
}

fn page_link(policy: &str) -> Markup {
    html! { a href=(Route::Policy { id: policy.to_owned() }.bare()) { "its page" } }
}

fn reason_parts(reason: &Reason) -> Markup {
    let rows = [("What", &reason.what), ("Why", &reason.why), ("Instead", &reason.instead)];
    html! {
        dl.facts.reason {
            @for (name, text) in rows {
                @if !text.trim().is_empty() { dt { (name) } dd { (lines(text)) } }
            }
        }
    }
}

/// A text that may be a list.
fn lines(text: &str) -> Markup {
    let text = parts::block(text);
    if text.trim().contains('\n') {
        html! { pre.wrap { (text.trim_matches('\n')) } }
    } else {
        // It may quote the agent: nothing in it becomes a link.
        with_code(&text, Reading::File)
    }
}

/// Its evidence, and where its settings come from.
fn grounds(ruling: &RecordedRuling, now: Option<&PolicyExplained>, reading: Reading) -> Markup {
    html! {
        @if let Some(error) = &ruling.error { p.text-deny { "Error: " (parts::cut(error, 2_000)) } }
        @if !ruling.evidence.is_empty() {
            h3.small.muted { "Evidence" }
            dl.facts.mono {
                @for seen in &ruling.evidence { dt { (parts::cut(&seen.name, 200)) } dd { (parts::cut(&seen.value, 4_000)) } }
            }
        }
        @if let Some(now) = now {
            h3.small.muted { "Config" }
            dl.facts.mono {
                dt { "mode" } dd { (mode(ruling, now)) }
                @for setting in &now.settings { (setting_row(setting)) }
            }
            @if !now.notes.is_empty() { ul.next { @for note in &now.notes { li { (noted(note, reading)) } } } }
        }
    }
}

/// The mode then and now.
fn mode(ruling: &RecordedRuling, now: &PolicyExplained) -> Markup {
    let is_same = now.mode_now == ruling.mode.name();
    html! {
        @if is_same { (now.mode_now) } @else { (ruling.mode.name()) " then, " strong { (now.mode_now) " now" } }
        " " span.muted { (parts::cut(&now.mode_origin, 400)) }
    }
}

fn setting_row(setting: &SettingExplained) -> Markup {
    html! {
        dt { (parts::cut(&setting.key, 200)) }
        dd { (parts::cut(&setting.value, 2_000)) " " span.muted { (parts::cut(&setting.origin, 400)) } }
    }
}

fn noted(note: &NoteExplained, reading: Reading) -> Markup {
    html! {
        (with_code(&note.text, reading))
        @if let Some(answer) = note.answer.as_deref().filter(|_| reading == Reading::Board) { " " (parts::event_link(answer)) }
    }
}

fn silent(quiet: &[&RecordedRuling], reading: Reading) -> Markup {
    let took = quiet.iter().map(|ruling| ruling.took).sum();
    html! {
        details.quiet id="silent-policies" {
            summary { (quiet.len()) " " (plural(quiet.len(), "silent policy", "silent policies")) ", in " (parts::duration(took)) }
            ul.plain.names {
                @for ruling in quiet {
                    li {
                        @match reading {
                            Reading::Board => { (parts::policy_link(&ruling.policy)) }
                            Reading::File => { span.mono { (parts::cut(&ruling.policy, 80)) } }
                        }
                        @if ruling.skipped { " " (parts::pill("ask", "skipped")) }
                        @if ruling.mode == Mode::Observe { " " (parts::mode("observe")) }
                    }
                }
            }
        }
    }
}
