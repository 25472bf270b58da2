//! The compiled configuration of one project, in one file.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flyball_core::config::Config;
use flyball_files::TempFile;
use serde::{Deserialize, Serialize};

use super::pin::PinnedTexts;
use super::status::Status;

/// What the file begins with. The last byte is the version of the format.
const MAGIC: &[u8; 8] = b"flyconf\x03";

/// The config may hold secrets.
const OWNER_ONLY: u32 = 0o600;

/// The result of loading the files, cached until one of them changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) config: Config,
    pub(super) status: Status,
    pub(super) notices: Vec<String>,
    pub(super) warnings: Vec<String>,
    pub(super) in_force: PinnedTexts,
    pub(super) is_project_trusted: bool,
}

/// The cache file of a project.
pub(super) struct Cache {
    path: PathBuf,
}

impl Cache {
    /// The cache of the project whose config file this is.
    pub(super) fn for_project(folder: &Path, project: &Path) -> Cache {
        let name = fingerprint(project.as_os_str().as_encoded_bytes());
        Cache { path: folder.join(format!("config-{name:016x}.bin")) }
    }

    /// The cache of sessions of that project that began with these texts.
    pub(super) fn for_session(folder: &Path, project: &Path, pin: &str) -> Cache {
        let name = fingerprint(project.as_os_str().as_encoded_bytes());
        let pin = fingerprint(pin.as_bytes());
        Cache { path: folder.join(format!("config-{name:016x}-{pin:016x}.bin")) }
    }

    /// The cached result, if it is for exactly this state of the files. A cache that cannot
    /// be read counts as missing.
    pub(super) fn read(&self, key: &[u8]) -> Option<Outcome> {
        let bytes = fs::read(&self.path).ok()?;
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, body) = rest.split_first_chunk::<8>()?;
        let (cached_key, outcome) = postcard::take_from_bytes::<&[u8]>(body).ok()?;
        // The sum covers the key too: a torn or edited file must never pass for the configuration in force.
        if cached_key != key || fingerprint(body).to_le_bytes() != *sum {
            return None;
        }
        postcard::from_bytes(outcome).ok()
    }

    /// Caches the result for this state of the files.
    pub(super) fn write(&self, key: &[u8], outcome: &Outcome) -> io::Result<()> {
        let failed = |cause: postcard::Error| io::Error::other(cause.to_string());
        let mut body = postcard::to_stdvec(key).map_err(failed)?;
        body.extend(postcard::to_stdvec(outcome).map_err(failed)?);
        // Not synced to the disk: what a crash damages fails the sum and is compiled again.
        let parts = [MAGIC.as_slice(), &fingerprint(&body).to_le_bytes(), &body];
        replace(&self.path, &parts.concat())
    }
}

/// Replaces a file as a whole. A reader sees the old one or the new one; of two
/// writers, one wins.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = match TempFile::create(folder, OWNER_ONLY) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(folder)?;
            TempFile::create(folder, OWNER_ONLY)?
        }
        other => other?,
    };
    file.file().write_all(bytes)?;
    file.replace_soon(path)
}

/// A number that differs where the bytes do, for naming files and detecting damage. It is not
/// collision-resistant.
pub(super) fn fingerprint(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| {
        let product = (sum ^ word).wrapping_mul(PRIME);
        product ^ (product >> 32)
    };
    let mut words = bytes.chunks_exact(8);
    let whole = words
        .by_ref()
        .fold(bytes.len() as u64, |sum, word| mix(sum, word.try_into().map_or(0, u64::from_le_bytes)));
    words.remainder().iter().fold(whole, |sum, byte| mix(sum, u64::from(*byte)))
}
