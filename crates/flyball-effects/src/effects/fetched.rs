//! Text from elsewhere that is run: `curl … | sh`, `sh -c "$(curl …)"`, `curl -o x … && sh x`.

use std::collections::BTreeMap;

use super::builds::built_folders;
use super::collector::Collector;
use super::origins::{
    brings_text, decompresses, fetches, is_clone, is_decoder, is_powershell, is_socket, runs_encoded,
    runs_fetched_by_powershell,
};
use super::programs;
use super::programs::interpreters::{Source, source};
use super::site::Site;
use crate::code::runs_lines;
use crate::model::{
    Command, Directory, FetchedFile, FileAct, FileEffect, Redirect, RedirectKind, Script, Target, Word,
    input_redirect,
};

/// Finds code that is fetched or decoded and run in the same line, and the files that keep it.
pub(super) fn fetched_code(script: &Script, found: &mut Collector) {
    // Most lines fetch nothing, and tracing costs a pass over all commands.
    if !script.commands.iter().any(brings_text) {
        return;
    }
    let flow = Flow::trace(script, &BTreeMap::new());
    for (index, command) in script.commands.iter().enumerate() {
        if let Some(origin) = flow.run_by(index, command) {
            add(origin, index, false, found);
        } else if let Some(origin) = flow.fed_by(index, command) {
            add(origin, index, false, found);
        } else if command.program_name().is_some_and(is_powershell) && runs_fetched_by_powershell(command) {
            add(Origin { command: index, kind: Kind::Fetched }, index, false, found);
        } else if runs_encoded(command) {
            add(Origin { command: index, kind: Kind::Decoded }, index, false, found);
        }
    }
    let Kept { run, read, files } = saved_and_run(script, &flow, found);
    for SavedRun { origin, run, is_in_folder } in run {
        add(origin, run, is_in_folder, found);
    }
    if !read.is_empty() {
        // `cat f | sh`: what comes out of a file is followed like what comes from the network.
        let flow = Flow::trace(script, &read);
        for (index, command) in script.commands.iter().enumerate() {
            if let Some(origin) = flow.run_by(index, command) {
                add(origin, index, false, found);
            }
        }
    }
    files.into_iter().for_each(|file| found.fetched_file(file));
}

fn add(origin: Origin, run: usize, is_in_folder: bool, found: &mut Collector) {
    match origin.kind {
        Kind::Fetched => found.fetched(origin.command, run, is_in_folder),
        Kind::Decoded => found.decoded(origin.command, run),
    }
}

/// Where text came from that the line does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// The command that brought it.
    command: usize,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Fetched,
    Decoded,
}

/// Where fetched text flows in a line.
struct Flow<'s> {
    script: &'s Script,
    /// For each command, the origin of the text that it passes on.
    passes: Vec<Option<Origin>>,
    /// For each pipe, the origin of the text in it.
    pipes: Vec<Option<Origin>>,
    /// For each variable, the origin of the text in it.
    variables: BTreeMap<&'s str, Origin>,
    /// For each descriptor that the line opens, the origin of what it leads to.
    descriptors: BTreeMap<i32, Origin>,
}

