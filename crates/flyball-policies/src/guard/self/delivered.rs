//! Text that a pipe or a document delivers to a program that acts on it: later (`at`, `crontab`), or as files
//! (`git archive … | tar x`).

use flyball_core::verdict::Stance;
use flyball_effects::{Command, RedirectKind, Script};

use super::access::Access;
use super::own_files::{OwnFiles, file_name};

/// Programs that run what they are given, later.
const SCHEDULERS: &[&str] = &["at", "batch", "crontab", "atq", "systemd-run", "anacron"];
/// Programs that create the files that they are given.
const EXTRACTORS: &[&str] = &["tar", "gtar", "bsdtar", "cpio", "pax"];

/// A command that is given text that names something of ours.
pub(super) fn find(script: &Script, own_files: &OwnFiles<'_>) -> Option<Access> {
    script.commands.iter().find_map(|command| {
        let program = command.program_name()?;
        let is_scheduler = SCHEDULERS.contains(&program);
        if !(is_scheduler || EXTRACTORS.contains(&program) && extracts_here(command)) {
            return None;
        }
        let text = delivered_text(script, command);
        let ask = |named: &str, what| Access {
            is_below: false,
            stance: Stance::Ask,
            named: named.to_owned(),
            what,
            route: "text that another program acts on",
            path: None,
            verb: "change it",
        };
        if let Some(own) = own_files.mentioned(&text) {
            return Some(ask(file_name(own), own.what));
        }
        // A scheduled command that has to do with flyball at all: nobody would see what it does then.
        (is_scheduler && text.contains("flyball"))
            .then(|| ask(program, "a command that runs later, about flyball"))
    })
}

/// Whether an archiver unpacks into the folder it runs in.
fn extracts_here(command: &Command) -> bool {
    let texts = || command.arguments.iter().filter_map(|word| word.text.as_deref());
    let is_elsewhere = texts().any(|text| text.starts_with("-C") || text.starts_with("--directory"));
    let mut words = texts();
    // `tar x`, `tar -xf -`, `cpio -i`: the letters need no dash.
    let first = words.next().unwrap_or_default();
    let unpacks = first.contains(['x', 'i', 'r']) || texts().any(|text| text == "--extract");
    unpacks && !is_elsewhere
}

/// What comes to a command through its pipe, its documents and its words.
pub(super) fn delivered_text(script: &Script, command: &Command) -> String {
    let mut text = String::new();
    for redirect in &command.redirects {
        if matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString) {
            push(&mut text, &redirect.target.raw);
        }
    }
    let mut pipe = command.place.from_pipe;
    // As many pipes as there are commands, at most.
    for _ in &script.commands {
        if pipe == 0 {
            break;
        }
        let mut next = 0;
        for writer in script.commands.iter().filter(|writer| writer.place.into_pipe == pipe) {
            for word in &writer.arguments {
                push(&mut text, word.text.as_deref().unwrap_or(&word.raw));
            }
            next = writer.place.from_pipe;
        }
        pipe = next;
    }
    text
}

fn push(text: &mut String, word: &str) {
    text.push_str(word);
    text.push(' ');
}
