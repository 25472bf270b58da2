//! Text as one word of a command line.

/// One word in single quotes. Nothing is special between them but the quote itself.
#[must_use]
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A path as one word: in quotes only if it needs them.
#[must_use]
pub fn path_word(path: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._/-@+".contains(letter);
    let needs_quotes = path.is_empty() || path.starts_with('-') || !path.chars().all(is_plain);
    if needs_quotes { quoted(path) } else { path.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        let words = [
            "plain",
            "two words",
            "it's",
            "''",
            "'",
            "",
            "\"quoted\"",
            "back\\slash\\",
            "new\nline",
            "tab\there",
            "größe ✓ 日本",
            "$HOME `id` $(id)",
            "-n",
            "*?[a]!~#&;|<>",
        ];
        for word in words {
            // The dot protects words that are empty or end with a line break.
            let line = format!("printf %s. {}", quoted(word));
            let output = Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{word}."), "{line}");
        }
    }

    #[test]
    fn a_path_is_quoted_only_if_it_needs_to_be() {
        assert_eq!(path_word("src/a.ts"), "src/a.ts");
        assert_eq!(path_word("it's $x"), r"'it'\''s $x'");
        assert_eq!(path_word("-rf"), "'-rf'");
        assert_eq!(path_word(""), "''");
    }
}
