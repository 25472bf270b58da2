//! Reads the plainest lines without the parser: words and quotes around `&&`, `;` and `|`, run by
//! programs that start nothing themselves.
//!
//! Most lines are plain. The parser's code is large, and a process that lives a millisecond pays
//! for every page of it that it touches; a test checks that this reader agrees with the full one.

use std::ops::Range;

use super::launch::Input;
use super::scripts::find_launches;
use crate::model::{Command, Directory, Place, Redirect, RedirectKind, Script, Word};

/// Longer lines are not plain.
const MOST_BYTES: usize = 2048;

/// Verbs of git that start nothing either.
const GIT_VERBS: [&str; 22] = [
    "add",
    "blame",
    "branch",
    "checkout",
    "clean",
    "commit",
    "diff",
    "fetch",
    "log",
    "ls-files",
    "merge",
    "mv",
    "pull",
    "push",
    "reset",
    "restore",
    "rev-parse",
    "rm",
    "show",
    "stash",
    "status",
    "switch",
];

/// What a line would run, if it is plain.
pub(super) fn read(source: &str) -> Option<Script> {
    if source.len() > MOST_BYTES {
        return None;
    }
    let mut reader = Reader { source, at: 0, pipes: 0, directory: Directory::Start };
    let mut script = Script::default();
    reader.line(&mut script)?;
    Some(script)
}

struct Reader<'a> {
    source: &'a str,
    at: usize,
    pipes: u32,
    directory: Directory,
}

/// What ends a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    And,
    Pipe,
    Next,
    Line,
}

/// The words of one command as they are read.
#[derive(Default)]
struct Draft {
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    span: Option<Range<usize>>,
    /// A redirection is between its words.
    is_broken: bool,
}

