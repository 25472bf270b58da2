//! Archives and compressed files.

use flyball_programs::{Grammar, OptionStyle};

use super::super::call::{Call, below};
use super::super::collector::Collector;
use super::super::network::is_remote;
use crate::model::{Content, FileAct, OpaqueReason, Sent, Word};

const TAR: Grammar = Grammar {
    letters: "fCTXbgHIKLNVF",
    optional: "",
    names: "file directory files-from exclude exclude-from transform xform strip-components \
        use-compress-program listed-incremental format owner group mode mtime newer one-top-level \
        blocking-factor starting-file volno-file",
    option_style: OptionStyle::Gnu,
};

/// `tar`
pub(super) fn tar(call: &Call, found: &mut Collector) {
    let words = dashed(call.arguments);
    let site = super::super::site::Site { arguments: &words, ..call.site() };
    let call = &Call::new(site, call.name, &TAR);
    let archive = call.value("f file");
    if call.has("I use-compress-program to-command checkpoint-action F info-script") {
        found.opaque(OpaqueReason::Program, call.name);
    }
    if call.has("x extract get") {
        call.each(archive, &FileAct::Read, found);
        if !call.has("O to-stdout") {
            unpack(call, &call.operands, call.value("C directory"), found);
        }
    } else if call.has("c create r append u update A") {
        let act = if call.has("c create") { FileAct::Write(Content::Unknown) } else { FileAct::Change };
        call.each(archive, &act, found);
        for word in &call.operands {
            found.file(FileAct::Read, call.target(&below(call.value("C directory"), word)), call.name);
        }
        // GNU tar writes to another machine by itself.
        if let Some(to) = archive.filter(|to| is_remote(to) && !call.has("force-local")) {
            let files = call.operands.iter().map(|word| Sent::File(call.target(word)));
            found.network(to.text.clone(), files.collect());
        }
        if call.has("remove-files") {
            call.each_operand(&FileAct::Delete { recursive: true }, found);
        }
    } else {
        call.each(archive, &FileAct::Read, found);
    }
}

/// The old style `tar xzf a` has no dash, and takes the values of its letters from the words
/// that follow, in order.
fn dashed(arguments: &[Word]) -> Vec<Word> {
    let mut words = Vec::with_capacity(arguments.len());
    let Some((first, rest)) = arguments.split_first() else { return words };
    let letters = match first.text.as_deref() {
        Some(text) if !text.starts_with('-') => text,
        _ => return arguments.to_vec(),
    };
    let mut rest = rest.iter().cloned();
    for letter in letters.chars() {
        words.push(Word::literal(format!("-{letter}")));
        if TAR.letters.contains(letter) {
            words.extend(rest.next());
        }
    }
    words.extend(rest);
    words
}

/// Names that are given are written; without names, the archive decides.
fn unpack(call: &Call, names: &[&Word], folder: Option<&Word>, found: &mut Collector) {
    let act = FileAct::Write(Content::Unknown);
    for name in names {
        found.file(act.clone(), call.target(&below(folder, name)), call.name);
    }
    if names.is_empty() {
        call.each(folder, &act, found);
    }
    found.opaque(OpaqueReason::Program, call.name);
}

/// `unzip`
pub(super) fn unzip(call: &Call, found: &mut Collector) {
    let Some((archive, names)) = call.operands.split_first() else { return };
    found.file(FileAct::Read, call.target(archive), call.name);
    // With these it only lists, tests or prints.
    if !call.has("l t p c v Z z") {
        unpack(call, names, call.value("d"), found);
    }
}

/// `zip archive files`
pub(super) fn zip(call: &Call, found: &mut Collector) {
    let Some((archive, files)) = call.operands.split_first() else { return };
    found.file(FileAct::Change, call.target(archive), call.name);
    let act = if call.has("m move") { FileAct::Delete { recursive: true } } else { FileAct::Read };
    call.each(files.iter().copied(), &act, found);
}

/// `7z a archive files`, `7z x archive -ofolder`
pub(super) fn seven_zip(call: &Call, found: &mut Collector) {
    let [verb, archive, files @ ..] = call.operands.as_slice() else { return };
    match verb.text.as_deref() {
        Some("a" | "u") => {
            found.file(FileAct::Change, call.target(archive), call.name);
            let deletes = call.has("sdel");
            let act = if deletes { FileAct::Delete { recursive: true } } else { FileAct::Read };
            call.each(files.iter().copied(), &act, found);
        }
        Some("l" | "t" | "h" | "i") => found.file(FileAct::Read, call.target(archive), call.name),
        Some("x" | "e") => {
            found.file(FileAct::Read, call.target(archive), call.name);
            found.opaque(OpaqueReason::Program, call.name);
        }
        _ => found.opaque(OpaqueReason::Program, call.name),
    }
}

/// `gzip`, `xz`, `bzip2`, `zstd` and their inverses: one file replaces another.
pub(super) fn compress(call: &Call, found: &mut Collector) {
    if call.has("c stdout to-stdout l list t test") {
        return call.each_operand(&FileAct::Read, found);
    }
    let ending = ending(call.name);
    let unpacks = call.has("d decompress uncompress") || call.name.starts_with("un") || call.name == "gunzip";
    // zstd leaves its input where it is unless `--rm` is given; the others delete it.
    let keeps = call.has("k keep") || (ending == ".zst" && !call.has("rm"));
    for word in &call.operands {
        let act = if keeps { FileAct::Read } else { FileAct::Delete { recursive: false } };
        found.file(act, call.target(word), call.name);
        let other = match word.text.as_deref() {
            Some(text) if unpacks => {
                text.strip_suffix(ending).map_or_else(|| Word::unknown(&word.raw), Word::literal)
            }
            Some(text) => Word::literal(format!("{text}{ending}")),
            None => Word::unknown(&word.raw),
        };
        if call.value("o output").is_none() {
            found.file(FileAct::Write(Content::Unknown), call.target(&other), call.name);
        }
    }
    call.writes_values("o output", found);
}

fn ending(name: &str) -> &'static str {
    match name {
        "xz" | "unxz" => ".xz",
        "bzip2" | "bunzip2" => ".bz2",
        "zstd" | "unzstd" => ".zst",
        "lz4" | "unlz4" => ".lz4",
        _ => ".gz",
    }
}
