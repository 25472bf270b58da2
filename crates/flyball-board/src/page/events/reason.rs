//! The reason of a decision, in a line.

use flyball_core::record::Record;

/// The first reason of the deciding policies, else the message; files of the project by their relative path.
pub(in crate::page) fn summarize(record: &Record) -> String {
    let reason = record.deciders().flat_map(|ruling| &ruling.reasons).next();
    let reason_text = reason.map_or_else(
        || beginning(&record.said),
        |reason| join_sentences(&beginning(&reason.what), &reason.why),
    );
    strip_project_path(&reason_text, &record.project)
}

/// The text with files of the project named relative to it.
pub(in crate::page) fn strip_project_path(text: &str, project: &str) -> String {
    match project {
        "" | "/" => text.to_owned(),
        project => text.replace(&format!("{project}/"), ""),
    }
}

/// The first line; with the one behind it, if it only announces that.
fn beginning(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    match (lines.next(), lines.next()) {
        (Some(first), Some(second)) if first.ends_with(':') => format!("{first} {second}"),
        (first, _) => first.unwrap_or_default().to_owned(),
    }
}

/// Two sentences, of which the first may lack its full stop and the second may be missing.
fn join_sentences(first: &str, second: &str) -> String {
    match second.trim() {
        "" => first.to_owned(),
        second if first.ends_with(['.', '!', '?', ':', ';']) => format!("{first} {second}"),
        second => format!("{first}. {second}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_project_are_named_from_its_root() {
        assert_eq!(strip_project_path("`/a/b/c.rs` and /a/x", "/a/b"), "`c.rs` and /a/x");
        assert_eq!(strip_project_path("/a/b", "/"), "/a/b");
        assert_eq!(strip_project_path("/a/b", ""), "/a/b");
    }

    #[test]
    fn sentences_are_distinguished() {
        let cases = [("a", "b", "a. b"), ("a.", "b", "a. b"), ("a", " ", "a"), ("a:", "b", "a: b")];
        for (first, second, expected) in cases {
            assert_eq!(join_sentences(first, second), expected);
        }
    }

    #[test]
    fn a_line_that_announces_the_next_one_has_it() {
        let cases = [("a\nb", "a"), ("\n a:\n\n - b\n - c", "a: - b"), ("a:", "a:"), ("", "")];
        for (text, expected) in cases {
            assert_eq!(beginning(text), expected);
        }
    }
}
