//! The routes other than edit tools by which a call could reach a file of ours.

use flyball_core::policy::OwnFile;
use flyball_core::shell::{self, Command, Directory, RedirectKind, Word};
use flyball_core::verdict::Stance;

use super::{Grounds, Touch, reading};

/// flyball's own commands that change the installation.
const CHANGES_INSTALLATION: &[&str] = &["init", "uninstall"];

/// Programs that take what is below a folder with them.
const TAKES_ALL_BELOW: &[&str] = &["rm", "rmdir", "unlink", "shred", "trash", "trash-put"];

/// Programs whose last argument, or whose target folder, is where they write.
const COPIES: &[&str] = &["cp", "mv", "install", "rsync", "scp"];

/// Programs that run another one on names that they read or find.
const HANDS_ON: &[&str] = &["xargs", "find", "parallel"];

/// Programs that run code given as an argument.
const INTERPRETERS: &[&str] = &["python", "node", "perl", "ruby", "php", "deno", "bun", "lua", "osascript"];

/// The first way in which a command line would touch a file of ours.
pub(super) fn shell(line: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    // Parsing costs a tenth of the whole call; most command lines cannot be meant.
    if !may_be_meant(line, grounds) {
        return None;
    }
    let script = shell::parse(line);
    let found = script.commands.iter().find_map(|command| touched(command, line, grounds));
    found.or_else(|| {
        let mentioned = (!script.unknown.is_empty()).then(|| mentioned(line, grounds))??;
        Some(ask(file_name(mentioned), mentioned.what, "a command line that cannot be parsed"))
    })
}

/// The first string in a tool's input that leads to a file of ours. Whether the tool writes
/// cannot be known, so the user is asked.
pub(super) fn named_in_input(input: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    if !may_be_meant(input, grounds) {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(input).ok()?;
    let mut waiting = vec![&value];
    while let Some(value) = waiting.pop() {
        match value {
            serde_json::Value::String(text) => {
                if let Some(what) = grounds.own(".", text) {
                    return Some(ask(text, what, "the input of a tool that may write"));
                }
            }
            serde_json::Value::Array(items) => waiting.extend(items),
            serde_json::Value::Object(fields) => waiting.extend(fields.values()),
            serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
        }
    }
    None
}

fn may_be_meant(line: &str, grounds: &Grounds<'_>) -> bool {
    line.contains("flyball")
        || TAKES_ALL_BELOW.iter().chain(COPIES).any(|program| holds_word(line, program))
        || grounds.world.own_files().iter().any(|own| line.contains(folder_or_name(own)))
}

/// Whether a text holds a word, not only its letters: `rm`, not `format`.
fn holds_word(text: &str, word: &str) -> bool {
    let is_letter =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

/// A file of ours that is named somewhere in a text. Most are called what other files are called
/// too (`settings.json`), so those count only with the folder they are in.
fn mentioned<'a>(text: &str, grounds: &'a Grounds<'_>) -> Option<&'a OwnFile> {
    let named = |own: &&OwnFile| match own.path.rsplit_once('/') {
        Some((_, name)) if super::CONFIG_NAME.ends_with(name) => text.contains(name),
        Some((above, name)) => {
            let folder = above.rsplit('/').next().unwrap_or_default();
            !folder.is_empty() && text.contains(&format!("{folder}/{name}"))
        }
        None => false,
    };
    grounds.world.own_files().iter().find(named)
}

fn file_name(own: &OwnFile) -> &str {
    own.path.rsplit('/').next().unwrap_or(&own.path)
}

/// The name by which a command line would reach the file: the folder it lies in, where that is
/// one of the client's (`cd .claude`), else its own.
fn folder_or_name(own: &OwnFile) -> &str {
    let folder = own.path.rsplit('/').nth(1).unwrap_or_default();
    if folder.starts_with('.') { folder } else { file_name(own) }
}

fn touched(command: &Command, line: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    let bases: Vec<&str> = match &command.directory {
        Directory::Start | Directory::Unknown => vec!["."],
        Directory::OneOf(folders) => folders.iter().map(String::as_str).collect(),
    };
    let certain = bases
        .iter()
        .find_map(|base| redirected(command, base, grounds).or_else(|| given(command, base, grounds)));
    certain.or_else(|| in_the_dark(command, line, grounds))
}

fn redirected(command: &Command, base: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    written_targets(command).filter_map(literal).find_map(|target| {
        let what = grounds.own(base, &target)?;
        Some(deny(&target, what, "a redirection"))
    })
}

fn written_targets(command: &Command) -> impl Iterator<Item = &Word> {
    let writes = command.redirects.iter().filter(|redirect| {
        matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite)
    });
    writes.map(|redirect| &redirect.target)
}

fn given(command: &Command, base: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    let program = command.program_name()?;
    let words: Vec<Option<String>> = command.arguments.iter().map(literal).collect();
    let arguments: Vec<Option<&str>> = words.iter().map(Option::as_deref).collect();
    if program == "flyball" {
        return installation_changed(&arguments);
    }
    let operands = Operands::of(program, &arguments);
    let taken = operands.taken.iter().find_map(|path| {
        let what = grounds.own_below(base, path).or_else(|| grounds.own_matching(base, path))?;
        Some(deny(path, what, "a command that takes it away"))
    });
    let landed = operands.destination.and_then(|path| Some((path, grounds.own(base, path)?)));
    // Whether the destination is a folder is not known here, so these are compared with the files
    // that exist as ours, not with every file that is named like one.
    let below =
        || operands.below.iter().find_map(|path| Some((path.as_str(), grounds.own_file(base, path)?)));
    let landed = landed.or_else(below).map(|(path, what)| deny(path, what, "a command that writes it"));
    taken.or(landed).or_else(|| named(command, &arguments, (base, grounds)))
}

/// What a word stands for, if that is known here: also where it begins with a variable whose value
/// every session has.
fn literal(word: &Word) -> Option<String> {
    if word.text.is_some() {
        return word.text.clone();
    }
    let bare = word.raw.trim_matches('"');
    let known = [("$HOME", "~"), ("${HOME}", "~"), ("$PWD", "."), ("${PWD}", "."), ("~", "~")];
    known.iter().find_map(|(variable, value)| {
        let rest = bare.strip_prefix(variable).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        (!rest.contains('$')).then(|| format!("{value}{rest}"))
    })
}

/// A file of ours among the arguments of a program that is not known to only read it.
fn named(
    command: &Command,
    arguments: &[Option<&str>],
    (base, grounds): (&str, &Grounds<'_>),
) -> Option<Touch> {
    let program = command.program_name()?;
    arguments.iter().enumerate().find_map(|(index, argument)| {
        let argument = (*argument)?;
        let value = argument.split_once('=').map_or(argument, |(_, value)| value);
        // Asked first, because looking a path up costs system calls.
        if !reading::only_reads(program, arguments, index) {
            let own = if value == argument && argument.starts_with('-') {
                None
            } else {
                grounds.own_matching(base, value)
            };
            let own = own.or_else(|| grounds.own_matching(base, argument).filter(|_| value != argument));
            if let Some(what) = own {
                return Some(deny(argument, what, "an argument of a command that may write"));
            }
        }
        let is_code =
            INTERPRETERS.iter().any(|name| program.starts_with(name)) && argument.contains(['(', ' ']);
        let own = is_code.then(|| mentioned(argument, grounds))??;
        Some(ask(file_name(own), own.what, "code given to an interpreter"))
    })
}

/// What is only known when the line runs: a word with a variable in it, or any word after a `cd`
/// that leads who knows where. If it names a file of ours, the user is asked.
fn in_the_dark(command: &Command, line: &str, grounds: &Grounds<'_>) -> Option<Touch> {
    let is_lost = command.directory == Directory::Unknown;
    let in_the_dark = |word: &&Word| is_lost || word.text.is_none();
    // Behind a `cd` the folder stands elsewhere on the line.
    let split = |word: &Word| {
        let own = |own: &&OwnFile| word.raw == file_name(own) && line.contains(folder_or_name(own));
        grounds.world.own_files().iter().find(own).filter(|_| is_lost)
    };
    let reads = command.program_name().is_some_and(|program| reading::only_reads(program, &[], 0));
    // What `xargs` and `find` hand on is named elsewhere on the line.
    let is_handed_on = command.wrappers.iter().any(|wrapper| HANDS_ON.contains(&first_word(wrapper)));
    if let Some(own) = (is_handed_on && !reads).then(|| mentioned(line, grounds)).flatten() {
        return Some(ask(file_name(own), own.what, "a path that another program hands on"));
    }
    let arguments = command.arguments.iter().filter(|_| !reads);
    let own = written_targets(command)
        .chain(arguments)
        .filter(in_the_dark)
        .find_map(|word| mentioned(&word.raw, grounds).or_else(|| split(word)))?;
    Some(ask(file_name(own), own.what, "a path that is only known when the command runs"))
}

/// `find` of `find -exec`.
fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or(text)
}

/// Where the arguments of a program that copies, moves or deletes lead.
#[derive(Default)]
struct Operands<'a> {
    /// What is gone afterwards, with all that is below it.
    taken: Vec<&'a str>,
    /// What is written.
    destination: Option<&'a str>,
    /// What is written if the destination is a folder.
    below: Vec<String>,
}

