//! Variables that every session has.

/// A word that begins with one of these variables and has no other expansion, with the variable's value.
pub(super) fn expand(raw: &str, known: &[(&str, &str)]) -> Option<String> {
    // All of them begin so, and are asked for each word that is not known.
    if !raw.trim_start_matches('"').starts_with(['$', '`', '~']) {
        return None;
    }
    let bare = raw.replace('"', "");
    known.iter().find_map(|(variable, value)| {
        let rest = bare.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        (!rest.contains(['$', '`'])).then(|| format!("{value}{rest}"))
    })
}
