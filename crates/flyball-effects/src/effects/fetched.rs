//! Text from elsewhere that is run: `curl … | sh`, `sh -c "$(curl …)"`, `curl -o x … && sh x`.

use std::collections::BTreeMap;

use super::collector::Collector;
use super::programs;
use super::programs::interpreters::{Source, source};
use super::site::Site;
use crate::model::{Command, FileAct, Redirect, RedirectKind, Script, Target, Word, input_redirect};

/// Finds code that is fetched and run in the same line.
pub(super) fn fetched_code(script: &Script, found: &mut Collector) {
    let names = || script.commands.iter().filter_map(Command::program_name);
    // Most lines fetch nothing, and tracing costs a pass over all commands.
    if !names().any(is_fetcher) {
        return;
    }
    let flow = Flow::trace(script);
    for (index, command) in script.commands.iter().enumerate() {
        if let Some(fetch) = flow.run_by(index, command) {
            found.fetched(fetch, index);
        }
    }
    for (fetch, run) in saved_and_run(script, &flow, found) {
        found.fetched(fetch, run);
    }
}

/// Programs that bring text from elsewhere.
fn is_fetcher(name: &str) -> bool {
    matches!(
        name,
        "curl"
            | "wget"
            | "fetch"
            | "http"
            | "https"
            | "xh"
            | "lynx"
            | "links"
            | "w3m"
            | "aria2c"
            | "nc"
            | "ncat"
            | "netcat"
            | "socat"
            | "deno"
            | "gh"
            | "aws"
            | "gsutil"
            | "dig"
            | "nslookup"
            | "scp"
            | "sftp"
            | "ftp"
            | "rsync"
    )
}

/// Where fetched text flows in a line.
struct Flow<'s> {
    script: &'s Script,
    /// For each command, the fetch whose text it passes on.
    passes: Vec<Option<usize>>,
    /// For each pipe, the fetch whose text is in it.
    pipes: Vec<Option<usize>>,
    /// For each variable, the fetch whose text is in it.
    variables: BTreeMap<&'s str, usize>,
}

