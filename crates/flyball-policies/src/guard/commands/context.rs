//! What rules check: the commands of a line, the paths that their words mean, the output of git.

use std::cell::OnceCell;

use flyball_core::client::{ClientFacts, Clients};
use flyball_core::event::Tool;
use flyball_core::facts::TargetPaths;
use flyball_core::path::AbsolutePath;
use flyball_core::policy::{GitAnswer, PolicyError, Situation};
use flyball_core::snapshot::Snapshot;
use flyball_core::text;
use flyball_effects::{Command, Content, Directory, Effects, FileAct, FileEffect, Line, Target, Word};
use flyball_programs::{Kind, program};

use super::deleted::Deletion;
use super::seen::Seen;
use super::written::{self, How, Written};
use super::zone::Roots;
use crate::guard::variables;
use crate::undo;

/// The home folder: with the slash, every resolver expands it.
const HOME: &str = "~/";

/// A command line and the situation it would run in.
pub(super) struct Context<'a> {
    situation: &'a Situation<'a>,
    pub(super) line: &'a Line,
    /// The commands whose program is known.
    calls: Vec<Call<'a>>,
    roots: OnceCell<Roots>,
    /// What the line deletes recursively, computed on first use.
    pub(super) deletions: OnceCell<Vec<Deletion>>,
    /// What the call writes, computed on first use.
    written: OnceCell<Vec<Written>>,
    /// The commands of effects with the numbers of these, and the pipes with the commands that write into them; both
    /// sorted. A long line has thousands, and is asked for those of each command.
    effects_by_command: OnceCell<Vec<(usize, usize)>>,
    into_pipes: OnceCell<Vec<(u32, usize)>>,
    /// What earlier calls of the session did.
    pub(super) seen: Seen,
}

impl<'a> Context<'a> {
    pub(super) fn new(situation: &'a Situation<'a>, line: &'a Line) -> Context<'a> {
        Context {
            situation,
            line,
            calls: line
                .script
                .commands
                .iter()
                .enumerate()
                .filter_map(|(index, command)| Call::read(index, command))
                .collect(),
            roots: OnceCell::new(),
            deletions: OnceCell::new(),
            written: OnceCell::new(),
            effects_by_command: OnceCell::new(),
            into_pipes: OnceCell::new(),
            seen: Seen::default(),
        }
    }

    /// The snapshot of the whole tree before this call, if all of it can be brought back.
    pub(super) fn snapshot(&self) -> Option<&'a Snapshot> {
        undo::whole_tree(self.situation)
    }