impl<'s> Flow<'s> {
    /// Traces what commands fetch, and what these commands read from files that were fetched.
    fn trace(script: &'s Script, read: &BTreeMap<usize, Origin>) -> Flow<'s> {
        let last = script.commands.iter().map(|command| command.place.into_pipe).max().unwrap_or(0);
        let size = usize::try_from(last).unwrap_or(0) + 1;
        let mut flow = Flow {
            script,
            passes: Vec::with_capacity(script.commands.len()),
            pipes: vec![None; size],
            variables: BTreeMap::new(),
            descriptors: BTreeMap::new(),
        };
        for (index, command) in script.commands.iter().enumerate() {
            // Every other command is taken to pass on what it reads (`tee`, `base64 -d`).
            let given = || {
                let in_files = || {
                    // `cat <(curl …)`
                    let mut files = command.arguments.iter().filter(|word| word.raw.starts_with("<("));
                    files.find_map(|word| flow.in_word(index, word))
                };
                flow.comes_in(command).or_else(|| flow.redirected(index, command)).or_else(in_files)
            };
            let own = if writes_what_it_fetched(script, index, command) {
                Some(Origin { command: index, kind: Kind::Fetched })
            } else {
                let decoded =
                    || is_decoder(command).then_some(Origin { command: index, kind: Kind::Decoded });
                given().or_else(|| read.get(&index).copied()).or_else(decoded)
            };
            flow.passes.push(own);
            if let Some(pipe) = slot(command.place.into_pipe).and_then(|at| flow.pipes.get_mut(at)) {
                // Several commands may write into one pipe; the first fetch is enough.
                *pipe = pipe.or(own);
            }
            for (name, value) in &command.assignments {
                if let Some(origin) = flow.in_substitution(index, value) {
                    flow.variables.insert(name, origin);
                }
            }
            flow.open_descriptors(index, command);
            flow.read_variables(index, command);
        }
        flow
    }

    /// `exec 3< <(curl …)`: later commands read from the descriptor.
    fn open_descriptors(&mut self, index: usize, command: &'s Command) {
        for redirect in &command.redirects {
            let Some(descriptor) = redirect.descriptor.filter(|descriptor| *descriptor > 2) else { continue };
            let socket = || is_socket(redirect).then_some(Origin { command: index, kind: Kind::Fetched });
            if let Some(origin) = self.in_word(index, &redirect.target).or_else(socket) {
                self.descriptors.insert(descriptor, origin);
            }
        }
    }

    /// `read x`, `mapfile L`: the variables have what comes in.
    fn read_variables(&mut self, index: usize, command: &'s Command) {
        if !matches!(command.program_name(), Some("read" | "mapfile" | "readarray")) {
            return;
        }
        let Some(origin) = self.comes_in(command).or_else(|| self.redirected(index, command)) else { return };
        let names = command.arguments.iter().filter_map(|word| word.text.as_deref());
        for name in names.filter(|name| !name.starts_with('-')) {
            self.variables.insert(name, origin);
        }
    }

    /// The origin of what comes through the pipe or a descriptor.
    fn comes_in(&self, command: &Command) -> Option<Origin> {
        let copied = input_redirect(&command.redirects).filter(|it| it.kind == RedirectKind::Duplicate);
        let number = copied.and_then(|it| it.target.text.as_deref()?.trim_start_matches('&').parse().ok());
        if let Some(origin) = number.and_then(|number: i32| self.descriptors.get(&number)) {
            return Some(*origin);
        }
        // A copied descriptor may still be the pipe: `3<&0 0<&3`.
        let is_elsewhere = |redirect: &Redirect| redirect.kind != RedirectKind::Duplicate;
        if input_redirect(&command.redirects).is_some_and(is_elsewhere) {
            return None;
        }
        slot(command.place.from_pipe).and_then(|at| self.pipes.get(at).copied().flatten())
    }

    /// The origin of the text that this command runs.
    fn run_by(&self, index: usize, command: &'s Command) -> Option<Origin> {
        // `$(… | base64 -d)`: the first word of the text is the program.
        let Some(name) = command.program_name() else { return self.in_word(index, &command.program) };
        let is_filled = command.wrappers.iter().any(|wrapper| wrapper == "xargs");
        match name {
            "eval" => command.arguments.iter().find_map(|word| self.in_word(index, word)).or_else(|| {
                // `curl … | while read x; do eval "$x"; done`.
                command.arguments.iter().find(|word| word.text.is_none()).and(self.comes_in(command))
            }),
            "source" | "." => {
                let script = command.arguments.first()?;
                if is_input(script) {
                    self.comes_in(command).or_else(|| self.redirected(index, command))
                } else {
                    self.in_word(index, script).or_else(|| self.in_descriptor(script))
                }
            }
            "deno" => {
                let is_address =
                    |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with("http"));
                let runs = command.arguments.first().is_some_and(|verb| verb.is("run"));
                let fetches = runs && command.arguments.iter().any(is_address);
                fetches.then_some(Origin { command: index, kind: Kind::Fetched })
            }
            _ if runs_lines(name, &command.arguments) => {
                self.comes_in(command).or_else(|| self.redirected(index, command))
            }
            _ => match source(name, &command.arguments)? {
                Source::Input => self.comes_in(command).or_else(|| self.redirected(index, command)),
                Source::Text(word) | Source::File(word, _) => {
                    // `curl … | xargs sh -c`: xargs puts the fetched text into the words.
                    let filled = if is_filled && word.text.is_none() { self.comes_in(command) } else { None };
                    self.in_word(index, word).or(filled).or_else(|| self.in_descriptor(word))
                }
                // `curl … | xargs sh -c`: what is run is what xargs adds.
                Source::Nothing if is_filled => self.comes_in(command),
                Source::Module(..) | Source::Nothing => None,
            },
        }
    }

