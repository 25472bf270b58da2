//! Work that is nowhere else: files of the project with uncommitted changes, keys that are overwritten.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::PolicyError;
use flyball_core::text::{self, Words};
use flyball_effects::{FileAct, Word};

use super::context::{Call, Context};
use super::finding::Finding;
use super::git::call::GitCall;
use super::rule::{Check, rules};
use super::written::{How, Written};
use super::zone::{Zone, is_build_folder};
use crate::guard::secret_files::{holds_secret, is_env_file};

rules! {
    "lose-work" Standard Ask "deleting, moving away or overwriting files of the project with uncommitted changes, except those that the session created"
        => Check::LineAndRepository(lose_work);
    "overwrite-keys" Standard Ask "overwriting or emptying a key or credentials"
        => Check::LineAndRepository(overwrite_keys);
}

/// Files that tools make again.
const SCRATCH: &[&str] = &[
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".class",
    ".log",
    ".tmp",
    ".bak",
    ".orig",
    ".rej",
    ".swp",
    "~",
    ".DS_Store",
    ".coverage",
    ".d",
    ".a",
    ".so",
    ".map",
    ".tsbuildinfo",
    ".cache",
    ".pid",
    ".out",
    ".lock",
];

fn lose_work(context: &Context<'_>) -> Result<Option<Finding>, PolicyError> {
    let lost = lost_paths(context);
    if lost.is_empty() || saves_first(context) {
        return Ok(None);
    }
    let mut question = vec!["status", "--porcelain", "--untracked-files=all", "--"];
    question.extend(lost.iter().map(String::as_str));
    // Without a repository it is not known what is committed, and all files would count.
    let Some(answer) = context.git(context.project_root(), &question)?.text() else { return Ok(None) };
    let uncommitted: Vec<&str> = answer.lines().filter(|line| is_work(context, line)).collect();
    let Some(first) = uncommitted.first().and_then(|line| line.get(3..)) else { return Ok(None) };
    let names: Vec<&str> = uncommitted.iter().filter_map(|line| line.get(3..)).collect();
    let what = format!("this would delete or overwrite uncommitted work: {}", text::first(&names, 3));
    Ok(Finding::new(
        what,
        "It is in no commit, so git cannot restore it",
        "Save it first with `git stash push --include-untracked` or a commit, or change the file with an edit",
    )
    .map(|finding| {
        let finding = finding.about(context.project_root().join(first.trim_matches('"')));
        finding.in_tree(uncommitted.iter().copied()).seen("git status", &answer)
    }))
}

/// Whether a line of `git status` is about work that is nowhere else.
fn is_work(context: &Context<'_>, line: &str) -> bool {
    let Some(path) = line.get(3..).map(|path| path.trim_matches('"')) else { return false };
    let is_made_again = has_scratch_name(path) || path.split('/').any(is_build_folder);
    // A deleted file is already gone, and one that is only staged as deleted is in the history.
    let is_there = !line.starts_with(" D") && !line.starts_with("D ");
    is_there && !is_made_again && !context.seen.created.contains(context.project_root().join(path).as_str())
}

/// `git stash && rm -r src`, `git commit -am x; …`: by then there is nothing to lose.
fn saves_first(context: &Context<'_>) -> bool {
    context.calls().any(|call| GitCall::read(&call).is_some_and(|git| git.saves_changes()))
}

