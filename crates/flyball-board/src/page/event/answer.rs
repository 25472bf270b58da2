//! The messages to agent and user.

use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use maud::{Markup, html};

use crate::page::parts;

/// All messages to the agent and the user.
pub(super) fn answer(record: &Record) -> Markup {
    let extras = extras(record);
    if record.said.is_empty() && record.notices.is_empty() && extras.is_empty() {
        return html! {};
    }
    let whom = if record.stance == Stance::Ask { "The user was asked" } else { "Shown to the agent" };
    html! {
        section.card {
            h2 { "Messages" }
            @if !record.said.is_empty() { h3.small.muted { (whom) } pre.wrap.said { (parts::block(&record.said)) } }
            @if !record.notices.is_empty() {
                h3.small.muted { "Shown to the user" }
                @for notice in &record.notices { pre.wrap.said { (parts::block(notice)) } }
            }
            @if !extras.is_empty() { ul.next { @for extra in &extras { li { (extra) } } } }
        }
    }
}

fn extras(record: &Record) -> Vec<String> {
    let chars = u64::try_from(record.context_chars).unwrap_or(u64::MAX);
    let context = (chars > 0)
        .then(|| format!("{} of context were added for the model", parts::counted(chars, "character")));
    let rewritten = record.rewritten.then(|| "The call was rewritten".to_owned());
    let duplicate = record.duplicate.then(|| "Duplicate call: answered again, counted once".to_owned());
    [context, rewritten, duplicate].into_iter().flatten().collect()
}
