//! Whether a text that cannot be parsed reliably names a file.
//!
//! A file of the same name in another folder is another file: `docs/a.toml` is never
//! `/project/a.toml`, but `a.toml`, `$DIR/a.toml` and `project/a.toml` may be.

/// Whether code, or a part of a line, names the file.
pub(super) fn names(text: &str, file: &str) -> bool {
    mentions(text, file).next().is_some()
}

/// Whether a text calls something with the name of the file in quotes: `open('a.toml', 'w')`.
pub(super) fn names_in_call(text: &str, file: &str) -> bool {
    mentions(text, file).any(|before| {
        let unquoted = before.strip_suffix(['\'', '"', '`']);
        unquoted.is_some_and(|before| before.trim_end().ends_with(['(', ',']))
    })
}

/// Whether a word that is only known at run time is spelled like the file.
pub(super) fn may_be_file(word: &str, file: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    mentions(word, file).any(|before| {
        let end = word.get(before.len()..).unwrap_or_default();
        fits(end, file)
    })
}

/// The text before each mention of the file.
fn mentions<'a>(text: &'a str, file: &'a str) -> impl Iterator<Item = &'a str> {
    let name = file.rsplit('/').next().unwrap_or(file);
    text.match_indices(name).filter_map(move |(at, _)| {
        let before = text.get(..at)?;
        let after = text.get(at + name.len()..)?;
        let folder_starts = before.rfind(|letter| !is_of_path(letter)).map_or(0, |at| next_char(before, at));
        let path = text.get(folder_starts..at + name.len())?;
        (ends_here(after) && fits(path, file)).then(|| text.get(..folder_starts)).flatten()
    })
}

/// The index of the next character.
fn next_char(text: &str, at: usize) -> usize {
    at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
}

/// What a path in code is written with.
fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || "_./~$-+@{}%".contains(letter)
}

/// Whether the name is over: `a.toml.bak` is another file, `a.toml.` the end of a sentence.
fn ends_here(after: &str) -> bool {
    let mut letters = after.chars();
    match letters.next() {
        Some('.') => letters.next().is_none_or(|next| !next.is_alphanumeric()),
        Some(letter) => !(letter.is_alphanumeric() || "_-/~".contains(letter)),
        None => true,
    }
}

/// Whether a path as written can be the file: what is known of its end is the end of the file's.
fn fits(path: &str, file: &str) -> bool {
    let is_unknown = |part: &str| part.contains(['$', '{', '%', '*', '?', '`']);
    let mut ours = file.rsplit('/');
    for part in path.rsplit('/') {
        // The folders from here up are only known at run time, so it may be the file.
        if is_unknown(part) || matches!(part, "." | ".." | "~") {
            return true;
        }
        if ours.next() != Some(part) {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{may_be_file, names, names_in_call};

    const FILE: &str = "/project/conf/a.toml";

    #[test]
    fn code_names_a_file() {
        let cases = [
            ("open('a.toml','w')", true),
            ("open('conf/a.toml','w')", true),
            ("open('/project/conf/a.toml','w')", true),
            ("open('../conf/a.toml')", true),
            ("open(f'{root}/a.toml')", true),
            ("a.toml", true),
            ("write a.toml.", true),
            ("x=a.toml;", true),
            ("open('docs/a.toml','w')", false),
            ("open('/elsewhere/conf/a.toml')", false),
            ("open('/a.toml')", false),
            ("open('//project/conf/a.toml')", false),
            ("open('aa.toml')", false),
            ("open('a.toml.bak')", false),
            ("open('a.tomlx')", false),
            ("open('a.toml-old')", false),
            ("übera.toml", false),
            ("é a.toml", true),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(names(text, FILE), expected, "{text}");
        }
    }

    #[test]
    fn a_question_about_a_file_is_not_a_call_with_it() {
        assert!(names_in_call("open('a.toml', 'w')", FILE));
        assert!(names_in_call("shutil.copy(\"x\", \"conf/a.toml\")", FILE));
        assert!(!names_in_call("May I change 'a.toml'?", FILE));
        assert!(!names_in_call("a.toml (the config)", FILE));
    }

    #[test]
    fn a_word_is_spelled_like_a_file() {
        let cases = [
            ("\"$DIR/a.toml\"", true),
            ("$DIR/conf/a.toml", true),
            ("a.toml", true),
            ("$DIR/docs/a.toml", false),
            ("$DIR/b.toml", false),
            ("${X}a.toml", true),
            ("$X", false),
        ];
        for (word, expected) in cases {
            assert_eq!(may_be_file(word, FILE), expected, "{word}");
        }
    }
}