    /// Another line in the same situation.
    pub(super) fn reading<'b>(&self, line: &'b Line) -> Context<'b>
    where
        'a: 'b,
    {
        Context::new(self.situation, line)
    }

    /// The same with what earlier calls of the session did.
    pub(super) fn knowing(mut self, seen: Seen) -> Context<'a> {
        self.seen = seen;
        self
    }

    /// What the call writes, by a command of the line or by a tool of the client.
    pub(super) fn written(&self) -> &[Written] {
        self.written.get_or_init(|| {
            let mut written = match self.situation.event.call().map(|call| &call.tool) {
                Some(Tool::Edit(edits)) => written::by_edits(self.situation, edits),
                _ => {
                    let mut written = written_by_line(self);
                    let server = self.situation.server_call().map(|server| server.edits.as_slice());
                    written.extend(written::by_edits(self.situation, server.unwrap_or_default()));
                    written
                }
            };
            // A hard link that the session made is the file itself.
            let linked = written.iter().filter_map(|it| {
                let path = AbsolutePath::from_root(self.seen.links.get(it.path.as_str())?);
                Some(Written { path, text: it.text.clone(), how: it.how, by: it.by })
            });
            let linked: Vec<Written> = linked.collect();
            written.extend(linked);
            written
        })
    }

    /// The known clients.
    pub(super) fn clients(&self) -> Clients {
        self.situation.world.clients()
    }

    /// The client that a program starts, if it starts one.
    pub(super) fn client(&self, program: &str) -> Option<&'static ClientFacts> {
        self.clients().iter().copied().find(|client| client.programs.contains(&program))
    }

    /// The commands whose program is known.
    pub(super) fn calls(&self) -> impl DoubleEndedIterator<Item = Call<'a>> {
        self.calls.iter().copied()
    }

    /// The command at an index of the script, if its program is known.
    pub(super) fn call_at(&self, index: usize) -> Option<Call<'a>> {
        let at = self.calls.binary_search_by_key(&index, |call| call.index).ok()?;
        self.calls.get(at).copied()
    }

    pub(super) fn effects(&self) -> &'a Effects {
        &self.line.effects
    }

    /// The command line as it is written.
    pub(super) fn text(&self) -> &'a str {
        self.situation.effective_text()
    }

    /// What a tool server is given that writes no file here: it may pass it on.
    pub(super) fn passed_on(&self) -> Option<&'a str> {
        let server = self.situation.server_call().filter(|server| server.edits.is_empty())?;
        server.line.is_empty().then_some(())?;
        self.situation.event.call().map(|call| call.input.as_str())
    }

    /// What a call of a tool server deletes at its service.
    pub(super) fn deleted_at_service(&self) -> Option<&'a str> {
        self.situation.server_call()?.deletes.as_deref()
    }

    /// The command at an index; effects name their command by it.
    pub(super) fn command(&self, index: usize) -> Option<&'a Command> {
        self.line.script.commands.get(index)
    }

    /// What the command at an index does to files, in the order of its effects.
    pub(super) fn effects_of(&self, index: usize) -> impl Iterator<Item = &'a FileEffect> {
        let files = &self.effects().files;
        let by_command = self.effects_by_command.get_or_init(|| {
            let mut all: Vec<(usize, usize)> =
                files.iter().enumerate().map(|(at, effect)| (effect.command, at)).collect();
            all.sort_unstable();
            all
        });
        let start = by_command.partition_point(|(command, _)| *command < index);
        let own = by_command.iter().skip(start).take_while(move |(command, _)| *command == index);
        own.filter_map(|(_, at)| files.get(*at)).collect::<Vec<_>>().into_iter()
    }

    /// The commands that pipe their output to the command at an index, nearest first.
    pub(super) fn upstream(&self, index: usize) -> Vec<usize> {
        let commands = &self.line.script.commands;
        let mut found: Vec<usize> = Vec::new();
        let mut waiting: Vec<u32> = commands.get(index).map(|it| it.place.from_pipe).into_iter().collect();
        while let Some(number) = waiting.pop() {
            // 0 means that the input comes from no pipe of this line.
            if number == 0 {
                continue;
            }
            let into_pipes = self.into_pipes.get_or_init(|| {
                let into = commands.iter().enumerate().map(|(at, command)| (command.place.into_pipe, at));
                let mut all: Vec<(u32, usize)> = into.filter(|(pipe, _)| *pipe != 0).collect();
                all.sort_unstable();
                all
            });
            let start = into_pipes.partition_point(|(pipe, _)| *pipe < number);
            for (_, other) in into_pipes.iter().skip(start).take_while(|(pipe, _)| *pipe == number) {
                if !found.contains(other) {
                    found.push(*other);
                    waiting.extend(commands.get(*other).map(|command| command.place.from_pipe));
                }
            }
        }
        found
    }

    /// The root folders that zones depend on.
    pub(super) fn roots(&self) -> &Roots {
        self.roots.get_or_init(|| Roots::from_world(self.situation.world))
    }

    /// The paths that a word means for a command.
    pub(super) fn locate(&self, word: &Word, directory: &Directory) -> TargetPaths {
        self.locate_target(&Target::new(word, directory))
    }

    /// The paths that a target means; variables that every session has are expanded.
    pub(super) fn locate_target(&self, target: &Target) -> TargetPaths {
        let word = self.expand_variables(&target.word);
        let target =
            Target { word, directory: intended(&target.directory), or_below: target.or_below.clone() };
        self.situation.locate(&target)
    }

    /// The first path that a word means, if it is known.
    pub(super) fn path(&self, word: &Word, directory: &Directory) -> Option<AbsolutePath> {
        self.locate(word, directory).paths().first().cloned()
    }

    pub(super) fn is_folder(&self, path: &AbsolutePath) -> bool {
        self.situation.world.stat(path).is_some_and(|stat| stat.is_folder)
    }

    pub(super) fn exists(&self, path: &AbsolutePath) -> bool {
        self.situation.world.stat(path).is_some()
    }

    /// Whether a file can be read and has this text in it.
    pub(super) fn file_contains(&self, path: &AbsolutePath, text: &str, most_bytes: u64) -> bool {
        let read = self.situation.world.read(path, most_bytes).ok().flatten();
        read.is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
    }

    /// The text of a file, if it is short enough to be read.
    pub(super) fn text_of(&self, path: &AbsolutePath) -> Option<String> {
        const MOST_BYTES: u64 = 256 * 1024;
        // A file that cannot be read shows nothing; other rules still judge what is done with it.
        let bytes = self.situation.world.read(path, MOST_BYTES).ok().flatten()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The names in a folder.
    pub(super) fn names_in(&self, folder: &AbsolutePath) -> Vec<String> {
        self.situation.world.list(folder)
    }

    /// The folder a command runs in; the project's if that cannot be known.
    pub(super) fn folder(&self, directory: &Directory) -> AbsolutePath {
        let here = Word::literal(".");
        self.path(&here, directory).unwrap_or_else(|| self.project_root().clone())
    }

    pub(super) fn project_root(&self) -> &'a AbsolutePath {
        self.situation.world.project_root()
    }

    /// The answer of git in a folder.
    pub(super) fn git(&self, folder: &AbsolutePath, question: &[&str]) -> Result<GitAnswer, PolicyError> {
        self.situation.world.git(folder, question)
    }

    /// The words of a loop whose variable is all of this word: `for d in ~/*/; do rm -r "$d"; done`.
    pub(super) fn loop_words(&self, word: &Word) -> Vec<Word> {
        let bare = word.raw.trim_matches('"').trim_start_matches('$').trim_matches(['{', '}']);
        let is_name =
            !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if word.text.is_some() || !is_name {
            return Vec::new();
        }
        let Some((_, rest)) = self.text().split_once(&format!("for {bare} in ")) else { return Vec::new() };
        let listed = rest.split([';', '\n']).next().unwrap_or_default();
        // Words that are themselves only known at run time say nothing.
        let plain = listed.split_ascii_whitespace().filter(|text| !text.contains(['$', '`', '(']));
        let made = plain.map(|text| {
            let text = text.trim_matches(['"', '\'']);
            Word { text: Some(text.to_owned()), raw: text.to_owned(), glob: text.contains(['*', '?', '[']) }
        });
        made.collect()
    }

    /// The word with the variables expanded that every session has.
    fn expand_variables(&self, word: &Word) -> Word {
        if word.is("~") {
            return Word { text: Some(HOME.to_owned()), ..word.clone() };
        }
        // The home of another user.
        let other = word
            .text
            .as_deref()
            .and_then(|text| text.strip_prefix('~'))
            .filter(|rest| !rest.starts_with('/'));
        let is_user =
            |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/');
        if let Some(rest) = other
            .filter(|rest| rest.starts_with(|it: char| it.is_ascii_lowercase()) && rest.chars().all(is_user))
        {
            let (user, below) = rest.split_once('/').unwrap_or((rest, ""));
            // For a user of another machine it is a guess.
            let home = self.situation.world.home_of(user).map(|home| home.join(below).to_string());
            return Word { text: Some(home.unwrap_or_else(|| format!("/home/{rest}"))), ..word.clone() };
        }
        if word.text.is_some() {
            return word.clone();
        }
        let root = self.situation.world.project_root().as_str();
        let known = [
            ("$HOME", HOME),
            ("${HOME}", HOME),
            ("$PWD", "."),
            ("${PWD}", "."),
            ("$(pwd)", "."),
            ("$(dirname \"$PWD\")", ".."),
            ("$(dirname $PWD)", ".."),
            ("$(dirname \"$(pwd)\")", ".."),
            ("`pwd`", "."),
            ("$(git rev-parse --show-toplevel)", root),
            // Wherever it is, it is temporary, and the rules treat all temporary folders alike.
            ("$TMPDIR", "/tmp"),
            ("${TMPDIR}", "/tmp"),
            ("${TMPDIR:-/tmp}", "/tmp"),
            ("$XDG_CONFIG_HOME", "~/.config"),
            ("${XDG_CONFIG_HOME}", "~/.config"),
            ("${XDG_CONFIG_HOME:-$HOME/.config}", "~/.config"),
            ("${XDG_CONFIG_HOME:-~/.config}", "~/.config"),
            ("${ZDOTDIR:-$HOME}", HOME),
            ("$ZDOTDIR", HOME),
            ("${ZDOTDIR}", HOME),
        ];
        // The client's own folder, with its keys.
        let client_homes = || {
            self.clients().iter().find_map(|client| {
                let name = client.home_variable.filter(|name| word.raw.contains(name))?;
                let folder = client.secret_files.first()?.split('/').next()?;
                let home = format!("~/{folder}");
                let spellings = [
                    format!("${name}"),
                    format!("${{{name}}}"),
                    format!("${{{name}:-{home}}}"),
                    format!("${{{name}:-$HOME/{folder}}}"),
                ];
                spellings.iter().find_map(|spelling| variables::expand(&word.raw, &[(spelling, &home)]))
            })
        };
        let of_clients = || {
            let names = self.clients().iter().filter_map(|client| client.project_variable);
            let mut names = names.filter(|name| word.raw.contains(name));
            names.find_map(|name| {
                variables::expand(&word.raw, &[(&format!("${name}"), root), (&format!("${{{name}}}"), root)])
            })
        };
        let text = variables::expand(&word.raw, &known).or_else(of_clients).or_else(client_homes);
        let glob = text.as_deref().is_some_and(|text| text.contains(['*', '?']));
        Word { text, raw: word.raw.clone(), glob }
    }
}

