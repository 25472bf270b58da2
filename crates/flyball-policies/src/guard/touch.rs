//! Every way in which a call would touch files, for the guards that protect some of them.
//!
//! Reports which places a call reaches and by which route; the guards decide which places matter.

use flyball_core::event::{Change, FileEdit, Tool};
use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{PolicyError, Situation};
use flyball_effects::{
    Command, FileAct, FileEffect, Line, OpaqueReason, Patched, Target, Word, patched_files,
};

use super::variables;

/// Programs that run another one on names that they read or find.
const FORWARDERS: &[&str] = &["xargs", "find", "fd", "parallel"];
/// The longest patch that is read.
const MOST_PATCH_BYTES: u64 = 1024 * 1024;

/// One way in which a call would touch something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) location: Location,
    /// What is done there.
    pub(crate) kind: TouchKind,
    /// The place as the call names it.
    pub(crate) named: String,
    /// By which route, for the explanation.
    pub(crate) route: &'static str,
}

/// The place that a touch reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// Without symlinks.
    Path(AbsolutePath),
    /// All files that a pattern matches.
    Pattern(AbsolutePath),
    /// A place that is only known at run time; this is the text that may name it.
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TouchKind {
    /// Its content changes.
    Change,
    /// It is deleted; a folder with all its files.
    Delete,
    /// It is moved; a folder with all its files.
    Move,
    /// Its mode, owner or times change.
    Attributes,
    /// It gets another name, through which it could be changed unseen.
    Link,
    /// It is passed to an unknown program; these are the words of the command.
    PassedTo(Vec<String>),
    /// It is named in something that cannot be parsed. Perhaps nothing is done to it.
    Mentioned,
}

impl TouchKind {
    /// Whether it is certain that something is done.
    pub(crate) const fn is_sure(&self) -> bool {
        !matches!(self, TouchKind::Mentioned)
    }

    /// Whether it also affects all files below a folder.
    pub(crate) const fn affects_all_below(&self) -> bool {
        matches!(self, TouchKind::Delete | TouchKind::Move)
    }

    /// Whether it is passed to a command of flyball, which checks its files itself.
    pub(crate) fn is_passed_to_flyball(&self) -> bool {
        matches!(self, TouchKind::PassedTo(words) if words.first().is_some_and(|word| word == "flyball"))
    }
}

/// All touches of the call that is about to be made, in its own order.
///
/// # Errors
/// When a file that the call names exists and cannot be read.
pub(crate) fn touches<'a>(situation: &Situation<'a>) -> Result<&'a [Touch], PolicyError> {
    // Several guards need them, and resolving paths costs system calls.
    situation.derived(|| find_touches(situation)).map(Vec::as_slice)
}

/// The first thing that is sure, or else the first.
pub(crate) fn strictest<T>(things: impl Iterator<Item = T>, is_sure: impl Fn(&T) -> bool) -> Option<T> {
    let mut first = None;
    for thing in things {
        if is_sure(&thing) {
            return Some(thing);
        }
        first = first.or(Some(thing));
    }
    first
}

fn find_touches(situation: &Situation<'_>) -> Result<Vec<Touch>, PolicyError> {
    let Some(call) = situation.event.call() else { return Ok(Vec::new()) };
    match &call.tool {
        Tool::Edit(edits) => Ok(edit_touches(edits, "an edit tool", situation)),
        Tool::Shell { command, .. } => match situation.line() {
            Some(line) => {
                let mut found = line_touches(line, command, situation)?;
                if let Some(deep) = situation.deep_line() {
                    found.extend(certain_touches(&deep.line, situation)?);
                }
                Ok(found)
            }
            None => Ok(Vec::new()),
        },
        Tool::Mcp { .. } | Tool::Other => server_touches(situation),
        Tool::Read { .. }
        | Tool::Search { .. }
        | Tool::SpawnAgent { .. }
        | Tool::Skill { .. }
        | Tool::TaskCreate { .. }
        | Tool::TaskUpdate { .. }
        | Tool::Fetch { .. }
        | Tool::WebSearch { .. }
        | Tool::Unreadable => Ok(Vec::new()),
    }
}

fn edit_touches(edits: &[FileEdit], route: &'static str, situation: &Situation<'_>) -> Vec<Touch> {
    let touch = |path: &str, how| Touch {
        location: Location::Path(situation.world.real_path(&situation.event.cwd, path)),
        kind: how,
        named: path.to_owned(),
        route,
    };
    let touched = edits.iter().flat_map(|edit| match &edit.change {
        Change::Move { to } => vec![touch(&edit.path, TouchKind::Move), touch(to, TouchKind::Change)],
        Change::Delete => vec![touch(&edit.path, TouchKind::Delete)],
        Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } => {
            vec![touch(&edit.path, TouchKind::Change)]
        }
    });
    touched.collect()
}

