//! Links for a search that is the beginning of an id.

use flyball_store::{Found, SessionFilter, SessionSummary};
use maud::{Markup, html};

use super::super::{PageContext, PageError, parts};
use crate::route::Route;

/// Shorter beginnings lead to too much.
const SHORTEST: usize = 4;
/// Sessions that are offered.
const MOST: usize = 3;

/// Links to the decision or the sessions whose id was typed into the search.
pub(super) fn links(context: &PageContext<'_>) -> Result<Markup, PageError> {
    let Some(text) = context.request.value("q").map(str::trim).filter(|text| may_be_id(text)) else {
        return Ok(html! {});
    };
    let answers = answers(context, text)?;
    let sessions = sessions(context, text)?;
    Ok(html! {
        @if !answers.is_empty() || !sessions.is_empty() {
            p.goto {
                @for answer in &answers {
                    a href=(Route::Event { answer: answer.clone() }.bare()) { "Go to decision " span.mono { (parts::cut(answer, 16)) } }
                    " "
                }
                @for session in &sessions {
                    @let route = Route::Session { client: session.client.clone(), id: session.session.as_str().to_owned() };
                    a href=(route.bare()) { "Go to session " bdi.mono { (parts::cut(session.session.as_str(), 40)) } }
                    " "
                }
            }
        }
    })
}

fn may_be_id(text: &str) -> bool {
    text.chars().count() >= SHORTEST && !text.contains(char::is_whitespace)
}

fn answers(context: &PageContext<'_>, text: &str) -> Result<Vec<String>, PageError> {
    // Ids of answers have nothing else in them: a path or a command is not looked up.
    if !text.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return Ok(Vec::new());
    }
    Ok(match context.index.event(text)? {
        Found::One(event) => vec![event.record.id.as_str().to_owned()],
        Found::Several(ids) => ids.iter().map(|id| id.as_str().to_owned()).collect(),
        Found::None => Vec::new(),
    })
}

fn sessions(context: &PageContext<'_>, text: &str) -> Result<Vec<SessionSummary>, PageError> {
    let filter =
        SessionFilter { id_prefix: Some(text.to_owned()), limit: Some(MOST), ..SessionFilter::default() };
    Ok(context.index.sessions(&filter)?)
}
