//! Compares what two versions of a file mean, token by token, and asks for each difference whether a
//! finding is about it.
//!
//! A model is asked to fix findings, not to improve a program: what it changes must be near a finding, and
//! a literal, a condition, a returned value, a call or the handling of an error may change only if the
//! message of that finding names it.

mod align;
mod hunks;
mod judge;
mod permission;
mod piece;
mod regions;
mod source;
mod strings;
#[cfg(test)]
mod tests;
mod topics;

use flyball_effects::lex::Language;

use self::source::Source;
use self::topics::Permits;
use super::candidate::Candidate;

/// How many reasons are enough.
const MOST_REASONS: usize = 3;

/// What a change does that no finding asks for, in plain words.
pub(super) fn refusals(candidate: &Candidate<'_>) -> Vec<String> {
    let permits = Permits::new(candidate.findings, candidate.before);
    let hunks = hunks::all(candidate.before, candidate.after);
    let mut reasons = match code_language(candidate.path) {
        Some(language) => {
            let versions = judge::Versions {
                before: Source::read(candidate.before, language),
                after: Source::read(candidate.after, language),
            };
            judge::reasons(&versions, &hunks, &permits)
        }
        None => hunks.iter().filter_map(|hunk| permits.distance_reason(hunk)).collect(),
    };
    reasons.dedup();
    reasons.truncate(MOST_REASONS);
    reasons
}

/// The language of a program. In data, markup and build files only the place of a change is checked.
fn code_language(path: &str) -> Option<Language> {
    let language = Language::from_path(path)?;
    let is_data = matches!(
        language,
        Language::Style | Language::Docker | Language::Yaml | Language::Toml | Language::Markdown
    );
    (!is_data).then_some(language)
}
