//! Secrets that would be shown to the model: variables, the whole environment, files that a search or a pattern finds.

use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::redact::is_secret_name;
use flyball_core::text::Words;
use flyball_effects::{Command, FileAct, FileEffect, RedirectKind};

use super::context::{Call, Context, is_export};
use super::finding::Finding;
use super::hosts::gives_cloud_credentials;
use super::leaks::{prints_token, secret_folder, shows_only_facts};
use super::rule::{Check, rules};
use crate::guard::secret_files::{holds_secret, is_env_file};

rules! {
    "print-secret" Strict Ask "printing a secret variable or the whole environment, and searches through files with secrets"
        => Check::Line(print_secret);
}

/// Programs that pass on what they are given, or a part that nobody has named.
const PASSING: Words =
    Words("cat|sort|head|tail|less|more|tee|uniq|tr|nl|column|base64|xxd|od|hexdump|rev|tac|cut");

/// Programs that pick lines by a text.
const PICKING: Words = Words("grep|egrep|fgrep|rg|ag|ack|awk|gawk|mawk|sed|gsed");

/// Those that leave the lines as they are.
const PICKING_LINES: Words = Words("grep|egrep|fgrep|rg|ag|ack");

/// Parts of words that look for secrets.
const SECRET_WORDS: &[&str] = &["key", "token", "secret", "pass", "cred", "auth", "pwd"];

/// Files in which people's secrets often are beside other things.
const OFTEN: Words = Words(
    ".envrc|.bash_history|.zsh_history|.psql_history|.mysql_history|.python_history|.node_repl_history",
);

fn print_secret(context: &Context<'_>) -> Option<Finding> {
    let of_call = context.calls().find_map(|call| printed_by(context, &call));
    let of_file = || context.effects().files.iter().find_map(|effect| searched(context, effect));
    let what = of_call.or_else(of_file).or_else(|| asked_of_cloud(context))?;
    Finding::new(
        format!("this would show you {what}"),
        "What you read becomes part of the session",
        "Check only whether it is there (`[ -n \"$NAME\" ]`), and let the program that needs it read it",
    )
}

/// The secret that a call prints.
fn printed_by(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let place = &call.command.place;
    // What is captured is used by something else.
    if place.substitution || call.has(&["--help", "--version"]) {
        return None;
    }
    let secret = if dumps_environment(call) {
        Secret { what: "the environment with its tokens".to_owned(), extent: Extent::Environment }
    } else if prints_token(call.command) {
        Secret { what: format!("a secret that `{}` stores", call.program), extent: Extent::Stored }
    } else {
        Secret { what: printed_variable(context, call)?, extent: Extent::Alone }
    };
    shows(context, call, secret.extent).then_some(secret.what)
}

/// Something secret that a call prints.
struct Secret {
    what: String,
    extent: Extent,
}

/// What is printed with a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// All variables, of which any may be secret. A file that keeps them is as bad.
    Environment,
    /// What else a program stores with it.
    Stored,
    /// Nothing: every part of the text is a part of it.
    Alone,
}

/// The secret variable whose value a call prints.
fn printed_variable(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    match call.program {
        "printenv" => call.words().into_iter().find(|name| is_secret_name(name)).map(variable),
        "echo" | "printf" | "print" => {
            let words = call.command.arguments.iter();
            let is_set_here = |name: &str| {
                let mut set = context.line.script.commands.iter().flat_map(|command| &command.assignments);
                set.any(|(known, _)| known == name)
            };
            let mut names = words.flat_map(|word| variables(&word.raw));
            names.find(|name| is_secret_name(name) && !is_set_here(name)).map(variable)
        }
        "awk" | "gawk" | "mawk" => {
            let code = call.texts().find(|text| text.contains("ENVIRON["))?;
            let (_, name) = code.split_once("ENVIRON[")?;
            let name = name.trim_start_matches(['"', '\'']).split(['"', '\'', ']']).next()?;
            is_secret_name(name).then(|| variable(name))
        }
        // `cat <<< "$TOKEN"`
        program if PASSING.contains(program) => {
            let is_text = |kind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
            let mut texts = call
                .command
                .redirects
                .iter()
                .filter(|redirect| is_text(redirect.kind) && redirect.target.text.is_none());
            texts.find_map(|redirect| {
                variables(&redirect.target.raw).find(|name| is_secret_name(name)).map(variable)
            })
        }
        _ => None,
    }
}

fn variable(name: &str) -> String {
    format!("the value of {name}")
}

/// Whether a call prints all variables.
fn dumps_environment(call: &Call<'_>) -> bool {
    let arguments = &call.command.arguments;
    let is_bare = arguments.iter().all(|word| word.raw.starts_with('-'));
    match call.program {
        // `env -i`, `set -e` and `export -f` print nothing.
        "env" => is_bare && !call.has(&["-i", "-", "--ignore-environment", "-S"]),
        "printenv" => is_bare,
        "set" => arguments.is_empty(),
        program if is_export(program) => is_bare && !call.has(&["-f", "-F", "-n"]),
        "declare" | "typeset" => is_bare && !call.has(&["-f", "-F", "-a", "-A", "-g"]),
        _ => false,
    }
}

/// Whether the model would see what a call prints, or the part of it that may be secret.
fn shows(context: &Context<'_>, call: &Call<'_>, extent: Extent) -> bool {
    let is_visible = |command: &Command| extent == Extent::Environment || is_visible(command);
    let mut last = *call;
    while last.command.place.pipe_out {
        if !is_visible(last.command) {
            return false;
        }
        let pipe = last.command.place.into_pipe;
        let Some(next) = context.calls().find(|next| pipe != 0 && next.command.place.from_pipe == pipe)
        else {
            return false;
        };
        if !passes_on(&next, extent == Extent::Alone) {
            return false;
        }
        last = next;
    }
    is_visible(last.command)
}