    /// `curl … > >(bash)`, `tee >(sh)`: the origin of what a command writes into a shell.
    fn fed_by(&self, index: usize, command: &Command) -> Option<Origin> {
        let origin = self.passes.get(index).copied().flatten()?;
        let targets = command.redirects.iter().map(|redirect| &redirect.target).chain(&command.arguments);
        let mut fed = targets.filter_map(|word| word.raw.strip_prefix(">(")?.split([' ', ')', ';']).next());
        fed.find(|name| matches!(source(name, &[]), Some(Source::Input))).map(|_| origin)
    }

    /// `/dev/fd/7`: the origin of what a descriptor of the line leads to.
    fn in_descriptor(&self, word: &Word) -> Option<Origin> {
        let text = word.text.as_deref()?;
        let places = ["/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", "/proc/$$/fd/"];
        let number = places.iter().find_map(|place| text.strip_prefix(place))?;
        self.descriptors.get(&number.parse::<i32>().ok()?).copied()
    }

    /// The origin of the text in a here-document or here-string.
    fn redirected(&self, index: usize, command: &Command) -> Option<Origin> {
        let redirect = input_redirect(&command.redirects)?;
        if is_socket(redirect) {
            return Some(Origin { command: index, kind: Kind::Fetched });
        }
        match redirect.kind {
            RedirectKind::HereDoc | RedirectKind::HereString | RedirectKind::Read => {
                self.in_word(index, &redirect.target)
            }
            RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::ReadWrite
            | RedirectKind::Duplicate => None,
        }
    }

    /// The origin of the text in a word: by a substitution or by a variable.
    fn in_word(&self, index: usize, word: &Word) -> Option<Origin> {
        if word.text.is_some() {
            return None;
        }
        self.in_substitution(index, word)
            .or_else(|| variables(&word.raw).find_map(|name| self.variables.get(name).copied()))
    }

    /// The origin of what the substitutions of a word print. Their commands come right before the one
    /// that the word belongs to, and deeper.
    fn in_substitution(&self, index: usize, word: &Word) -> Option<Origin> {
        if word.text.is_some() || !word.raw.contains(['(', '`']) {
            return None;
        }
        let depth = self.script.commands.get(index)?.place.depth;
        let inner = (0..index).rev().map_while(|at| {
            let command = self.script.commands.get(at)?;
            (command.place.substitution && command.place.depth > depth).then_some((at, command))
        });
        let mut inner = inner.filter(|(at, _)| self.passes.get(*at).copied().flatten().is_some());
        let Some((at, command)) = inner.next() else { return self.in_coprocess(index, word) };
        // Another word of the same command may contain the substitution.
        let is_inside = word.raw.contains(command.program.raw.as_str());
        self.passes.get(at).copied().flatten().filter(|_| is_inside)
    }

