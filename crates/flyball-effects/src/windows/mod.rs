//! Reads lines of PowerShell and `cmd`: each becomes a line of sh that does the same, which the shell reader then reads. So
//! pipes, variables, redirections and effects are known in one place.
//!
//! What a command of Windows is in sh is in the table `cmdlets.toml` of [`flyball_programs`]. What is known only at run time
//! becomes a variable that nobody sets, so that it stays unknown. Nothing fails: what is no PowerShell is read as far as it
//! can be.

mod argument;
mod calls;
mod cmd;
mod cmdlets;
mod names;
mod powershell;
mod reader;
mod words;

#[cfg(test)]
mod tests;

use crate::decoders::base64_utf16;
use crate::model::Word;
use reader::UNKNOWN_LINE;

/// Longer lines are not read.
const MOST_BYTES: usize = 256 * 1024;

/// A line of sh that does what a line of PowerShell does.
#[must_use]
pub fn from_powershell(text: &str) -> String {
    if text.len() > MOST_BYTES { UNKNOWN_LINE.to_owned() } else { powershell::translate(text) }
}

/// A line of sh that does what a line of `cmd` does.
#[must_use]
pub fn from_cmd(text: &str) -> String {
    if text.len() > MOST_BYTES { UNKNOWN_LINE.to_owned() } else { cmd::translate(text) }
}

/// The line that a call of PowerShell or `cmd` runs, in sh: `pwsh -c …`, `cmd /c …`. `None` if it is another program, or runs
/// none that its words say.
#[must_use]
pub(crate) fn inner_line(name: &str, arguments: &[Word]) -> Option<String> {
    if is_powershell(name) {
        return powershell_line(arguments);
    }
    match name {
        "cmd" | "CMD" => {
            let begins = |word: &Word| {
                word.text.as_deref().is_some_and(|text| ["/c", "/k", "/C", "/K"].contains(&text))
            };
            let at = arguments.iter().position(begins)?;
            Some(from_cmd(&joined(arguments.get(at + 1..)?)?))
        }
        _ => None,
    }
}

/// Whether a program is PowerShell.
#[must_use]
pub fn is_powershell(name: &str) -> bool {
    // Every command is asked this; few names are as long.
    matches!(name.len(), 4 | 10 | 12)
        && ["pwsh", "powershell", "pwsh-preview"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

fn powershell_line(arguments: &[Word]) -> Option<String> {
    for (at, word) in arguments.iter().enumerate() {
        let option = word.text.as_deref()?.to_ascii_lowercase();
        let name = option.strip_prefix(['-', '/'])?;
        let is_begin = |full: &str, least: usize| name.len() >= least && full.starts_with(name);
        let behind = || arguments.get(at + 1..).filter(|rest| !rest.is_empty());
        if is_begin("command", 1) {
            return behind().and_then(joined).filter(|text| text != "-").map(|text| from_powershell(&text));
        }
        if is_begin("encodedcommand", 1) || name == "ec" {
            let text = base64_utf16(arguments.get(at + 1)?.text.as_deref()?)?;
            return Some(from_powershell(&text));
        }
        let takes_value =
            ["executionpolicy", "version", "workingdirectory", "windowstyle", "outputformat", "inputformat"]
                .iter()
                .any(|full| is_begin(full, 2))
                || matches!(name, "ep" | "ex" | "wd" | "w");
        if takes_value {
            return powershell_line(arguments.get(at + 2..)?);
        }
        if is_begin("file", 1) {
            return None;
        }
    }
    None
}

/// The words with spaces between them; `None` if one of them is only known at run time.
fn joined(words: &[Word]) -> Option<String> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.text.as_deref()).collect();
    Some(texts?.join(" "))
}
