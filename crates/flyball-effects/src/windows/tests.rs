//! What lines of Windows are read as, and what they would do.

use proptest::prelude::*;

use super::{from_cmd, from_powershell};
use crate::Line;
use crate::model::FileAct;

/// A line of PowerShell, and what it would do as the shell reader sees it.
const POWERSHELL: &str = include_str!("cases/powershell.txt");
/// The same for `cmd`.
const CMD: &str = include_str!("cases/cmd.txt");

/// What a line runs and changes: programs with their words, then what happens to files.
fn seen(line: &str) -> String {
    let line = Line::read(line);
    let word = |word: &crate::Word| word.text.clone().unwrap_or_else(|| "?".to_owned());
    let mut parts: Vec<String> = Vec::new();
    for effect in &line.effects.files {
        let target = word(&effect.target.word);
        parts.extend(match &effect.act {
            FileAct::Delete { recursive: true } => Some(format!("delete -r {target}")),
            FileAct::Delete { recursive: false } => Some(format!("delete {target}")),
            FileAct::Write(_) => Some(format!("write {target}")),
            FileAct::Append(_) => Some(format!("append {target}")),
            FileAct::Move { to } => Some(format!("move {target} to {}", word(&to.word))),
            FileAct::Read => Some(format!("read {target}")),
            FileAct::Run => Some(format!("run {target}")),
            FileAct::Change
            | FileAct::Link { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch
            | FileAct::Anything => None,
        });
    }
    if !line.effects.fetched_code.is_empty() {
        parts.push("fetched".to_owned());
    }
    const OWN: &[&str] =
        &["git", "npm", "pip", "cargo", "schtasks", "reg", "diskpart", "flyball", "sudo", "choco", "format"];
    for command in &line.script.commands {
        let name = command.program_name().unwrap_or("?");
        if OWN.contains(&name) || flyball_programs::cmdlet(name).is_some_and(|known| known.runs.is_empty()) {
            let words: String = command.arguments.iter().map(|it| format!(" {}", word(it))).collect();
            parts.push(format!("{name}{words}"));
        }
    }
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("; ") }
}

fn wrong(table: &str, read: fn(&str) -> String) -> Vec<String> {
    let rows = table.lines().filter(|row| !row.is_empty() && !row.starts_with("# "));
    rows.filter_map(|row| {
        let (line, expected) = row.rsplit_once(" => ").expect("a row has ` => `");
        let sh = read(&line.replace('⏎', "\n"));
        let found = seen(&sh);
        (found != expected).then(|| format!("{line} => {found}\n    expected {expected}\n    sh: {sh}"))
    })
    .collect()
}

#[test]
fn lines_of_powershell_do_what_they_say() {
    let wrong = wrong(POWERSHELL, from_powershell);
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn lines_of_cmd_do_what_they_say() {
    let wrong = wrong(CMD, from_cmd);
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn shells_of_windows_are_read_inside_a_line_of_sh() {
    for (line, expected) in [
        (r#"pwsh -NoProfile -c "Remove-Item -Recurse build""#, "delete -r build"),
        (r#"powershell.exe -ExecutionPolicy Bypass -Command "ri a.txt""#, "delete a.txt"),
        ("powershell -Command ri a.txt", "delete a.txt"),
        ("cmd /c del /s /q build", "delete -r build"),
        ("cmd.exe /c 'rd /s /q build'", "delete -r build"),
        // `Remove-Item x` in base64 of UTF-16.
        ("pwsh -enc UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAeAA=", "delete x"),
        ("pwsh -Command 'Get-ChildItem'", "nothing"),
        ("pwsh -File build.ps1", "run build.ps1"),
    ] {
        let found = seen(line);
        assert!(found.contains(expected), "{line} => {found}\n{:?}", Line::read(line).script);
    }
}

#[test]
fn every_row_of_the_everyday_is_known_whole() {
    let everyday = POWERSHELL.split("# Everyday").nth(1).expect("a part of the table");
    let rows = everyday.lines().filter(|row| row.contains(" => nothing"));
    let unknown: Vec<String> = rows
        .filter_map(|row| {
            let sh = from_powershell(row.split(" => ").next()?);
            let line = Line::read(&sh);
            (!line.script.unknown.is_empty())
                .then(|| format!("{row}\n    sh: {sh}\n    {:?}", line.script.unknown))
        })
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn deep_nesting_ends() {
    for text in ["(", "{", "$(", "@(", "if (", "[a]::b(", "\"$(", "& {", "'", "@'\n", "`", "$x.a("] {
        let whole = text.repeat(4_000);
        drop(from_powershell(&whole));
        drop(from_cmd(&whole));
    }
    assert!(!Line::read(&from_powershell(&"& { ".repeat(100))).script.unknown.is_empty());
    assert!(!Line::read(&from_powershell(&"a ".repeat(200_000))).script.unknown.is_empty());
}

proptest! {
    #[test]
    fn nothing_makes_the_readers_fail(text in "[a-zA-Z0-9 $'\"`@(){}\\[\\];|&<>,.:%^!/\\\\\n#=*?_-]{0,80}") {
        drop(Line::read(&from_powershell(&text)));
        drop(Line::read(&from_cmd(&text)));
    }

    #[test]
    fn any_letter_may_be_anywhere(text in "\\PC{0,60}") {
        drop(from_powershell(&text));
        drop(from_cmd(&text));
    }

    #[test]
    fn a_quoted_name_is_deleted_as_it_is(name in "[a-z][a-z '&;|$()]{0,12}[a-z]") {
        let line = format!("Remove-Item -LiteralPath '{}'", name.replace('\'', "''"));
        prop_assert_eq!(seen(&from_powershell(&line)), format!("delete {name}"));
    }
}