    /// The origin of what a coprocess of the line writes, which its reader sees as a substitution.
    fn in_coprocess(&self, index: usize, word: &Word) -> Option<Origin> {
        let mut earlier = self.script.commands.iter().take(index).zip(&self.passes);
        let is_coprocess = |command: &Command| {
            command.place.background && command.place.pipe_in && command.place.from_pipe == 0
        };
        let found = earlier.find(|(command, passes)| {
            passes.is_some() && is_coprocess(command) && word.raw.contains(command.program.raw.as_str())
        });
        found.and_then(|(_, passes)| *passes)
    }
}

/// Whether what a command fetches comes out of its standard output.
fn writes_what_it_fetched(script: &Script, index: usize, command: &Command) -> bool {
    let Some(name) = command.program_name().filter(|_| fetches(command)) else { return false };
    if prints_what_it_fetched(name) {
        return true;
    }
    let site = Site { script, index, command, arguments: &command.arguments };
    let Some(call) = programs::call(name, site) else { return false };
    let is_standard = |names: &str| call.value(names).is_none_or(is_output);
    match name {
        "curl" => is_standard("o output") && !call.has("O remote-name remote-name-all"),
        "wget" => call.has("O output-document") && is_standard("O output-document"),
        // Some programs of that name print what they fetch.
        "fetch" => call.value("o").map_or(command.place.pipe_out, is_output),
        "http" | "https" | "xh" | "xhs" => is_standard("o output") && !call.has("d download"),
        // What another machine prints.
        "ssh" => call.operands.len() > 1,
        "curlie" => !call.has("o O"),
        "gh" => command.arguments.first().is_some_and(|verb| verb.is("api") || verb.is("gist")),
        "aws" | "gsutil" => {
            call.operands.last().is_some_and(|to| to.is("-"))
                || call.operands.first().is_some_and(|verb| verb.is("cat"))
        }
        _ => false,
    }
}

/// Programs that have no other place for what they fetch.
fn prints_what_it_fetched(name: &str) -> bool {
    matches!(
        name,
        "lynx"
            | "links"
            | "w3m"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "dig"
            | "nslookup"
            | "telnet"
            | "websocat"
            | "wscat"
            | "grpcurl"
            | "openssl"
            | "rclone"
            | "gcloud"
    )
}

fn is_output(word: &Word) -> bool {
    word.is("-") || word.is("/dev/stdout") || word.is("/dev/fd/1")
}

fn is_input(word: &Word) -> bool {
    word.is("/dev/stdin") || word.is("/dev/fd/0") || word.is("-")
}

/// A file that keeps text from elsewhere and is run.
struct SavedRun {
    origin: Origin,
    run: usize,
    /// It is one of many that came in an archive or a repository.
    is_in_folder: bool,
}

/// What became of text that files keep.
struct Kept {
    run: Vec<SavedRun>,
    /// The commands that read such a file.
    read: BTreeMap<usize, Origin>,
    /// The files that still have such text at the end of the line.
    files: Vec<FetchedFile>,
}

/// A file or folder with text from elsewhere.
struct Saved {
    origin: Origin,
    is_folder: bool,
    target: Target,
}

