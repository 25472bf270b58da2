//! The patterns of `allow`, `deny` and `ask`: how they are written and what they match.

use flyball_core::nearest::nearest;
use serde::{Deserialize, Serialize};

use crate::globs::Glob;

/// One entry of `allow`, `deny` or `ask`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pattern {
    /// As it was written.
    pub(super) text: String,
    /// What it matches.
    pub(super) about: PatternTarget,
}

/// What a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PatternTarget {
    /// Commands that begin with these words.
    Command {
        /// The program and what follows.
        words: Vec<String>,
        is_whole: bool,
    },
    /// Files that are changed: a glob.
    Edit(String),
    /// Files that are read: a glob.
    Read(String),
    /// Tools of tool servers: `server/tool`, globs.
    Mcp(String),
    /// Pages that are fetched: their host, a glob.
    Fetch(String),
    /// Other tools by their name: a glob.
    Tool(String),
}

/// What is wrong with a pattern, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) what: String,
    pub(super) help: String,
}

fn pattern_error(what: impl Into<String>, help: impl Into<String>) -> PatternError {
    PatternError { what: what.into(), help: help.into() }
}

/// The words in front of a colon.
const KINDS: [&str; 5] = ["edit", "read", "mcp", "fetch", "tool"];

/// Characters that a plain word of a shell cannot contain.
const SPECIAL: &[char] = &['"', '\'', '\\', '`', ';', '|', '&', '<', '>', '(', ')', '\n'];

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Pattern, PatternError> {
        let text = text.trim();
        let about = match kind_of(text) {
            Some(("edit", glob)) => PatternTarget::Edit(path_glob(glob)?),
            Some(("read", glob)) => PatternTarget::Read(path_glob(glob)?),
            Some(("mcp", glob)) => PatternTarget::Mcp(tool_glob(glob)?),
            Some(("fetch", glob)) => PatternTarget::Fetch(host_glob(glob)?),
            Some(("tool", glob)) => PatternTarget::Tool(filled(glob, "tool:WebSearch")?),
            Some((other, _)) => return Err(unknown_kind(other)),
            None => parse_command(text)?,
        };
        Ok(Pattern { text: text.to_owned(), about })
    }
}

/// `edit` and the rest of `edit:src/**`.
fn kind_of(text: &str) -> Option<(&str, &str)> {
    let (kind, rest) = text.split_once(':')?;
    let is_word = !kind.is_empty() && kind.chars().all(|letter| letter.is_ascii_lowercase());
    is_word.then_some((kind, rest.trim()))
}

fn unknown_kind(kind: &str) -> PatternError {
    let help = match nearest(kind, KINDS) {
        Some(near) => format!("did you mean `{near}:`?"),
        None => {
            let kinds = KINDS.map(|known| format!("`{known}:`")).join(", ");
            format!("the kinds are {kinds}; a command has no colon in its first word")
        }
    };
    pattern_error(format!("`{kind}:` is not a kind of pattern"), help)
}

fn filled(text: &str, example: &str) -> Result<String, PatternError> {
    if text.is_empty() {
        return Err(pattern_error("the pattern is empty", format!("for example `{example}`")));
    }
    Ok(text.to_owned())
}

fn path_glob(text: &str) -> Result<String, PatternError> {
    let glob = filled(text, "edit:src/**")?;
    let glob = glob.strip_prefix("./").unwrap_or(&glob).to_owned();
    // Globs are compared with real paths, which never have `..`.
    if glob.split('/').any(|part| part == "..") {
        let help = "for files outside the project, write an absolute path or begin with `~/`";
        return Err(pattern_error(format!("`{glob}` contains `..`"), help));
    }
    if glob.starts_with('~') && !glob.starts_with("~/") {
        return Err(pattern_error(format!("`{glob}` names another user's home"), "write the absolute path"));
    }
    match Glob::try_from(glob.clone()) {
        Ok(_) => Ok(glob),
        Err(error) => Err(pattern_error(error.to_string(), "for example `edit:src/**`")),
    }
}

fn tool_glob(text: &str) -> Result<String, PatternError> {
    match text.split_once('/') {
        Some((server, tool)) if !server.is_empty() && !tool.is_empty() => Ok(text.to_owned()),
        _ => Err(pattern_error(
            format!("`mcp:{text}` does not name a server and a tool"),
            "for example `mcp:github/get_*`, or `mcp:github/*` for all tools of a server",
        )),
    }
}

fn host_glob(text: &str) -> Result<String, PatternError> {
    let host = filled(text, "fetch:docs.rs")?;
    let is_host = host.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._*".contains(letter));
    if !is_host {
        return Err(pattern_error(
            format!("`{host}` is not a valid host"),
            "write only the host: `fetch:docs.rs`, `fetch:*.docs.rs`",
        ));
    }
    Ok(host.to_ascii_lowercase())
}

fn parse_command(text: &str) -> Result<PatternTarget, PatternError> {
    let is_whole = text.ends_with('$');
    let text = text.strip_suffix('$').unwrap_or(text);
    if let Some(letter) = text.chars().find(|letter| SPECIAL.contains(letter)) {
        let help = "write the first words of one command; each command of a line is checked separately";
        return Err(pattern_error(format!("a pattern cannot contain `{letter}`"), help));
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    match words.first() {
        None => Err(pattern_error("the pattern is empty", "for example `cargo test`")),
        // It would allow programs that nobody thought of.
        Some(first) if first.contains('*') => Err(pattern_error(
            "the program cannot contain `*`",
            "write its full name; `*` matches a word after it",
        )),
        Some(first) if first.contains('=') || first.starts_with('-') => {
            let help = "begin with the program; list variables that may be set before it in `variables`";
            Err(pattern_error(format!("`{first}` is not a program"), help))
        }
        Some(_) => Ok(PatternTarget::Command { words, is_whole }),
    }
}

/// The number of words of a command that an allowing pattern matches; `None` if it does not match.
/// `*` matches one word that is not an option.
pub(super) fn match_prefix(words: &[&str], pattern: &[String], is_whole: bool) -> Option<usize> {
    let fits = |(word, expected): (&&str, &String)| {
        if expected == "*" { !word.starts_with('-') } else { matches_wildcard(expected, word) }
    };
    let is_long_enough = words.len() == pattern.len() || (!is_whole && words.len() > pattern.len());
    (is_long_enough && words.iter().zip(pattern).all(fits)).then_some(pattern.len())
}

/// Whether a denying pattern matches a command. Its options may be anywhere, so that
/// `git push --force` also matches `git push origin --force`.
pub(super) fn matches_command(words: &[Option<&str>], pattern: &[String], is_whole: bool) -> bool {
    if is_whole {
        let fits = |(word, expected): (&Option<&str>, &String)| {
            word.is_some_and(|it| matches_wildcard(expected, it))
        };
        return words.len() == pattern.len() && words.iter().zip(pattern).all(fits);
    }
    let is_option = |word: &str| word.starts_with('-');
    let (options, expected): (Vec<&String>, Vec<&String>) = pattern.iter().partition(|word| is_option(word));
    let mut operands = words.iter().filter(|word| word.is_none_or(|text| !is_option(text)));
    let mut next = || operands.next().copied().flatten();
    expected.iter().all(|expected| next().is_some_and(|word| matches_wildcard(expected, word)))
        && options.iter().all(|option| words.iter().flatten().any(|word| matches_wildcard(option, word)))
}

/// Whether a text matches a pattern; `*` matches any characters, also none.
pub(super) fn matches_wildcard(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    // The first match of a part leaves the most text for those after it, so no other needs to be tried.
    for part in parts {
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}
