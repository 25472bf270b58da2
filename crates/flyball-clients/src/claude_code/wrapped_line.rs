//! The lines that the client hands to `CLAUDE_CODE_SHELL_PREFIX`: commands of its agent, hooks in the form of a line, and tool servers.
//!
//! A command of the agent is one word in a longer line, which loads the user's functions first and notes the folder afterwards:
//! `source …/snapshot-bash-1-x.sh 2>/dev/null || true && … && eval 'make' && pwd -P >| /tmp/claude-x-cwd`.

use crate::client::AgentLine;

/// What is behind the command in every such line, and in no hook or server.
const NOTES_FOLDER: &str = " && pwd -P >| ";
const BEGINS: &str = "eval ";

pub(super) fn read(line: &str) -> Option<AgentLine> {
    let end = line.rfind(NOTES_FOLDER)?;
    let (command, span) = match command_before(line, end) {
        Some((command, span)) => (Some(command), span),
        None => (None, end..end),
    };
    // Only in the client's own words.
    let before = line.get(..span.start).unwrap_or_default();
    let shell = ["zsh", "bash"].into_iter().find(|shell| before.contains(&format!("/snapshot-{shell}-")));
    Some(AgentLine { command, span, shell })
}

/// The command: the first quoted word behind an `eval` that is followed by nothing but a redirection up to the end.
fn command_before(line: &str, end: usize) -> Option<(String, std::ops::Range<usize>)> {
    let text = line.get(..end)?;
    let begins = text
        .match_indices(BEGINS)
        .map(|(at, _)| at)
        .filter(|at| *at == 0 || text.get(..*at).is_some_and(|before| before.ends_with("&& ")));
    begins.map(|at| at + BEGINS.len()).find_map(|start| {
        let (command, length) = unquote(text.get(start..)?)?;
        let rest = text.get(start + length..)?;
        ["", " \\< /dev/null", " < /dev/null"].contains(&rest).then(|| (command, start..start + length))
    })
}

/// The text of a word in single quotes, with quotes inside as `'"'"'` or `'\''`, or of a plain word; and its length.
fn unquote(text: &str) -> Option<(String, usize)> {
    let mut word = String::new();
    let mut rest = text;
    loop {
        if let Some(inner) = rest.strip_prefix('\'') {
            let (part, behind) = inner.split_once('\'')?;
            word.push_str(part);
            rest = behind;
        } else if let Some(inner) = rest.strip_prefix('"') {
            let (part, behind) = inner.split_once('"')?;
            if part.contains(['\\', '$', '`']) {
                return None;
            }
            word.push_str(part);
            rest = behind;
        } else if let Some(inner) = rest.strip_prefix('\\') {
            let letter = inner.chars().next()?;
            word.push(letter);
            rest = inner.get(letter.len_utf8()..)?;
        } else {
            let is_plain = |letter: &char| letter.is_alphanumeric() || "._/-@+:=,%".contains(*letter);
            match rest.chars().next().filter(is_plain) {
                Some(letter) => {
                    word.push(letter);
                    rest = rest.get(letter.len_utf8()..)?;
                }
                None => break,
            }
        }
    }
    let is_whole = rest.is_empty() || rest.starts_with(' ');
    is_whole.then(|| (word, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(quoted: &str) -> String {
        format!(
            "source /h/.claude/shell-snapshots/snapshot-bash-1-x.sh 2>/dev/null || true && shopt -u extglob && eval {quoted} \\< /dev/null && pwd -P >| /tmp/claude-1-cwd"
        )
    }

    #[test]
    fn the_command_is_told_from_the_clients_words() {
        for (quoted, command) in [
            ("'make test'", "make test"),
            (r#"'echo '"'"'a b'"'"''"#, "echo 'a b'"),
            ("ls", "ls"),
            (
                "'echo 1 && pwd -P >| /tmp/x && eval '\"'\"'x'\"'\"''",
                "echo 1 && pwd -P >| /tmp/x && eval 'x'",
            ),
        ] {
            let line = line(quoted);
            let found = read(&line).unwrap();
            assert_eq!(found.command.as_deref(), Some(command), "{quoted}");
            assert_eq!(&line[found.span], quoted);
            assert_eq!(found.shell, Some("bash"));
        }
    }

    #[test]
    fn what_the_client_inlines_before_the_command_is_not_the_command() {
        let line = "true && eval 'true || sudo -n true' && eval 'sh x.sh; echo /snapshot-zsh-' \\< /dev/null && pwd -P >| /tmp/x";
        let found = read(line).unwrap();
        assert_eq!(found.command.as_deref(), Some("sh x.sh; echo /snapshot-zsh-"));
        assert_eq!(found.shell, None);
    }

    #[test]
    fn hooks_and_servers_are_no_commands() {
        for line in ["node server.js", "'/opt/flyball' hook --client claude-code", "eval 'x'"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
