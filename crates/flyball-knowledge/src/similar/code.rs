//! What texts name in backticks, in a form that can be compared.

/// What is in backticks, each once.
pub(super) fn spans(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // Of a fence, everything but the words before and behind it is code as well.
    for span in text.split('`').skip(1).step_by(2).map(plain).filter(|span| !span.is_empty()) {
        if !found.contains(&span) {
            found.push(span);
        }
    }
    found
}

/// A text with words only: `user_id()` and `userId` are one name.
pub(super) fn plain(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && !"-./@".contains(letter));
        let bare = bare.trim_end_matches(['.', '-']).trim_end_matches("()");
        let letters = bare.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase);
        let word: String = letters.collect();
        if !word.is_empty() {
            words.push(word);
        }
    }
    words.join(" ")
}

/// Whether a text, as [`plain`] makes it, has these words; a path also by its end.
pub(super) fn is_in(code: &str, text: &str) -> bool {
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| letter.is_whitespace());
    text.match_indices(code).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + code.len()..).and_then(|behind| behind.chars().next());
        (is_edge(before) || before == Some('/')) && is_edge(behind)
    }) || text.split(' ').any(|word| code.strip_suffix(word).is_some_and(|before| before.ends_with('/')))
}
