//! The topics of a text, looked up by its words.

use super::text::{names, parts};
pub(super) use super::topic_set::Topics;
use super::topics::{TOPICS, Topic, Width};
use super::{phrases, shape};

/// The topics that are so broad that they say little.
pub(super) fn broad() -> Topics {
    const BROAD: Topics = of_width(Width::Broad);
    BROAD
}

/// The topics that are so narrow that a rule and an edit that have one in common are about the same.
pub(super) fn exact() -> Topics {
    const EXACT: Topics = of_width(Width::Exact);
    EXACT
}

#[expect(clippy::indexing_slicing, reason = "the compiler runs it, for which a wrong place is an error")]
const fn of_width(width: Width) -> Topics {
    let (mut found, mut row) = (Topics::NONE, 0);
    while row < TOPICS.len() {
        if TOPICS[row].width as u8 == width as u8 {
            found = found.with(Topics::of_row(row));
        }
        row += 1;
    }
    found
}

/// The topic of text for people.
pub(super) fn prose() -> Topics {
    phrases::of_stem("prose")
}

/// The topics of what pages look like.
pub(super) fn styles() -> Topics {
    phrases::of_stem("css") | phrases::of_stem("color") | phrases::of_stem("padding")
}

/// The topics of a new file with this text.
pub(super) fn of_new_file(text: &str) -> Topics {
    let start: String = text.lines().take(12).collect::<Vec<_>>().join("\n").to_lowercase();
    let has_license = ["copyright", "license", "licence", "spdx"].iter().any(|word| start.contains(word));
    if has_license { Topics::NONE } else { phrases::of_word("{no-license}") }
}

/// The topics that the words of a rule name, with the place of each.
pub(super) fn named_in_rule(text: &str, mut found: impl FnMut(usize, Topics)) {
    let lower = text.to_ascii_lowercase();
    for name in names(&lower) {
        found(name.at, phrases::of_stem(name.text) | phrases::of_rule(&lower, name.text, name.at));
    }
    found(0, phrases::of_signs_in_rule(&lower));
}

/// The topics that changed lines are about.
pub(super) fn named_in_code(code: &str) -> Topics {
    if code.is_empty() {
        return Topics::NONE;
    }
    let lower = code.to_ascii_lowercase();
    let by_place = names(&lower).map(|name| phrases::of_code(&lower, name.text, name.at));
    // A name of one part was looked up as a whole.
    let compound = names(code).flat_map(|name| parts(name.text).filter(move |part| *part != name.text));
    let by_part = compound.map(|part| phrases::of_word(&part.to_ascii_lowercase()));
    let by_shape = shape::ALL.iter().filter(|(_, is_so)| is_so(code)).map(|(name, _)| phrases::of_word(name));
    Topics::all(by_place.chain(by_part).chain(by_shape)) | phrases::of_signs_in_code(&lower)
}

/// The topics of a file, by its path.
pub(super) fn of_file(path: &str) -> Topics {
    let place = Place::new(path);
    let is_one = |topic: &Topic| topic.files.split('|').any(|pattern| place.matches(pattern));
    Topics::all(
        TOPICS.iter().enumerate().filter(|(_, topic)| is_one(topic)).map(|(row, _)| Topics::of_row(row)),
    )
}

/// Topics that only mean something in their own files.
pub(super) fn only_in_its_files() -> Topics {
    phrases::of_word("{requirement}")
}

/// Whether a file has tests, by its path.
pub(super) fn is_test(path: &str) -> bool {
    let place = Place::new(path);
    TOPICS.first().is_some_and(|tests| tests.files.split('|').any(|pattern| place.matches(pattern)))
}

/// The path of a file, split.
struct Place<'a> {
    folders: Vec<&'a str>,
    name: &'a str,
    words: Vec<String>,
}

impl<'a> Place<'a> {
    fn new(path: &'a str) -> Place<'a> {
        let mut folders: Vec<&str> = path.split('/').collect();
        let name = folders.pop().unwrap_or_default();
        let words = names(path).flat_map(|name| parts(name.text)).map(str::to_ascii_lowercase).collect();
        Place { folders, name, words }
    }

    fn matches(&self, pattern: &str) -> bool {
        if pattern.is_empty() {
            return false;
        }
        if let Some(folder) = pattern.strip_suffix('/') {
            return self.folders.contains(&folder);
        }
        if pattern.starts_with(['.', '_']) {
            return self.name.ends_with(pattern) || (pattern.ends_with('.') && self.name.contains(pattern));
        }
        if pattern.ends_with(['_', '.']) {
            return self.name.starts_with(pattern);
        }
        if pattern.contains('.') || pattern.starts_with(|letter: char| letter.is_uppercase()) {
            return self.name.ends_with(pattern);
        }
        self.words.iter().any(|word| word == pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(rule: &str, code: &str) -> bool {
        let mut topics = Topics::NONE;
        named_in_rule(rule, |_, more| topics = topics | more);
        !(topics & named_in_code(code)).without(broad()).is_empty()
    }

    #[test]
    fn a_rule_and_an_edit_meet_in_a_topic_without_a_common_word() {
        let cases = [
            ("Times are kept in UTC", "const now = new Date();", true),
            ("Amounts are never floating", "let price = 3", true),
            ("Colours come from the theme", "style = \"#3366ff\"", true),
            ("Never build a query by string concatenation", "q = \"select a from b where c = '\" + d", true),
            ("Icons have a label", "<button onClick={close}>", true),
            ("Times are kept in UTC", "const size = words.length;", false),
            ("Colours come from the theme", "see issue number 4", false),
        ];
        for (rule, code, expected) in cases {
            assert_eq!(shared(rule, code), expected, "{rule} / {code}");
        }
    }

    #[test]
    fn a_file_has_topics_by_its_place() {
        for path in
            ["src/a.test.ts", "tests/a.rs", "test_a.py", "a_test.go", "x/__tests__/a.js", "FooTest.java"]
        {
            assert!(is_test(path), "{path}");
        }
        for path in ["src/latest.ts", "contest/a.rs", "a.go", "tests.md.txt"] {
            assert!(!is_test(path), "{path}");
        }
        assert!(!(of_file("db/migrations/1.sql") & broad()).is_empty());
        assert!(of_file("a").is_empty());
    }

    #[test]
    fn the_table_fits_into_a_set() {
        assert!(TOPICS.len() <= 256, "{}", TOPICS.len());
        let sorted_out =
            TOPICS.iter().flat_map(|topic| topic.code.split('|')).filter(|it| it.starts_with('{'));
        for name in sorted_out {
            let is_known = name == "{no-license}" || shape::ALL.iter().any(|(shape, _)| *shape == name);
            assert!(is_known, "{name}");
        }
    }
}