impl<'a> Operands<'a> {
    fn of(program: &str, arguments: &[Option<&'a str>]) -> Operands<'a> {
        let is_operand = |argument: &&Option<&str>| argument.is_none_or(|text| !text.starts_with('-'));
        let mut operands: Vec<Option<&str>> = arguments.iter().filter(is_operand).copied().collect();
        if TAKES_ALL_BELOW.contains(&program) {
            return Operands { taken: operands.into_iter().flatten().collect(), ..Operands::default() };
        }
        if !COPIES.contains(&program) {
            return Operands::default();
        }
        let folder = reading::value_of(arguments, "-t", "--target-directory");
        operands.retain(|operand| folder.is_none() || *operand != folder);
        let destination = if folder.is_some() { folder } else { operands.pop().flatten() };
        let sources: Vec<&str> = operands.into_iter().flatten().collect();
        let below = |source: &&str| {
            let name = source.trim_end_matches('/').rsplit('/').next()?;
            Some(format!("{}/{name}", destination?.trim_end_matches('/')))
        };
        let below = sources.iter().filter_map(below).collect();
        let taken = if program == "mv" { sources } else { Vec::new() };
        Operands { taken, destination, below }
    }
}

fn installation_changed(arguments: &[Option<&str>]) -> Option<Touch> {
    let subcommand = arguments.iter().flatten().find(|argument| !argument.starts_with('-'))?;
    let changes = CHANGES_INSTALLATION.contains(subcommand) && !arguments.contains(&Some("--dry-run"));
    changes.then(|| Touch {
        stance: Stance::Deny,
        named: format!("flyball {subcommand}"),
        what: "a command that changes flyball's installation",
        route: "flyball's own commands",
    })
}

fn deny(named: &str, what: &'static str, route: &'static str) -> Touch {
    Touch { stance: Stance::Deny, named: named.to_owned(), what, route }
}

fn ask(named: &str, what: &'static str, route: &'static str) -> Touch {
    Touch { stance: Stance::Ask, named: named.to_owned(), what, route }
}
