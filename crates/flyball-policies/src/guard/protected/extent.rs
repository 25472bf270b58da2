//! How much of a file is protected.

use super::parts::Part;

/// Longer files are not read.
pub(super) const MOST_BYTES: u64 = 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    Only(Part),
}

/// The protected part of a text; all of it if the part cannot be separated.
pub(super) fn extract(text: &[u8], extent: Extent) -> Vec<u8> {
    match extent {
        Extent::Whole => text.to_vec(),
        Extent::Only(part) => match std::str::from_utf8(text).ok().and_then(|text| part.extract(text)) {
            Some(cut) => cut.into_bytes(),
            None => text.to_vec(),
        },
    }
}
