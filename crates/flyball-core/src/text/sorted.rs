//! Lists of words that the compiler sorts: a process that looks for a word in one neither splits nor sorts it.

/// A list from words or phrases with `|` between them, sorted for a binary search: a `&'static [&'static str]`.
#[macro_export]
macro_rules! sorted_words {
    ($words:expr $(,)?) => {{
        const WORDS: &str = $words;
        static LIST: [&str; $crate::text::count_listed(WORDS)] = $crate::text::sort_listed(WORDS);
        &LIST
    }};
}

/// How many words a list has.
#[must_use]
pub const fn count_listed(words: &str) -> usize {
    let (mut rest, mut count) = (words.as_bytes(), 1);
    while let [first, behind @ ..] = rest {
        if *first == b'|' {
            count += 1;
        }
        rest = behind;
    }
    count
}

/// The words of a list, in the order of their bytes. Lists that are written in order take the least time.
#[must_use]
#[expect(clippy::indexing_slicing, reason = "the compiler runs it, for which a wrong place is an error")]
pub const fn sort_listed<const COUNT: usize>(words: &'static str) -> [&'static str; COUNT] {
    let mut sorted = [""; COUNT];
    let (mut rest, mut taken) = (words, 0);
    while taken < COUNT {
        let (word, behind) = next_listed(rest);
        let mut place = taken;
        while place > 0 && is_before(word, sorted[place - 1]) {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = word;
        (rest, taken) = (behind, taken + 1);
    }
    sorted
}

/// The first word of a list, and the list behind it.
#[must_use]
pub const fn next_listed(words: &str) -> (&str, &str) {
    let (mut rest, mut at) = (words.as_bytes(), 0);
    while let [first, behind @ ..] = rest {
        if *first == b'|' {
            let (word, behind) = words.split_at(at);
            return (word, behind.split_at(1).1);
        }
        (rest, at) = (behind, at + 1);
    }
    (words, "")
}

/// Whether a text comes before another by its bytes, as `<` says it where the compiler cannot be asked.
#[must_use]
pub const fn is_before(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([first, one_behind @ ..], [second, other_behind @ ..]) = (one, other) {
        if *first != *second {
            return *first < *second;
        }
        (one, other) = (one_behind, other_behind);
    }
    one.is_empty() && !other.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_sorts_a_list() {
        let words: &[&str] = sorted_words!("so|an|a|also|über|a b|");
        let mut expected = vec!["so", "an", "a", "also", "über", "a b", ""];
        expected.sort_unstable();
        assert_eq!(words, expected);
        assert_eq!(words.binary_search(&"an"), Ok(4));
        assert_eq!(sorted_words!("one"), &["one"]);
        assert_eq!(next_listed("a||b"), ("a", "|b"));
    }

    #[test]
    fn texts_are_ordered_as_everywhere_else() {
        for (one, other) in
            [("a", "b"), ("b", "a"), ("a", "a"), ("a", "ab"), ("ab", "a"), ("", "a"), ("z", "ü")]
        {
            assert_eq!(is_before(one, other), one < other, "{one} {other}");
        }
    }
}
