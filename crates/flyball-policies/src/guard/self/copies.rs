//! flyball's commands for people under another name: a copy of the program, a link to it, a name that is only known when
//! the line runs.

use flyball_core::path::AbsolutePath;
use flyball_core::policy::Situation;
use flyball_core::verdict::Stance;
use flyball_effects::{Command, Directory, Line};

use super::access::Access;
use super::commands::match_people_only;
use super::delivered::delivered_text;
use super::own_files::looked_up;

/// A longer program is not compared.
const MOST_BYTES: u64 = 2 * 1024 * 1024 * 1024;

/// A command of a line that runs flyball under another name, for what is for people only.
pub(super) fn find(line: &Line, situation: &Situation<'_>) -> Option<Access> {
    line.script.commands.iter().find_map(|command| {
        if command.program_name() == Some("flyball") {
            return None;
        }
        let words: Vec<&str> = command.arguments.iter().filter_map(|word| word.text.as_deref()).collect();
        let (_, stance, what) = match_people_only(&words)?;
        let is_ours = match command.program.text.as_deref() {
            // `x=$(command -v flyball); $x hook`
            None => names_our_program(situation),
            // The copy may be made in the same line, or be there already.
            Some(path) if path.contains('/') => {
                is_copied_here(path, situation) || is_our_program(command, path, situation)
            }
            Some(_) => false,
        };
        let named = format!("{} {}", command.program.raw, words.first().unwrap_or(&""));
        let (route, verb) = ("flyball under another name", "run it");
        is_ours.then_some(Access { stance, named, what, route, path: None, verb, is_below: false })
    })
}

/// Whether the text of the call looks up where flyball is, or names it by its path.
fn names_our_program(situation: &Situation<'_>) -> bool {
    let text = situation.effective_text();
    let is_end = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || "-_./".contains(next));
    looked_up(text).is_some()
        || text
            .match_indices("/flyball")
            .any(|(at, it)| is_end(text.get(at + it.len()..).unwrap_or_default()))
}

/// Whether a program that does not exist yet is run by a line that names ours.
fn is_copied_here(path: &str, situation: &Situation<'_>) -> bool {
    let world = situation.world;
    world.stat(&world.real_path(&situation.event.cwd, path)).is_none() && names_our_program(situation)
}

/// Whether a file is our program, by its content.
fn is_our_program(command: &Command, path: &str, situation: &Situation<'_>) -> bool {
    let world = situation.world;
    let Some(own) = world.program().map(|own| world.real_path(&own, ".")) else { return false };
    let bases = match &command.directory {
        Directory::Start | Directory::Unknown => vec!["."],
        Directory::OneOf(places) => places.iter().map(String::as_str).collect(),
    };
    bases.into_iter().any(|base| {
        let base = world.real_path(&situation.event.cwd, base);
        let path = world.real_path(&base, path);
        is_same(&path, &own, situation)
    })
}

/// Whether two files have the same content. They are read only if they are of the same size.
fn is_same(one: &AbsolutePath, other: &AbsolutePath, situation: &Situation<'_>) -> bool {
    let world = situation.world;
    if one == other {
        return true;
    }
    let (Some(first), Some(second)) = (world.stat(one), world.stat(other)) else { return false };
    if first.is_folder || second.is_folder || first.bytes != second.bytes {
        return false;
    }
    let content = |path| world.read(path, MOST_BYTES).ok().flatten();
    content(one).is_some_and(|content_of_one| content(other).is_some_and(|it| it == content_of_one))
}

/// What is for people only, in words that come through a pipe: `echo hook | xargs flyball`.
pub(super) fn find_piped(line: &Line) -> Option<Access> {
    line.script.commands.iter().find_map(|command| {
        let is_given_words =
            command.wrappers.iter().any(|wrapper| wrapper == "xargs" || wrapper == "parallel");
        if command.program_name() != Some("flyball") || !is_given_words {
            return None;
        }
        let text = delivered_text(&line.script, command);
        let given = command.arguments.iter().filter_map(|word| word.text.as_deref());
        let words: Vec<&str> = given.chain(text.split_whitespace()).collect();
        let (named, stance, what) = match_people_only(&words)?;
        Some(Access {
            stance,
            named,
            what,
            route: "flyball's own commands",
            path: None,
            verb: "run it",
            is_below: false,
        })
    })
}

/// A call of flyball whose first word is only known when it runs.
pub(super) fn find_unknown(line: &Line) -> Option<Access> {
    let is_it = |command: &&Command| {
        let first = command.arguments.iter().find(|word| !word.raw.starts_with('-'));
        command.program_name() == Some("flyball") && first.is_some_and(|word| word.text.is_none())
    };
    let command = line.script.commands.iter().find(is_it)?;
    Some(Access {
        stance: Stance::Ask,
        named: format!("flyball {}", command.arguments.first().map_or("", |word| word.raw.as_str())),
        what: "a command of flyball that is only known when it runs",
        route: "flyball's own commands",
        path: None,
        is_below: false,
        verb: "run those that are for people",
    })
}