impl Reader<'_> {
    fn line(&mut self, script: &mut Script) -> Option<()> {
        let mut place = Place::default();
        loop {
            let draft = self.command()?;
            let end = self.end()?;
            let pipes_on = end == End::Pipe;
            let into_pipe = if pipes_on {
                self.pipes += 1;
                self.pipes
            } else {
                0
            };
            place = Place { pipe_out: pipes_on, into_pipe, ..place };
            if let Some(folder) = cd_target(&draft) {
                // What follows a `cd` that may have failed is not plain.
                if !script.commands.is_empty() || end != End::And {
                    return None;
                }
                self.directory = Directory::Start.join(folder);
                script.commands.push(self.finished(draft, place, Directory::Start));
            } else {
                is_leaf(&draft).then_some(())?;
                script.commands.push(self.finished(draft, place, self.directory.clone()));
            }
            place = match end {
                End::Line => return Some(()),
                End::Pipe => Place {
                    position: place.position.checked_add(1)?,
                    pipe_in: true,
                    from_pipe: into_pipe,
                    ..place
                },
                End::And => Place { conditional: true, ..Place::default() },
                // Behind a `;` a `cd` before it may not have happened.
                End::Next if self.directory != Directory::Start => return None,
                End::Next => Place::default(),
            };
        }
    }

    /// The bytes that are left.
    fn rest(&self) -> &[u8] {
        self.source.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().iter().take_while(|byte| **byte == b' ').count();
    }

    fn end(&mut self) -> Option<End> {
        self.skip_blanks();
        let (end, length) = match self.rest() {
            [] => return Some(End::Line),
            [b'&', b'&', ..] => (End::And, 2),
            [b'|', b'|' | b'&', ..] => return None,
            [b'|', ..] => (End::Pipe, 1),
            [b';', b';' | b'&', ..] => return None,
            [b';', ..] => (End::Next, 1),
            _ => return None,
        };
        self.at += length;
        Some(end)
    }

    fn command(&mut self) -> Option<Draft> {
        let mut draft = Draft::default();
        loop {
            self.skip_blanks();
            match self.rest() {
                [] | [b'&' | b'|' | b';', ..] => break,
                // A redirection in front of the first word is left to the full reader.
                [b'2', b'>', ..] if !draft.words.is_empty() => draft.redirects.push(self.redirect()?),
                _ => {
                    draft.is_broken |= !draft.redirects.is_empty();
                    let word = self.word(&mut draft.span)?;
                    draft.words.push(word);
                }
            }
        }
        (!draft.words.is_empty()).then_some(draft)
    }

    /// `2>&1` and `2>/dev/null`.
    fn redirect(&mut self) -> Option<Redirect> {
        const KNOWN: [(&str, RedirectKind, &str); 2] =
            [("2>&1", RedirectKind::Duplicate, "1"), ("2>/dev/null", RedirectKind::Write, "/dev/null")];
        let rest = self.source.get(self.at..)?;
        let (text, kind, target) = KNOWN.iter().find(|(text, ..)| rest.starts_with(text))?;
        self.at += text.len();
        // `2>&12` names another descriptor, `2>/dev/nullx` another file.
        matches!(self.rest().first(), None | Some(b' ' | b'|' | b';')).then_some(())?;
        Some(Redirect { kind: *kind, descriptor: Some(2), target: Word::literal(*target) })
    }

    fn word(&mut self, span: &mut Option<Range<usize>>) -> Option<Word> {
        let start = self.at;
        let mut text = String::new();
        loop {
            match self.rest().first() {
                None | Some(b' ' | b'&' | b'|' | b';') => break,
                Some(quote @ (b'\'' | b'"')) => {
                    let inside = self.quoted(*quote)?;
                    text.push_str(inside);
                }
                Some(byte) if is_plain(*byte) => {
                    text.push(char::from(*byte));
                    self.at += 1;
                }
                Some(_) => return None,
            }
        }
        *span = Some(span.as_ref().map_or(start, |span| span.start)..self.at);
        Some(Word { text: Some(text), raw: self.source.get(start..self.at)?.to_owned(), glob: false })
    }

    /// The text between two quotes, if nothing in it is special.
    fn quoted(&mut self, quote: u8) -> Option<&str> {
        let start = self.at + 1;
        let length = self.source.as_bytes().get(start..)?.iter().position(|byte| *byte == quote)?;
        let inside = self.source.get(start..start + length)?;
        let means_something = |byte: u8| match quote {
            // `!` would be history in an interactive shell.
            b'"' => matches!(byte, b'$' | b'`' | b'\\' | b'!' | b'\n'),
            _ => matches!(byte, b'\\' | b'\n'),
        };
        if inside.bytes().any(means_something) {
            return None;
        }
        self.at = start + length + 1;
        Some(inside)
    }

    fn finished(&self, draft: Draft, place: Place, directory: Directory) -> Command {
        let Draft { words, redirects, span, is_broken } = draft;
        let mut words = words.into_iter();
        Command {
            program: words.next().unwrap_or_else(|| Word::literal("")),
            arguments: words.collect(),
            assignments: Vec::new(),
            redirects,
            wrappers: Vec::new(),
            place,
            directory,
            span: span.filter(|_| !is_broken),
            input: None,
        }
    }
}

/// A letter that means itself anywhere in a word.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        // Any other letter (`~`, `*`, `{`, `#`, not ASCII …) makes the line not plain.
        || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b',' | b'@' | b'+' | b'=')
}

/// Where a `cd` leads, if this is one that can only lead there.
fn cd_target(draft: &Draft) -> Option<&str> {
    match draft.words.as_slice() {
        [cd, folder] if cd.raw == "cd" && draft.redirects.is_empty() => folder
            .text
            .as_deref()
            .filter(|folder| folder.starts_with(|first: char| first.is_ascii_alphanumeric())),
        _ => None,
    }
}

