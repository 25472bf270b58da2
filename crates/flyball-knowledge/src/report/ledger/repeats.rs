//! How often failures were seen that are not reported yet: one note of limited size for all of them.

use flyball_core::policy::{PolicyError, World};
use flyball_core::workshop::Workshop;
use serde::{Deserialize, Serialize};

use super::notes::{read, to_json};

const KEY: &str = "memory.failures seen";

/// How many failures are remembered, the last seen ones.
const MOST: usize = 256;

/// The failures that were seen, the last one at the end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct Seen(Vec<(u64, u32)>);

/// How often this failure was seen.
///
/// # Errors
/// When the note cannot be read.
pub fn failure_count(world: &dyn World, key: &str) -> Result<u32, PolicyError> {
    let seen: Seen = world.project_note(KEY)?.map(|text| read(&text)).unwrap_or_default();
    let found = seen.0.iter().find(|(known, _)| *known == fingerprint(key));
    Ok(found.map_or(0, |(_, times)| *times))
}

/// Counts a failure once more, and returns how often it was seen.
pub(super) fn count(workshop: &dyn Workshop, key: &str) -> Result<u32, PolicyError> {
    let mut times = 1;
    workshop.change_note(KEY, &mut |text| {
        let mut seen: Seen = text.map(read).unwrap_or_default();
        let print = fingerprint(key);
        let before = seen.0.iter().position(|(known, _)| *known == print).map(|at| seen.0.remove(at));
        times = before.map_or(1, |(_, times)| times.saturating_add(1));
        seen.0.push((print, times));
        let over = seen.0.len().saturating_sub(MOST);
        seen.0.drain(..over);
        to_json(&seen).map(Some)
    })?;
    Ok(times)
}

/// FNV-1a. Two failures with one hash are reported too early, which does no harm.
fn fingerprint(key: &str) -> u64 {
    key.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
