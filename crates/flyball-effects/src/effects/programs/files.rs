//! Programs that delete, copy, move, link, write and mark files.

use super::super::call::{Call, base_name, below};
use super::super::collector::{Collector, names_file};
use super::super::content;
use crate::argv::after;
use crate::model::{Content, Directory, FileAct, OpaqueReason, Target, Word};

/// `rm`, `unlink`, `trash` …
pub(super) fn remove(call: &Call, found: &mut Collector) {
    let recursive = call.has("r R recursive");
    call.each_operand(&FileAct::Delete { recursive }, found);
}

/// Programs that delete folders with all that is in them, without an option.
pub(super) fn remove_all(call: &Call, found: &mut Collector) {
    call.each_operand(&FileAct::Delete { recursive: true }, found);
}

/// Overwrites, and with `-u` deletes.
pub(super) fn shred(call: &Call, found: &mut Collector) {
    let act = if call.has("u remove") {
        FileAct::Delete { recursive: false }
    } else {
        FileAct::Write(Content::Unknown)
    };
    call.each_operand(&act, found);
}

/// `cp`
pub(super) fn copy(call: &Call, found: &mut Collector) {
    let Some(ends) = Ends::from_call(call) else { return };
    // `cp -l` and `cp -s` make links.
    let links = call.name == "cp" && call.has("l link s symbolic-link");
    for source in ends.sources.iter().copied() {
        let name = ends.place_of(call, source);
        let act = if links { FileAct::Link { name: name.clone() } } else { FileAct::Read };
        found.file(act, call.target(source), call.name);
        found.file(FileAct::Write(Content::Unknown), name, call.name);
    }
}

/// `mv`
pub(super) fn rename(call: &Call, found: &mut Collector) {
    let Some(ends) = Ends::from_call(call) else { return };
    for source in ends.sources.iter().copied() {
        let to = ends.place_of(call, source);
        // `mv f /dev/null` loses the file.
        if names_file(&to.word) {
            found.file(FileAct::Move { to }, call.target(source), call.name);
        } else {
            found.file(FileAct::Delete { recursive: true }, call.target(source), call.name);
        }
    }
}

/// `install`: like `cp`; with `-d` it only makes folders.
pub(super) fn install(call: &Call, found: &mut Collector) {
    if !call.has("d directory") {
        copy(call, found);
    }
}

/// `ln`: the new name is written, and leads to the old one.
pub(super) fn link(call: &Call, found: &mut Collector) {
    let ends = match call.operands.as_slice() {
        [only] if call.value("t target-directory").is_none() => {
            Ends { sources: std::slice::from_ref(only), to: None, is_folder: true }
        }
        _ => {
            let Some(ends) = Ends::from_call(call) else { return };
            ends
        }
    };
    for source in ends.sources.iter().copied() {
        let name = ends.place_of(call, source);
        let target = linked(call, source, &name);
        found.file(FileAct::Write(Content::Unknown), name.clone(), call.name);
        found.file(FileAct::Link { name }, target, call.name);
    }
}

/// Where a link leads: a symbolic one is relative to its own folder.
fn linked(call: &Call, source: &Word, name: &Target) -> Target {
    let mut target = call.target(source);
    // `$PWD` is read as `.`, but is the folder of the command, wherever the link is.
    let is_here = source.raw.trim_start_matches('"').starts_with("$PWD");
    let is_relative = !is_here && source.text.as_deref().is_some_and(|text| !text.starts_with(['/', '~']));
    if call.has("s symbolic") && is_relative {
        target.directory = match name.word.text.as_deref().map(|text| text.rsplit_once('/')) {
            Some(Some((folder, _))) => call.directory().join(if folder.is_empty() { "/" } else { folder }),
            Some(None) => call.directory().clone(),
            None => Directory::Unknown,
        };
    }
    target
}

/// `mount --bind old new`
pub(super) fn mount(call: &Call, found: &mut Collector) {
    match call.operands.as_slice() {
        [old, new] if call.has("bind rbind B R") => {
            found.file(FileAct::Link { name: call.target(new) }, call.target(old), call.name);
            // The mount hides what was there.
            found.file(FileAct::Change, call.target(new), call.name);
        }
        [] => {}
        _ => found.opaque(OpaqueReason::Program, call.name),
    }
}

/// What is copied and where to.
struct Ends<'c, 'a> {
    sources: &'c [&'a Word],
    to: Option<&'c Word>,
    /// Whether `to` is a folder for certain.
    is_folder: bool,
}

impl<'c, 'a> Ends<'c, 'a> {
    fn from_call(call: &'c Call<'a>) -> Option<Ends<'c, 'a>> {
        if let Some(folder) = call.value("t target-directory") {
            return Some(Ends { sources: &call.operands, to: Some(folder), is_folder: true });
        }
        let (to, sources) = call.operands.split_last()?;
        // Several sources need a folder; so does a name with a slash behind it.
        let is_folder = sources.len() > 1 || to.text.as_deref().is_some_and(|text| text.ends_with('/'));
        Some(Ends { sources, to: Some(to), is_folder })
    }