/// Whether the program starts nothing, as far as the full reader would see.
fn is_leaf(draft: &Draft) -> bool {
    let Some(program) = draft.words.first() else { return false };
    let is_verb = |word: &Word| GIT_VERBS.contains(&word.raw.as_str());
    if program.raw == "git" && !draft.words.get(1).is_some_and(is_verb) {
        return false;
    }
    flyball_programs::program(&program.raw).is_some_and(|known| known.is_leaf)
        && find_launches(&draft.words, &Input::Unread).is_empty()
}

#[cfg(test)]
mod tests {
    use flyball_programs::PROGRAMS;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::parse_fully;
    use super::*;
    use crate::code::language;

    #[test]
    fn leaves_start_nothing() {
        let leaves = PROGRAMS.iter().filter(|program| program.is_leaf);
        let starts = leaves.filter(|leaf| leaf.facts.wrapper.is_some() || language(leaf.name).is_some());
        assert_eq!(starts.map(|leaf| leaf.name).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn it_agrees_with_the_full_reader() {
        let lines = [
            "ls",
            "ls -la src  tests",
            "git status --short && git diff --stat",
            "cat a | head -5 | wc -l; ls",
            "cargo test --workspace 2>&1 | tail -40",
            "grep -rn \"TODO\" src --include='*.rs' | head -20",
            "cd api && pytest -x -q",
            "cd api/v1 && cargo build && git add -A",
            "rm -rf target/debug && make",
            "git commit -m \"fix: handle 'x' & y\" && git push",
            "ls 2>/dev/null",
            "ls 2>&1 a",
            "a=1",
            "echo 'a b'c\"d\" e",
            "git log --format=%H",
            "echo x; ls && pwd; wc",
            "npm run build | tee log",
            "ls 2>&1|cat",
            "ls;pwd",
            "ls&&pwd",
            "rm '' x",
            "git add -A -- 'a;b'",
        ];
        let plain: Vec<&str> = lines.into_iter().filter(|line| read(line).is_some()).collect();
        assert!(plain.len() > 17, "{plain:?}");
        for line in plain {
            assert_eq!(read(line), Some(parse_fully(line, &[])), "{line}");
        }
    }

    proptest! {
        #[test]
        fn it_agrees_with_the_full_reader_on_any_line(parts in vec(select(PARTS.to_vec()), 1..12)) {
            let line = parts.concat();
            if let Some(script) = read(&line) {
                prop_assert_eq!(script, parse_fully(&line, &[]), "{}", line);
            }
        }
    }

    /// What lines are put together from.
    const PARTS: [&str; 30] = [
        "ls",
        " ",
        " ",
        " ",
        " -l",
        " a.txt",
        "git",
        " status",
        " && ",
        "&&",
        " | ",
        "|",
        "; ",
        ";",
        " 'a b'",
        "\"c d\"",
        " 2>&1",
        " 2>/dev/null",
        "cd api && ",
        "cat",
        "rm",
        " --x=y",
        "echo",
        " =",
        " :",
        "#",
        "2",
        ">",
        "time",
        "[",
    ];

    #[test]
    fn what_is_not_plain_is_left_to_the_full_reader() {
        for line in [
            "",
            " ",
            "ls &",
            "ls > f",
            "ls *",
            "ls $X",
            "ls `x`",
            "ls ~",
            "sudo ls",
            "A=1 ls",
            "bash -c ls",
            "ls #x",
            "ls || pwd",
            "ls |& cat",
            "! ls",
            "if ls",
            "cd",
            "cd -",
            "cd a; ls",
            "ls && cd a && ls",
            "cd a | ls",
            "ls \\x",
            "ls \"$x\"",
            "ls 'a",
            "ls\npwd",
            "python3 -c x",
            "find . -exec ls {} +",
            "echo {a,b}",
            "ls;;",
            "xargs ls",
            "ls ;",
            "cd ~ && ls",
            "cd /tmp && ls",
            "2>&1 ls",
            "ls 2>&12",
            "echo é",
        ] {
            assert_eq!(read(line), None, "{line:?}");
        }
    }
}
