//! The record: whether it can be written, how large it is, and which files are damaged.

use std::fs;
use std::path::Path;

use flyball_store::{DatabaseHealth, Health, Store, StoreError};

use super::installation::Installation;
use super::report::Section;
use super::state_files::StateFiles;
use crate::project_context::describe_held_back;
use crate::show::time;

const REPAIR: &str = "`flyball doctor --repair` rebuilds it; damaged files are moved aside";
/// What the probe writes: an empty file fits on a full disk.
const PROBE: [u8; 4096] = [b' '; 4096];

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("record");
    let Some(state) = installation.site.state() else {
        section.bad("no state directory: nothing is recorded", "set HOME or FLYBALL_STATE_DIR");
        return section;
    };
    let shown = installation.site.show(state);
    if !state.exists() {
        match check_creatable(state) {
            Ok(()) => section.note(format!("{shown}: nothing is recorded yet")),
            Err(error) => section.bad(
                format!("{shown} cannot be created: {error}; {}", consequence(state)),
                "make the folder above it writable, or set FLYBALL_STATE_DIR to a folder that is",
            ),
        }
        return section;
    }
    match check_writable(state) {
        Ok(()) => section.good(format!("{shown} can be written")),
        Err(error) => section.bad(
            format!("{shown} cannot be written: {error}; {}", consequence(state)),
            "make it writable, or set FLYBALL_STATE_DIR to a folder that is",
        ),
    }
    match Store::at(state).health() {
        Ok(health) => report_health(installation, &health, &mut section),
        Err(error) => section.bad(error.to_string(), &error.fix()),
    }
    StateFiles::examine(state).report(installation, &mut section);
    section
}

/// Whether a folder that is not there can be made, by trying in the nearest one that is.
fn check_creatable(state: &Path) -> std::io::Result<()> {
    let above = state.ancestors().find(|folder| folder.symlink_metadata().is_ok()).unwrap_or(Path::new("/"));
    check_writable(above)
        .map_err(|error| std::io::Error::new(error.kind(), format!("{} ({error})", above.display())))
}

/// What becomes of events. What may be there and cannot be read is needed by guards.
fn consequence(state: &Path) -> &'static str {
    match fs::read_dir(state) {
        Err(error) if !flyball_files::is_absent(&error) => "guards deny what they cannot judge without it",
        _ => "events are judged but not recorded",
    }
}

fn check_writable(state: &Path) -> std::io::Result<()> {
    // Permissions do not tell: the file system may be read-only, or full.
    let probe = state.join(format!(".doctor-{}", std::process::id()));
    let written = fs::write(&probe, PROBE);
    // Also what was written in part.
    let removed = fs::remove_file(&probe);
    written.and(removed)
}

fn report_health(installation: &Installation, health: &Health, section: &mut Section) {
    match &health.database {
        DatabaseHealth::Missing => section.note("no index yet: the first `flyball log` creates it"),
        DatabaseHealth::Sound { schema } => {
            section
                .good(format!("index: {}, schema {schema}", size(health.database_bytes + health.log_bytes)));
        }
        DatabaseHealth::Unusable(error) => section.bad(error.to_string(), &fix_for(error)),
    }
    let waiting = match health.unfolded_bytes {
        0 => String::new(),
        bytes => format!(", {} not in the index yet", size(bytes)),
    };
    if health.journals > 0 {
        section.good(format!("journals: {}, {}{waiting}", health.journals, size(health.journal_bytes)));
    }
    if health.corrupt_lines > 0 {
        section.note(format!(
            "{} lines were cut short by a crash or a full disk and are skipped",
            health.corrupt_lines
        ));
    }
    if let Some(held) = health.held_back {
        section.bad(describe_held_back(held), "set the clock, or run `flyball forget`");
    }
    if let Some(believed) = health.clock_doubted {
        let believed = time::date(believed);
        section.bad(
            format!("the clock is ahead of what it can be; by the machine's uptime and the record it is {believed}, and old events are deleted by that"),
            "set the clock; if it is right: `flyball forget`",
        );
    }
    report_rows(health, section);
    for (path, error) in &health.unreadable {
        section.bad(format!("{}: {error}", installation.site.show(path)), &fix_for(error));
    }
}

/// A record of a newer flyball is not damaged, and must not be rebuilt.
fn fix_for(error: &StoreError) -> String {
    if error.is_damage() { REPAIR.to_owned() } else { error.fix() }
}

/// What is wrong with the rows of an index that can be read.
fn report_rows(health: &Health, section: &mut Section) {
    let (broken, differing, missing) = (health.broken_rows, health.differing_events, health.missing_events);
    if broken > 0 {
        let what = either(broken, "row of the index has a value", "rows of the index have values");
        section.bad(format!("{what} that flyball does not write"), REPAIR);
    }
    if differing > 0 {
        let what = either(differing, "event in the index differs", "events in the index differ");
        section.bad(format!("{what} from what was recorded"), REPAIR);
    }
    if missing > 0 {
        let what = either(missing, "event that a journal has is", "events that journals have are");
        section.bad(format!("{what} missing in the index"), REPAIR);
    }
    if health.is_miscounted && !health.has_odd_rows() {
        section.bad("counts in the index are not those of its events", REPAIR);
    }
    if health.waiting > 0 {
        let what = either(health.waiting, "event waits", "events wait");
        section.note(format!("{what} beside a journal that cannot be used"));
    }
}

fn either(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(super) fn size(bytes: u64) -> String {
    const KB: u64 = 1024;
    match bytes {
        0..KB => format!("{bytes} bytes"),
        KB..1_048_576 => format!("{} KB", bytes / KB),
        _ => format!("{}.{} MB", bytes / 1_048_576, bytes % 1_048_576 * 10 / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_one_unit() {
        assert_eq!([size(0), size(2_048), size(1_600_000)], ["0 bytes", "2 KB", "1.5 MB"]);
    }
}
