//! What a command writes into the pipe behind it, where that is plain: `echo 'rm x' | sh`.

use super::filters;
use super::launch::Input;
use super::reader::Reader;
use crate::model::{Command, Directory, RedirectKind, input_redirect};
use crate::printed::{echoed, printed};

impl Reader<'_> {
    /// What the only command since `from` writes, if it is known.
    pub(super) fn written_since(&mut self, from: usize, input: &Input) -> Option<String> {
        let all = self.script.commands.get(from..)?;
        let depth = all.iter().map(|command| command.place.depth).min()?;
        // What is inside of a word writes into that word.
        let is_inside = |command: &&Command| command.place.substitution && command.place.depth > depth;
        let commands: Vec<&Command> = all.iter().filter(|command| !is_inside(command)).collect();
        if commands.len() > 1 {
            return self.entered_directory(&commands).or_else(|| self.written_by_all(from, input));
        }
        let [command] = commands.as_slice() else { return None };
        let takes_output = |kind: RedirectKind| match kind {
            RedirectKind::Read | RedirectKind::HereDoc | RedirectKind::HereString => false,
            RedirectKind::Write
            | RedirectKind::Append
            | RedirectKind::ReadWrite
            | RedirectKind::Duplicate => true,
        };
        let is_whole = !command.redirects.iter().any(|redirect| {
            let goes_elsewhere = redirect.descriptor.is_some_and(|descriptor| descriptor > 1);
            takes_output(redirect.kind) && !goes_elsewhere
        });
        if !is_whole {
            return None;
        }
        let command = (*command).clone();
        self.written_text(&command, input)
    }

    /// `cd folder && pwd`: the folder.
    fn entered_directory(&self, commands: &[&Command]) -> Option<String> {
        let (last, before) = commands.split_last()?;
        let is_move = |command: &&Command| matches!(command.program_name(), Some("cd" | "pushd"));
        let asks = last.program_name() == Some("pwd") && before.iter().all(is_move);
        asks.then(|| self.directory_name(&last.directory)).flatten()
    }

    /// A directory as later words can name it. Only a deep reading goes by that: a `cd` between the two would make a
    /// relative name another one.
    fn directory_name(&self, directory: &Directory) -> Option<String> {
        match directory {
            _ if !self.is_deep() => None,
            Directory::Start => Some(".".to_owned()),
            Directory::OneOf(places) => match places.as_slice() {
                [place] => Some(place.clone()),
                // A `cd` may fail; the folder that it names is meant.
                [start, place] | [place, start] if start == "." => Some(place.clone()),
                _ => None,
            },
            Directory::Unknown => None,
        }
    }

    /// What several commands write one after the other: `{ echo a; echo b; } | sh`.
    fn written_by_all(&mut self, from: usize, input: &Input) -> Option<String> {
        const MOST_COMMANDS: usize = 32;
        let commands = self.script.commands.get(from..).filter(|all| all.len() <= MOST_COMMANDS)?.to_vec();
        let first = commands.first()?.place;
        let (pipe, depth, is_substituted) = (first.into_pipe, first.depth, first.substitution);
        // With a pipe between them or a condition on them, what comes out is not all that is written.
        let is_listed = |command: &Command| {
            let place = command.place;
            // In a substitution they are next to each other; what is deeper writes into a word.
            let is_inside = place.substitution && (place.depth > depth || !is_substituted);
            place.into_pipe == pipe && !is_inside && !place.function && command.redirects.is_empty()
        };
        if !commands.iter().all(is_listed) {
            return None;
        }
        let mut whole = String::new();
        for command in &commands {
            whole.push_str(&self.written_text(command, input)?);
            // `printf` ends no line by itself.
            if command.program_name() != Some("printf") && !whole.ends_with('\n') {
                whole.push('\n');
            }
        }
        Some(whole.strip_suffix('\n').unwrap_or(&whole).to_owned())
    }

    /// What a command writes to its standard output, wherever that leads, if it is known.
    pub(super) fn written_text(&mut self, command: &Command, input: &Input) -> Option<String> {
        // A wrapper may write as well or change the words (`xargs echo`).
        if !command.wrappers.iter().all(|wrapper| is_transparent(wrapper)) || !command.assignments.is_empty()
        {
            return None;
        }
        match command.program_name()? {
            "echo" => {
                let text = echoed(&command.arguments)?;
                Some(text.strip_suffix('\n').unwrap_or(&text).to_owned())
            }
            "printf" => printed(&command.arguments),
            // `$(< file)`
            "" if command.assignments.is_empty() => self.read_by(command, &Input::Unread),
            "ls" | "find" | "fd" => self.listed_names(command),
            "pwd" => self.directory_name(&command.directory),
            "dirname" | "basename" | "realpath" | "readlink" | "grealpath" | "greadlink" => {
                path_part(command)
            }
            "cat" | "tee" | "head" | "tail" | "grep" | "egrep" | "sort" | "uniq" | "tac" | "dos2unix"
            | "strings" | "nl" | "sed" | "tr" | "base64" | "xxd" | "rev" | "gunzip" | "zcat" | "envsubst" => {
                let text = self.filter_input(command, input)?;
                filters::filtered(command.program_name()?, &command.arguments, text)
            }
            _ => None,
        }
    }

    /// What a filter reads: the files that it names, or its input.
    fn filter_input(&mut self, command: &Command, input: &Input) -> Option<String> {
        let files = filters::files(command.program_name()?, &command.arguments);
        if files.is_empty() {
            return self.read_by(command, input);
        }
        let mut whole = String::new();
        for file in files {
            let text =
                match file.text.as_deref().or_else(|| file.raw.starts_with("<(").then_some(&*file.raw))? {
                    // What else comes from there may be nothing.
                    "-" => self.read_by(command, input).map(|text| text + "\n").unwrap_or_default(),
                    path => self.file_text(path, &command.directory)?,
                };
            whole.push_str(&text);
        }
        // Two commands that append must not become one.
        if !whole.ends_with('\n') {
            whole.push('\n');
        }
        Some(whole)
    }

    /// What a command reads: from the line, through its pipe, or from a file.
    pub(super) fn read_by(&mut self, command: &Command, input: &Input) -> Option<String> {
        match input_redirect(&command.redirects) {
            Some(redirect) => match redirect.kind {
                RedirectKind::HereDoc | RedirectKind::HereString => redirect.target.text.clone(),
                RedirectKind::Read => self.file_text(redirect.target.text.as_deref()?, &command.directory),
                _ => None,
            },
            None => match input {
                Input::Text(text) if command.place.pipe_in => Some(text.to_string()),
                Input::Text(_) | Input::Unread | Input::Unknown => None,
            },
        }
    }
}

