//! `curl`, `wget`, `http`: requests over the web.

use super::super::call::{Call, base_name, below};
use super::super::collector::Collector;
use super::{file, text};
use crate::argv::{OptionStyle, after};
use crate::model::{Content, FileAct, OpaqueReason, Sent, Word};

/// More addresses than this in one call are not looked at one by one.
const MOST_ADDRESSES: usize = 8;

/// `curl`
pub(in super::super) fn curl(call: &Call, found: &mut Collector) {
    let mut sends = Vec::new();
    for given in &call.options {
        let Some(value) = given.value.as_deref() else { continue };
        match given.name {
            "d" | "data" | "data-ascii" | "data-binary" | "json" | "url-query" => {
                sends.push(at_file(call, value));
            }
            "data-raw" | "form-string" => sends.push(text(value)),
            "data-urlencode" => sends.push(encoded(call, value)),
            "F" | "form" => form(call, value, &mut sends),
            "T" | "upload-file" => sends.push(file(call, value)),
            // The content of a header or a password matters only if it comes from elsewhere.
            "H" | "header" | "u" | "user" | "A" | "user-agent" | "e" | "referer" | "b" | "cookie" => {
                header(call, value, &mut sends);
            }
            _ => {}
        }
    }
    curl_files(call, found);
    for word in &call.operands {
        // An address with a variable in it can carry a secret: `curl "https://x/?k=$TOKEN"`.
        unknown_part(word, &mut sends);
    }
    calls(call.operands.iter().copied().chain(call.values("url")), &sends, found);
}

fn curl_files(call: &Call, found: &mut Collector) {
    let folder = call.value("output-dir");
    for name in call.values("o output") {
        found.file(FileAct::Write(Content::Unknown), call.target(&below(folder, name)), call.name);
    }
    if call.has("O remote-name remote-name-all") {
        for address in call.operands.iter().copied().chain(call.values("url")) {
            let name = remote_name(address);
            found.file(FileAct::Write(Content::Unknown), call.target(&below(folder, &name)), call.name);
        }
    }
    call.writes_values("D dump-header c cookie-jar trace trace-ascii stderr etag-save", found);
    call.reads_values("K config E cert key cacert netrc-file", found);
    for address in &call.operands {
        if let Some(path) = after(address, "file://") {
            found.file(FileAct::Read, call.target(&path), call.name);
        }
    }
}

/// `@file` is a file, `@-` the standard input, everything else text.
fn at_file(call: &Call, value: &Word) -> Sent {
    after(value, "@").map_or_else(|| text(value), |name| file(call, &name))
}

/// `name@file`, `@file`, `name=text`
fn encoded(call: &Call, value: &Word) -> Sent {
    let spelled = value.text.as_deref().unwrap_or(&value.raw);
    match spelled.split_once('@') {
        Some((name, path)) if !name.contains('=') => {
            let word = if value.text.is_some() { Word::literal(path) } else { Word::unknown(path) };
            file(call, &word)
        }
        _ => text(value),
    }
}

/// `name=@file;type=x`, `name=<file`, `name=text`
fn form(call: &Call, value: &Word, sends: &mut Vec<Sent>) {
    let spelled = value.text.as_deref().unwrap_or(&value.raw).trim_start_matches('"');
    let path = spelled.split_once('=').and_then(|(_, part)| part.strip_prefix(['@', '<']));
    let named = |path: &str| if value.text.is_some() { Word::literal(path) } else { Word::unknown(path) };
    match path.and_then(|path| path.split(';').next()) {
        // Several files are separated by commas.
        Some(path) => sends.extend(path.split(',').take(MOST_ADDRESSES).map(|path| file(call, &named(path)))),
        None => sends.push(text(value)),
    }
}

fn header(call: &Call, value: &Word, sends: &mut Vec<Sent>) {
    match after(value, "@") {
        Some(name) => sends.push(file(call, &name)),
        None => unknown_part(value, sends),
    }
}

/// A word with a part that is known only at run time.
fn unknown_part(word: &Word, sends: &mut Vec<Sent>) {
    if word.text.is_none() {
        sends.push(Sent::Unknown(word.raw.clone()));
    }
}

/// One call for each address.
fn calls<'w>(addresses: impl Iterator<Item = &'w Word>, sends: &[Sent], found: &mut Collector) {
    let mut count = 0;
    for address in addresses {
        count += 1;
        if count > MOST_ADDRESSES {
            return found.opaque(OpaqueReason::Line, "more addresses than flyball records");
        }
        found.network(address.text.clone(), sends.to_vec());
    }
    // The address may be in a file of options (`-K`).
    if count == 0 && !sends.is_empty() {
        found.network(None, sends.to_vec());
    }
}

