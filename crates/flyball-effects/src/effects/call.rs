//! One command as its program reads it: options, operands, the places they name.

use std::borrow::Cow;

use super::collector::Collector;
use super::site::Site;
use crate::argv::{GivenOption, Grammar, OptionStyle, Parsed, parse};
use crate::model::{
    Command, Content, Directory, FileAct, RedirectKind, Script, Target, Word, input_redirect,
};

/// One command as its program reads it.
pub(super) struct Call<'a> {
    /// The program's name in our table.
    pub(super) name: &'static str,
    pub(super) script: &'a Script,
    /// The command's place in the script.
    pub(super) index: usize,
    pub(super) command: &'a Command,
    /// All words behind the program.
    pub(super) arguments: &'a [Word],
    pub(super) options: Vec<GivenOption<'a>>,
    pub(super) operands: Vec<&'a Word>,
    style: OptionStyle,
}

impl<'a> Call<'a> {
    /// The command at `index`, started as `name` with these arguments.
    pub(super) fn new(site: Site<'a>, name: &'static str, grammar: &Grammar) -> Call<'a> {
        let Parsed { options, operands, .. } = parse(grammar, site.arguments);
        let Site { script, index, command, arguments } = site;
        Call { name, script, index, command, arguments, options, operands, style: grammar.option_style }
    }

    /// The place of the command.
    pub(super) fn site(&self) -> Site<'a> {
        Site { script: self.script, index: self.index, command: self.command, arguments: self.arguments }
    }

    /// Whether one of these options is given.
    pub(super) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|given| given.is_one_of(names, self.style))
    }

    /// The values of these options.
    pub(super) fn values<'s>(&'s self, names: &'s str) -> impl Iterator<Item = &'s Word> {
        let given = self.options.iter().filter(move |given| given.is_one_of(names, self.style));
        given.filter_map(|given| given.value.as_deref())
    }

    /// The last value of these options.
    pub(super) fn value<'s>(&'s self, names: &'s str) -> Option<&'s Word> {
        self.values(names).last()
    }

    /// The directory the command runs in.
    pub(super) fn directory(&self) -> &'a Directory {
        &self.command.directory
    }

    /// The place a word names.
    pub(super) fn target(&self, word: &Word) -> Target {
        Target::new(word, &self.command.directory)
    }

    /// Adds the same act for each of these places.
    pub(super) fn each<'w>(
        &self,
        words: impl IntoIterator<Item = &'w Word>,
        act: &FileAct,
        found: &mut Collector,
    ) {
        for word in words {
            found.file(act.clone(), self.target(word), self.name);
        }
    }

    /// Adds the same act for each operand.
    pub(super) fn each_operand(&self, act: &FileAct, found: &mut Collector) {
        self.each(self.operands.iter().copied(), act, found);
    }

    /// Reads the values of these options.
    pub(super) fn reads_values(&self, names: &str, found: &mut Collector) {
        self.each(self.values(names), &FileAct::Read, found);
    }

    /// Writes the values of these options.
    pub(super) fn writes_values(&self, names: &str, found: &mut Collector) {
        self.each(self.values(names), &FileAct::Write(Content::Unknown), found);
    }

    /// Whether something comes through a pipe or is redirected into the command.
    pub(super) fn has_input(&self) -> bool {
        self.command.place.pipe_in || input_redirect(&self.command.redirects).is_some()
    }
}

/// The file that standard input is redirected from.
pub(super) fn input_file(command: &Command) -> Option<&Word> {
    input_redirect(&command.redirects)
        .filter(|redirect| matches!(redirect.kind, RedirectKind::Read | RedirectKind::ReadWrite))
        .map(|redirect| &redirect.target)
}

/// The last part of a path, if it names something: not `.` and not `..`.
pub(super) fn base_name(path: &str) -> Option<&str> {
    let name = path.trim_end_matches('/').rsplit('/').next()?;
    (!matches!(name, "" | "." | ".." | "~")).then_some(name)
}

/// A place below a folder.
pub(super) fn below<'w>(folder: Option<&Word>, name: &'w Word) -> Cow<'w, Word> {
    let Some(folder) = folder else { return Cow::Borrowed(name) };
    let raw = format!("{}/{}", folder.raw, name.raw);
    let text = match (&folder.text, &name.text) {
        (Some(folder), Some(name)) => Some(format!("{}/{name}", folder.trim_end_matches('/'))),
        // An absolute name does not depend on the unknown folder.
        (_, Some(name)) if name.starts_with('/') => Some(name.clone()),
        _ => None,
    };
    Cow::Owned(Word { text, raw, glob: folder.glob || name.glob })
}