/// What a call of a tool server touches: by the edits and the line that it amounts to, and by the names in its input,
/// of which nobody knows what the tool does to them.
fn server_touches(situation: &Situation<'_>) -> Result<Vec<Touch>, PolicyError> {
    let Some(server) = situation.server_call() else { return Ok(Vec::new()) };
    let mut found = edit_touches(&server.edits, "an edit of a tool server", situation);
    if let Some(line) = situation.effective_line() {
        found.extend(line_touches(line, &server.line, situation)?);
    }
    found.extend(server.names.iter().map(|name| Touch {
        location: Location::Path(situation.world.real_path(&situation.event.cwd, name)),
        kind: TouchKind::Mentioned,
        named: name.clone(),
        route: "the input of a tool that may write",
    }));
    Ok(found)
}

/// What a command line would touch; `text` is how it is written.
///
/// # Errors
/// When a file that the line names exists and cannot be read.
pub(crate) fn line_touches(
    line: &Line,
    text: &str,
    situation: &Situation<'_>,
) -> Result<Vec<Touch>, PolicyError> {
    let mut collector = Collector { line, situation, found: Vec::new() };
    for effect in &line.effects.files {
        collector.add_effect(effect)?;
    }
    let mut found = collector.found;
    for opaque in &line.effects.opaque {
        let route = match opaque.why {
            OpaqueReason::Line => "a part of the command line that cannot be parsed",
            OpaqueReason::Code => "code given to an interpreter",
            // What it is given is among the effects.
            OpaqueReason::Program => continue,
        };
        let code = opaque.command.and_then(|index| line.script.commands.get(index)).map(code);
        found.push(text_touch(&format!("{}\n{}", opaque.text, code.unwrap_or_default()), route));
    }
    // What `xargs` and `find` pass on is named elsewhere on the line.
    let passes_on = line.script.commands.iter().enumerate().any(|(index, command)| {
        let is_wrapped = command.wrappers.iter().any(|wrapper| FORWARDERS.contains(&first_word(wrapper)));
        is_wrapped && may_change(line, index)
    });
    if passes_on {
        found.push(text_touch(text, "a path that another program passes on"));
    }
    Ok(found)
}

/// What files that a line runs certainly touch. What they only mention or pass on is left out: most of them are
/// ordinary scripts of the project.
fn certain_touches(line: &Line, situation: &Situation<'_>) -> Result<Vec<Touch>, PolicyError> {
    let mut collector = Collector { line, situation, found: Vec::new() };
    for effect in line.effects.files.iter().filter(|effect| effect.act != FileAct::Anything) {
        collector.add_effect(effect)?;
    }
    collector.found.retain(|touch| touch.kind.is_sure());
    Ok(collector.found)
}

fn may_change(line: &Line, command: usize) -> bool {
    let changes = line.effects.files.iter().any(|it| it.command == command && it.act.changes_target());
    changes || line.effects.opaque.iter().any(|it| it.command == Some(command))
}

/// Collects what the effects of a line touch.
struct Collector<'a> {
    line: &'a Line,
    situation: &'a Situation<'a>,
    found: Vec<Touch>,
}

