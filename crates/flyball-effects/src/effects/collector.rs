//! Collects effects, and stops when a hostile line would make them endless.

use super::site::Site;
use crate::model::{
    DecodedCode, Directory, Effects, FetchedCode, FetchedFile, FileAct, FileEffect, Insertion, NetworkEffect,
    Opaque, OpaqueReason, Sent, Target, Word,
};

/// How many bytes the effects of one line may take. `cp a b c … folder` names its folder once for
/// every file, so without a bound the effects could grow with the square of the line.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// What an effect costs besides its text.
const EFFECT_BYTES: usize = 64;

/// Adds what the program of this name does.
pub(super) type StartFn = fn(&str, Site<'_>, &mut Collector);

/// What was found so far.
pub(super) struct Collector {
    effects: Effects,
    bytes_left: usize,
    /// The index of the current command.
    pub(super) index: usize,
    /// Programs start programs (`npx eslint`), but do not know each other.
    start: StartFn,
}

impl Collector {
    pub(super) fn new(start: StartFn) -> Collector {
        Collector { effects: Effects::default(), bytes_left: MOST_BYTES, index: 0, start }
    }

    /// Adds what a program does that the current one starts.
    pub(super) fn start(&mut self, name: &str, site: Site<'_>) {
        (self.start)(name, site, self);
    }

    pub(super) fn into_effects(self) -> Effects {
        self.effects
    }

    pub(super) fn effects(&self) -> &Effects {
        &self.effects
    }

    /// Something is done to a file.
    pub(super) fn file(&mut self, act: FileAct, target: Target, by: &'static str) {
        if !names_file(&target.word) || !self.reserve(size_of_act(&act) + size_of_target(&target)) {
            return;
        }
        self.effects.files.push(FileEffect { act, target, by, command: self.index });
    }

    /// An edit puts text into a file.
    pub(super) fn insertion(&mut self, insertion: Insertion) {
        let bytes = insertion.old.len() + insertion.new.len() + size_of_target(&insertion.target);
        if names_file(&insertion.target.word) && self.reserve(bytes) {
            self.effects.insertions.push(insertion);
        }
    }

    /// The network is called.
    pub(super) fn network(&mut self, to: Option<String>, sends: Vec<Sent>) {
        let bytes = to.as_ref().map_or(0, String::len) + sends.iter().map(size_of_sent).sum::<usize>();
        for sent in &sends {
            // To send a file is to read it, so a guard of reads sees it too.
            if let Sent::File(target) = sent {
                self.file(FileAct::Read, target.clone(), "a transfer");
            }
        }
        if self.reserve(bytes) {
            self.effects.network.push(NetworkEffect { to, sends, command: self.index });
        }
    }

    /// The current command may do more.
    pub(super) fn opaque(&mut self, why: OpaqueReason, text: &str) {
        if self.reserve(text.len()) {
            self.effects.opaque.push(Opaque { why, text: text.to_owned(), command: Some(self.index) });
        }
    }

    /// A part of the line that cannot be known.
    pub(super) fn unknown_line(&mut self, text: &str) {
        if self.reserve(text.len()) {
            let opaque = Opaque { why: OpaqueReason::Line, text: text.to_owned(), command: None };
            self.effects.opaque.push(opaque);
        }
    }

    /// Text from elsewhere is run.
    pub(super) fn fetched(&mut self, fetch: usize, run: usize, is_in_folder: bool) {
        let fetched = FetchedCode { fetch, run, is_in_folder };
        if self.effects.fetched_code.last() != Some(&fetched) && self.reserve(0) {
            self.effects.fetched_code.push(fetched);
        }
    }

    /// Text that a decoder printed is run.
    pub(super) fn decoded(&mut self, decoder: usize, run: usize) {
        let decoded = DecodedCode { decoder, run };
        if self.effects.decoded_code.last() != Some(&decoded) && self.reserve(0) {
            self.effects.decoded_code.push(decoded);
        }
    }

    /// A file has text that the line does not show when the line is over.
    pub(super) fn fetched_file(&mut self, file: FetchedFile) {
        if self.reserve(size_of_target(&file.target)) {
            self.effects.fetched_files.push(file);
        }
    }

    fn reserve(&mut self, bytes: usize) -> bool {
        let Some(rest) = self.bytes_left.checked_sub(bytes + EFFECT_BYTES) else {
            // Recorded once, so that a line whose effects are cut off is never taken for fully known.
            if self.bytes_left > 0 {
                self.bytes_left = 0;
                let text = "more effects than flyball records".to_owned();
                self.effects.opaque.push(Opaque { why: OpaqueReason::Line, text, command: None });
            }
            return false;
        };
        self.bytes_left = rest;
        true
    }
}

/// Whether a word can name a file that matters: not a standard stream, a process or a bottomless
/// device.
pub(super) fn names_file(word: &Word) -> bool {
    match word.text.as_deref() {
        Some(text) => !matches!(text, "" | "-") && !is_stream(text),
        // `<(…)` and `>(…)` are pipes; their commands are in the script.
        None => !word.raw.starts_with("<(") && !word.raw.starts_with(">("),
    }
}

fn is_stream(text: &str) -> bool {
    let Some(device) = text.strip_prefix("/dev/") else { return text.starts_with("/proc/self/fd/") };
    matches!(device, "null" | "zero" | "full" | "random" | "urandom" | "tty" | "stdin" | "stdout" | "stderr")
        || device.starts_with("fd/")
}

fn size_of_act(act: &FileAct) -> usize {
    match act {
        FileAct::Write(content) | FileAct::Append(content) => content.text().map_or(0, str::len),
        FileAct::Move { to } | FileAct::Link { name: to } => size_of_target(to),
        FileAct::Read
        | FileAct::Change
        | FileAct::Delete { .. }
        | FileAct::Attributes { .. }
        | FileAct::ApplyPatch
        | FileAct::Run
        | FileAct::Anything => 0,
    }
}

fn size_of_target(target: &Target) -> usize {
    let below = target.or_below.as_ref().map_or(0, String::len);
    let directory = match &target.directory {
        Directory::OneOf(places) => places.iter().map(|place| place.len() + EFFECT_BYTES).sum(),
        Directory::Start | Directory::Unknown => 0,
    };
    size_of_word(&target.word) + below + directory
}

fn size_of_word(word: &Word) -> usize {
    word.raw.len() + word.text.as_ref().map_or(0, String::len)
}

fn size_of_sent(sent: &Sent) -> usize {
    match sent {
        Sent::File(target) => size_of_target(target),
        Sent::Input => 0,
        Sent::Text(text) | Sent::Unknown(text) => text.len(),
    }
}
