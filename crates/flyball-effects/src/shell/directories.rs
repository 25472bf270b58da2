//! Where `cd` leads.

use crate::model::Word;

/// `cd "$(git rev-parse --show-toplevel)"`: the repository that this folder is in. What is done there to all files is done
/// to those of this folder, so it counts as this one.
pub(super) fn root_of_repository(arguments: &[Word]) -> Option<&'static str> {
    let [only] = arguments else { return None };
    let spelled = only.raw.trim_matches('"');
    let inner = spelled.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')'));
    let inner = inner.or_else(|| spelled.strip_prefix('`')?.strip_suffix('`'))?;
    inner.trim().starts_with("git rev-parse --show-toplevel").then_some(".")
}

/// Where `cd` and `pushd` go; `None` if that cannot be known.
pub(super) fn target(arguments: &[Word]) -> Option<&str> {
    let end = arguments.iter().position(|word| word.is("--"));
    let is_option = |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with(['-', '+']));
    let word = match end {
        Some(end) => arguments.get(end + 1),
        None => arguments.iter().find(|word| !is_option(word)),
    };
    // `cd -` and `cd ""` lead where only the running shell knows; a pattern may match any folder.
    word.filter(|word| !word.glob)?.text.as_deref().filter(|text| !text.is_empty() && *text != "-")
}
