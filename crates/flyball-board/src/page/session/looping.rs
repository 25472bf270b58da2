//! The loop of a session as a small board: each domain with its phases.

use maud::{Markup, html};

use super::super::loop_status::class;
use super::super::parts;
use super::session_data::SessionData;
use crate::view::{DomainView, HappenedView, LoopView, PhaseView};

/// Lines of each kind that are shown.
const MOST: usize = 40;

/// The loop; nothing where there is none.
pub(super) fn section(data: &SessionData<'_>) -> Markup {
    let Some(looping) = data.context.views.loop_view(&data.session) else { return html! {} };
    html! {
        section.card data-key="loop-part" aria-labelledby="loop" {
            div.part-head {
                div.in-line { h2 id="loop" { "Loop" } (parts::pill(class(&looping.standing), &looping.standing)) }
                @if looping.iteration > 0 { span.muted { "iteration " (looping.iteration) " of " (looping.of) } }
            }
            p { (parts::cut(&looping.line, 300)) }
            @if let Some(why) = &looping.escalation {
                p.waits-for.on-person { strong { "A person has to decide: " } (parts::cut(why, 600)) }
            }
            div.loop-domains { @for domain in looping.domains.iter().take(MOST) { (board(data, domain)) } }
            (history(data, &looping))
        }
    }
}

fn board(data: &SessionData<'_>, domain: &DomainView) -> Markup {
    html! {
        div.loop-domain {
            h3 { (parts::cut(&domain.name, 60)) }
            ol.loop-steps { @for phase in domain.phases.iter().take(MOST) { (step(data, phase)) } }
            @if !domain.files.is_empty() {
                details {
                    summary { (parts::counted(domain.files.len() as u64, "file")) }
                    ul.plain { @for file in domain.files.iter().take(MOST) { li.mono { (parts::cut(file, 200)) } } }
                    (left_out(domain.files.len()))
                }
            }
        }
    }
}

fn step(data: &SessionData<'_>, phase: &PhaseView) -> Markup {
    html! {
        li class={ "loop-step " (class(&phase.status)) } {
            div.in-line {
                strong { (parts::cut(&phase.name, 60)) }
                (parts::pill(class(&phase.status), &phase.status))
            }
            @if phase.by.is_some() || phase.at.is_some() {
                div.muted {
                    @if let Some(by) = &phase.by { (parts::cut(by, 80)) " " }
                    @if let Some(at) = phase.at { (parts::time(at, data.context.now)) }
                }
            }
            @if !phase.issues.is_empty() {
                details {
                    summary { (parts::counted(phase.issues.len() as u64, "issue")) }
                    ul { @for issue in phase.issues.iter().take(MOST) { li { (parts::cut(issue, 400)) } } }
                    (left_out(phase.issues.len()))
                }
            }
        }
    }
}

fn history(data: &SessionData<'_>, looping: &LoopView) -> Markup {
    let from = looping.history.len().saturating_sub(MOST);
    let newest: &[HappenedView] = looping.history.get(from..).unwrap_or_default();
    html! {
        @if !newest.is_empty() {
            details {
                summary { "What happened so far" }
                ol.plain {
                    @for happened in newest {
                        li.pair { span.muted { (parts::time(happened.at, data.context.now)) } span { (parts::cut(&happened.what, 300)) } }
                    }
                }
            }
        }
    }
}

fn left_out(many: usize) -> Markup {
    html! { @if many > MOST { p.muted { "and " (many - MOST) " more" } } }
}