/// What the line deletes or writes anew in the project, as git names it.
fn lost_paths(context: &Context<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for effect in &context.effects().files {
        let by =
            context.command(effect.command).and_then(|command| command.program_name()).unwrap_or_default();
        let is_lost = match &effect.act {
            FileAct::Delete { .. } => {
                !matches!(by, "find" | "gfind" | "git" | "trash" | "trash-put" | "rmdir")
            }
            FileAct::Write(_) => true,
            // Nobody keeps what a rename overwrites; what it moves is still there.
            FileAct::Move { .. } => true,
            _ => false,
        };
        if !is_lost || (by == "git" && effect.by != "a redirection") {
            continue;
        }
        let target = match &effect.act {
            FileAct::Move { .. } | FileAct::Write(_) if keeps_target(context, effect.command) => continue,
            FileAct::Move { to } => to,
            _ => &effect.target,
        };
        match context.locate_target(target) {
            TargetPaths::Known(paths) => {
                let must_be_file = !matches!(effect.act, FileAct::Delete { .. });
                found.extend(
                    paths
                        .iter()
                        .filter(|path| is_candidate(context, path, must_be_file))
                        .map(ToString::to_string),
                );
            }
            TargetPaths::Pattern(paths) => {
                found.extend(
                    paths.iter().filter(|path| is_candidate(context, path, false)).map(ToString::to_string),
                );
            }
            TargetPaths::Unknown(_) if matches!(effect.act, FileAct::Delete { .. }) => {
                found.extend(listed_before(context, effect.command));
                let words = context.loop_words(&effect.target.word);
                let looped = words
                    .iter()
                    .flat_map(|word| context.locate(word, &effect.target.directory).paths().to_vec());
                found.extend(
                    looped.filter(|path| is_candidate(context, path, false)).map(|path| path.to_string()),
                );
                if effect.by.ends_with("code") && walks_folders(context, effect.command) {
                    found.push(context.project_root().to_string());
                }
            }
            // `git show HEAD:"$f" > "$f"`: the old version of a file whose name is only known at run time.
            TargetPaths::Unknown(_) if prints_old_version(context, effect.command) => {
                found.push(context.project_root().to_string());
            }
            TargetPaths::Unknown(_) => {}
        }
    }
    found.extend(
        context
            .calls()
            .filter(|call| deletes_what_it_finds(context, call))
            .flat_map(|call| found_paths(context, &call)),
    );
    found.extend(context.calls().flat_map(|call| emptied_by_script(context, &call)));
    found.extend(emptied_by_tool(context));
    found.extend(
        context
            .calls()
            .filter(|call| unpacks_old_state(context, call))
            .map(|call| {
                let folder = call.values(&["-C", "--directory"]).into_iter().next().cloned();
                let folder = folder.unwrap_or_else(|| Word::literal("."));
                context
                    .path(&folder, &call.command.directory)
                    .filter(|path| is_candidate(context, path, false))
            })
            .filter_map(|path| path.map(|path| path.to_string())),
    );
    found
}

/// `git show HEAD:f`, `git cat-file -p HEAD:f`.
fn prints_old_version(context: &Context<'_>, index: usize) -> bool {
    let is_version = |call: &Call<'_>| call.command.arguments.iter().any(|word| word.raw.contains(':'));
    context.call_at(index).is_some_and(|call| {
        GitCall::read(&call).is_some_and(|git| matches!(git.verb, "show" | "cat-file")) && is_version(&call)
    })
}

/// `cp -n`, `mv -n`, `cp --backup`: what is there stays.
fn keeps_target(context: &Context<'_>, index: usize) -> bool {
    let call = context.call_at(index);
    call.is_some_and(|call| {
        matches!(call.program, "cp" | "mv" | "ln" | "install")
            && call.has(&["-n", "--no-clobber", "-b", "--backup", "-i", "--interactive", "-u", "--update"])
    })
}

/// Whether code deletes what it finds in folders.
fn walks_folders(context: &Context<'_>, index: usize) -> bool {
    const WALKS: &[&str] =
        &["glob(", "glob ", "Dir[", "walk(", "listdir(", "iterdir(", "scandir(", "readdir", "readdirSync"];
    let Some(command) = context.command(index) else { return false };
    let words = command.arguments.iter().chain(command.redirects.iter().map(|redirect| &redirect.target));
    let mut texts = words.filter_map(|word| word.text.as_deref()).chain(command.input.as_deref());
    texts.any(|text| WALKS.iter().any(|walk| text.contains(walk)))
}

