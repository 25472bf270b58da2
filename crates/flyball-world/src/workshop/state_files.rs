//! Files of ours that stay, for programs that want a file and not a stream.

use std::fs::{self, DirBuilder};
use std::io::Write;
use std::path::Path;

use flyball_core::path::AbsolutePath;
use flyball_files::TempFile;
use flyball_system::DirBuilderExt;

/// The path of the file with this name and content, made if it is not there.
pub(super) fn file(state: &Path, name: &str, content: &[u8]) -> Option<AbsolutePath> {
    // The name must not lead out of the folder.
    if name.is_empty() || name.contains('/') || name.starts_with('.') {
        return None;
    }
    let folder = state.join("files");
    let place = folder.join(name);
    // It is replaced whole, so one of the right length is complete.
    if !fs::metadata(&place).is_ok_and(|data| data.is_file() && data.len() == content.len() as u64) {
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
        let beside = TempFile::create(&folder, 0o600).ok()?;
        beside.file().write_all(content).ok()?;
        beside.replace_soon(&place).ok()?;
    }
    AbsolutePath::new(place.to_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_made_once_and_repaired_if_it_is_cut() {
        let state = tempfile::tempdir().unwrap();
        let place = state.path().join("files/tone.wav");
        let expected = AbsolutePath::new(place.to_str().unwrap());
        assert_eq!(file(state.path(), "tone.wav", b"RIFF"), expected);
        fs::write(&place, b"RI").unwrap();
        assert_eq!(file(state.path(), "tone.wav", b"RIFF"), expected);
        assert_eq!(fs::read(&place).unwrap(), b"RIFF");
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_that_leads_elsewhere_makes_nothing() {
        let state = tempfile::tempdir().unwrap();
        for name in ["", "../x", "a/b", ".hidden"] {
            assert_eq!(file(state.path(), name, b"x"), None, "{name}");
        }
        assert_eq!(fs::read_dir(state.path()).unwrap().count(), 0);
    }
}