/// A `cd` before `;` may fail, and then the command runs where the line started. The folder that the
/// `cd` names is used: a false denial is worse than a miss.
fn intended(directory: &Directory) -> Directory {
    let Directory::OneOf(places) = directory else { return directory.clone() };
    let is_only = places.len() == 1;
    let meant = places.iter().filter(|place| is_only || *place != ".");
    let with_slash = |place: &String| if place == "~" { HOME.to_owned() } else { place.clone() };
    Directory::OneOf(meant.map(with_slash).collect())
}

/// One command of the line with a known program.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) command: &'a Command,
    /// Its index in the script.
    pub(super) index: usize,
    /// The name of its program.
    pub(super) program: &'a str,
    /// What kind of program that is, if the table of programs has it.
    pub(super) kind: Option<Kind>,
}

impl<'a> Call<'a> {
    /// The command at an index of the script, if its program is known.
    fn read(index: usize, command: &'a Command) -> Option<Call<'a>> {
        let name = command.program_name()?;
        Some(Call { command, index, program: name, kind: program(name).map(|known| known.kind) })
    }

    /// The arguments that are known.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.command.arguments.iter().filter_map(|word| word.text.as_deref())
    }

    /// The arguments that are not options. Values of options are among them.
    pub(super) fn operands(&self) -> Vec<&'a Word> {
        let arguments = &self.command.arguments;
        let end = arguments.iter().position(|word| word.is("--"));
        // An option may be in quotes, so the spelling alone does not show it.
        let is_operand = |(index, word): &(usize, &Word)| {
            end.is_some_and(|end| *index > end) || !(word.raw.starts_with('-') || starts_option(word))
        };
        arguments.iter().enumerate().filter(is_operand).map(|(_, word)| word).collect()
    }

    /// The known texts of the operands.
    pub(super) fn words(&self) -> Vec<&'a str> {
        self.operands().into_iter().filter_map(|word| word.text.as_deref()).collect()
    }

    /// Whether the words after the program begin with these, ignoring options.
    pub(super) fn begins(&self, words: &[&str]) -> bool {
        self.words().starts_with(words)
    }

    /// Whether one of these options is given: `--all` also as `--all=x`, `-r` also as `-fr`.
    pub(super) fn has(&self, options: &[&str]) -> bool {
        let before_end = self.texts().take_while(|text| *text != "--");
        before_end.into_iter().any(|text| options.iter().any(|option| is_option(text, option)))
    }

    /// The values of options that are words of their own: `-e x`, `--eval x`.
    pub(super) fn values(&self, options: &[&str]) -> Vec<&'a Word> {
        let mut values = Vec::new();
        let mut words = self.command.arguments.iter();
        while let Some(word) = words.next() {
            let Some(text) = word.text.as_deref() else { continue };
            if options.contains(&text) {
                values.extend(words.next());
            }
        }
        values
    }

    /// The value of an option that is written in the same word: `--eval=x`, `of=x`.
    pub(super) fn attached(&self, option: &str) -> Option<&'a str> {
        self.texts().find_map(|text| text.strip_prefix(option)?.strip_prefix('='))
    }

    /// Whether it only shows what it would do, or its help.
    pub(super) fn is_dry_run(&self) -> bool {
        self.has(&["--dry-run", "--help", "--version", "--dryrun", "--noop"])
    }

    /// Its words as written, cut short.
    pub(super) fn display_text(&self) -> String {
        const MOST: usize = 60;
        let words = self.command.arguments.iter().map(|word| word.raw.as_str());
        let whole = std::iter::once(self.program).chain(words).collect::<Vec<_>>().join(" ");
        // A message is one line.
        text::cut(&whole.replace('\n', " "), MOST).into_owned()
    }
}