/// Whether git must be asked about a path that is deleted or overwritten. The answer costs more than all other questions.
fn is_candidate(context: &Context<'_>, path: &AbsolutePath, must_be_file: bool) -> bool {
    let is_in_project = || matches!(context.roots().zone(path), Zone::Project | Zone::ProjectRoot);
    let is_new = || context.seen.created.contains(path.as_str());
    let is_folder = || context.is_folder(path);
    let is_there =
        || if must_be_file { context.exists(path) && !is_folder() } else { may_exist(context, path) };
    let is_built = || below(path, context.project_root()).split('/').any(is_build_folder);
    // A folder may be called `conf.d`; what is in it counts.
    let is_made_again = || is_built() || has_scratch_name(path) && !is_folder();
    is_in_project() && !is_new() && is_there() && !is_made_again()
}

/// Whether something may be at a path or fit a pattern.
fn may_exist(context: &Context<'_>, path: &AbsolutePath) -> bool {
    path.contains(['*', '?', '[']) || context.exists(path)
}

fn has_scratch_name(path: &str) -> bool {
    SCRATCH.iter().any(|ending| path.ends_with(ending))
}

fn below<'a>(path: &'a AbsolutePath, root: &AbsolutePath) -> &'a str {
    path.strip_prefix(root.as_str()).unwrap_or(path).trim_start_matches('/')
}

/// The files that a command before `xargs rm`, or before a loop that deletes, lists.
fn listed_before(context: &Context<'_>, index: usize) -> Vec<String> {
    let root = || vec![context.project_root().to_string()];
    let Some(command) = context.command(index) else { return Vec::new() };
    let is_filled = command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"));
    let mut readers = (0..index).filter(|at| {
        let name = context.command(*at).and_then(|it| it.program_name());
        matches!(name, Some("read" | "mapfile" | "readarray"))
    });
    let calls: Vec<Call<'_>> = if is_filled {
        let mut sources = context.upstream(index);
        sources.sort_unstable();
        sources.into_iter().filter_map(|source| context.call_at(source)).collect()
    } else {
        // `… | while read f; do rm "$f"; done`, `mapfile L < <(find …); rm "${L[@]}"`
        if readers.next().is_none() {
            return Vec::new();
        }
        context.calls().take_while(|call| call.index < index).collect()
    };
    calls
        .iter()
        .flat_map(|call| match call.program {
            "git" if lists_files(call) => root(),
            "find" => found_paths(context, call),
            "printf" | "echo" | "ls" | "fd" | "rg" | "grep" => named_paths(context, call),
            _ => Vec::new(),
        })
        .collect()
}

fn lists_files(call: &Call<'_>) -> bool {
    GitCall::read(call).is_some_and(|git| matches!(git.verb, "ls-files" | "diff" | "status" | "ls-tree"))
}

fn named_paths(context: &Context<'_>, call: &Call<'_>) -> Vec<String> {
    let words = call.operands();
    let places = words
        .iter()
        .filter(|word| !word.raw.contains('%'))
        .flat_map(|word| context.locate(word, &call.command.directory).paths().to_vec());
    places.filter(|path| is_candidate(context, path, false)).map(|path| path.to_string()).collect()
}

fn deletes_what_it_finds(context: &Context<'_>, call: &Call<'_>) -> bool {
    let by_itself = matches!(call.program, "find" | "gfind") && super::deletion::deletes(context, call);
    let by_fd = matches!(call.program, "fd" | "fdfind")
        && call
            .texts()
            .skip_while(|text| !matches!(*text, "-x" | "-X" | "--exec" | "--exec-batch"))
            .any(|text| text == "rm");
    let by_next = matches!(call.program, "find" | "gfind")
        && call.command.place.pipe_out
        && context.calls().any(|other| {
            other.index > call.index && other.program == "perl" && other.texts().any(|text| text == "unlink")
        });
    by_itself || by_fd || by_next
}

