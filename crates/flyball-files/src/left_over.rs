//! Temporary files of processes that were killed before they could rename or delete them.

use std::fs::{self, DirEntry};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use flyball_system::is_alive;

/// Younger ones stay, even if their process seems to be gone: it may run in a container with numbers of its own.
const LEAST_AGE: Duration = Duration::from_hours(1);

/// Deletes the temporary files that processes left in a folder: those with a name of ours whose process is gone, older
/// than an hour by the clock of the file system. Returns what was deleted; what cannot be deleted stays.
pub fn remove_left_over(folder: &Path, now: SystemTime) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let old = entries.flatten().filter(|entry| is_left_over(entry, now).unwrap_or(false));
    old.map(|entry| entry.path()).filter(|path| fs::remove_file(path).is_ok()).collect()
}

fn is_left_over(entry: &DirEntry, now: SystemTime) -> Result<bool> {
    let Some(process) = entry.file_name().to_str().and_then(process_in) else { return Ok(false) };
    // Not through a link.
    let metadata = entry.metadata()?;
    let age = now.duration_since(metadata.modified()?).unwrap_or_default();
    Ok(metadata.is_file() && age >= LEAST_AGE && !is_alive(process))
}

/// The number of the process in a name of ours: `.flyball-71-0.tmp`, `.flyball-page-71.tmp`, `.settings.json.flyball-71`.
fn process_in(name: &str) -> Option<u32> {
    let hidden = name.strip_prefix('.')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    let temporary = hidden.strip_prefix("flyball-").and_then(|rest| rest.strip_suffix(".tmp"));
    match temporary {
        Some(rest) => match rest.strip_prefix("page-") {
            Some(process) => number(process),
            None => rest
                .split_once('-')
                .filter(|(_, count)| number(count).is_some())
                .and_then(|(it, _)| number(it)),
        },
        None => {
            hidden.rsplit_once(".flyball-").filter(|(of, _)| !of.is_empty()).and_then(|(_, it)| number(it))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No system has so many processes.
    const GONE: u32 = 2_000_000_000;

    #[test]
    fn only_names_of_ours_have_a_process() {
        let cases = [
            (".flyball-71-0.tmp", Some(71)),
            (".flyball-page-71.tmp", Some(71)),
            (".settings.json.flyball-71", Some(71)),
            ("flyball-71-0.tmp", None),
            (".flyball-71.tmp", None),
            (".flyball-71-x.tmp", None),
            (".flyball-a-0.tmp", None),
            (".flyball-page-.tmp", None),
            (".flyball-71", None),
            (".settings.json.flyball-", None),
            (".settings.json.flyball-7a", None),
            ("notes.flyball-71", None),
        ];
        for (name, expected) in cases {
            assert_eq!(process_in(name), expected, "{name}");
        }
    }

    #[test]
    fn files_of_the_living_young_files_and_foreign_files_stay() {
        let folder = std::env::temp_dir().join(format!("flyball-left-over-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let own = std::process::id();
        let dead = format!(".flyball-{GONE}-0.tmp");
        let names = [
            dead.clone(),
            format!(".flyball-{own}-0.tmp"),
            "AGENTS.md".to_owned(),
            ".flyball-x.tmp".to_owned(),
        ];
        names.iter().for_each(|name| fs::write(folder.join(name), "x").unwrap());
        fs::create_dir_all(folder.join(format!(".flyball-{GONE}-1.tmp"))).unwrap();
        assert!(remove_left_over(&folder, SystemTime::now()).is_empty(), "it is young");
        let later = SystemTime::now() + 2 * LEAST_AGE;
        assert_eq!(remove_left_over(&folder, later), [folder.join(&dead)]);
        assert!(names[1..].iter().all(|name| folder.join(name).exists()));
        fs::remove_dir_all(&folder).unwrap();
    }
}