fn saved_and_run(script: &Script, flow: &Flow, found: &Collector) -> Kept {
    let mut saved: BTreeMap<String, Saved> = BTreeMap::new();
    let mut run = Vec::new();
    let mut read = BTreeMap::new();
    let effects = &found.effects().files;
    for effect in effects {
        let Some(name) = file_key(&effect.target) else { continue };
        match &effect.act {
            FileAct::Write(_) | FileAct::Append(_) => {
                let copied = || copied_from(effects, effect.command, &saved);
                let origin = brought_by(script, flow, effect.command).or_else(copied);
                let is_folder = script.commands.get(effect.command).is_some_and(unpacks);
                match origin {
                    Some(origin) => {
                        saved.insert(name, Saved { origin, is_folder, target: effect.target.clone() });
                    }
                    // Overwritten by something else, the file is no longer what was fetched.
                    None => {
                        saved.remove(&name);
                    }
                }
            }
            FileAct::Move { to } => {
                if let (Some(old), Some(new)) = (saved.remove(&name), file_key(to)) {
                    saved.insert(new, Saved { target: to.clone(), ..old });
                }
            }
            FileAct::Link { name: link } => {
                if let (Some(old), Some(new)) = (saved.get(&name), file_key(link)) {
                    let copy = Saved { origin: old.origin, is_folder: old.is_folder, target: link.clone() };
                    saved.insert(new, copy);
                }
            }
            FileAct::Run => {
                let exact = saved.get(&name).filter(|it| !it.is_folder);
                let in_folder =
                    || saved.iter().find(|(folder, it)| it.is_folder && is_below(&effect.target, folder));
                let found = exact.or_else(|| in_folder().map(|(_, it)| it));
                run.extend(found.map(|it| SavedRun {
                    origin: it.origin,
                    run: effect.command,
                    is_in_folder: it.is_folder,
                }));
            }
            FileAct::Read => {
                if let Some(file) = saved.get(&name).filter(|it| !it.is_folder) {
                    read.insert(effect.command, file.origin);
                }
            }
            FileAct::Change
            | FileAct::Delete { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch
            | FileAct::Anything => {}
        }
    }
    run.extend(started_by_path(script, &saved, &run));
    run.extend(built(script, &saved));
    let file = |Saved { target, origin, .. }: Saved| FetchedFile {
        target,
        fetch: origin.command,
        is_decoded: origin.kind == Kind::Decoded,
    };
    // Compressed files are mostly data, such as the dump of a database.
    let is_unpacked = |it: &Saved| {
        it.origin.kind == Kind::Decoded && script.commands.get(it.origin.command).is_some_and(decompresses)
    };
    Kept { run, read, files: saved.into_values().filter(|it| !is_unpacked(it)).map(file).collect() }
}

/// Programs that are started by the path of a saved file, whatever known program they are named like.
fn started_by_path(script: &Script, saved: &BTreeMap<String, Saved>, known: &[SavedRun]) -> Vec<SavedRun> {
    let started = script.commands.iter().enumerate().filter(|(index, command)| {
        command.program.text.as_deref().is_some_and(|path| path.contains('/'))
            && !known.iter().any(|it| it.run == *index)
    });
    let found = started.filter_map(|(index, command)| {
        let target = Target::new(&command.program, &command.directory);
        let exact = file_key(&target).and_then(|name| saved.get(&name)).filter(|it| !it.is_folder);
        let in_folder = || saved.iter().find(|(folder, it)| it.is_folder && is_below(&target, folder));
        let saved = exact.or_else(|| in_folder().map(|(_, it)| it))?;
        let is_later = saved.origin.command < index;
        is_later.then_some(SavedRun { origin: saved.origin, run: index, is_in_folder: saved.is_folder })
    });
    found.collect()
}

/// Builds and installations of what an archive has brought: `curl … | tar x -C d && make -C d`. Repositories are built
/// every day and are left to those who clone them.
fn built(script: &Script, saved: &BTreeMap<String, Saved>) -> Vec<SavedRun> {
    let mut found = Vec::new();
    let is_archive =
        |it: &&Saved| it.is_folder && !script.commands.get(it.origin.command).is_some_and(is_clone);
    if !saved.values().any(|it| is_archive(&it)) {
        return found;
    }
    for (index, command) in script.commands.iter().enumerate() {
        for target in built_folders(command) {
            let folder = saved.iter().find(|(folder, it)| {
                let is_it = file_key(&target)
                    .is_some_and(|own| own.trim_end_matches('/') == folder.trim_end_matches('/'));
                is_archive(it) && (is_it || is_below(&target, folder) || is_inside(&target.directory, folder))
            });
            let earlier = folder.filter(|(_, it)| it.origin.command < index);
            found.extend(earlier.map(|(_, it)| SavedRun {
                origin: it.origin,
                run: index,
                is_in_folder: true,
            }));
        }
    }
    found
}

/// Whether a directory of the line is a folder or in it.
fn is_inside(directory: &Directory, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    let Directory::OneOf(places) = directory else { return false };
    if folder == "." {
        return places.iter().any(|place| !place.starts_with(['/', '~', '.']));
    }
    places.iter().any(|place| {
        let place = place.trim_start_matches("./").trim_end_matches('/');
        place.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// The origin of what a command writes into files.
fn brought_by(script: &Script, flow: &Flow, index: usize) -> Option<Origin> {
    let command = script.commands.get(index)?;
    let is_fetch = fetches(command) && command.program_name() != Some("deno");
    if is_fetch || is_clone(command) {
        return Some(Origin { command: index, kind: Kind::Fetched });
    }
    // `install <(curl …) x`
    let in_words = || command.arguments.iter().find_map(|word| flow.in_word(index, word));
    flow.passes.get(index).copied().flatten().or_else(in_words)
}

/// `cp`, `dd`, `cat a > b`: a file that the same command reads.
fn copied_from(effects: &[FileEffect], index: usize, saved: &BTreeMap<String, Saved>) -> Option<Origin> {
    let read = effects.iter().filter(|it| it.command == index && it.act == FileAct::Read);
    read.filter_map(|it| saved.get(&file_key(&it.target)?)).map(|it| it.origin).next()
}

/// Whether a command makes many files of what it is given.
fn unpacks(command: &Command) -> bool {
    is_clone(command)
        || matches!(command.program_name(), Some("tar" | "bsdtar" | "unzip" | "cpio" | "7z"))
        || (matches!(command.program_name(), Some("rsync" | "scp" | "aws" | "gsutil")))
            && command.arguments.iter().any(|word| word.is("-r") || word.is("-a") || word.is("--recursive"))
}

/// Whether a file is in a folder, by the names that the line gives them.
fn is_below(target: &Target, folder: &str) -> bool {
    let Some(text) = target.word.text.as_deref() else { return false };
    // Unpacked where the line runs, it is in the folders that the line goes into afterwards.
    if folder == "." {
        return !text.starts_with(['/', '~']) && is_inside(&target.directory, folder);
    }
    let inside = |path: &str| {
        let path = path.strip_prefix("./").unwrap_or(path);
        path.strip_prefix(folder.trim_end_matches('/')).is_some_and(|rest| rest.starts_with('/'))
    };
    let name = text.strip_prefix("./").unwrap_or(text);
    match &target.directory {
        Directory::OneOf(places) if !text.starts_with(['/', '~']) => {
            places.iter().any(|place| inside(&format!("{}/{name}", place.trim_end_matches('/'))))
        }
        Directory::OneOf(_) | Directory::Start | Directory::Unknown => inside(text),
    }
}

/// What identifies a file within a line. The directory is left out: a `cd` between a fetch
/// and a run rarely changes which file the name means.
fn file_key(target: &Target) -> Option<String> {
    let text = target.word.text.as_deref()?;
    let text = text.strip_prefix("./").unwrap_or(text);
    Some(match &target.or_below {
        Some(below) if text.ends_with('/') || text == "." => {
            let folder = text.trim_end_matches(['/', '.']);
            if folder.is_empty() { below.clone() } else { format!("{folder}/{below}") }
        }
        Some(_) | None => text.to_owned(),
    })
}

/// The place of a pipe in a table; 0 is no pipe.
fn slot(pipe: u32) -> Option<usize> {
    usize::try_from(pipe).ok().filter(|pipe| *pipe > 0)
}

/// The names behind the dollar signs of a word.
fn variables(raw: &str) -> impl Iterator<Item = &str> {
    raw.split('$').skip(1).map(|part| {
        let part = part.strip_prefix('{').unwrap_or(part);
        let end = part.find(|letter: char| letter != '_' && !letter.is_ascii_alphanumeric());
        part.get(..end.unwrap_or(part.len())).unwrap_or_default()
    })
}
