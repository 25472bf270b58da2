//! What counts in the content of a file, as a number.

use flyball_core::policy::World;

use super::super::settings::Trivial;
use super::super::state::Fingerprint;
use super::super::trivial;
use crate::digest::digest;

/// A fingerprint of what counts in the content of a file.
pub(super) fn fingerprint<W: World + ?Sized>(world: &W, file: &SourceFile<'_>) -> Fingerprint {
    let counts = trivial::significant(file.path, file.bytes, file.trivial);
    digest([world.hash(&counts).as_str()])
}

/// The content of a file, and what does not count in it.
pub(super) struct SourceFile<'a> {
    pub(super) path: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) trivial: &'a [Trivial],
}