/// The files that `find` selects, as git names them: by their names where it asks for names only.
fn found_paths(context: &Context<'_>, call: &Call<'_>) -> Vec<String> {
    let has = |option: &str| call.texts().any(|text| text == option);
    let is_harmless = has("-empty")
        || has("-xtype")
        || call
            .command
            .arguments
            .windows(2)
            .any(|pair| matches!(pair, [test, kind] if test.is("-type") && kind.is("l")));
    if is_harmless {
        return Vec::new();
    }
    let here = Word::literal(".");
    let roots = if call.program.starts_with("fd") { Vec::new() } else { super::deletion::roots(call) };
    let roots = if roots.is_empty() { vec![&here] } else { roots };
    let names: Vec<String> = match call.program {
        "fd" | "fdfind" => call
            .values(&["-e", "--extension"])
            .iter()
            .filter_map(|word| word.text.clone())
            .map(|it| format!("*.{it}"))
            .collect(),
        _ => call.values(&["-name", "-iname"]).iter().filter_map(|word| word.text.clone()).collect(),
    };
    // `-not -path X` only leaves some of them out.
    let excludes = |pair: &[Word]| {
        matches!(pair, [not, test] if (not.is("!") || not.is("-not"))
            && !["-path", "-ipath", "-wholename", "-iwholename"].iter().any(|path| test.is(path)))
    };
    let is_plain = !call.command.arguments.windows(2).any(excludes) && !has("-newer") && !names.is_empty();
    let places = roots.iter().filter_map(|root| context.path(root, &call.command.directory));
    let places =
        places.filter(|path| matches!(context.roots().zone(path), Zone::Project | Zone::ProjectRoot));
    places
        .flat_map(|path| match is_plain {
            true => names.iter().map(|name| format!(":(glob){path}/**/{name}")).collect::<Vec<_>>(),
            false => vec![path.to_string()],
        })
        .collect()
}

/// `git archive HEAD | tar -x`: the committed files come back over the changed ones.
fn unpacks_old_state(context: &Context<'_>, call: &Call<'_>) -> bool {
    let is_archive = |index: &usize| {
        let call = context.call_at(*index);
        call.and_then(|call| GitCall::read(&call)).is_some_and(|git| git.verb == "archive")
    };
    call.program == "tar"
        && call.texts().next().is_some_and(|first| first.contains('x'))
        && context.upstream(call.index).iter().any(is_archive)
}

/// The files that an edit tool or a tool server replaces with nothing.
fn emptied_by_tool(context: &Context<'_>) -> Vec<String> {
    let empties = |written: &&Written| {
        written.by.is_empty()
            && written.how == How::Whole
            && written.text.as_deref().is_some_and(|text| text.trim().is_empty())
    };
    let emptied = context.written().iter().filter(empties).map(|written| &written.path);
    emptied.filter(|path| is_candidate(context, path, true)).map(ToString::to_string).collect()
}

/// `sed -i d f`, `perl -i -ne 1 f`: a script that leaves nothing.
fn emptied_by_script(context: &Context<'_>, call: &Call<'_>) -> Vec<String> {
    let in_place = call.texts().any(|text| text.starts_with("-i") || text.starts_with("--in-place"));
    let empties = match call.program {
        "sed" | "gsed" => call.texts().any(|text| matches!(text, "d" | "1,$d" | "/.*/d" | "/./d")),
        "perl" => {
            call.texts().any(|text| text == "-ne")
                && call.words().first().is_some_and(|code| !code.contains("print"))
        }
        _ => false,
    };
    if (in_place && empties) || empties_in_editor(context, call) {
        named_paths(context, call)
    } else {
        Vec::new()
    }
}

