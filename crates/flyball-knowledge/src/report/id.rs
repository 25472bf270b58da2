//! The ids of reports.

use flyball_core::time::Time;

use super::draft::Draft;
use super::sanitize::sanitize;
use crate::timestamp;

/// The id of a new report: the same for the same thing on the same day, unique otherwise.
#[must_use]
pub fn new_id(draft: &Draft, at: Time) -> String {
    let draft = sanitize(draft);
    let prefix = if draft.is_skeleton() { "SKELETON".to_owned() } else { draft.kind.name().to_uppercase() };
    let sameness = format!("{}\n{}", draft.kind.name(), draft.sameness);
    // FNV-1a. A file is never overwritten, so a collision does no harm.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in sameness.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{prefix}-{}-{hash:016x}", timestamp::date(at))
}
