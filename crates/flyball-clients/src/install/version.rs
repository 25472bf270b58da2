//! Versions of clients, as far as they decide what can be registered.

use std::fmt;

/// A version of a client: three numbers, what follows them does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// A version by its numbers.
    #[must_use]
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// The first version in what a client prints about itself: `2.1.325 (Claude Code)`,
    /// `codex-cli 0.166.0`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Version> {
        text.split_whitespace().find_map(Version::parse_word)
    }

    fn parse_word(word: &str) -> Option<Version> {
        let word = word.strip_prefix('v').unwrap_or(word);
        let mut numbers = word.splitn(3, '.');
        let major = numbers.next()?.parse().ok()?;
        let minor = numbers.next()?.parse().ok()?;
        let last = numbers.next()?;
        // Without a suffix such as `-beta.1`.
        let digits = last.split(|letter: char| !letter.is_ascii_digit()).next()?;
        Some(Version { major, minor, patch: digits.parse().ok()? })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn a_version_is_found_in_what_clients_print() {
        let cases = [
            ("2.1.325 (Claude Code)", Some(Version::new(2, 1, 325))),
            ("codex-cli 0.166.0\n", Some(Version::new(0, 166, 0))),
            ("codex-cli 0.170.0-alpha.3", Some(Version::new(0, 170, 0))),
            ("v1.0.41", Some(Version::new(1, 0, 41))),
            ("2.1", None),
            ("command not found", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(Version::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn versions_are_ordered_by_number_not_by_letter() {
        assert!(Version::new(2, 1, 89) < Version::new(2, 1, 197));
        assert!(Version::new(1, 0, 85) < Version::new(2, 0, 0));
        assert_eq!(Version::new(0, 166, 0).to_string(), "0.166.0");
    }
}
