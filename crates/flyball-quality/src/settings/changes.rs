//! A linter with the user's changes.

use crate::linter::Entry;

/// An entry with each field that `changes` sets.
pub(super) fn changed(entry: &Entry, changes: &Entry) -> Entry {
    macro_rules! either {
        ($($field:ident),* $(,)?) => {
            Entry { $($field: changes.$field.clone().or_else(|| entry.$field.clone())),* }
        };
    }
    either!(
        enabled,
        language,
        files,
        exclude,
        security,
        needs,
        mentions,
        unless,
        optional,
        via,
        format,
        standard,
        check,
        reach,
        only_edited,
        reads,
        level,
        levels,
        unconfigured,
        ignore,
        configs,
        project_code,
        finds,
        env,
        version,
        install,
    )
}
