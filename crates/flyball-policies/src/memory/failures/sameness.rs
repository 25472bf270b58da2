//! What makes two failures the same on different days: their words, without what differs each time.

/// How much of a line counts, in letters.
const LETTERS: usize = 160;

/// A line without numbers, hashes and marks: two files are not the same.
pub(super) fn exact(line: &str) -> String {
    joined(line, exact_word)
}

/// A line without numbers, paths, hashes and marks.
pub(super) fn gist(line: &str) -> String {
    joined(line, word)
}

fn joined(line: &str, word: fn(&str) -> String) -> String {
    let words = line.split_whitespace().map(word).filter(|word| !word.is_empty());
    let whole = words.collect::<Vec<String>>().join(" ");
    whole.chars().take(LETTERS).collect()
}

/// The line that says what is wrong: the first after the exit code.
pub(super) fn key_line(output: &str) -> &str {
    let lines = output.lines().map(plain).filter(|line| !line.is_empty());
    lines
        .clone()
        .find(|line| !line.starts_with("Exit code "))
        .or_else(|| lines.clone().next())
        .unwrap_or_default()
}

/// A line without the tags that a client puts around an error.
fn plain(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("<tool_use_error>").unwrap_or(line);
    line.strip_suffix("</tool_use_error>").unwrap_or(line).trim()
}

fn word(word: &str) -> String {
    if is_path(bare(word)) { "path".to_owned() } else { exact_word(word) }
}

fn bare(word: &str) -> &str {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && !"/.~#".contains(letter));
    bare.trim_end_matches('.')
}

fn exact_word(word: &str) -> String {
    let bare = bare(word);
    // At least one digit, because words like `defaced` have only such letters.
    let is_hash = bare.len() >= 7
        && bare.chars().all(|letter| letter.is_ascii_hexdigit())
        && bare.chars().any(|letter| letter.is_ascii_digit());
    if is_hash {
        return "hash".to_owned();
    }
    let mut out = String::new();
    for letter in bare.chars() {
        match letter {
            digit if digit.is_ascii_digit() => {
                // However many digits: `9` and `10` are the same here.
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            other => out.extend(other.to_lowercase()),
        }
    }
    out
}

/// Whether a word names a file: it has a slash, or a dot with letters on both sides.
fn is_path(word: &str) -> bool {
    let has_ending = word.rsplit_once('.').is_some_and(|(name, ending)| {
        !name.is_empty() && !ending.is_empty() && ending.chars().all(char::is_alphanumeric)
    });
    word.contains('/') || has_ending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_each_time_does_not_count() {
        for (one, other) in [
            ("cat: src/a.txt: No such file or directory", "cat: lib/b.rs: No such file or directory"),
            ("bash: line 1: foo: command not found", "bash: line 27: foo: command not found"),
            ("fatal: bad object 1a2b3c4d5e", "fatal: bad object 99aa77bb66cc"),
            ("Found 3 matches of the string to replace", "Found 12 matches of the string to replace"),
            ("listen on port 8080 failed.", "listen on port 9999 failed"),
        ] {
            assert_eq!(gist(one), gist(other));
        }
        assert_ne!(gist("foo: command not found"), gist("bar: command not found"));
        assert_eq!(gist("bash: line 1: foo: command not found"), "bash line # foo command not found");
    }

    #[test]
    fn two_files_are_two_failures() {
        let line = |file: &str| format!("cat: {file}: No such file or directory");
        assert_ne!(exact(&line("src/a.txt")), exact(&line("lib/b.rs")));
        assert_eq!(
            exact("bash: line 1: uv: command not found"),
            exact("bash: line 27: uv: command not found")
        );
    }

    #[test]
    fn the_line_that_counts_is_found_behind_what_clients_put_around_it() {
        for (output, line) in [
            ("Exit code 1\n\ncat: a: No such file", "cat: a: No such file"),
            ("<tool_use_error>File does not exist.</tool_use_error>", "File does not exist."),
            ("Exit code 3", "Exit code 3"),
            ("", ""),
        ] {
            assert_eq!(key_line(output), line);
        }
    }
}
