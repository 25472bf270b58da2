//! Every way in which a call would touch files, for the guards that keep some of them safe.
//!
//! Says where a call leads and by which route; which places matter is the guards' own business.

use flyball_core::event::{Change, FileEdit, Tool};
use flyball_core::facts::Where;
use flyball_core::policy::{Situation, Trouble};
use flyball_effects::{Command, FileAct, FileEffect, Line, OpaqueWhy, Patched, Target, Word, patched_files};

/// Programs that run another one on names that they read or find.
const HANDS_ON: &[&str] = &["xargs", "find", "fd", "parallel"];
/// The longest patch that is read.
const MOST_PATCH_BYTES: u64 = 1024 * 1024;
/// The longest text in a tool's input that may be a path.
const MOST_PATH_BYTES: usize = 1024;

/// One way in which a call would touch something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) at: At,
    /// What is done there.
    pub(crate) how: How,
    /// The place as the call names it.
    pub(crate) named: String,
    /// By which route, for the explanation.
    pub(crate) route: &'static str,
}

/// Where a touch leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// An absolute path without symlinks.
    Path(String),
    /// All files that an absolute pattern matches.
    Pattern(String),
    /// Somewhere that is only known when it runs; this is the text that may name it.
    Spelling(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// The content becomes another.
    Change,
    /// It goes away, and if it is a folder, all that is in it.
    Away,
    /// It goes elsewhere, and if it is a folder, all that is in it.
    Elsewhere,
    /// Its mode, owner or times become others.
    Attributes,
    /// It gets another name, through which it could be changed unseen.
    Link,
    /// It is given to a program of which nothing is known; these are the words of the command.
    Given(Vec<String>),
    /// It is named in something that cannot be read. Perhaps nothing is done to it.
    Named,
}

impl How {
    /// Whether it is certain that something is done.
    pub(crate) const fn is_sure(&self) -> bool {
        !matches!(self, How::Named)
    }
}

/// All touches of the call that is about to be made, in its own order.
///
/// # Errors
/// When a file that the call names is there and cannot be read.
pub(crate) fn touches<'a>(situation: &Situation<'a>) -> Result<&'a [Touch], Trouble> {
    situation.derived(|| found(situation)).map(Vec::as_slice)
}

fn found(situation: &Situation<'_>) -> Result<Vec<Touch>, Trouble> {
    let Some(call) = situation.event.call() else { return Ok(Vec::new()) };
    match &call.tool {
        Tool::Edit(edits) => Ok(edited(edits, situation)),
        Tool::Shell { command, .. } => match situation.line() {
            Some(line) => run(line, command, situation),
            None => Ok(Vec::new()),
        },
        Tool::Mcp { .. } | Tool::Other => Ok(named_in_input(&call.input, situation)),
        Tool::Read { .. }
        | Tool::Search { .. }
        | Tool::SpawnAgent { .. }
        | Tool::Skill { .. }
        | Tool::TaskCreate { .. }
        | Tool::TaskUpdate { .. }
        | Tool::Fetch { .. }
        | Tool::WebSearch { .. } => Ok(Vec::new()),
    }
}

fn edited(edits: &[FileEdit], situation: &Situation<'_>) -> Vec<Touch> {
    let touch = |path: &str, how| Touch {
        at: At::Path(situation.world.real_path(&situation.event.cwd, path)),
        how,
        named: path.to_owned(),
        route: "an edit tool",
    };
    let touched = edits.iter().flat_map(|edit| match &edit.change {
        Change::Move { to } => vec![touch(&edit.path, How::Elsewhere), touch(to, How::Change)],
        Change::Delete => vec![touch(&edit.path, How::Away)],
        Change::Write { .. } | Change::Replace { .. } | Change::Cell { .. } => {
            vec![touch(&edit.path, How::Change)]
        }
    });
    touched.collect()
}

/// The strings in a tool's input that may be paths. Whether the tool writes cannot be known.
fn named_in_input(input: &str, situation: &Situation<'_>) -> Vec<Touch> {
    let Ok(value) = serde_json::from_str::<serde_json::Value>(input) else { return Vec::new() };
    let (mut waiting, mut found) = (vec![&value], Vec::new());
    while let Some(value) = waiting.pop() {
        match value {
            serde_json::Value::String(text) if text.len() <= MOST_PATH_BYTES && !text.contains('\n') => {
                found.push(Touch {
                    at: At::Path(situation.world.real_path(&situation.event.cwd, text)),
                    how: How::Named,
                    named: text.clone(),
                    route: "the input of a tool that may write",
                });
            }
            serde_json::Value::Array(items) => waiting.extend(items),
            serde_json::Value::Object(fields) => waiting.extend(fields.values()),
            serde_json::Value::String(_)
            | serde_json::Value::Null
            | serde_json::Value::Bool(_)
            | serde_json::Value::Number(_) => {}
        }
    }
    found
}

