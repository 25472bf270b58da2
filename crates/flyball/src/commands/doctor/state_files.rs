//! The small files below the state directory: notes and ledgers that cannot be read, drafts that were left behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flyball_core::text;
use flyball_knowledge::lock;
use flyball_world::state_files;

use super::installation::Installation;
use super::report::Section;

const REPAIR_NOTE: &str = "`flyball doctor --repair` moves it aside; flyball then starts a new one";
const UPDATE: &str = "update flyball: `flyball update` says how";
const REMOVE_DRAFTS: &str = "`flyball doctor --repair` deletes them";

/// What is wrong with them.
pub(super) struct StateFiles {
    damaged: Vec<DamagedFile>,
    drafts: Vec<PathBuf>,
    /// Ledgers of a newer flyball, with the version of their format.
    newer: Vec<(PathBuf, u64)>,
}

struct DamagedFile {
    path: PathBuf,
    why: String,
}

impl StateFiles {
    pub(super) fn examine(state: &Path) -> StateFiles {
        let notes = state_files::notes(state).into_iter().map(|path| (is_damaged_note(&path), path));
        let ledgers = state_files::ledgers(state).into_iter().map(|path| (is_damaged_json(&path), path));
        let damaged = notes.chain(ledgers).filter_map(|(why, path)| Some(DamagedFile { path, why: why? }));
        StateFiles {
            damaged: damaged.collect(),
            drafts: state_files::left_over_drafts(state),
            newer: state_files::newer_ledgers(state),
        }
    }

    pub(super) fn are_well(&self) -> bool {
        self.damaged.is_empty() && self.drafts.is_empty()
    }

    pub(super) fn report(&self, installation: &Installation, section: &mut Section) {
        for DamagedFile { path, why } in &self.damaged {
            section.bad(format!("{} is damaged: {why}", installation.site.show(path)), REPAIR_NOTE);
        }
        for (path, version) in &self.newer {
            let shown = installation.site.show(path);
            section.warn(
                format!("{shown} was written by a newer flyball (format {version}) and is not in force"),
                UPDATE,
            );
        }
        if !self.drafts.is_empty() {
            section.warn(format!("{} left behind", self.count_drafts()), REMOVE_DRAFTS);
        }
    }

    /// Moves damaged files aside, and deletes drafts.
    pub(super) fn repair(&self, installation: &Installation, section: &mut Section) -> io::Result<()> {
        for DamagedFile { path, .. } in &self.damaged {
            let aside = move_aside(path)?;
            section.note(format!("moved aside: {}", installation.site.show(&aside)));
        }
        for path in &self.drafts {
            fs::remove_file(path)?;
        }
        if !self.drafts.is_empty() {
            section.good(format!("deleted: {} left behind", self.count_drafts()));
        }
        Ok(())
    }

    fn count_drafts(&self) -> String {
        let were = if self.drafts.len() == 1 { "was" } else { "were" };
        format!("{} of processes that were killed {were}", text::counted(self.drafts.len(), "draft"))
    }
}

/// Why a note cannot be what was written. A note is JSON or a plain word.
fn is_damaged_note(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let Ok(text) = std::str::from_utf8(&bytes) else { return Some("it is not valid UTF-8".to_owned()) };
    if state_files::is_note_of(path, lock::NOTE) {
        return lock::parse(text).err().map(|error| error.to_string());
    }
    let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_word { None } else { json_error(&bytes) }
}

fn is_damaged_json(path: &Path) -> Option<String> {
    json_error(&fs::read(path).ok()?)
}

fn json_error(bytes: &[u8]) -> Option<String> {
    serde_json::from_slice::<serde_json::Value>(bytes)
        .err()
        .map(|error| format!("it is not valid JSON: {error}"))
}

fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{number}"));
        PathBuf::from(name)
    };
    let aside = (1..).map(named).find(|name| !name.exists()).unwrap_or_else(|| named(0));
    fs::rename(path, &aside)?;
    Ok(aside)
}
