//! `apply_patch <<'EOF'` typed into a shell: the client carries it out as a patch.

use flyball_core::event::{Change, FileEdit};

use super::patch;

/// The edits of a command line that applies one patch and does nothing else, optionally in another
/// directory. Anything more is a command line like any other: what else it does must stay visible.
pub(super) fn find_patch(command: &str) -> Option<Vec<FileEdit>> {
    // The client reports such a patch as a shell command; without this it would escape all rules on edits.
    if !command.contains("*** Begin Patch") {
        return None;
    }
    let (directory, command) = split_cd(command.trim());
    let behind = ["apply_patch", "applypatch"].iter().find_map(|name| command.strip_prefix(name))?;
    let body = heredoc(behind).or_else(|| quoted(behind))?;
    let edits = patch::parse(body);
    (!edits.is_empty()).then(|| match directory {
        Some(directory) => edits.into_iter().map(|edit| moved_into(directory, edit)).collect(),
        None => edits,
    })
}

/// `cd DIRECTORY && rest`.
fn split_cd(command: &str) -> (Option<&str>, &str) {
    let split = || {
        let (directory, rest) = command.strip_prefix("cd ")?.split_once("&&")?;
        let directory = directory.trim();
        let directory = unquoted(directory).unwrap_or(directory);
        is_plain(directory).then_some((Some(directory), rest.trim_start()))
    };
    split().unwrap_or((None, command))
}

/// Nothing in it that a shell would see as more than one word.
fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && !word.contains(|letter: char| letter.is_whitespace() || "'\"`$;&|<>()\\*?~".contains(letter))
}

/// The text of `<<'END' … END`, if nothing is beside or behind it.
fn heredoc(behind: &str) -> Option<&str> {
    let (opening, rest) = behind.trim_start().strip_prefix("<<")?.split_once('\n')?;
    let word = opening.trim();
    let end = unquoted(word).unwrap_or(word);
    let (body, _) = rest.trim_end().rsplit_once('\n').filter(|(_, last)| *last == end)?;
    // A shell ends the text at the first such line and runs what follows as commands.
    let is_closed_before = body.lines().any(|line| line == end);
    // Without quotes around the end word the shell expands the text: what is written is not what is applied.
    let is_expanded = end == word && body.contains(['$', '`']);
    (is_plain(end) && !is_closed_before && !is_expanded).then_some(body)
}

/// The text of `'…'` or `"…"`, if a shell would leave it as it is and nothing is behind it.
fn quoted(behind: &str) -> Option<&str> {
    let text = unquoted(behind.strip_prefix(' ')?.trim())?;
    (!text.contains(['\'', '"', '$', '`', '\\'])).then_some(text)
}

fn unquoted(word: &str) -> Option<&str> {
    let inside = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    inside('\'').or_else(|| inside('"'))
}

fn moved_into(directory: &str, edit: FileEdit) -> FileEdit {
    let within = |path: &str| match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{}/{path}", directory.trim_end_matches('/')),
    };
    let change = match edit.change {
        Change::Move { to } => Change::Move { to: within(&to) },
        other => other,
    };
    FileEdit { path: within(&edit.path), change }
}
