//! What the agent is told to use, with the query built from its own.

use flyball_core::verdict::Reason;

use super::preference::{Match, Preference};
use super::search::Search;

/// Longer patterns are not repeated.
const LONGEST: usize = 80;

/// Why a call is stopped.
pub(super) fn reason(preference: &Preference, met: &Match) -> Reason {
    let (what, why) = match met {
        Match::Search(seek) => (
            format!("`{}` is not used for such a search in this project", seek.tool),
            format!("`{}` finds it with less to read", preference.preferred),
        ),
        Match::ServerTool(tool) => (
            format!("`{tool}` is not called directly in this project"),
            format!("`{}` is used in its place", preference.preferred),
        ),
    };
    let why = preference.message.clone().unwrap_or(why);
    Reason { what, why, instead: suggestion(preference, met) }
}

/// What the model is reminded of.
pub(super) fn reminder(preference: &Preference, met: &Match) -> String {
    let why = match &preference.message {
        Some(message) => message.clone(),
        None => format!("This project prefers `{}` to `{}` here", preference.preferred, met.tool()),
    };
    Reason { what: why, why: suggestion(preference, met), ..Reason::default() }.text()
}

/// The call to make: `Use `find_symbol` for `Foo` in `src` (`*.ts`)`.
fn suggestion(preference: &Preference, met: &Match) -> String {
    let mut text = format!("Use `{}`", preference.preferred);
    let Match::Search(seek) = met else { return text };
    if let Some(wanted) = query(seek) {
        text.push_str(&format!(" for {}", quoted(&wanted)));
    }
    let places: Vec<String> =
        seek.paths.iter().map(|spot| spot.as_str()).filter(|place| !place.is_empty()).map(quoted).collect();
    if !places.is_empty() && places.len() == seek.paths.len() {
        text.push_str(&format!(" in {}", places.join(", ")));
    }
    let is_said = seek.kind.finds_names() && seek.symbol().is_none();
    if !seek.filters.is_empty() && !is_said {
        let filters: Vec<String> = seek.filters.iter().map(|filter| quoted(filter)).collect();
        text.push_str(&format!(" ({})", filters.join(", ")));
    }
    text
}

fn query(seek: &Search) -> Option<String> {
    seek.symbol().or_else(|| seek.pattern.clone()).filter(|text| text.chars().count() <= LONGEST)
}

/// In backticks, which a text that has some would end too early.
fn quoted(text: &str) -> String {
    if text.contains('`') { format!("\"{text}\"") } else { format!("`{text}`") }
}
