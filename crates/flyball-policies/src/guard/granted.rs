//! Files that a person allowed for a while. A verdict names what it is about, but it may stand for several files: what
//! else the call does is judged without those that are allowed.

use std::collections::BTreeSet;

use flyball_core::grant::Granted;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Stance, Verdict};

/// The verdict about a call without the files that are allowed now, if it stops something; else the one that is given,
/// which the engine takes back if it is about an allowed file.
pub(crate) fn judge_the_rest(
    situation: &Situation<'_>,
    verdict: Verdict,
    again: impl FnOnce(&BTreeSet<AbsolutePath>) -> Result<Verdict, PolicyError>,
) -> Result<Verdict, PolicyError> {
    if verdict.stance < Stance::Ask {
        return Ok(verdict);
    }
    let now = situation.world.now();
    // The engine reports what cannot be read; then nothing is allowed.
    let grants =
        situation.world.grants().unwrap_or_default().into_iter().filter(|grant| grant.is_active(now));
    let allowed: BTreeSet<AbsolutePath> = grants
        .filter_map(|grant| match grant.granted {
            Granted::File(path) => Some(path),
            Granted::Rule(_) => None,
        })
        .collect();
    if allowed.is_empty() {
        return Ok(verdict);
    }
    let rest = again(&allowed)?;
    Ok(if rest.stance >= Stance::Ask { rest } else { verdict })
}
