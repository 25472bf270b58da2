//! Counts the relocations of a program: each is work before its first instruction.

/// Sections of type `SHT_RELA` and `SHT_REL`.
const RELOCATIONS: [u32; 2] = [4, 9];

/// How many entries the relocation tables of a 64-bit little-endian ELF file have; `None` if it is
/// not such a file.
pub(super) fn relocations(file: &[u8]) -> Option<u64> {
    if !file.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = usize::try_from(number(file, 40, 8)?).ok()?;
    let (size, count) =
        (usize::try_from(number(file, 58, 2)?).ok()?, usize::try_from(number(file, 60, 2)?).ok()?);
    let mut sum = 0;
    for section in 0..count {
        sum += entries(file, table.checked_add(section.checked_mul(size)?)?)?;
    }
    Some(sum)
}

fn entries(file: &[u8], section: usize) -> Option<u64> {
    let kind = u32::try_from(number(file, section.checked_add(4)?, 4)?).ok()?;
    if !RELOCATIONS.contains(&kind) {
        return Some(0);
    }
    let (bytes, each) =
        (number(file, section.checked_add(32)?, 8)?, number(file, section.checked_add(56)?, 8)?);
    bytes.checked_div(each)
}

fn number(file: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let field = file.get(at..at.checked_add(bytes)?)?;
    Some(field.iter().rev().fold(0, |sum, byte| (sum << 8) | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is only a header and three sections: a table of two relocations, something
    /// else, and a table of five.
    fn sample() -> Vec<u8> {
        let mut file = b"\x7fELF\x02\x01\x01".to_vec();
        file.resize(64, 0);
        file[40] = 64;
        file[58] = 64;
        file[60] = 3;
        for (kind, bytes, each) in [(4_u8, 48_u8, 24_u8), (1, 99, 0), (9, 80, 16)] {
            let mut section = vec![0; 64];
            section[4] = kind;
            section[32] = bytes;
            section[56] = each;
            file.extend(section);
        }
        file
    }

    #[test]
    fn the_entries_of_all_tables_are_counted() {
        assert_eq!(relocations(&sample()), Some(7));
    }

    #[test]
    fn other_and_incomplete_files_are_not_counted() {
        assert_eq!(relocations(b"#!/bin/sh"), None);
        assert_eq!(relocations(&sample()[..100]), None);
    }
}