/// `ex -sc '%d|x' f`, `ed -s f <<< ',d'`: a script of an editor that deletes all lines.
fn empties_in_editor(context: &Context<'_>, call: &Call<'_>) -> bool {
    const ALL: Words = Words("%d|,d|1,$d|0,$d|g/^/d|g/.*/d|g/./d|%d _|normal ggdG|norm ggdG|normal! ggdG");
    if !matches!(call.program, "ex" | "vi" | "vim" | "nvim" | "view" | "ed" | "red") {
        return false;
    }
    let given = call.command.redirects.iter().filter_map(|redirect| redirect.target.text.as_deref());
    // `printf ',d\nw\n' | ed f`
    let piped = context.upstream(call.index).into_iter().filter_map(|index| context.command(index));
    let piped = piped.flat_map(|command| command.arguments.iter().filter_map(|word| word.text.as_deref()));
    let mut scripts = call.texts().chain(given).chain(piped);
    scripts.any(|script| {
        let script = script.replace("\\n", "\n");
        let mut steps =
            script.split(['|', '\n', ';']).map(|step| step.trim().trim_start_matches([':', '+']).trim());
        steps.any(|step| ALL.contains(step.strip_suffix("elete").unwrap_or(step)))
    })
}

fn overwrite_keys(context: &Context<'_>) -> Result<Option<Finding>, PolicyError> {
    let made = context.calls().filter_map(|call| generated_key(context, &call));
    let written = context.written().iter().filter(|written| match written.how {
        // An edit tool has read the file before; people keep settings in such files, too.
        How::Whole => {
            !written.by.is_empty() || !is_env_file(written.path.rsplit('/').next().unwrap_or_default())
        }
        How::Part => !written.by.is_empty() && !context.roots().is_in_project(&written.path),
        How::Added => false,
    });
    let candidates =
        made.chain(written.filter(|written| !is_same(context, written)).map(|written| written.path.clone()));
    for path in candidates.collect::<Vec<_>>() {
        let is_key = holds_secret(context.clients(), &path) && !path.ends_with("/.npmrc");
        let is_scratch = context.roots().zone(&path) == Zone::Disposable;
        if !is_key
            || is_scratch
            || !context.exists(&path)
            || context.is_folder(&path)
            || is_moved_there(context, &path)
        {
            continue;
        }
        if context.roots().is_in_project(&path) {
            let name = path.rsplit('/').next().unwrap_or_default();
            // What is committed can be restored, and the keys of tests are made to be changed.
            let known = context.git(context.project_root(), &["ls-files", "--", &path])?;
            if !is_env_file(name)
                || known.text().is_some_and(|known| !known.trim().is_empty())
                || context.seen.created.contains(path.as_str())
            {
                continue;
            }
        }
        return Ok(Finding::new(
            format!("this would overwrite {path}, which holds a key or credentials"),
            "The old value may be nowhere else",
            "Copy the file first, or change the one line that is wrong",
        )
        .map(|finding| finding.about(path)));
    }
    Ok(None)
}

/// Whether an edit leaves every line of the old file in place.
fn is_same(context: &Context<'_>, written: &Written) -> bool {
    let (Some(new), Some(old)) = (written.text.as_deref(), context.text_of(&written.path)) else {
        return false;
    };
    let mut kept = old.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    written.by.is_empty() && kept.all(|line| new.contains(line))
}

/// `cp .env .env.bak; … > .env`: the line itself keeps a copy.
fn is_moved_there(context: &Context<'_>, path: &AbsolutePath) -> bool {
    context.effects().files.iter().any(|effect| {
        matches!(effect.act, FileAct::Read)
            && context.command(effect.command).and_then(|it| it.program_name()) == Some("cp")
            && context.locate_target(&effect.target).paths().contains(path)
    })
}

/// The file that `ssh-keygen -f` or `openssl genrsa -out` writes a new key to.
fn generated_key(context: &Context<'_>, call: &Call<'_>) -> Option<AbsolutePath> {
    let makes = call.program == "ssh-keygen"
        && !call.has(&["-l", "-y", "-e", "-F", "-R", "-H", "-p", "-B", "-Y", "-c"]);
    let word = makes.then(|| call.values(&["-f"]).into_iter().next()).flatten()?;
    context.path(word, &call.command.directory)
}
