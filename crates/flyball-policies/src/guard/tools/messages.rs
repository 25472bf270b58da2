//! The messages that name the preferred tool, with the query built from the agent's own.

use flyball_core::verdict::Reason;

use super::preference::{Match, Preference};
use super::search::Search;

/// Longer patterns are not repeated.
const LONGEST: usize = 80;

pub(super) fn reason(preference: &Preference, met: &Match) -> Reason {
    let what = match met {
        Match::Search(seek) => format!("this project does not use `{}` for such a search", seek.tool),
        Match::ServerTool(tool) => format!("this project does not call `{tool}` directly"),
    };
    let why = preference.message.clone().unwrap_or_default();
    Reason { instead: suggestion(preference, met), what, why }
}

/// The context for the model.
pub(super) fn reminder(preference: &Preference, met: &Match) -> String {
    let what = format!("this project prefers it to `{}`", met.tool());
    let why = preference.message.clone().unwrap_or_default();
    Reason { instead: suggestion(preference, met), what, why }.text()
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
