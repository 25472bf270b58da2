//! Scripts that a line writes and then runs: `echo 'rm x' > f.sh && sh f.sh`.

use crate::argv::{Grammar, OptionStyle, parse};
use crate::model::{Command, Directory, Place, RedirectKind, Word};
use crate::printed::echoed;

use super::launch::Input;
use super::quoting::{Quotes, letters};
use super::reader::{Form, Reader, Text};

impl Reader<'_> {
    /// Remembers what the last command wrote into files.
    pub(super) fn remember_written(&mut self) {
        let Some(command) = self.script.commands.last() else { return };
        let is_tee = command.program_name() == Some("tee");
        if matches!(command.program_name(), Some("cp" | "mv" | "ln" | "install" | "dd")) {
            let command = command.clone();
            return self.remember_copied(&command);
        }
        // Asked for every command, so the common case ends here.
        if command.redirects.is_empty() && !is_tee {
            return;
        }
        let files: Vec<(String, RedirectKind)> = written_files(command, is_tee).collect();
        let (command, input) = (command.clone(), self.input.clone());
        let text = match command.program_name() {
            // In a file its newline counts: without it, two commands become one.
            Some("echo") => echoed(&self.as_written(&command).arguments),
            _ => self.written_text(&self.as_written(&command), &input),
        };
        if let Some(text) = &text {
            self.feed_substitutions(&command, text, is_tee);
        }
        let directory = command.directory;
        for (path, kind) in files {
            let text = self.text_after(kind, &path, &directory, text.as_deref());
            self.scope.store(&path, &directory, text);
        }
    }
}

impl Reader<'_> {
    /// What a file holds after a text was written to it, behind what it held if that stays.
    fn text_after(
        &mut self,
        kind: RedirectKind,
        path: &str,
        directory: &Directory,
        text: Option<&str>,
    ) -> Option<String> {
        let before = match kind {
            RedirectKind::Append if self.is_deep() => self.file_text(path, directory),
            RedirectKind::Append => self.scope.stored(path, directory).map(|text| text.to_string()),
            _ => None,
        };
        Some(before.unwrap_or_default() + text?)
    }

    /// `echo text > >(sh)`, `tee >(sh)`: what the commands in a substitution read is known now.
    fn feed_substitutions(&mut self, command: &Command, text: &str, is_tee: bool) {
        let targets = command.redirects.iter().map(|redirect| &redirect.target);
        let operands = command.arguments.iter().filter(|_| is_tee);
        let inner = targets.chain(operands).filter_map(|word| word.raw.strip_prefix(">(")?.strip_suffix(')'));
        for source in inner.map(str::to_owned).collect::<Vec<_>>() {
            self.defer(Text {
                source,
                form: Form::Commands,
                place: Place { pipe_in: true, substitution: true, ..command.place.deeper() },
                wrappers: self.wrappers.clone(),
                scope: self.scope.clone(),
                input: Input::Text(text.into()),
            });
        }
    }

    /// Remembers what a group of commands wrote into files: `{ echo a; echo b; } > f`. The command before `from` has
    /// the redirections of the group.
    pub(super) fn remember_group(&mut self, from: usize) {
        let Some(group) = from.checked_sub(1).and_then(|at| self.script.commands.get(at)).cloned() else {
            return;
        };
        let files: Vec<(String, RedirectKind)> = written_files(&group, false).collect();
        if files.is_empty() {
            return;
        }
        let input = self.input.clone();
        let text = self.written_since(from, &input).map(|text| text + "\n");
        for (path, kind) in files {
            let text = self.text_after(kind, &path, &group.directory, text.as_deref());
            self.scope.store(&path, &group.directory, text);
        }
    }

    /// The command with its words as they are written where they are only known when it runs: what the variables of a
    /// stored script mean is much the same when it is written and when it is run. Only a deep reading goes by that.
    fn as_written(&self, command: &Command) -> Command {
        let mut command = command.clone();
        if self.is_deep() {
            command.arguments.iter_mut().for_each(spell_out);
            let documents = command.redirects.iter_mut().filter(|it| it.kind == RedirectKind::HereDoc);
            documents.for_each(|redirect| {
                let word = &mut redirect.target;
                if word.text.is_none() {
                    word.text = Some(word.raw.replace("\\$", "$").replace("\\`", "`"));
                }
            });
        }
        command
    }

    /// A script under another name is the same script: `cp a b && sh b`.
    fn remember_copied(&mut self, command: &Command) {
        if !self.is_deep() && !self.scope.has_files() {
            return;
        }
        let Some(Copied { from, to }) = Copied::read(command) else { return };
        let text = match from.as_str() {
            INPUT | "/dev/fd/0" | "-" => self.read_by(command, &self.input.clone()),
            _ => self.file_text(&from, &command.directory),
        };
        let Some(text) = text else { return };
        let name = from.rsplit('/').next().unwrap_or(&from);
        let below = format!("{}/{name}", to.trim_end_matches('/'));
        // Whether the second name is a folder only the disk can tell.
        self.scope.store(&below, &command.directory, Some(text.clone()));
        self.scope.store(&to, &command.directory, Some(text));
    }
}

/// `"rm $x"` as a shell reads it that is given its text.
fn spell_out(word: &mut Word) {
    let inner = word.raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    if let (None, Some(inner)) = (&word.text, inner) {
        word.text = Some(letters(inner, Quotes::Double).map(|(letter, _)| letter).collect());
    }
}

/// The standard input by its name as a file.
const INPUT: &str = "/dev/stdin";

/// One file that gets another name.
struct Copied {
    from: String,
    to: String,
}

impl Copied {
    fn read(command: &Command) -> Option<Copied> {
        let texts = || command.arguments.iter().filter_map(|word| word.text.as_deref());
        if command.program_name() == Some("dd") {
            let value = |name: &str| texts().find_map(|text| text.strip_prefix(name)).map(str::to_owned);
            let from = value("if=").unwrap_or_else(|| INPUT.to_owned());
            return Some(Copied { from, to: value("of=")? });
        }
        let parsed = parse(&COPY, &command.arguments);
        let folder = parsed.value("t target-directory", OptionStyle::Gnu).and_then(|word| word.text.clone());
        let mut operands = parsed.operands.iter().filter_map(|word| word.text.clone());
        let from = operands.next()?;
        let to = folder.or_else(|| operands.next())?;
        // `ln -s` is read from the folder of the link, which is mostly this one.
        Some(Copied { from, to })
    }
}

const COPY: Grammar = Grammar {
    letters: "tSmog",
    optional: "",
    names: "target-directory suffix mode owner group",
    option_style: OptionStyle::Gnu,
};

/// The files that the output of a command goes to.
fn written_files(command: &Command, is_tee: bool) -> impl Iterator<Item = (String, RedirectKind)> {
    let takes_output = |descriptor: Option<i32>| descriptor.is_none_or(|descriptor| descriptor == 1);
    let redirected = command.redirects.iter().filter_map(move |redirect| match redirect.kind {
        RedirectKind::Write | RedirectKind::Append if takes_output(redirect.descriptor) => {
            Some((redirect.target.text.clone()?, redirect.kind))
        }
        _ => None,
    });
    let operands = command.arguments.iter().filter(move |_| is_tee);
    let named = operands.filter_map(|word| word.text.clone()).filter(|text| !text.starts_with('-'));
    let appends = is_tee && command.arguments.iter().any(|word| word.is("-a") || word.is("--append"));
    let kind = if appends { RedirectKind::Append } else { RedirectKind::Write };
    redirected.chain(named.map(move |path| (path, kind)))
}