/// Whether a command of the shell sets variables for what follows.
pub(super) fn is_export(program: &str) -> bool {
    matches!(program, "export" | "declare" | "typeset")
}

fn starts_option(word: &Word) -> bool {
    word.text.as_deref().is_some_and(|text| text.starts_with('-') && text.len() > 1)
}

fn is_option(text: &str, option: &str) -> bool {
    let mut letters = option.chars().skip(1);
    match (option.starts_with("--"), letters.next(), letters.next()) {
        // One letter: also in a cluster.
        (false, Some(letter), None) => {
            text.starts_with('-') && !text.starts_with("--") && text.chars().skip(1).any(|it| it == letter)
        }
        // Long options, also those with one dash, such as terraform's `-auto-approve`.
        _ => text == option || text.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')),
    }
}

/// A name that a line gives to a file.
struct Linked {
    name: AbsolutePath,
    file: AbsolutePath,
    command: usize,
}

/// What the commands of a line write.
fn written_by_line(context: &Context<'_>) -> Vec<Written> {
    let mut found: Vec<Written> = Vec::new();
    let mut links: Vec<Linked> = Vec::new();
    for effect in &context.effects().files {
        if let FileAct::Link { name } = &effect.act {
            let names = context.locate_target(name);
            let files = context.locate_target(&effect.target);
            if let ([name, ..], [file, ..]) = (names.paths(), files.paths()) {
                links.push(Linked { name: name.clone(), file: file.clone(), command: effect.command });
            }
        }
        let (target, content, how): (&Target, Option<&Content>, How) = match &effect.act {
            FileAct::Write(content) => (&effect.target, Some(content), How::Whole),
            FileAct::Append(content) => (&effect.target, Some(content), How::Added),
            FileAct::Change => (&effect.target, None, How::Part),
            FileAct::Move { to } | FileAct::Link { name: to } => (to, None, How::Whole),
            FileAct::Read
            | FileAct::Delete { .. }
            | FileAct::Attributes { .. }
            | FileAct::ApplyPatch
            | FileAct::Run
            | FileAct::Anything => continue,
        };
        let inserted = || {
            let here = context.effects().insertions.iter().filter(|it| it.target == *target);
            here.map(|it| it.new.as_str()).collect::<Vec<_>>().join("\n")
        };
        let text = match (how, content) {
            (How::Part, _) => Some(inserted()).filter(|text| !text.is_empty()),
            (_, content) => content.and_then(Content::text).map(str::to_owned),
        };
        let mut paths = context.locate_target(target).paths().to_vec();
        // What is written to a name that the line gave to a file is written to the file. A name that is moved or linked
        // again takes the place of the old one.
        let is_through = |link: &&Linked| {
            let is_kept = !matches!(effect.act, FileAct::Move { .. } | FileAct::Link { .. });
            is_kept && link.command < effect.command && paths.contains(&link.name)
        };
        let files: Vec<AbsolutePath> =
            links.iter().filter(is_through).map(|link| link.file.clone()).collect();
        paths.extend(files);
        found.extend(paths.into_iter().map(|path| Written { path, text: text.clone(), how, by: effect.by }));
    }
    found
}
