//! The file names of journals: readable, safe on every file system, one per session.

use flyball_core::event::SessionId;

use super::journal::checksum;

/// The end of every journal's name.
pub(crate) const EXTENSION: &str = "journal";

const LONGEST: usize = 100;

/// The name of a session's journal.
///
/// The client ends at the first dot, which no client's part contains: with a hyphen between them,
/// session `code-1` of a client `claude` would be session `1` of `claude-code`.
pub(crate) fn for_session(client: &str, id: &SessionId) -> String {
    let (client, id) = (sanitize(client, "_-"), sanitize(id.as_str(), "_-."));
    format!("{client}.{id}.{EXTENSION}")
}

/// `text` itself if it is a safe file name, else its safe characters and a hash. Capitals count
/// as unsafe, since some file systems ignore case.
fn sanitize(text: &str, also: &str) -> String {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || also.contains(c);
    if text.len() <= LONGEST && !text.is_empty() && text.chars().all(fits) {
        return text.to_owned();
    }
    let tame = |c: char| if fits(c.to_ascii_lowercase()) { c.to_ascii_lowercase() } else { '_' };
    let readable: String = text.chars().map(tame).take(LONGEST / 2).collect();
    // `~` fits nowhere else, so no session's own name looks like this.
    format!("{readable}~{:016x}", checksum(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_readable_where_they_can_be() {
        let cases = [
            ("claude-code", "0b5e-77", "claude-code.0b5e-77.journal"),
            ("codex", "a.b", "codex.a.b.journal"),
            ("gemini", "../etc", "gemini..._etc~"),
            ("gemini", "ABC", "gemini.abc~"),
        ];
        for (client, id, start) in cases {
            let name = for_session(client, &SessionId::new(id));
            assert!(name.starts_with(start), "{name} of {client} {id}");
            assert!(!name.contains('/') && name.len() < 255, "{name}");
        }
    }

    #[test]
    fn no_two_sessions_share_a_file() {
        let long = "x".repeat(150);
        let longer = "x".repeat(151);
        let sessions = [
            ("claude", "code-1"),
            ("claude-code", "1"),
            ("a.b", "c"),
            ("a", "b.c"),
            ("a", "b/c"),
            ("a", "b_c"),
            ("a", "B_c"),
            ("a", "b c"),
            ("a", "ä"),
            ("a", "ö"),
            ("a", &long),
            ("a", &longer),
        ];
        let names: BTreeSet<String> = sessions
            .iter()
            .map(|(client, id)| for_session(client, &SessionId::new(id)).to_lowercase())
            .collect();
        assert_eq!(names.len(), sessions.len(), "{names:#?}");
    }
}
