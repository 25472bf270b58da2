//! What a line deletes with everything in it, by whatever program.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{Directory, FileAct, Target, Word};

use super::context::{Call, Context};
use super::deleted::{Deletion, Reach};
use super::zone::Zone;

/// Tests with which `find` picks some of what it walks over.
const PICKS: Words = Words(
    "-name|-iname|-path|-ipath|-wholename|-regex|-iregex|-mtime|-mmin|-ctime|-cmin|-atime|-amin|-newer|-newermt|-size|-empty|-user|-group|-perm|-lname|-links|-inum|-xtype",
);

/// Everything that the line deletes recursively.
pub(super) fn deletions<'s>(scene: &'s Context<'_>) -> &'s [Deletion] {
    scene.deletions.get_or_init(|| find_deletions(scene))
}

fn find_deletions(scene: &Context<'_>) -> Vec<Deletion> {
    let finds = scene.calls().filter(|call| call.program == "find" && deletes(scene, call));
    let mut found: Vec<Deletion> = finds.flat_map(|call| find_command_deletions(scene, &call)).collect();
    let gone = scene.effects().files.iter().filter(|it| it.act == FileAct::Delete { recursive: true });
    for effect in gone {
        let Some(command) = scene.command(effect.command) else { continue };
        let by = command.program_name().unwrap_or_default();
        let is_wrapped_by = |name: &str| command.wrappers.iter().any(|wrapper| wrapper.starts_with(name));
        let is_handed_over = effect.target.word.text.is_none();
        match by {
            // What `find` deletes is judged by where it looks and what it picks, what git does by
            // what the repository says, and out of the bin everything can be taken again.
            "find" | "gfind" | "git" | "trash" | "trash-put" => {}
            _ if is_handed_over && is_wrapped_by("find") => {}
            _ if is_handed_over && is_wrapped_by("xargs") && effect.target.word.raw.is_empty() => {
                found.extend(xargs_deletions(scene, effect.command));
            }
            _ => found.extend(deletion(scene, &effect.target, by)),
        }
    }
    found.extend(moved_away(scene));
    found
}

/// What is gone from a place that nothing may be gone from, though it is somewhere else.
fn moved_away(scene: &Context<'_>) -> Vec<Deletion> {
    let moves = scene.effects().files.iter().filter(|effect| matches!(effect.act, FileAct::Move { .. }));
    let is_vital = |path: &str| match scene.roots().zone(path) {
        Zone::System | Zone::Home | Zone::AboveProject | Zone::ProjectRoot => true,
        Zone::GitData => path.ends_with("/.git"),
        Zone::Outside | Zone::Project | Zone::Disposable => false,
    };
    let gone = moves.flat_map(|effect| {
        let by = scene.command(effect.command).and_then(|command| command.program_name());
        deletion(scene, &effect.target, by.unwrap_or_default())
    });
    gone.filter(|gone| matches!(&gone.reach, Reach::All(path) if is_vital(path))).collect()
}

/// What `… | xargs rm -r` is given: what a `find` before it finds, or who knows.
fn xargs_deletions(scene: &Context<'_>, index: usize) -> Vec<Deletion> {
    let before = scene.calls().rev().find(|other| other.index < index);
    match before.filter(|other| other.program == "find" && other.command.place.pipe_out) {
        Some(find) => find_command_deletions(scene, &find),
        None => {
            let named = "what xargs reads".to_owned();
            vec![Deletion { named, by: "rm".to_owned(), reach: Reach::Unknown }]
        }
    }
}

fn deletion(scene: &Context<'_>, target: &Target, by: &str) -> Vec<Deletion> {
    let one = |reach| Deletion { named: target.word.raw.clone(), by: by.to_owned(), reach };
    match locate_link(scene, target) {
        Some(paths) => paths.into_iter().map(|path| one(Reach::All(path))).collect(),
        None => vec![one(Reach::Unknown)],
    }
}

/// Where the thing itself is: a symlink goes away, not what it leads to.
fn locate_link(scene: &Context<'_>, target: &Target) -> Option<Vec<AbsolutePath>> {
    let split = target.word.text.as_deref().and_then(|text| text.rsplit_once('/'));
    let name = split.map_or(target.word.text.as_deref(), |(_, name)| Some(name));
    let is_plain = |name: &&str| !matches!(*name, "" | "." | ".." | "~") && !name.starts_with('~');
    let Some(name) = name.filter(is_plain) else { return single_place(&scene.locate_target(target)) };
    let above = match split {
        Some(("", _)) => "/",
        Some((above, _)) => above,
        None => ".",
    };
    let above = scene.locate(&Word::literal(above), &target.directory);
    single_place(&above).map(|folders| folders.iter().map(|folder| folder.join(name)).collect())
}

/// The one place that is meant; with several it is only known when the line runs.
fn single_place(found: &TargetPaths) -> Option<Vec<AbsolutePath>> {
    match found {
        TargetPaths::Known(paths) | TargetPaths::Pattern(paths) if paths.len() == 1 => Some(paths.clone()),
        TargetPaths::Known(_) | TargetPaths::Pattern(_) | TargetPaths::Unknown(_) => None,
    }
}

/// What a `find` that deletes reaches: a deletion for each folder it walks over.
fn find_command_deletions(scene: &Context<'_>, call: &Call<'_>) -> Vec<Deletion> {
    let picks = call.texts().any(|text| PICKS.contains(text));
    let roots = roots(call);
    let here = Word::literal(".");
    let roots: Vec<&Word> = if roots.is_empty() { vec![&here] } else { roots };
    let reach = |word: &Word, directory: &Directory| match scene.path(word, directory) {
        Some(path) if picks => Reach::Part(path),
        Some(path) => Reach::All(path.join("*")),
        None => Reach::Unknown,
    };
    let one = |word: &&Word| Deletion {
        named: word.raw.clone(),
        by: "find".to_owned(),
        reach: reach(word, &call.command.directory),
    };
    roots.iter().map(one).collect()
}

/// The folders that `find` is given: its words before the first test.
fn roots<'a>(call: &Call<'a>) -> Vec<&'a Word> {
    let is_option = |word: &&Word| {
        word.text.as_deref().is_some_and(|text| matches!(text, "-H" | "-L" | "-P") || text.starts_with("-O"))
    };
    let is_root = |word: &&Word| !word.raw.starts_with(['-', '(', '!', '\\']);
    call.command.arguments.iter().skip_while(is_option).take_while(is_root).collect()
}

fn deletes(scene: &Context<'_>, call: &Call<'_>) -> bool {
    let by_exec = || {
        scene.calls().any(|other| {
            matches!(other.program, "rm" | "shred")
                && other.index < call.index
                && other.command.wrappers.iter().any(|wrapper| wrapper.starts_with("find"))
        })
    };
    call.texts().any(|text| text == "-delete") || (call.texts().any(is_exec) && by_exec())
}

fn is_exec(text: &str) -> bool {
    matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir")
}