impl<'s> Flow<'s> {
    fn trace(script: &'s Script) -> Flow<'s> {
        let last = script.commands.iter().map(|command| command.place.into_pipe).max().unwrap_or(0);
        let size = usize::try_from(last).unwrap_or(0) + 1;
        let mut flow = Flow {
            script,
            passes: Vec::with_capacity(script.commands.len()),
            pipes: vec![None; size],
            variables: BTreeMap::new(),
        };
        for (index, command) in script.commands.iter().enumerate() {
            // Every other command is taken to pass on what it reads (`tee`, `base64 -d`).
            let own = if writes_what_it_fetched(script, index, command) {
                Some(index)
            } else {
                flow.comes_in(command)
            };
            flow.passes.push(own);
            if let Some(pipe) = slot(command.place.into_pipe).and_then(|at| flow.pipes.get_mut(at)) {
                // Several commands may write into one pipe; the first fetch is enough.
                *pipe = pipe.or(own);
            }
            for (name, value) in &command.assignments {
                if let Some(fetch) = flow.in_substitution(index, value) {
                    flow.variables.insert(name, fetch);
                }
            }
        }
        flow
    }

    /// The fetch whose text comes through the pipe.
    fn comes_in(&self, command: &Command) -> Option<usize> {
        // A copied descriptor may still be the pipe: `3<&0 0<&3`.
        let is_elsewhere = |redirect: &Redirect| redirect.kind != RedirectKind::Duplicate;
        if input_redirect(&command.redirects).is_some_and(is_elsewhere) {
            return None;
        }
        slot(command.place.from_pipe).and_then(|at| self.pipes.get(at).copied().flatten())
    }

    /// The fetch whose text this command runs.
    fn run_by(&self, index: usize, command: &'s Command) -> Option<usize> {
        let name = command.program_name()?;
        let is_filled = command.wrappers.iter().any(|wrapper| wrapper == "xargs");
        match name {
            "eval" => command.arguments.iter().find_map(|word| self.in_word(index, word)).or_else(|| {
                // `curl … | while read x; do eval "$x"; done`.
                command.arguments.iter().find(|word| word.text.is_none()).and(self.comes_in(command))
            }),
            "source" | "." => {
                let script = command.arguments.first()?;
                if is_input(script) { self.comes_in(command) } else { self.in_word(index, script) }
            }
            "deno" => {
                let is_address =
                    |word: &Word| word.text.as_deref().is_some_and(|text| text.starts_with("http"));
                let runs = command.arguments.first().is_some_and(|verb| verb.is("run"));
                (runs && command.arguments.iter().any(is_address)).then_some(index)
            }
            _ => match source(name, &command.arguments)? {
                Source::Input => self.comes_in(command).or_else(|| self.redirected(index, command)),
                Source::Text(word) | Source::File(word, _) => {
                    // `curl … | xargs sh -c`: xargs puts the fetched text into the words.
                    let filled = if is_filled && word.text.is_none() { self.comes_in(command) } else { None };
                    self.in_word(index, word).or(filled)
                }
                Source::Module(..) | Source::Nothing => None,
            },
        }
    }

    /// The fetch whose text is in a here-document or here-string.
    fn redirected(&self, index: usize, command: &Command) -> Option<usize> {
        let redirect = input_redirect(&command.redirects)?;
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

    /// The fetch whose text is in a word: by a substitution or by a variable.
    fn in_word(&self, index: usize, word: &Word) -> Option<usize> {
        if word.text.is_some() {
            return None;
        }
        self.in_substitution(index, word)
            .or_else(|| variables(&word.raw).find_map(|name| self.variables.get(name).copied()))
    }

    /// The fetch inside the substitutions of a word. Their commands come right before the one
    /// that the word belongs to, and deeper.
    fn in_substitution(&self, index: usize, word: &Word) -> Option<usize> {
        if word.text.is_some() || !word.raw.contains(['(', '`']) {
            return None;
        }
        let depth = self.script.commands.get(index)?.place.depth;
        let inner = (0..index).rev().map_while(|at| {
            let command = self.script.commands.get(at)?;
            (command.place.substitution && command.place.depth > depth).then_some((at, command))
        });
        let mut inner = inner.filter(|(at, _)| self.passes.get(*at).copied().flatten().is_some());
        let (at, command) = inner.next()?;
        // Another word of the same command may contain the substitution.
        let is_inside = word.raw.contains(command.program.raw.as_str());
        self.passes.get(at).copied().flatten().filter(|_| is_inside)
    }
}

/// Whether what a command fetches comes out of its standard output.
fn writes_what_it_fetched(script: &Script, index: usize, command: &Command) -> bool {
    let Some(name) = command.program_name().filter(|name| is_fetcher(name)) else { return false };
    let site = Site { script, index, command, arguments: &command.arguments };
    let Some(call) = programs::call(name, site) else { return false };
    let is_standard = |names: &str| call.value(names).is_none_or(is_output);
    match name {
        "curl" => is_standard("o output") && !call.has("O remote-name remote-name-all"),
        "wget" => call.has("O output-document") && is_standard("O output-document"),
        "fetch" => call.value("o").is_some_and(is_output),
        "http" | "https" | "xh" => is_standard("o output") && !call.has("d download"),
        "lynx" | "links" | "w3m" | "nc" | "ncat" | "netcat" | "socat" | "dig" | "nslookup" => true,
        "gh" => command.arguments.first().is_some_and(|verb| verb.is("api") || verb.is("gist")),
        "aws" | "gsutil" => {
            call.operands.last().is_some_and(|to| to.is("-"))
                || call.operands.first().is_some_and(|verb| verb.is("cat"))
        }
        _ => false,
    }
}

fn is_output(word: &Word) -> bool {
    word.is("-") || word.is("/dev/stdout") || word.is("/dev/fd/1")
}

fn is_input(word: &Word) -> bool {
    word.is("/dev/stdin") || word.is("/dev/fd/0") || word.is("-")
}

/// The files that are fetched and run later: the fetch and the run.
fn saved_and_run(script: &Script, flow: &Flow, found: &Collector) -> Vec<(usize, usize)> {
    let mut saved: BTreeMap<String, usize> = BTreeMap::new();
    let mut run = Vec::new();
    for effect in &found.effects().files {
        let Some(name) = file_key(&effect.target) else { continue };
        match &effect.act {
            FileAct::Write(_) | FileAct::Append(_) => {
                let is_fetch = script
                    .commands
                    .get(effect.command)
                    .and_then(Command::program_name)
                    .is_some_and(|name| is_fetcher(name) && name != "deno");
                let fetch = if is_fetch {
                    Some(effect.command)
                } else {
                    flow.passes.get(effect.command).copied().flatten()
                };
                match fetch {
                    Some(fetch) => saved.insert(name, fetch),
                    // Overwritten by something else, the file is no longer what was fetched.
                    None => saved.remove(&name),
                };
            }
            FileAct::Move { to } => {
                if let (Some(fetch), Some(to)) = (saved.remove(&name), file_key(to)) {
                    saved.insert(to, fetch);
                }
            }
            FileAct::Run => run.extend(saved.get(&name).map(|fetch| (*fetch, effect.command))),
            FileAct::Read
            | FileAct::Change
            | FileAct::Delete { .. }
            | FileAct::Link { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch
            | FileAct::Anything => {}
        }
    }
    run
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