impl Collector<'_> {
    fn add_effect(&mut self, effect: &FileEffect) -> Result<(), PolicyError> {
        let line = self.line;
        let how = match &effect.act {
            FileAct::Read | FileAct::Run => return Ok(()),
            FileAct::ApplyPatch => return self.add_patch(effect),
            FileAct::Write(_) | FileAct::Append(_) | FileAct::Change => TouchKind::Change,
            FileAct::Delete { .. } => TouchKind::Delete,
            // A file that is already at the new place is overwritten.
            FileAct::Move { to } => {
                self.add_target(to, TouchKind::Change, effect.by);
                TouchKind::Move
            }
            FileAct::Link { name } => {
                self.add_target(name, TouchKind::Change, effect.by);
                TouchKind::Link
            }
            FileAct::Attributes { .. } => TouchKind::Attributes,
            FileAct::Anything => {
                TouchKind::PassedTo(line.script.commands.get(effect.command).map(words).unwrap_or_default())
            }
        };
        match line.script.commands.get(effect.command) {
            // Code that computes where it writes; a name in it may be that place.
            Some(command) if effect.target.word.text.is_none() && effect.target.word.raw == effect.by => {
                self.found.push(text_touch(&code(command), "code given to an interpreter"));
            }
            _ => self.add_target(&effect.target, how, effect.by),
        }
        Ok(())
    }

    fn add_target(&mut self, target: &Target, how: TouchKind, route: &'static str) {
        let known = with_known_variable(target, self.situation);
        let named = target.word.text.clone().unwrap_or_else(|| target.word.raw.clone());
        match self.situation.locate(known.as_ref().unwrap_or(target)) {
            TargetPaths::Known(paths) => self.found.extend(paths.into_iter().map(|path| Touch {
                location: Location::Path(path),
                kind: how.clone(),
                named: named.clone(),
                route,
            })),
            TargetPaths::Pattern(patterns) => self.found.extend(patterns.into_iter().map(|pattern| Touch {
                location: Location::Pattern(pattern),
                kind: how.clone(),
                named: named.clone(),
                route,
            })),
            TargetPaths::Unknown(text) => self.found.push(Touch {
                location: Location::Text(text),
                kind: TouchKind::Mentioned,
                named,
                route: "a path that is only known at run time",
            }),
        }
    }

    /// The files that a patch changes, if the patch can be read now or is on the line.
    fn add_patch(&mut self, effect: &FileEffect) -> Result<(), PolicyError> {
        let (line, situation) = (self.line, self.situation);
        let TargetPaths::Known(patches) = situation.locate(&effect.target) else { return Ok(()) };
        for patch in patches {
            // The line may write the patch itself; then the disk does not have it yet, or has an old one.
            let written = line.effects.files.iter().find_map(|it| text_written_to(it, &effect.target));
            let text = match written {
                Some(text) => text.to_owned(),
                None => match situation.world.read(&patch, MOST_PATCH_BYTES)? {
                    Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                    None => continue,
                },
            };
            let place = |path: String| Target::new(&Word::literal(path), &effect.target.directory);
            for file in patched_files(&text) {
                let how = match file.how {
                    Patched::Added(_) | Patched::Changed => TouchKind::Change,
                    Patched::Deleted => TouchKind::Delete,
                    Patched::Moved { to } => {
                        self.add_target(&place(to), TouchKind::Change, "a patch");
                        TouchKind::Move
                    }
                };
                self.add_target(&place(file.path), how, "a patch");
            }
        }
        Ok(())
    }
}

/// The text that another command of the line writes to this place.
fn text_written_to<'l>(effect: &'l FileEffect, target: &Target) -> Option<&'l str> {
    let is_same = effect.target.word.text == target.word.text && effect.target.directory == target.directory;
    match &effect.act {
        FileAct::Write(content) if is_same => content.text(),
        _ => None,
    }
}

/// The target with its first variable expanded, if every session has that variable.
fn with_known_variable(target: &Target, situation: &Situation<'_>) -> Option<Target> {
    if target.word.text.is_some() {
        return None;
    }
    // Only a line that looks for this program needs its place.
    let program = target.word.raw.contains("flyball").then(|| situation.world.program()).flatten();
    let program = program.as_ref().map_or("", |program| program.as_str());
    let known = [
        ("$HOME", "~"),
        ("${HOME}", "~"),
        ("$PWD", "."),
        ("${PWD}", "."),
        ("~", "~"),
        ("${XDG_CONFIG_HOME:-$HOME/.config}", "~/.config"),
        ("${XDG_CONFIG_HOME:-~/.config}", "~/.config"),
        ("${XDG_STATE_HOME:-$HOME/.local/state}", "~/.local/state"),
        ("$XDG_CONFIG_HOME", "~/.config"),
        ("$XDG_STATE_HOME", "~/.local/state"),
        ("$(command -v flyball)", program),
        ("$(which flyball)", program),
        ("$(type -p flyball)", program),
        ("$(type -P flyball)", program),
    ];
    let known: Vec<(&str, &str)> = known.into_iter().filter(|(_, value)| !value.is_empty()).collect();
    let text = variables::expand(&target.word.raw, &known)?;
    if text.contains(['\'', '*', '?']) {
        return None;
    }
    Some(Target { word: Word { text: Some(text), ..target.word.clone() }, ..target.clone() })
}

fn text_touch(text: &str, route: &'static str) -> Touch {
    Touch {
        location: Location::Text(text.to_owned()),
        kind: TouchKind::Mentioned,
        named: String::new(),
        route,
    }
}

/// The words of a command that may be code: a lone name is a file.
fn code(command: &Command) -> String {
    let is_code = |text: &&str| text.contains(|letter: char| letter == '(' || letter.is_whitespace());
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let texts = words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).filter(is_code);
    texts.collect::<Vec<_>>().join("\n")
}

/// The words of a command, the program without its folder.
fn words(command: &Command) -> Vec<String> {
    let program = command.program_name().unwrap_or(&command.program.raw).to_owned();
    let argument = |word: &Word| word.text.clone().unwrap_or_else(|| word.raw.clone());
    std::iter::once(program).chain(command.arguments.iter().map(argument)).collect()
}

/// `find` of `find -exec`.
fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// The parts of a text that may be names of files.
pub(crate) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || "._-/~+@*?".contains(letter);
    text.split(move |letter| !is_part(letter)).filter(|name| !name.is_empty())
}