/// The part of a path that `dirname` and its like print.
fn path_part(command: &Command) -> Option<String> {
    let operands: Option<Vec<&str>> = command.arguments.iter().map(|word| word.text.as_deref()).collect();
    let operands: Vec<&str> = operands?.into_iter().filter(|text| !text.starts_with('-')).collect();
    let [path, rest @ ..] = operands.as_slice() else { return None };
    let bare = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    Some(match (command.program_name()?, rest) {
        ("dirname", []) => match bare.rsplit_once('/') {
            Some(("", _)) => "/".to_owned(),
            Some((folder, _)) => folder.to_owned(),
            None => ".".to_owned(),
        },
        ("basename", _) => {
            let name = bare.rsplit('/').next().unwrap_or(bare);
            let ending = rest.first().copied().unwrap_or_default();
            name.strip_suffix(ending).unwrap_or(name).to_owned()
        }
        ("realpath" | "readlink" | "grealpath" | "greadlink", []) => bare.to_owned(),
        _ => return None,
    })
}

/// Whether what a command writes is the same with this wrapper around it.
fn is_transparent(wrapper: &str) -> bool {
    matches!(wrapper, "command" | "builtin" | "sudo" | "doas" | "env" | "nice" | "timeout" | "exec")
        || wrapper.contains(' ')
}

/// The program that `$(which rm)` names, where it is all of a word.
pub(super) fn looked_up(raw: &str, commands: &[Command]) -> Option<String> {
    let [command] = commands else { return None };
    let bare = raw.trim_matches('"');
    if !((bare.starts_with("$(") && bare.ends_with(')')) || (bare.starts_with('`') && bare.ends_with('`'))) {
        return None;
    }
    let (last, before) = command.arguments.split_last()?;
    let looks = match command.program_name()? {
        "which" => before.is_empty(),
        "command" => before.iter().all(|word| word.is("-v")) && before.len() == 1,
        "type" => before.iter().all(|word| word.is("-p") || word.is("-P")) && before.len() == 1,
        _ => false,
    };
    last.text.clone().filter(|_| looks)
}
