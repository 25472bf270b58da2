//! The compiled configuration of one project, in one file.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flyball_core::config::{Config, SectionBytes};
use flyball_files::TempFile;
use flyball_system::FileExt;
use serde::{Deserialize, Serialize};

use super::pin::PinnedTexts;
use super::status::Status;

/// What the file begins with. The last byte is the version of the format.
const MAGIC: &[u8; 8] = b"flyconf\x05";

/// Longer settings are behind the rest, and read when they are first asked for: each page of memory costs an event as much
/// as reading a file does.
const LONG: usize = 2 * 1024;

/// As much of them stays in front: what every event needs of a section is what it begins with.
const BEGINNING: usize = 256;

/// What is read at once: nearly always all but the long settings.
const AT_ONCE: usize = 8 * 1024;

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
        let file = File::open(&self.path).ok()?;
        let mut bytes = Vec::with_capacity(AT_ONCE);
        (&file).take(AT_ONCE as u64).read_to_end(&mut bytes).ok()?;
        let (sum, end) = head(&bytes)?;
        if let Some(missing) = end.checked_sub(bytes.len()) {
            (&file).take(missing as u64).read_to_end(&mut bytes).ok()?;
        }
        let body = bytes.get(HEAD_BYTES..end)?;
        // The sum covers the key too: a torn or edited file must never pass for the configuration in force.
        if fingerprint(body) != sum {
            return None;
        }
        let stored: Stored<'_> = postcard::from_bytes(body).ok()?;
        if stored.key != key {
            return None;
        }
        let mut outcome: Outcome = postcard::from_bytes(stored.outcome).ok()?;
        let mut offset = end as u64;
        let file = Arc::new(file);
        for long in stored.long {
            let section = outcome.config.sections.get_mut(&long.policy)?;
            let Long { beginning, bytes, sum, .. } = long;
            let tail = Tail { file: Arc::clone(&file), path: self.path.clone(), offset, bytes, sum };
            offset = offset.checked_add(bytes)?;
            section.settings = SectionBytes::later(beginning, move || tail.read());
        }
        (file.metadata().ok()?.len() == offset).then_some(outcome)
    }

    /// Caches the result for this state of the files.
    pub(super) fn write(&self, key: &[u8], outcome: &Outcome) -> io::Result<()> {
        let failed = |cause: postcard::Error| io::Error::other(cause.to_string());
        let mut short = outcome.clone();
        let (mut long, mut tail) = (Vec::new(), Vec::new());
        for (policy, section) in &mut short.config.sections {
            let Some(bytes) = section.settings.get().filter(|bytes| bytes.len() > LONG) else { continue };
            let beginning = bytes.get(..BEGINNING).unwrap_or_default().to_vec();
            let (sum, count) = (fingerprint(&bytes), bytes.len() as u64);
            long.push(Long { policy: policy.clone(), beginning, bytes: count, sum });
            tail.extend_from_slice(&bytes);
            section.settings = SectionBytes::default();
        }
        let short = postcard::to_stdvec(&short).map_err(failed)?;
        let body = postcard::to_stdvec(&Stored { key, outcome: &short, long }).map_err(failed)?;
        // Not synced to the disk: what a crash damages fails the sum and is compiled again.
        let length = (body.len() as u64).to_le_bytes();
        let parts = [MAGIC.as_slice(), &fingerprint(&body).to_le_bytes(), &length, &body, &tail];
        replace(&self.path, &parts.concat())
    }
}

/// What the file has behind its head.
#[derive(Serialize, Deserialize)]
struct Stored<'a> {
    key: &'a [u8],
    /// Without the long settings.
    outcome: &'a [u8],
    long: Vec<Long>,
}

/// Settings that are behind the rest.
#[derive(Serialize, Deserialize)]
struct Long {
    policy: String,
    beginning: Vec<u8>,
    bytes: u64,
    sum: u64,
}

/// What comes before the rest: [`MAGIC`], the sum of the rest, and its length without the long settings.
const HEAD_BYTES: usize = 24;

/// The sum of the rest, and where it ends.
fn head(bytes: &[u8]) -> Option<(u64, usize)> {
    let (sum, bytes) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
    let (length, _) = bytes.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    Some((u64::from_le_bytes(*sum), length.checked_add(HEAD_BYTES)?))
}

/// Where long settings are. The file stays open: another process may put a new one in its place.
struct Tail {
    file: Arc<File>,
    path: PathBuf,
    offset: u64,
    bytes: u64,
    sum: u64,
}

impl Tail {
    fn read(self) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.bytes).ok()?];
        let is_whole = self.file.read_exact_at(&mut bytes, self.offset).is_ok();
        if is_whole && fingerprint(&bytes) == self.sum {
            return Some(bytes);
        }
        // The next event compiles it again.
        drop(fs::remove_file(&self.path));
        None
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
