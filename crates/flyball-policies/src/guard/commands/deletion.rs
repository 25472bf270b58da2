//! What a line deletes recursively, with any program.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::text::Words;
use flyball_effects::{Directory, FileAct, Target, Word};

use super::context::{Call, Context};
use super::deleted::{Deletion, Reach};
use super::zone::{Zone, below};

/// Tests with which `find` selects some of the files.
const PICKS: Words = Words(
    "-name|-iname|-path|-ipath|-wholename|-regex|-iregex|-mtime|-mmin|-ctime|-cmin|-atime|-amin|-newer|-newermt|-size|-empty|-user|-group|-perm|-lname|-links|-inum|-xtype",
);

/// Everything that the line deletes recursively.
pub(super) fn deletions<'s>(context: &'s Context<'_>) -> &'s [Deletion] {
    context.deletions.get_or_init(|| find_deletions(context))
}

fn find_deletions(context: &Context<'_>) -> Vec<Deletion> {
    let finds = context.calls().filter(|call| call.program == "find" && deletes(context, call));
    let mut found: Vec<Deletion> = finds.flat_map(|call| find_command_deletions(context, &call)).collect();
    let deleted = context.effects().files.iter().filter(|it| it.act == FileAct::Delete { recursive: true });
    for effect in deleted {
        let Some(command) = context.command(effect.command) else { continue };
        let by = command.program_name().unwrap_or_default();
        let is_wrapped_by = |name: &str| command.wrappers.iter().any(|wrapper| wrapper.starts_with(name));
        let is_unknown = effect.target.word.text.is_none();
        match by {
            // `find` is judged by its folders and tests, git by the state of the repository, and
            // files in the trash can be restored.
            "find" | "gfind" | "git" | "trash" | "trash-put" => {}
            // `{}` of `find -exec`: the folders of the `find` were judged above.
            _ if is_unknown && is_wrapped_by("find") => {}
            _ if is_unknown && is_wrapped_by("xargs") && effect.target.word.raw.is_empty() => {
                found.extend(xargs_deletions(context, effect.command));
            }
            // `xargs -I{} rm -r ~/{}`: any name may be in its place.
            _ if is_unknown && is_wrapped_by("xargs") && effect.target.word.raw.contains("{}") => {
                let pattern = effect.target.word.raw.trim_matches(['"', '\'']).replace("{}", "*");
                let word = Word { text: Some(pattern.clone()), raw: pattern, glob: true };
                found.extend(deletion(context, &Target { word, ..effect.target.clone() }, by));
            }
            _ if is_unknown => {
                let words = context.loop_words(&effect.target.word);
                if words.is_empty() {
                    found.extend(deletion(context, &effect.target, by));
                }
                for word in words {
                    found.extend(deletion(context, &Target { word, ..effect.target.clone() }, by));
                }
            }
            _ => found.extend(deletion(context, &effect.target, by)),
        }
    }
    found.extend(moved_away(context));
    found.extend(behind_links(context, &found));
    found
}

/// Deletions below a link or mount that the line itself makes reach what it leads to.
fn behind_links(context: &Context<'_>, found: &[Deletion]) -> Vec<Deletion> {
    let links = context.effects().files.iter().filter_map(|effect| match &effect.act {
        FileAct::Link { name } => Some((context.locate_target(name), context.locate_target(&effect.target))),
        _ => None,
    });
    let links: Vec<(TargetPaths, TargetPaths)> = links.collect();
    let deleted = found.iter().filter_map(|deletion| match &deletion.reach {
        Reach::All(path) => Some((deletion, path)),
        Reach::Part(_) | Reach::Unknown => None,
    });
    let mut behind = Vec::new();
    for (deletion, path) in deleted {
        for (name, target) in &links {
            let rest = name.paths().iter().find_map(|name| below(path, name));
            let (Some(rest), Some(target)) = (rest, target.paths().first()) else { continue };
            behind.push(Deletion {
                named: deletion.named.clone(),
                by: deletion.by.clone(),
                reach: Reach::All(target.join(rest)),
            });
        }
    }
    behind
}

/// Moves of vital folders: what relies on their path loses them, as if they were deleted.
fn moved_away(context: &Context<'_>) -> Vec<Deletion> {
    let moves = context.effects().files.iter().filter(|effect| matches!(effect.act, FileAct::Move { .. }));
    let is_vital = |path: &str| match context.roots().zone(path) {
        Zone::System | Zone::Home | Zone::AboveProject | Zone::ProjectRoot => true,
        Zone::GitData => path.ends_with("/.git"),
        Zone::Outside | Zone::Project | Zone::Disposable => false,
    };
    let moved = moves.flat_map(|effect| {
        let by = context.command(effect.command).and_then(|command| command.program_name());
        deletion(context, &effect.target, by.unwrap_or_default())
    });
    moved.filter(|moved| matches!(&moved.reach, Reach::All(path) if is_vital(path))).collect()
}

