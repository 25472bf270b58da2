//! What people allowed in a project for a while: one small file below the state directory, which agents cannot write.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use flyball_core::error::PolicyError;
use flyball_core::grant::{Grant, Granted};
use flyball_core::path::AbsolutePath;
use flyball_core::time::Time;
use serde::{Deserialize, Serialize};

use crate::content_store::{hash, lock_beside, write_atomic};
use crate::real_path::real_path;

/// The form of the file. A program that finds a higher number leaves the file alone.
pub(crate) const VERSION: u32 = 1;

/// How long one that has ended is kept: a session may notice only later what was changed meanwhile.
const REMEMBERED: Duration = Duration::from_hours(24 * 7);

/// What people allowed in one project.
#[derive(Clone, Debug)]
pub struct Grants {
    place: PathBuf,
    root: AbsolutePath,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    /// The project, for a person who looks at the file.
    root: AbsolutePath,
    grants: Vec<Grant>,
}

impl Grants {
    /// Those of the project at `root`, below a state directory.
    #[must_use]
    pub fn for_project(state: &Path, root: &Path) -> Grants {
        let root = AbsolutePath::from_root(real_path(root).to_string_lossy());
        let key: String = hash(root.as_bytes()).as_str().chars().take(32).collect();
        Grants { place: state.join("allowed").join(format!("{key}.json")), root }
    }

    /// All that are stored, also those that have ended lately; nothing at first.
    ///
    /// # Errors
    /// When the file is there and cannot be used.
    pub fn read(&self) -> Result<Vec<Grant>, PolicyError> {
        let text = match fs::read(&self.place) {
            Ok(text) => text,
            Err(cause) if flyball_files::is_absent(&cause) => return Ok(Vec::new()),
            Err(cause) => return Err(self.error(&cause.to_string())),
        };
        let stored: Stored = serde_json::from_slice(&text).map_err(|cause| self.error(&cause.to_string()))?;
        if stored.version > VERSION {
            return Err(self.error("a newer flyball wrote it"));
        }
        Ok(stored.grants)
    }

    /// Those that hold at this time.
    ///
    /// # Errors
    /// When the file is there and cannot be used.
    pub fn active(&self, now: Time) -> Result<Vec<Grant>, PolicyError> {
        Ok(self.read()?.into_iter().filter(|grant| grant.is_active(now)).collect())
    }

    /// Adds one; another one about the same ends.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&self, grant: Grant) -> Result<(), PolicyError> {
        let now = grant.from;
        self.change(now, |grants| {
            end_those_about(grants, &grant.granted, now);
            grants.push(grant);
        })
    }

    /// Ends what is allowed about something. Whether anything was.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end(&self, granted: &Granted, now: Time) -> Result<bool, PolicyError> {
        let mut has_ended = false;
        self.change(now, |grants| has_ended = end_those_about(grants, granted, now))?;
        Ok(has_ended)
    }

    fn change(&self, now: Time, work: impl FnOnce(&mut Vec<Grant>)) -> Result<(), PolicyError> {
        let failed = |cause: std::io::Error| self.error(&cause.to_string());
        let _lock = lock_beside(&self.place).map_err(failed)?;
        let mut grants = self.read()?;
        work(&mut grants);
        grants.retain(|grant| now < grant.until + REMEMBERED);
        let stored = Stored { version: VERSION, root: self.root.clone(), grants };
        let text = serde_json::to_vec_pretty(&stored)
            .map_err(|cause| PolicyError::Bug { what: format!("allowed: {cause}") })?;
        write_atomic(&self.place, &text).map_err(failed)
    }

    fn error(&self, cause: &str) -> PolicyError {
        PolicyError::World {
            what: format!("what is allowed in `{}` cannot be used: {cause}", self.place.display()),
            fix: "delete the file to end all that was allowed".to_owned(),
        }
    }
}

fn end_those_about(grants: &mut [Grant], granted: &Granted, now: Time) -> bool {
    let mut has_ended = false;
    for grant in grants.iter_mut().filter(|grant| grant.granted == *granted && grant.is_active(now)) {
        grant.until = now;
        has_ended = true;
    }
    has_ended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grants() -> (tempfile::TempDir, Grants) {
        let folder = tempfile::tempdir().unwrap();
        let grants = Grants::for_project(folder.path(), Path::new("/project"));
        (folder, grants)
    }

    fn grant(name: &str, from: u64, until: u64) -> Grant {
        Grant {
            granted: Granted::Rule(name.to_owned()),
            name: name.to_owned(),
            from: Time::from_millis(from),
            until: Time::from_millis(until),
            confirmed_by: "terminal".to_owned(),
        }
    }

    fn names(grants: &Grants, at: u64) -> Vec<String> {
        grants.active(Time::from_millis(at)).unwrap().into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn what_is_allowed_ends_by_itself_or_at_once() {
        let (folder, grants) = grants();
        assert_eq!(names(&grants, 5), Vec::<String>::new());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "reading makes nothing");
        grants.add(grant("a", 10, 100)).unwrap();
        grants.add(grant("b", 20, 60)).unwrap();
        assert_eq!(names(&grants, 50), ["a", "b"]);
        assert_eq!(names(&grants, 60), ["a"]);
        let a = Granted::Rule("a".to_owned());
        assert!(grants.end(&a, Time::from_millis(70)).unwrap());
        assert!(!grants.end(&a, Time::from_millis(71)).unwrap());
        assert_eq!(names(&grants, 75), Vec::<String>::new());
        assert_eq!(grants.read().unwrap().len(), 2, "what has ended is remembered for a while");
    }

    #[test]
    fn a_second_one_about_the_same_replaces_the_first() {
        let (_folder, grants) = grants();
        grants.add(grant("a", 10, 100)).unwrap();
        grants.add(grant("a", 20, 40)).unwrap();
        assert_eq!(names(&grants, 30), ["a"]);
        assert_eq!(names(&grants, 50), Vec::<String>::new());
    }

    #[test]
    fn a_damaged_or_newer_file_allows_nothing_and_is_left_alone() {
        let (_folder, grants) = grants();
        grants.add(grant("a", 10, 100)).unwrap();
        for text in [r#"{"version":2,"root":"/project","grants":[]}"#, "{"] {
            fs::write(&grants.place, text).unwrap();
            assert!(grants.read().is_err());
            assert!(grants.add(grant("b", 10, 100)).is_err());
            assert_eq!(fs::read_to_string(&grants.place).unwrap(), text);
        }
    }

    #[test]
    fn two_projects_share_nothing() {
        let (folder, grants) = grants();
        grants.add(grant("a", 10, 100)).unwrap();
        let other = Grants::for_project(folder.path(), Path::new("/project2"));
        assert_eq!(names(&other, 50), Vec::<String>::new());
    }
}
