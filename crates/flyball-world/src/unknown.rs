//! What could not be known of a file, and why.

use std::io::Error;
use std::path::Path;
use std::sync::OnceLock;

use flyball_core::error::PolicyError;
pub(crate) use flyball_system::is_known_absence;

/// The first thing that could not be known.
#[derive(Default)]
pub(crate) struct Unknown(OnceLock<PolicyError>);

impl Unknown {
    /// The value; where there is none for another reason than that nothing is there, that is remembered.
    pub(crate) fn check<T>(&self, path: &Path, found: Result<T, Error>) -> Option<T> {
        match found {
            Ok(value) => Some(value),
            Err(cause) => {
                self.note(path, &cause);
                None
            }
        }
    }

    /// Remembers an error, unless it says that there is nothing.
    pub(crate) fn note(&self, path: &Path, cause: &Error) {
        if !is_known_absence(cause) {
            self.0.get_or_init(|| PolicyError::World {
                what: format!("what is at `{}` cannot be known: {cause}", path.display()),
                fix: "check the disk, and how many files and processes this user may have open".to_owned(),
            });
        }
    }

    pub(crate) fn get(&self) -> Option<PolicyError> {
        self.0.get().cloned()
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn only_what_may_be_there_is_unknown() {
        let cases = [
            (Errno::NOENT, false),
            (Errno::NOTDIR, false),
            (Errno::ACCESS, false),
            (Errno::PERM, false),
            (Errno::NAMETOOLONG, false),
            (Errno::LOOP, false),
            (Errno::INVAL, false),
            (Errno::MFILE, true),
            (Errno::NFILE, true),
            (Errno::NOMEM, true),
            (Errno::IO, true),
            (Errno::STALE, true),
            (Errno::TIMEDOUT, true),
        ];
        for (errno, expected) in cases {
            let unknown = Unknown::default();
            assert_eq!(unknown.check::<()>(Path::new("/x"), Err(errno.into())), None);
            assert_eq!(unknown.get().is_some(), expected, "{errno:?}");
        }
        let unknown = Unknown::default();
        unknown.note(Path::new("/disk/a"), &Errno::IO.into());
        unknown.note(Path::new("/disk/b"), &Errno::MFILE.into());
        let text = unknown.get().unwrap().to_string();
        assert!(text.starts_with("what is at `/disk/a` cannot be known: "), "{text}");
    }
}
