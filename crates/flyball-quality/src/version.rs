//! Versions, as programs print them.

/// The first thing in a text that looks like a version: numbers with a dot between them.
#[must_use]
pub fn find(text: &str) -> Option<String> {
    let pieces = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let mut versions = pieces.map(|piece| piece.trim_matches('.')).filter(|piece| piece.contains('.'));
    versions.next().map(str::to_owned)
}

/// Whether a version is older than another, number by number.
#[must_use]
pub fn is_older(version: &str, than: &str) -> bool {
    numbers(version) < numbers(than)
}

/// Zeros at the end say nothing: 2.12 is 2.12.0.
fn numbers(version: &str) -> Vec<u64> {
    let mut numbers: Vec<u64> = version.split('.').map(|number| number.parse().unwrap_or(0)).collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_programs_print() {
        let cases = [
            ("ruff 0.14.2\n", Some("0.14.2")),
            ("Haskell Dockerfile Linter 2.12.0", Some("2.12.0")),
            ("Haskell Dockerfile Linter 2.9.3-no-git", Some("2.9.3")),
            ("ShellCheck - shell script analysis tool\nversion: 0.11.0\nlicense: GPL 3", Some("0.11.0")),
            ("v3.12.0\n", Some("3.12.0")),
            ("7.3.0 (flake8-async: 25.7.1) CPython 3.12.3 on Linux", Some("7.3.0")),
            ("markdownlint-cli2 v0.18.1 (markdownlint v0.38.0)", Some("0.18.1")),
            ("go version go1.25.4 linux/amd64\n", Some("1.25.4")),
            ("clippy 0.1.91 (f8297e351a 2025-10-28)\n", Some("0.1.91")),
            ("rustfmt 1.9.0-stable (f8297e351a 2025-10-28)\n", Some("1.9.0")),
            ("no idea", None),
        ];
        for (text, version) in cases {
            assert_eq!(find(text).as_deref(), version, "{text}");
        }
    }

    #[test]
    fn versions_are_compared_number_by_number() {
        let cases = [
            ("2.9.3", "2.12.0", true),
            ("2.12", "2.12.0", false),
            ("2.12.0", "2.12", false),
            ("10.0", "2.12.0", false),
            ("0.15.0", "0.2.0", false),
            ("1.9", "1.20.0", true),
        ];
        for (version, than, expected) in cases {
            assert_eq!(is_older(version, than), expected, "{version} {than}");
        }
    }
}