fn run(line: &Line, text: &str, situation: &Situation<'_>) -> Result<Vec<Touch>, Trouble> {
    let mut found = Vec::new();
    for effect in &line.effects.files {
        by_effect(effect, line, (situation, &mut found))?;
    }
    for opaque in &line.effects.opaque {
        let route = match opaque.why {
            OpaqueWhy::Line => "a part of the command line that cannot be read",
            OpaqueWhy::Code => "code given to an interpreter",
            // What it is given is among the effects.
            OpaqueWhy::Program => continue,
        };
        let code = opaque.command.and_then(|index| line.script.commands.get(index)).map(code);
        found.push(spelt(&format!("{}\n{}", opaque.text, code.unwrap_or_default()), route));
    }
    // What `xargs` and `find` hand on is named elsewhere on the line.
    let hands_on = line.script.commands.iter().enumerate().any(|(index, command)| {
        let is_wrapped = command.wrappers.iter().any(|wrapper| HANDS_ON.contains(&first_word(wrapper)));
        is_wrapped && may_change(line, index)
    });
    if hands_on {
        found.push(spelt(text, "a path that another program hands on"));
    }
    Ok(found)
}

fn may_change(line: &Line, command: usize) -> bool {
    let changes = line.effects.files.iter().any(|it| it.command == command && it.act.changes_target());
    changes || line.effects.opaque.iter().any(|it| it.command == Some(command))
}

fn by_effect(
    effect: &FileEffect,
    line: &Line,
    (situation, found): (&Situation<'_>, &mut Vec<Touch>),
) -> Result<(), Trouble> {
    let how = match &effect.act {
        FileAct::Read | FileAct::Run => return Ok(()),
        FileAct::ApplyPatch => return patched(effect, line, (situation, found)),
        FileAct::Write(_) | FileAct::Append(_) | FileAct::Change => How::Change,
        FileAct::Delete { .. } => How::Away,
        FileAct::Move { to } => {
            located(to, (How::Change, effect.by), (situation, found));
            How::Elsewhere
        }
        FileAct::Link { name } => {
            located(name, (How::Change, effect.by), (situation, found));
            How::Link
        }
        FileAct::Attributes { .. } => How::Attributes,
        FileAct::Anything => {
            How::Given(line.script.commands.get(effect.command).map(words).unwrap_or_default())
        }
    };
    match line.script.commands.get(effect.command) {
        // Code that works out where it writes; what it names may be that place.
        Some(command) if effect.target.word.text.is_none() && effect.target.word.raw == effect.by => {
            found.push(spelt(&code(command), "code given to an interpreter"));
        }
        _ => located(&effect.target, (how, effect.by), (situation, found)),
    }
    Ok(())
}

fn located(
    target: &Target,
    (how, route): (How, &'static str),
    (situation, found): (&Situation<'_>, &mut Vec<Touch>),
) {
    let known = with_known_variable(target);
    let named = target.word.text.clone().unwrap_or_else(|| target.word.raw.clone());
    match situation.locate(known.as_ref().unwrap_or(target)) {
        Where::Known(paths) => found.extend(paths.into_iter().map(|path| Touch {
            at: At::Path(path),
            how: how.clone(),
            named: named.clone(),
            route,
        })),
        Where::Pattern(patterns) => found.extend(patterns.into_iter().map(|pattern| Touch {
            at: At::Pattern(pattern),
            how: how.clone(),
            named: named.clone(),
            route,
        })),
        Where::Unknown(text) => found.push(Touch {
            at: At::Spelling(text),
            how: How::Named,
            named,
            route: "a path that is only known when the command runs",
        }),
    }
}

/// The files that a patch changes, if it can be read now or stands on the line.
fn patched(
    effect: &FileEffect,
    line: &Line,
    (situation, found): (&Situation<'_>, &mut Vec<Touch>),
) -> Result<(), Trouble> {
    let Where::Known(patches) = situation.locate(&effect.target) else { return Ok(()) };
    for patch in patches {
        let written = line.effects.files.iter().find_map(|it| written(it, &effect.target));
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
                Patched::Added(_) | Patched::Changed => How::Change,
                Patched::Deleted => How::Away,
                Patched::Moved { to } => {
                    located(&place(to), (How::Change, "a patch"), (situation, found));
                    How::Elsewhere
                }
            };
            located(&place(file.path), (how, "a patch"), (situation, found));
        }
    }
    Ok(())
}

/// The text that another command of the line writes to this place.
fn written<'l>(effect: &'l FileEffect, target: &Target) -> Option<&'l str> {
    let is_same = effect.target.word.text == target.word.text && effect.target.directory == target.directory;
    match &effect.act {
        FileAct::Write(content) if is_same => content.text(),
        _ => None,
    }
}

/// The target, where it begins with a variable whose value every session has.
fn with_known_variable(target: &Target) -> Option<Target> {
    if target.word.text.is_some() {
        return None;
    }
    let bare = target.word.raw.trim_matches('"');
    let known = [("$HOME", "~"), ("${HOME}", "~"), ("$PWD", "."), ("${PWD}", "."), ("~", "~")];
    let text = known.iter().find_map(|(variable, value)| {
        let rest = bare.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        let is_plain = !rest.contains(['$', '`', '"', '\'', '*', '?']);
        is_plain.then(|| format!("{value}{rest}"))
    })?;
    Some(Target { word: Word { text: Some(text), ..target.word.clone() }, ..target.clone() })
}

fn spelt(text: &str, route: &'static str) -> Touch {
    Touch { at: At::Spelling(text.to_owned()), how: How::Named, named: String::new(), route }
}

/// What may be code among the words of a command: a lone name is a file.
fn code(command: &Command) -> String {
    let is_code = |text: &&str| text.contains(|letter: char| letter == '(' || letter.is_whitespace());
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let texts = words.map(|word| word.text.as_deref().unwrap_or(&word.raw)).filter(is_code);
    texts.collect::<Vec<_>>().join("\n")
}

/// The words of a command, the program by its name alone.
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
