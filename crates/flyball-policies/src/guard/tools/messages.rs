//! The messages that name the preferred tool, with the query built from the agent's own.

use flyball_core::verdict::Reason;

use super::preference::{Match, Preference};
use super::search::Search;

/// Longer patterns are not repeated.
const LONGEST: usize = 80;

pub(super) fn reason(preference: &Preference, found: &Match) -> Reason {
    let what = match found {
        Match::Search(search) => format!("this project does not use `{}` for such a search", search.tool),
        Match::ServerTool(tool) => format!("this project does not call `{tool}` directly"),
    };
    let why = preference.message.clone().unwrap_or_default();
    Reason { instead: suggestion(preference, found), what, why }
}

/// The context for the model.
pub(super) fn reminder(preference: &Preference, found: &Match) -> String {
    let what = format!("this project prefers it to `{}`", found.tool());
    let why = preference.message.clone().unwrap_or_default();
    Reason { instead: suggestion(preference, found), what, why }.text()
}

/// The call to make: `Use `find_symbol` for `Foo` in `src` (`*.ts`)`.
fn suggestion(preference: &Preference, found: &Match) -> String {
    let mut text = format!("Use `{}`", preference.preferred);
    let Match::Search(search) = found else { return text };
    if let Some(query) = query(search) {
        text.push_str(&format!(" for {}", quoted(&query)));
    }
    let places: Vec<String> =
        search.paths.iter().map(|path| path.as_str()).filter(|place| !place.is_empty()).map(quoted).collect();
    if !places.is_empty() && places.len() == search.paths.len() {
        text.push_str(&format!(" in {}", places.join(", ")));
    }
    let is_in_query = search.kind.finds_names() && search.symbol().is_none();
    if !search.filters.is_empty() && !is_in_query {
        let filters: Vec<String> = search.filters.iter().map(|filter| quoted(filter)).collect();
        text.push_str(&format!(" ({})", filters.join(", ")));
    }
    text
}

fn query(search: &Search) -> Option<String> {
    search.symbol().or_else(|| search.pattern.clone()).filter(|text| text.chars().count() <= LONGEST)
}

/// In backticks, which a text that has some would end too early.
fn quoted(text: &str) -> String {
    if text.contains('`') { format!("\"{text}\"") } else { format!("`{text}`") }
}