    /// Where `source` ends up.
    fn place_of(&self, call: &Call, source: &Word) -> Target {
        let Some(to) = self.to else { return name_here(call, source) };
        let mut place = call.target(to);
        if call.has("T no-target-directory") {
            return place;
        }
        match source.text.as_deref() {
            Some(text) => {
                // Whether the target is a folder is known only on the disk, so both places are named.
                place.or_below = base_name(text).map(str::to_owned);
                place.word.glob |= source.glob;
            }
            None if self.is_folder => {
                place.word = below(Some(to), &Word::unknown(&source.raw)).into_owned();
            }
            None => {}
        }
        place
    }
}

/// The last part of a path as a name in the directory of the command.
fn name_here(call: &Call, source: &Word) -> Target {
    let name = source.text.as_deref().and_then(base_name);
    call.target(&name.map_or_else(|| Word::unknown(&source.raw), Word::literal))
}

/// `tee`
pub(super) fn tee(call: &Call, found: &mut Collector) {
    if call.operands.is_empty() {
        return;
    }
    let content = content::input(call.script, call.index);
    let act = if call.has("a append") { FileAct::Append(content) } else { FileAct::Write(content) };
    call.each_operand(&act, found);
}

/// Programs that write what they read to their operands.
pub(super) fn sponge(call: &Call, found: &mut Collector) {
    let unknown = Content::Unknown;
    let act = if call.has("a") { FileAct::Append(unknown) } else { FileAct::Write(unknown) };
    call.each_operand(&act, found);
}

/// Programs that create or overwrite their operands.
pub(super) fn write(call: &Call, found: &mut Collector) {
    call.each_operand(&FileAct::Write(Content::Unknown), found);
}

/// `touch`
pub(super) fn touch(call: &Call, found: &mut Collector) {
    call.reads_values("r reference", found);
    // An existing file only gets another time; a new one is empty.
    call.each_operand(&FileAct::Attributes { recursive: false }, found);
}

/// `truncate`
pub(super) fn truncate(call: &Call, found: &mut Collector) {
    let act = if call.value("s size").is_some_and(|size| size.is("0")) {
        FileAct::Write(Content::Text(String::new()))
    } else {
        FileAct::Change
    };
    call.each_operand(&act, found);
}

/// `dd if=… of=…`
pub(super) fn dd(call: &Call, found: &mut Collector) {
    for word in call.arguments {
        if let Some(file) = after(word, "if=") {
            found.file(FileAct::Read, call.target(&file), call.name);
        } else if let Some(file) = after(word, "of=") {
            let act = if has_word(call, "conv=notrunc") {
                FileAct::Change
            } else {
                FileAct::Write(Content::Unknown)
            };
            found.file(act, call.target(&file), call.name);
        }
    }
}

fn has_word(call: &Call, text: &str) -> bool {
    call.arguments.iter().any(|word| word.is(text))
}

/// `chmod`, `chown`, `chgrp`: the first operand is the mode or owner.
pub(super) fn attributes(call: &Call, found: &mut Collector) {
    let is_mode = |word: &Word| {
        let text = word.text.as_deref().unwrap_or_default();
        text.len() > 1
            && text.starts_with('-')
            && text.chars().all(|letter| "-+=,rwxXstugoa".contains(letter))
    };
    // `chmod -x f`: a mode that looks like an option.
    let has_dashed = call.name == "chmod" && call.arguments.iter().any(is_mode);
    let skipped = if call.has("reference") || has_dashed { 0 } else { 1 };
    let act = FileAct::Attributes { recursive: call.has("R recursive") };
    call.each(call.operands.iter().copied().skip(skipped), &act, found);
}

/// `chattr +i f`, `chflags`, `xattr -d name f`
pub(super) fn marks(call: &Call, found: &mut Collector) {
    let is_mode = |word: &&Word| word.text.as_deref().is_some_and(|text| text.starts_with(['+', '=']));
    let act = FileAct::Attributes { recursive: call.has("R") };
    call.each(call.operands.iter().copied().filter(|word| !is_mode(word)), &act, found);
}

/// `split`, `csplit`: many files whose names begin alike.
pub(super) fn split(call: &Call, found: &mut Collector) {
    let file = call.operands.first().copied();
    call.each(file, &FileAct::Read, found);
    let prefix = match call.name {
        "csplit" => call.value("f prefix").cloned().unwrap_or_else(|| Word::literal("xx")),
        _ => call.operands.get(1).map_or_else(|| Word::literal("x"), |word| (*word).clone()),
    };
    let pattern = Word { text: prefix.text.map(|text| text + "*"), raw: prefix.raw + "*", glob: true };
    found.file(FileAct::Write(Content::Unknown), call.target(&pattern), call.name);
}

/// Programs that change their operands in place.
pub(super) fn change(call: &Call, found: &mut Collector) {
    call.each_operand(&FileAct::Change, found);
}

/// `rename 's/a/b/' files`: the new names are known to the script only.
pub(super) fn rename_by_script(call: &Call, found: &mut Collector) {
    call.each(call.operands.iter().copied().skip(1), &FileAct::Anything, found);
    found.opaque(OpaqueReason::Program, call.name);
}