/// Whether a command shows the secret part of what it reads.
fn passes_on(call: &Call<'_>, is_alone: bool) -> bool {
    let looks_for_secrets = || {
        let lower = call.texts().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
        SECRET_WORDS.iter().any(|word| lower.contains(word))
    };
    // A few letters are how people check which one it is.
    let shows_few = || {
        const MOST_LETTERS: u32 = 8;
        let ends = call.texts().filter_map(|text| text.trim_start_matches("-c").rsplit('-').next());
        let count = ends.filter_map(|text| text.parse::<u32>().ok()).max();
        call.has(&["-c"]) && count.is_some_and(|count| count <= MOST_LETTERS)
    };
    match call.program {
        "cut" => !(is_alone && shows_few()) && (is_alone || !call.texts().any(|text| text == "-f1")),
        "head" | "tail" => !(is_alone && shows_few()),
        program if PASSING.contains(program) => true,
        program if PICKING.contains(program) => {
            // What a script makes of it may be a mask.
            let picks_all = is_alone && PICKING_LINES.contains(program) && !call.has(&["-o"]);
            (picks_all || looks_for_secrets()) && !call.has(&["-v", "--invert-match", "-c", "-q"])
        }
        _ => false,
    }
}

/// Whether what a command prints is neither thrown away nor kept in a file.
fn is_visible(command: &Command) -> bool {
    command.redirects.iter().all(|redirect| {
        let is_output = redirect.descriptor.is_none_or(|descriptor| descriptor == 1);
        match redirect.kind {
            RedirectKind::Write | RedirectKind::Append if is_output => {
                let streams = ["/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2"];
                streams.iter().any(|stream| redirect.target.is(stream))
            }
            RedirectKind::Duplicate if is_output => {
                let to = redirect.target.text.as_deref().unwrap_or_default();
                matches!(to.trim_start_matches('&'), "1" | "2")
            }
            RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::Duplicate
            | RedirectKind::Read
            | RedirectKind::ReadWrite
            | RedirectKind::HereDoc
            | RedirectKind::HereString => true,
        }
    })
}

/// The names of the variables whose values a word contains.
pub(super) fn variables(raw: &str) -> impl Iterator<Item = &str> {
    let is_literal = raw.starts_with('\'');
    let starts = raw.match_indices('$').filter(move |_| !is_literal);
    let starts = starts.filter(|(at, _)| !raw.get(..*at).is_some_and(|before| before.ends_with('\\')));
    starts.filter_map(|(at, _)| raw.get(at + 1..)).filter_map(|part| {
        let inner = part.strip_prefix('{');
        let name = inner.unwrap_or(part);
        let end =
            name.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(name.len());
        let (name, rest) = name.split_at(end);
        // `${NAME:+set}` and `${NAME+x}` print another text.
        let is_replaced = inner.is_some() && (rest.starts_with(":+") || rest.starts_with('+'));
        (!name.is_empty() && !is_replaced).then_some(name)
    })
}

/// A secret file that a pattern, a search through a folder, or a name in it finds.
fn searched(context: &Context<'_>, effect: &FileEffect) -> Option<String> {
    if effect.act != FileAct::Read || shows_only_facts(context, effect.command) {
        return None;
    }
    let place = context.locate_target(&effect.target);
    let by_name =
        place.paths().iter().find(|path| OFTEN.contains(path.rsplit('/').next().unwrap_or_default()));
    if let Some(path) = by_name {
        return Some(format!("{path}, which often holds secrets"));
    }
    if let TargetPaths::Pattern(patterns) = &place
        && let Some(path) = patterns.iter().find_map(|pattern| secret_matching(context, pattern))
    {
        return Some(format!("{path}, which contains secrets"));
    }
    let command = context.command(effect.command)?;
    let is_search = match command.program_name()? {
        "rg" | "ag" | "ack" => true,
        "grep" | "egrep" | "fgrep" => command.arguments.iter().any(|word| {
            let text = word.text.as_deref().unwrap_or_default();
            matches!(text, "--recursive" | "--dereference-recursive")
                || (text.starts_with('-') && !text.starts_with("--") && text.contains(['r', 'R']))
        }),
        _ => false,
    };
    // The project's own `.env` is ignored by searches, or is the user's to protect.
    let is_outside = |path: &AbsolutePath| !context.roots().is_in_project(path);
    (is_search && place.paths().iter().all(is_outside))
        .then(|| secret_folder(context, &effect.target))
        .flatten()
}

/// A file with secrets that a pattern matches.
fn secret_matching(context: &Context<'_>, pattern: &AbsolutePath) -> Option<AbsolutePath> {
    let (folder, name) = pattern.rsplit_once('/')?;
    // A pattern for everything is about the other files.
    if folder.contains(['*', '?', '[', '{'])
        || name.chars().filter(|letter| letter.is_alphanumeric()).count() == 0
    {
        return None;
    }
    let folder = AbsolutePath::from_root(folder);
    let names = context.names_in(&folder);
    let found = names
        .iter()
        .find(|it| {
            let path = folder.join(it);
            holds_secret(context.clients(), &path) && fast_glob::glob_match(name, it.as_str())
        })
        .cloned();
    // `.env?` is spelled for a file that is there.
    let spelled = || Some(name.trim_end_matches('?').to_owned()).filter(|it| it != name && is_env_file(it));
    Some(folder.join(&found.or_else(spelled)?))
}

fn asked_of_cloud(context: &Context<'_>) -> Option<String> {
    let mut asked = context.effects().network.iter().filter_map(|network| network.to.as_deref());
    asked.find(|to| gives_cloud_credentials(to))?;
    Some("the machine's credentials of the cloud".to_owned())
}
