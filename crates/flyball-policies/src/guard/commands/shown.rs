//! Secret files that a command is given in another way than as a file to read: as a script, as the value of an option,
//! as a version of git, as what `find` finds.

use flyball_core::text::Words;
use flyball_effects::{FileAct, FileEffect, Target, Word};
use flyball_programs::Kind;

use super::context::{Call, Context};
use super::leaks::{secret_file, shows_only_facts};
use crate::guard::secret_files::{holds_secret, is_env_file};

/// Programs whose words are often texts that only look like the name of a file.
const TAKES_TEXT: Words = Words(
    "grep|egrep|fgrep|zgrep|rg|ag|ack|sed|gsed|awk|gawk|mawk|tr|jq|yq|basename|dirname|bc|getfacl|ldd|tee",
);

/// Programs that print the lines of a file which they cannot use.
const COMPLAINING: Words = Words("date|gdate|dc|file");

/// Options of those that name such a file.
const COMPLAINING_OPTIONS: &[&str] = &["-f", "--file"];

/// The secret file whose content a call shows although it does not read it as a plain file.
pub(super) fn shown_secret(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    if shows_only_facts(context, call.index) || call.is_dry_run() {
        return None;
    }
    match (call.program, call.kind) {
        ("git", _) => of_version(context, call),
        ("source" | ".", _) | (_, Some(Kind::Interpreter | Kind::Shell)) => script(context, call),
        (name, _) if COMPLAINING.contains(name) => {
            let attached = call.attached("--file").map(Word::literal);
            let mut given = call.values(COMPLAINING_OPTIONS).into_iter().cloned().chain(attached);
            given.find_map(|word| secret_file(context, &Target::new(&word, &call.command.directory)))
        }
        (_, Some(Kind::Viewer)) => given(context, call).or_else(|| found_by_find(context, call)),
        _ => None,
    }
}

/// The whole home is copied, with all keys in it.
pub(super) fn copied_home(context: &Context<'_>, effect: &FileEffect) -> Option<String> {
    let name = context.command(effect.command)?.program_name()?;
    let place = context.locate_target(&effect.target);
    let is_home =
        matches!(name, "cp" | "rsync") && place.paths().iter().any(|path| *path == context.roots().home);
    is_home.then(|| format!("{} with its keys", context.roots().home))
}

/// A file that is run as a script: what is no code is printed in the error.
fn script(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let first = call.command.arguments.first().filter(|word| !word.raw.starts_with('-'))?;
    let path = secret_file(context, &Target::new(first, &call.command.directory))?;
    // Files of variables are made to be read by a shell, and code can have any ending.
    let name = path.rsplit('/').next().unwrap_or_default();
    (!is_env_file(name)).then_some(path)
}

/// `git cat-file blob HEAD:.env`
fn of_version(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let words = call.words();
    if !matches!(words.first(), Some(&("cat-file" | "show"))) || call.has(&["-e", "-t", "-s"]) {
        return None;
    }
    let mut paths = words.iter().skip(1).filter_map(|word| Some(word.split_once(':')?.1));
    paths.find(|path| holds_secret(context.clients(), &format!("/{path}"))).map(str::to_owned)
}

/// A word of a program that shows text, whatever option it belongs to.
fn given(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let takes_text = TAKES_TEXT.contains(call.program);
    let is_path = |text: &str| text.starts_with("~/") || text.starts_with('/') || text.starts_with("$HOME/");
    let is_changed = |word: &Word| {
        let mut effects = context.effects().files.iter().filter(|effect| effect.command == call.index);
        effects.any(|effect| effect.act != FileAct::Read && effect.target.word.raw == word.raw)
    };
    // The first of these is a pattern or code: `grep /etc/shadow x`.
    let first = call.operands().first().map(|word| word.raw.as_str());
    let words = call.command.arguments.iter().filter(|word| !is_changed(word));
    words.into_iter().find_map(|word| {
        let text = word.text.as_deref()?;
        let text = text.strip_prefix("--").and_then(|long| Some(long.split_once('=')?.1)).unwrap_or(text);
        let is_text = takes_text && (!is_path(text) || first == Some(word.raw.as_str()));
        let is_option = text.starts_with('-') || text.contains(char::is_whitespace);
        if is_text || is_option {
            return None;
        }
        let value = Word { text: Some(text.to_owned()), ..word.clone() };
        secret_file(context, &Target::new(&value, &call.command.directory))
    })
}

/// `find . -name id_rsa -exec head {} +`
fn found_by_find(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    if !call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("find")) {
        return None;
    }
    if call.has(&["-l", "-L", "-c", "-q", "--files-with-matches", "--count", "--quiet"]) {
        return None;
    }
    let find = context.calls().find(|other| other.program == "find" && other.index >= call.index)?;
    let texts: Vec<&str> = find.texts().collect();
    let is_named = |at: usize| {
        let before =
            |steps: usize| at.checked_sub(steps).and_then(|at| texts.get(at)).copied().unwrap_or_default();
        let tests = matches!(before(1), "-name" | "-iname" | "-path" | "-wholename");
        let is_left_out = matches!(before(2), "!" | "-not") || texts.get(at + 1) == Some(&"-prune");
        let is_root = texts.iter().take(at + 1).all(|text| !text.starts_with('-'));
        is_root || (tests && !is_left_out)
    };
    let mut named = texts.iter().enumerate().filter(|(at, _)| is_named(*at)).map(|(_, text)| *text);
    named.find(|text| holds_secret(context.clients(), text)).map(str::to_owned)
}
