//! A short fingerprint of texts, for "the same as before".

/// One number for a list of texts: FNV-1a, which is the same in every build.
pub(crate) fn digest<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64;
    for text in texts {
        // The 0 separates the texts: `ab` and `c` are not `a` and `bc`.
        for byte in text.bytes().chain([0]) {
            sum = (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    sum
}