/// What `… | xargs rm -r` deletes: what a `find` before it finds, otherwise unknown.
fn xargs_deletions(context: &Context<'_>, index: usize) -> Vec<Deletion> {
    let before = context.calls().rev().find(|other| other.index < index);
    match before.filter(|other| other.program == "find" && other.command.place.pipe_out) {
        Some(find) => find_command_deletions(context, &find),
        None => {
            let named = "what xargs reads".to_owned();
            vec![Deletion { named, by: "rm".to_owned(), reach: Reach::Unknown }]
        }
    }
}

fn deletion(context: &Context<'_>, target: &Target, by: &str) -> Vec<Deletion> {
    let one = |reach| Deletion { named: target.word.raw.clone(), by: by.to_owned(), reach };
    match locate_link(context, target) {
        Some(paths) => paths.into_iter().map(|path| one(Reach::All(path))).collect(),
        None => vec![one(Reach::Unknown)],
    }
}

/// The path of the target itself: deleting a symlink does not delete what it points to.
fn locate_link(context: &Context<'_>, target: &Target) -> Option<Vec<AbsolutePath>> {
    let split = target.word.text.as_deref().and_then(|text| text.rsplit_once('/'));
    let name = split.map_or(target.word.text.as_deref(), |(_, name)| Some(name));
    // With a slash or dots at its end, a path means the folder that a link points to.
    let is_plain = |name: &&str| !matches!(*name, "" | "." | ".." | "~") && !name.starts_with('~');
    let Some(name) = name.filter(is_plain) else { return single_place(&context.locate_target(target)) };
    let above = match split {
        Some(("", _)) => "/",
        Some((above, _)) => above,
        None => ".",
    };
    let above = context.locate(&Word::literal(above), &target.directory);
    let folders = single_place(&above)?;
    // `.g?t` spells a name in another way; a star means many.
    if target.word.glob && name.contains(['?', '[']) {
        let matching = folders.iter().flat_map(|folder| {
            let names = context.names_in(folder).into_iter();
            names.filter(|found| fast_glob::glob_match(name, found)).map(|found| folder.join(&found))
        });
        let matching: Vec<AbsolutePath> = matching.collect();
        if !matching.is_empty() {
            return Some(matching);
        }
    }
    Some(folders.iter().map(|folder| folder.join(name)).collect())
}

/// The path, if there is exactly one; of several, the right one is only known at run time.
fn single_place(found: &TargetPaths) -> Option<Vec<AbsolutePath>> {
    match found {
        TargetPaths::Known(paths) | TargetPaths::Pattern(paths) if paths.len() == 1 => Some(paths.clone()),
        TargetPaths::Known(_) | TargetPaths::Pattern(_) | TargetPaths::Unknown(_) => None,
    }
}

/// The deletions of a `find`, one for each folder that it walks.
fn find_command_deletions(context: &Context<'_>, call: &Call<'_>) -> Vec<Deletion> {
    let picks = call.texts().any(|text| PICKS.contains(text));
    let roots = roots(call);
    let here = Word::literal(".");
    let roots: Vec<&Word> = if roots.is_empty() { vec![&here] } else { roots };
    let reach = |word: &Word, directory: &Directory| match context.path(word, directory) {
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
pub(super) fn roots<'a>(call: &Call<'a>) -> Vec<&'a Word> {
    let is_option = |word: &&Word| {
        word.text.as_deref().is_some_and(|text| matches!(text, "-H" | "-L" | "-P") || text.starts_with("-O"))
    };
    let is_root = |word: &&Word| !word.raw.starts_with(['-', '(', '!', '\\']);
    call.command.arguments.iter().skip_while(is_option).take_while(is_root).collect()
}

pub(super) fn deletes(context: &Context<'_>, call: &Call<'_>) -> bool {
    // The parser adds the command of `-exec` before the `find` that runs it.
    let by_exec = || {
        context.calls().any(|other| {
            matches!(other.program, "rm" | "shred" | "unlink" | "truncate")
                && other.index < call.index
                && other.command.wrappers.iter().any(|wrapper| wrapper.starts_with("find"))
        })
    };
    call.texts().any(|text| text == "-delete") || (call.texts().any(is_exec) && by_exec())
}

fn is_exec(text: &str) -> bool {
    matches!(text, "-exec" | "-execdir" | "-ok" | "-okdir")
}
