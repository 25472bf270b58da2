//! Whether findings are the same as before: another duration or line number does not make them new.

use super::OpenPhase;
use crate::digest::digest;
use crate::r#loop::feedback::state::{Fingerprint, State};

impl State {
    /// A fingerprint of the content of all domains.
    pub(super) fn content(&self) -> Fingerprint {
        let prints =
            self.domains.iter().flat_map(|(name, domain)| [name.clone(), domain.fingerprint().to_string()]);
        digest(prints.collect::<Vec<String>>().iter().map(String::as_str))
    }

    /// A fingerprint of the progress: while it is the same, there was none.
    pub(super) fn progress_fingerprint(&self, open: &[OpenPhase]) -> Fingerprint {
        let mut texts = vec![self.content().to_string()];
        for OpenPhase { domain, phase, why, issues } in open {
            texts.extend([
                domain.clone(),
                phase.clone(),
                format!("{why:?}"),
                fingerprint_issues(issues).to_string(),
            ]);
        }
        digest(texts.iter().map(String::as_str))
    }
}

/// A fingerprint of findings, in whatever order they are listed.
pub(super) fn fingerprint_issues(issues: &[String]) -> Fingerprint {
    let mut texts: Vec<String> = issues.iter().map(|issue| normalize(issue)).collect();
    texts.sort();
    digest(texts.iter().map(String::as_str))
}

/// A text without the numbers that differ from run to run.
fn normalize(text: &str) -> String {
    text.split_whitespace().map(normalize_word).collect::<Vec<String>>().join(" ")
}

/// A word without places (`a.rs:12:5`) and lengths of time (`0.32s`). Counts and names stay: `2 failed` is not
/// `3 failed`.
fn normalize_word(word: &str) -> String {
    let parts = word.split(':').enumerate().map(|(at, part)| {
        let bare = part.trim_matches(|letter: char| !letter.is_alphanumeric());
        // A number is a place only behind a colon; elsewhere it is a count.
        let is_place = at > 0 && !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        if is_place || is_time(bare) { "#" } else { part }
    });
    parts.collect::<Vec<&str>>().join(":")
}

fn is_time(bare: &str) -> bool {
    let number = bare.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = bare.strip_prefix(number).unwrap_or_default();
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit())
        && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number && ["s", "ms", "us", "ns", "m"].contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn places_and_times_are_not_compared_but_names_and_counts_are() {
        let cases = [
            ("panicked at src/a.rs:12:5: no", "panicked at src/a.rs:#:#: no"),
            ("1 failed in 0.32s", "1 failed in #"),
            ("ok (12ms)", "ok #"),
            ("2  tests\nfailed", "2 tests failed"),
            ("test_1 and case2s", "test_1 and case2s"),
            ("10: first", "10: first"),
            ("error: E0308", "error: E0308"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(normalize(text), expected, "{text}");
        }
    }
}
