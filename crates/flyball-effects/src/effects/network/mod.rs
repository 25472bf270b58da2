//! Programs that call the network: what they send where, and the files they save.

mod hosts;
mod transfers;
mod web;

pub(super) use hosts::{connect, gh, mail, resolve, session, ssh};
pub(super) use transfers::{aws, buckets, rsync, scp};
pub(super) use web::{curl, fetch, httpie, wget};

use super::call::Call;
use crate::model::{Sent, Word};

/// Text on the command line that is sent.
fn text(word: &Word) -> Sent {
    match &word.text {
        Some(text) => Sent::Text(text.clone()),
        None => Sent::Unknown(word.raw.clone()),
    }
}

/// A file that is sent; `-` is the standard input.
fn file(call: &Call, word: &Word) -> Sent {
    if word.is("-") || word.is("/dev/stdin") { Sent::Input } else { Sent::File(call.target(word)) }
}

/// Whether an address names another machine: `host:path`, `user@host:path`, `scheme://…`.
pub(super) fn is_remote(word: &Word) -> bool {
    let text = word.text.as_deref().unwrap_or(&word.raw).trim_start_matches('"');
    if text.contains("://") {
        return true;
    }
    match text.split_once(':') {
        // One letter is a drive of Windows.
        Some((host, _)) => host.len() > 1 && !host.contains('/') && !host.starts_with('.'),
        None => false,
    }
}
