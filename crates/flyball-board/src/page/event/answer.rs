//! What was said, and to whom.

use flyball_core::record::Record;
use flyball_core::verdict::Stance;
use maud::{Markup, html};

use crate::page::parts;

/// All that the agent and the user were told.
pub(super) fn answer(record: &Record) -> Markup {
    let extras = extras(record);
    if record.said.is_empty() && record.notices.is_empty() && extras.is_empty() {
        return html! {};
    }
    let whom = if record.stance == Stance::Ask { "The user was asked" } else { "The agent was told" };
    html! {
        section.card {
            h2 { "What was said" }
            @if !record.said.is_empty() { h3.small.muted { (whom) } pre.wrap.said { (parts::block(&record.said)) } }
            @if !record.notices.is_empty() {
                h3.small.muted { "The user was told" }
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
    let duplicate =
        record.duplicate.then(|| "The same call had arrived before: answered again, counted once".to_owned());
    [context, rewritten, duplicate].into_iter().flatten().collect()
}
