//! What redirections do: files, and bash's own network devices.

use super::collector::Collector;
use super::content;
use crate::model::{Command, Content, FileAct, Redirect, RedirectKind, Script, Sent, Target};

/// Adds what the redirections of a command do.
pub(super) fn redirections(script: &Script, index: usize, command: &Command, found: &mut Collector) {
    let last_output = command.redirects.iter().rposition(is_output);
    for (at, redirect) in command.redirects.iter().enumerate() {
        if let Some(address) = network_device(redirect) {
            found.network(
                Some(address).filter(|_| redirect.target.text.is_some()),
                sent(script, index, redirect),
            );
            continue;
        }
        let act = match redirect.kind {
            RedirectKind::Write | RedirectKind::Append => {
                let content = match last_output {
                    Some(last) if last == at => written(script, index, command, at),
                    // `echo x > a > b` leaves `a` empty.
                    Some(_) if is_output(redirect) => Content::Text(String::new()),
                    Some(_) | None => Content::Unknown,
                };
                match redirect.kind {
                    RedirectKind::Append => FileAct::Append(content),
                    _ => FileAct::Write(content),
                }
            }
            RedirectKind::ReadWrite => FileAct::Change,
            RedirectKind::Read => FileAct::Read,
            RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Duplicate => continue,
        };
        found.file(act, Target::new(&redirect.target, &command.directory), "a redirection");
    }
}

fn written(script: &Script, index: usize, command: &Command, at: usize) -> Content {
    let later = command.redirects.get(at + 1..).unwrap_or_default();
    // `> f >&2` sends the text elsewhere after all.
    let is_moved = |redirect: &Redirect| {
        redirect.kind == RedirectKind::Duplicate && redirect.descriptor.is_none_or(|it| it == 1)
    };
    if later.iter().any(is_moved) { Content::Unknown } else { content::output(script, index) }
}

fn is_output(redirect: &Redirect) -> bool {
    matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
        && redirect.descriptor.is_none_or(|descriptor| descriptor == 1)
}

/// `/dev/tcp/host/port` is not a file: bash opens a connection.
fn network_device(redirect: &Redirect) -> Option<String> {
    if matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Duplicate) {
        return None;
    }
    let text = redirect.target.text.as_deref().unwrap_or(&redirect.target.raw);
    let address = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/"))?;
    Some(address.replacen('/', ":", 1))
}

/// What is sent to a network device.
fn sent(script: &Script, index: usize, redirect: &Redirect) -> Vec<Sent> {
    match redirect.kind {
        RedirectKind::Write | RedirectKind::Append => match content::output(script, index) {
            Content::Text(text) => vec![Sent::Text(text)],
            Content::Unknown => vec![Sent::Input],
        },
        RedirectKind::Read
        | RedirectKind::ReadWrite
        | RedirectKind::HereDoc
        | RedirectKind::HereString
        | RedirectKind::Duplicate => Vec::new(),
    }
}