/// The name under which a downloaded file is saved.
fn remote_name(address: &Word) -> Word {
    let path = address.text.as_deref().map(|text| text.split(['?', '#']).next().unwrap_or(text));
    let path = path.map(|path| path.split_once("://").map_or(path, |(_, rest)| rest));
    let name = path.filter(|path| path.contains('/') && !path.ends_with('/')).and_then(base_name);
    name.map_or_else(|| Word::unknown(&address.raw), Word::literal)
}

/// `wget`
pub(in super::super) fn wget(call: &Call, found: &mut Collector) {
    let mut sends = Vec::new();
    for given in &call.options {
        let Some(value) = given.value.as_deref() else { continue };
        match given.name {
            _ if given.is_one_of("post-data body-data", OptionStyle::Gnu) => sends.push(text(value)),
            _ if given.is_one_of("post-file body-file", OptionStyle::Gnu) => sends.push(file(call, value)),
            "header" | "user" | "password" => unknown_part(value, &mut sends),
            _ => {}
        }
    }
    for word in &call.operands {
        unknown_part(word, &mut sends);
    }
    call.reads_values("i input-file config", found);
    call.writes_values("o output-file save-cookies", found);
    call.each(call.values("a append-output"), &FileAct::Append(Content::Unknown), found);
    if call.has("spider") {
        // Nothing is saved.
    } else if call.has("O output-document") {
        call.writes_values("O output-document", found);
    } else {
        let folder = call.value("P directory-prefix");
        for address in &call.operands {
            let name = wget_name(address);
            found.file(FileAct::Write(Content::Unknown), call.target(&below(folder, &name)), call.name);
        }
    }
    // The server decides how many files these write, and where.
    if call.has("r recursive m mirror p page-requisites i input-file") {
        found.opaque(OpaqueReason::Program, call.name);
    }
    calls(call.operands.iter().copied(), &sends, found);
}

/// wget keeps the query in the name, and calls a folder `index.html`.
fn wget_name(address: &Word) -> Word {
    let Some(text) = address.text.as_deref() else { return Word::unknown(&address.raw) };
    let path = text.split('#').next().unwrap_or(text);
    let path = path.split_once("://").map_or(path, |(_, rest)| rest);
    match path.split_once('/') {
        Some((_, path)) if !path.is_empty() && !path.ends_with('/') => {
            Word::literal(path.rsplit('/').next().unwrap_or(path))
        }
        _ => Word::literal("index.html"),
    }
}

/// `http`, `https`, `xh`: `http [METHOD] address [item …]`
pub(in super::super) fn httpie(call: &Call, found: &mut Collector) {
    call.writes_values("o output", found);
    let is_method = |word: &&Word| {
        word.text
            .as_deref()
            .is_some_and(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase()))
    };
    let skipped = usize::from(call.operands.first().is_some_and(is_method));
    let mut operands = call.operands.iter().copied().skip(skipped);
    let Some(address) = operands.next() else { return };
    let mut sends: Vec<Sent> = operands.filter_map(|item| http_item(call, item)).collect();
    unknown_part(address, &mut sends);
    sends.extend(call.values("raw").map(text));
    if call.has_input() && !call.has("ignore-stdin I") {
        sends.push(Sent::Input);
    }
    found.network(address.text.clone(), sends);
}

/// What an item of a request sends: `name=value`, `name@file`, `name=@file`, `Header:value`.
fn http_item(call: &Call, item: &Word) -> Option<Sent> {
    let spelled = item.text.as_deref().unwrap_or(&item.raw).trim_start_matches('"');
    let is_known = item.text.is_some();
    let named = |path: &str| if is_known { Word::literal(path) } else { Word::unknown(path) };
    let at = spelled.find(['=', '@', ':'])?;
    let (mark, rest) = (spelled.get(at..)?, spelled.get(at + 1..)?);
    if mark.starts_with('@') {
        return Some(file(call, &named(rest)));
    }
    match rest.strip_prefix("=@").or_else(|| rest.strip_prefix('@')) {
        Some(path) => Some(file(call, &named(path))),
        // A header; like those of curl, it matters only if part of it is unknown.
        None if mark.starts_with(':') && !rest.starts_with('=') && is_known => None,
        None => Some(text(item)),
    }
}

/// `fetch`, `lynx`, `aria2c`: they only fetch.
pub(in super::super) fn fetch(call: &Call, found: &mut Collector) {
    if call.name == "aria2c" {
        let folder = call.value("d dir");
        for name in call.values("o out") {
            found.file(FileAct::Write(Content::Unknown), call.target(&below(folder, name)), call.name);
        }
    } else {
        call.writes_values("o output", found);
    }
    let mut sends = Vec::new();
    for word in &call.operands {
        unknown_part(word, &mut sends);
    }
    if call.name == "aria2c" {
        found.opaque(OpaqueReason::Program, call.name);
    }
    calls(call.operands.iter().copied(), &sends, found);
}
