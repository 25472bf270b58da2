//! Small scripts on the command line, read far enough to know that they only print.

use std::iter::Peekable;
use std::str::Chars;

/// Whether `sed` is given nothing but scripts that select, delete and substitute what is printed.
pub(super) fn sed_only_prints(words: &[&str]) -> bool {
    let mut words = words.iter();
    let (mut scripts, mut first) = (Vec::new(), None);
    while let Some(word) = words.next() {
        match *word {
            "-n" | "-E" | "-r" | "-u" | "-s" | "-z" | "-nE" | "-En" | "-nr" | "--quiet" | "--silent" => {}
            "-e" | "--expression" | "-ne" | "-Ee" | "-nEe" => match words.next() {
                Some(script) => scripts.push(*script),
                None => return false,
            },
            option if option.starts_with('-') && option.len() > 1 => return false,
            operand if first.is_none() => first = Some(operand),
            _ => {}
        }
    }
    if scripts.is_empty() {
        scripts.extend(first);
    }
    !scripts.is_empty() && scripts.iter().all(|script| sed_script_prints(script))
}

fn sed_script_prints(script: &str) -> bool {
    let mut letters = script.chars().peekable();
    loop {
        while letters.next_if(|letter| letter.is_whitespace() || *letter == ';').is_some() {}
        if letters.peek().is_none() {
            return true;
        }
        if !sed_command_prints(&mut letters) {
            return false;
        }
    }
}

/// One command with its addresses. Commands that write (`w`), read (`r`) or run (`e`) are none of
/// those taken here.
fn sed_command_prints(letters: &mut Peekable<Chars<'_>>) -> bool {
    if !skip_address(letters) {
        return false;
    }
    if letters.next_if_eq(&',').is_some() && !skip_address(letters) {
        return false;
    }
    while letters.next_if(|letter| *letter == '!' || *letter == ' ').is_some() {}
    let prints = match letters.next() {
        Some('p' | 'd' | '=' | 'q' | 'n' | 'N' | 'P' | 'D' | 'G' | 'H' | 'g' | 'h' | 'x') => true,
        Some('s') => substitution_prints(letters),
        _ => false,
    };
    prints && letters.peek().is_none_or(|letter| letter.is_whitespace() || *letter == ';')
}

fn skip_address(letters: &mut Peekable<Chars<'_>>) -> bool {
    if letters.next_if_eq(&'/').is_some() {
        let closed = skip_to(letters, '/');
        while letters.next_if(|letter| matches!(letter, 'I' | 'M')).is_some() {}
        return closed;
    }
    while letters.next_if(|letter| letter.is_ascii_digit() || matches!(letter, '$' | '+' | '~')).is_some() {}
    true
}

/// Skips to after the next delimiter that is not escaped; whether there is one that all versions of
/// `sed` see: they differ on a delimiter between brackets.
fn skip_to(letters: &mut Peekable<Chars<'_>>, delimiter: char) -> bool {
    let mut is_between_brackets = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if letter == delimiter => return !is_between_brackets,
            '[' => is_between_brackets = true,
            ']' => is_between_brackets = false,
            _ => {}
        }
    }
    false
}

fn substitution_prints(letters: &mut Peekable<Chars<'_>>) -> bool {
    let Some(delimiter) = letters.next().filter(|it| it.is_ascii_punctuation() && *it != '\\') else {
        return false;
    };
    if !skip_to(letters, delimiter) || !skip_to(letters, delimiter) {
        return false;
    }
    // The flag `e` would run the result as a command, and `w` would write it to a file.
    while letters.next_if(|it| it.is_ascii_digit() || matches!(it, 'g' | 'p' | 'i' | 'I')).is_some() {}
    true
}

/// Whether `awk` is given a script that can neither run, write nor read anything else.
pub(super) fn awk_only_prints(words: &[&str]) -> bool {
    const DOES_MORE: &[&str] =
        &["system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "fflush", "close", "|", ">", "@"];
    let mut words = words.iter();
    let mut script = None;
    while let Some(word) = words.next() {
        match *word {
            "-F" | "-v" => drop(words.next()),
            option if option.starts_with("-F") => {}
            option if option.starts_with('-') && option.len() > 1 => return false,
            operand if script.is_none() => script = Some(operand),
            // `name=value` among the files sets a variable, which is harmless; files are checked
            // elsewhere.
            _ => {}
        }
    }
    script.is_some_and(|script: &str| !DOES_MORE.iter().any(|word| script.contains(word)))
}

/// Whether a filter of `jq` asks for environment variables or other files.
pub(super) fn reads_more(filter: &str) -> bool {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    ["$ENV", "import", "include"].iter().any(|word| filter.contains(word))
        || filter.match_indices("env").any(|(at, word)| {
            let before = filter.get(..at).and_then(|before| before.chars().next_back());
            let after = filter.get(at + word.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(|it| is_name(it) || it == '.' || it == '"') && !after.is_some_and(is_name)
        })
}
