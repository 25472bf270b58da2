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
        chosen_by,
        hints,
        not_if_run,
        off_if,
        job,
        yields_to,
        config_files,
        options,
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
        check,
        reach,
        compiles,
        only_edited,
        reads,
        level,
        levels,
        ignore,
        ignore_in,
        unresolved,
        configs,
        project_code,
        finds,
        env,
        version,
        timeout_seconds,
        memory_mb,
        install,
    )
}
