//! Simple commands: their words, what they start, and what they change in the shell.

use std::rc::Rc;

use shuck_ast::{
    self as ast, Assignment, BuiltinCommand, Command as Tree, DeclClause, DeclOperand, SimpleCommand, Stmt,
};

use crate::code::{Piped, language, runs_lines};

use super::containers::container_launches;
use super::directories::{root_of_repository, target};
use super::filters;
use super::launch::{Input, Launch, Shell, feeds_elsewhere};
use super::pipes::looked_up;
use super::reader::{Form, Reader, Text};
use super::runs::{VARIABLES, preload_launches, table_launches, variable_launches};
use super::scope::{ARGUMENTS, Scope};
use super::scripts::{code_launches, find_launches, startup_file};
use super::span::Spans;
use super::unwrap::{Inner, Invocation};
use crate::model::{Command, Place, Redirect, RedirectKind, UnknownReason, Word, base_name, input_redirect};

/// How many commands may start each other without a shell between them.
const MOST_STARTED: usize = 8;

/// Words that are never programs: where one seems to be, the parser has lost its place.
const RESERVED: [&str; 22] = [
    "!", "{", "}", "if", "then", "elif", "else", "fi", "do", "done", "case", "esac", "while", "until", "for",
    "select", "function", "in", "[[", "]]", "coproc", ";;",
];

/// The parts of a simple command besides its words.
struct CommandContext {
    redirects: Vec<Redirect>,
    place: Place,
    started: usize,
    /// What an interpreter reads through a pipe.
    input: Option<String>,
}

impl Reader<'_> {
    pub(super) fn command(&mut self, statement: &Stmt, place: Place) {
        if let Some(spaced) = self.with_spaces(statement) {
            return self.defer_text(spaced, Form::Commands, place);
        }
        self.read_possible(statement, place);
        let mut spans = Spans::default();
        let (words, assignments): (_, &[Assignment]) = match &statement.command {
            Tree::Simple(simple) => {
                self.flag_cut_words(simple, &statement.redirects);
                (self.simple_words(simple, place, &mut spans), &simple.assignments)
            }
            Tree::Decl(clause) => (self.declaration(clause, place), &clause.assignments),
            Tree::Builtin(builtin) => self.builtin(builtin, place),
            Tree::Binary(_) | Tree::Compound(_) | Tree::Function(_) | Tree::AnonymousFunction(_) => return,
        };
        // The words are read before the assignments: in `A=1 echo $A`, the shell expands `$A` first too.
        let redirects = self.redirects(&statement.redirects, place);
        let splits_plainly = !self.scope.has_custom_ifs();
        let is_cut = cuts_value(&statement.command, &words);
        let mut words = words;
        let mut assignments: Vec<(String, Word)> =
            assignments.iter().map(|one| self.assign(one, place)).collect();
        if is_cut && let Some((_, value)) = assignments.last_mut() {
            *value = words.remove(0);
            spans.drop_first(1);
        }
        if words.is_empty() {
            self.scope.clear_arrival();
            return self.push_bare(assignments, redirects, place);
        }
        let invocation = Invocation {
            words,
            assignments,
            wrappers: self.wrappers.clone(),
            directory: self.scope.directory.clone(),
            spans,
            read: None,
        };
        // `IFS=, read a b` is over with that command.
        if splits_plainly {
            self.scope.split_plainly();
        }
        self.run(invocation, CommandContext { redirects, place, started: 0, input: None });
    }

    /// Reads a command once with each value that a variable in it may have.
    fn read_possible(&mut self, statement: &Stmt, place: Place) {
        if !self.scope.has_possible() {
            return;
        }
        let text = statement.span.slice(self.source);
        let Some((name, values)) = self.scope.possible_in(text).into_iter().next() else { return };
        for value in values {
            if self.budget.spend_call(text.len()) {
                // The other variables are read by the same way, inside.
                self.in_subshell(|reader| {
                    reader.scope.set(&name, Some(value));
                    reader.command(statement, Place { conditional: true, ..place });
                });
            }
        }
    }

    /// A command with `$IFS` instead of spaces, as the shell splits it.
    fn with_spaces(&mut self, statement: &Stmt) -> Option<String> {
        let Tree::Simple(simple) = &statement.command else { return None };
        // The parser counts the operator behind a command to it.
        let text = simple.span.slice(self.source).trim_end_matches(['|', '&', ';', ' ', '\n']);
        if !self.is_deep()
            || !text.contains("IFS")
            || self.scope.has_custom_ifs()
            || text.contains(['"', '\''])
        {
            return None;
        }
        let spaced = text.replace("${IFS}", " ").replace("$IFS$9", " ").replace("$IFS", " ");
        let is_changed = spaced != text && !spaced.contains("IFS");
        if is_changed {
            self.covered.add(simple.span);
        }
        is_changed.then_some(spaced)
    }

    fn simple_words(&mut self, simple: &SimpleCommand, place: Place, spans: &mut Spans) -> Vec<Word> {
        let mut words = Vec::with_capacity(simple.args.len() + 1);
        // The parser gives a line of assignments alone an empty name.
        let has_program = simple.name.span.start.offset() < simple.name.span.end.offset();
        if has_program || !simple.args.is_empty() {
            // Only the commands that the name itself contains may say what it is: `$(which rm) x`.
            let before = self.script.commands.len();
            self.words(&simple.name, place, &mut words);
            if let [program] = words.as_mut_slice()
                && program.text.is_none()
            {
                program.text =
                    looked_up(&program.raw, self.script.commands.get(before..).unwrap_or_default());
            }
            spans.add(simple.name.span, words.len());
        }
        for argument in &simple.args {
            // It belongs to the redirection behind it; the parser takes it for an argument.
            if self.is_descriptor(argument) {
                self.covered.add(argument.span);
            } else {
                self.words(argument, place, &mut words);
                spans.add(argument.span, words.len());
            }
        }
        words
    }

    /// Whether a word is the number in front of `<<` or `<<<`.
    fn is_descriptor(&self, word: &ast::Word) -> bool {
        let (raw, end) = (word.span.slice(self.source), word.span.end.offset());
        let is_number = !raw.is_empty() && raw.bytes().all(|byte| byte.is_ascii_digit());
        is_number && self.source.get(end..).is_some_and(|rest| rest.starts_with("<<"))
    }

    /// The parser cuts some words in two, such as `}x`: then its words touch.
    fn flag_cut_words(&mut self, simple: &SimpleCommand, redirects: &[ast::Redirect]) {
        let targets = redirects.iter().filter_map(ast::Redirect::word_target);
        let words = std::iter::once(&simple.name).chain(&simple.args).chain(targets);
        let mut spans: Vec<(usize, usize)> = words
            .map(|word| (word.span.start.offset(), word.span.end.offset()))
            .filter(|(start, end)| start < end)
            .collect();
        spans.sort_unstable();
        if spans.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if end == start)) {
            self.unknown(UnknownReason::Syntax, simple.span.slice(self.source));
        }
    }

    fn builtin<'a>(&mut self, builtin: &'a BuiltinCommand, place: Place) -> (Vec<Word>, &'a [Assignment]) {
        let (name, first, more, assignments) = match builtin {
            BuiltinCommand::Break(it) => ("break", &it.depth, &it.extra_args, &it.assignments),
            BuiltinCommand::Continue(it) => ("continue", &it.depth, &it.extra_args, &it.assignments),
            BuiltinCommand::Return(it) => ("return", &it.code, &it.extra_args, &it.assignments),
            BuiltinCommand::Exit(it) => ("exit", &it.code, &it.extra_args, &it.assignments),
        };
        let mut words = vec![Word::literal(name)];
        for argument in first.iter().chain(more) {
            self.words(argument, place, &mut words);
        }
        (words, assignments)
    }

    /// `export`, `declare`, `local` …
    fn declaration(&mut self, clause: &DeclClause, place: Place) -> Vec<Word> {
        self.covered.add(clause.variant_span);
        let mut words = vec![Word::literal(clause.variant.as_str())];
        for operand in &clause.operands {
            match operand {
                DeclOperand::Flag(word) => self.words(word, place, &mut words),
                DeclOperand::Dynamic(word) => {
                    self.words(word, place, &mut words);
                    // `declare "$x"` may set any variable.
                    self.scope.forget_variables();
                }
                DeclOperand::Name(variable) => {
                    self.variable(variable, place);
                    words.push(Word::literal(variable.span.slice(self.source)));
                }
                DeclOperand::Assignment(one) => {
                    let (name, value) = self.assign(one, place);
                    let text = value.text.as_ref().map(|value| format!("{name}={value}"));
                    words.push(Word { text, raw: one.span.slice(self.source).to_owned(), glob: false });
                }
            }
        }
        words
    }

    /// A command without a program.
    pub(super) fn push_bare(
        &mut self,
        assignments: Vec<(String, Word)>,
        redirects: Vec<Redirect>,
        place: Place,
    ) {
        self.script.commands.push(Command {
            program: Word::literal(""),
            arguments: Vec::new(),
            assignments,
            redirects,
            wrappers: self.wrappers.clone(),
            place,
            directory: self.scope.directory.clone(),
            span: None,
            input: None,
        });
    }

    /// Takes the wrappers off, records what the command starts and changes, and adds it.
    fn run(&mut self, mut invocation: Invocation, mut context: CommandContext) {
        context.redirects = self.with_read_files(&invocation.words, context.redirects);
        // Before the wrappers come off: `xargs` takes its words from this input.
        let input = self.input_of(&context.redirects);
        if let Input::Text(text) = &input {
            invocation.read = Some(Rc::clone(text));
        }
        self.resolve_program(&mut invocation);
        match invocation.unwrap(&self.budget.wrappers) {
            Inner::Program => {}
            Inner::Unknown => self.unknown(UnknownReason::Program, &spelling(&invocation.words)),
            Inner::Text(text) => return self.split_text(text, invocation, context),
        }
        invocation.add_read_names();
        for one in find_launches(&invocation.words, &input) {
            self.launch(one, &invocation, &context);
        }
        if let Some((program, arguments)) = invocation.words.split_first()
            && let Some(name) = program.text.as_deref().map(base_name)
        {
            for one in preload_launches(name, arguments) {
                self.launch(one, &invocation, &context);
            }
        }
        for one in self.deep_launches(&invocation, &input) {
            self.launch(one, &invocation, &context);
        }
        if invocation.name() == Some("git") {
            for one in self.git_launches(&invocation) {
                self.launch(one, &invocation, &context);
            }
        }
        context.input = self.piped_text(&invocation);
        for one in code_launches(&invocation.words, &context.redirects, piped(&context)) {
            self.launch(one, &invocation, &context);
        }
        if let Some(text) = self.lines_run(&invocation, &input) {
            let by = format!("{} <<", invocation.name().unwrap_or_default());
            let one = Launch::Text { text, by, shell: Shell::Other, arguments: Vec::new() };
            self.launch(one, &invocation, &context);
        }
        if let Some(one) = self.script_launch(&invocation) {
            self.launch(one, &invocation, &context);
        }
        // The order matters: what the command starts still sees the scope from before it changes the shell.
        self.enter_function(&invocation, &context);
        self.change_shell(&invocation, &context.redirects);
        // Variables set for one command only, except by some shells before some builtins.
        for (name, _) in &invocation.assignments {
            self.scope.forget(name);
        }
        self.push_command(invocation, context);
    }

    /// What the line pipes into an interpreter, here or elsewhere.
    fn piped_text(&self, invocation: &Invocation) -> Option<String> {
        let runs_it = |name: &&str| language(name).is_some() || feeds_elsewhere(name);
        match &self.input {
            Input::Text(text) => invocation.name().filter(runs_it).map(|_| text.to_string()),
            Input::Unread | Input::Unknown => None,
        }
    }

    /// The text whose lines a filter runs: `awk '{system($0)}' file`, `… | sed e`.
    fn lines_run(&mut self, invocation: &Invocation, input: &Input) -> Option<String> {
        let name = invocation.name()?;
        let arguments = invocation.words.get(1..)?;
        if !runs_lines(name, arguments) {
            return None;
        }
        let files = filters::files(if name == "gsed" { "sed" } else { name }, arguments);
        if files.is_empty() {
            return match input {
                Input::Text(text) => Some(text.to_string()),
                Input::Unread | Input::Unknown => None,
            };
        }
        let paths: Vec<String> = files.into_iter().filter_map(|word| word.text.clone()).collect();
        let directory = invocation.directory.clone();
        let texts: Vec<String> = paths.iter().filter_map(|path| self.file_text(path, &directory)).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// `env -S 'text'`: the text is words; read as a command, no word of it is lost.
    fn split_text(&mut self, source: String, invocation: Invocation, context: CommandContext) {
        // The text becomes a command of its own, so the redirections need one that has them.
        if !context.redirects.is_empty() || !invocation.assignments.is_empty() {
            self.push_bare(invocation.assignments, context.redirects, context.place);
        }
        self.scope.clear_arrival();
        self.defer(Text {
            source,
            form: Form::Commands,
            place: context.place.deeper(),
            wrappers: invocation.wrappers,
            scope: Scope::at(invocation.directory),
            input: Input::Unread,
        });
    }

    /// What only a deep reading looks at: files of tasks, the table of programs, programs of which nothing is known.
    fn deep_launches(&mut self, invocation: &Invocation, input: &Input) -> Vec<Launch> {
        let Some(name) = invocation.name().filter(|_| self.is_deep()).map(str::to_owned) else {
            return Vec::new();
        };
        let arguments = invocation.words.get(1..).unwrap_or_default();
        let mut found = self.task_launches(invocation, input);
        found.extend(self.implicit_launches(invocation));
        found.extend(self.option_file_launches(invocation, input));
        found.extend(table_launches(&name, arguments, input));
        found.extend(startup_file(&name, arguments));
        let mut by_variables = variable_launches(&name, &invocation.assignments, arguments);
        // Variables that the line exported before.
        let exported = VARIABLES.iter().flat_map(|name| {
            let known = self.scope.value(name).into_iter();
            let possible = self.scope.possible_values(name).iter().map(String::as_str);
            known.chain(possible).map(|value| ((*name).to_owned(), Word::literal(value)))
        });
        by_variables.extend(variable_launches(&name, &exported.collect::<Vec<_>>(), arguments));
        // The call with the options of a variable is read with the same variables.
        let is_new = |launch: &Launch| match launch {
            Launch::Words { by, .. } | Launch::Text { by, .. } => !invocation.wrappers.contains(by),
            Launch::Unknown { .. } => true,
        };
        found.extend(by_variables.into_iter().filter(is_new));
        found.extend(self.named_launches(&name, invocation));
        found.extend(container_launches(&name, arguments));
        self.guess(&name, invocation, input);
        found
    }

    fn launch(&mut self, launch: Launch, invocation: &Invocation, context: &CommandContext) {
        let wrapped = |by: String| invocation.wrappers.iter().cloned().chain([by]).collect::<Vec<_>>();
        match launch {
            Launch::Unknown { shell } => {
                self.unknown(UnknownReason::Source, &given(&invocation.words, &context.redirects));
                // Unseen text in this shell may redefine anything; another shell cannot reach our scope.
                if shell == Shell::Same {
                    self.scope.run_unseen();
                }
            }
            Launch::Words { words, by } if context.started < MOST_STARTED => {
                let directory = invocation.directory.clone();
                let wrappers = wrapped(by);
                let inner = Invocation { words, wrappers, directory, ..Invocation::default() };
                let place = context.place.deeper();
                self.in_subshell(|reader| {
                    let started = context.started + 1;
                    reader.run(inner, CommandContext { redirects: Vec::new(), place, started, input: None });
                });
            }
            Launch::Words { words, .. } => self.unknown(UnknownReason::TooDeep, &spelling(&words)),
            Launch::Text { text, by, shell, arguments } => {
                let scope = match shell {
                    Shell::Same => {
                        let mut scope = self.scope.clone();
                        if let Some(name) = arguments.first() {
                            scope.set("BASH_SOURCE", name.text.clone());
                        }
                        scope
                    }
                    Shell::Other => self.inherited_scope(invocation, &arguments),
                };
                // A text that was itself on standard input has used it up.
                let input =
                    if by.ends_with("<<") { Input::Unread } else { self.input_of(&context.redirects) };
                // The text is read only after the whole line is walked, so what it could change is forgotten
                // now.
                if shell == Shell::Same {
                    self.scope.run_text(&text);
                }
                self.defer(Text {
                    source: text,
                    form: Form::Commands,
                    place: context.place.deeper(),
                    wrappers: wrapped(by),
                    scope,
                    input,
                });
            }
        }
    }

    /// The scope of a shell that the command starts.
    fn inherited_scope(&self, invocation: &Invocation, arguments: &[Word]) -> Scope {
        let mut scope = self.scope.inherited(invocation.directory.clone());
        for (name, value) in &invocation.assignments {
            scope.set(name, value.text.clone());
        }
        if let Some((name, rest)) = arguments.split_first() {
            scope.set("0", name.text.clone());
            scope.set("BASH_SOURCE", name.text.clone());
            scope.set_list(ARGUMENTS, rest);
        }
        scope
    }

    /// A function of the line is read again with what it is called with.
    fn enter_function(&mut self, invocation: &Invocation, context: &CommandContext) {
        let Some((program, arguments)) = invocation.words.split_first() else { return };
        let Some(name) = program.text.as_deref() else { return };
        let Some((body, scope)) = self.scope.function_scope(name, arguments) else { return };
        // Without an expansion, a call runs just what was read where the function is written.
        if !body.contains('$') || !self.budget.spend_call(body.len()) {
            return;
        }
        self.defer(Text {
            source: body.to_string(),
            form: Form::Commands,
            // This is the call, so these commands do run.
            place: Place { function: false, ..context.place.deeper() },
            wrappers: invocation.wrappers.clone(),
            scope,
            input: self.input.clone(),
        });
    }

    /// What the command changes in the shell that runs the line.
    fn change_shell(&mut self, invocation: &Invocation, redirects: &[Redirect]) {
        self.scope.clear_arrival();
        let Some((program, arguments)) = invocation.words.split_first() else { return };
        let Some(name) = program.text.as_deref() else {
            // `bash -c '$X'`: all that the shell is given is a variable.
            let is_given = self.wrappers.last().is_some_and(|by| by.ends_with(" -c"));
            let is_text = is_given && arguments.is_empty() && self.source.trim() == program.raw;
            let why = if is_text { UnknownReason::Source } else { UnknownReason::Program };
            self.unknown(why, &program.raw);
            // A path cannot name a builtin or a function, so it changes nothing here.
            return if program.raw.contains('/') {
                self.scope.forget_variables()
            } else {
                self.scope.run_unseen()
            };
        };
        // Quoted (`'if'`), a reserved word is an ordinary name.
        if program.raw == name && RESERVED.contains(&name) {
            self.unknown(UnknownReason::Syntax, &spelling(&invocation.words));
        }
        match name {
            "cd" | "chdir" => {
                let place = if arguments.is_empty() { Some("~") } else { target(arguments) };
                self.scope.change_directory(place.or_else(|| root_of_repository(arguments)))
            }
            "pushd" => self.scope.change_directory(target(arguments)),
            // The stack of directories is not followed.
            "popd" => self.scope.change_directory(None),
            "read" => {
                let own = invocation.assignments.iter().find(|(name, _)| name == "IFS");
                let marks = own.map(|(_, value)| value.text.clone().unwrap_or_default());
                self.read_variables(arguments, redirects, marks.as_deref());
            }
            "mapfile" | "readarray" => self.read_list(arguments, redirects),
            "." | "source" | "getopts" | "let" | "vared" | "zparseopts" => {
                self.scope.forget_variables();
            }
            "printf" if arguments.first().is_some_and(|word| word.is("-v")) => self.print_variable(arguments),
            "declare" | "typeset" | "local" if self.refer(arguments) || declares_array(arguments) => {}
            "declare" | "typeset" | "local" | "readonly" if declares_plainly(arguments) => {
                self.export(arguments, arguments.first().is_some_and(|flag| flag.is("-x")));
            }
            "declare" | "typeset" | "local" if self.declare_case(arguments) => {}
            // Functions only.
            "unset" if arguments.first().is_some_and(|flag| flag.is("-f")) => {}
            "declare" | "typeset" | "local" | "readonly" | "integer" | "float" | "unset" | "printf"
            | "wait" => {
                self.redeclare(arguments);
            }
            // With a wrapper before it (`command export`), its words are not assignments to the parser.
            "export" if !invocation.wrappers.is_empty() => self.redeclare(arguments),
            "export" => self.export(arguments, true),
            "set" => self.set_arguments(arguments),
            "hash" => self.remember_hashed(arguments),
            "shift" => self.shift_arguments(arguments),
            _ => self.scope.call(name),
        }
    }

    fn push_command(&mut self, invocation: Invocation, context: CommandContext) {
        // Spans point into the line as the client sent it; in text inside of it the offsets are others.
        let span = if self.is_line { invocation.spans.whole(self.source) } else { None };
        let mut words = invocation.words.into_iter();
        let Some(program) = words.next() else { return };
        self.script.commands.push(Command {
            program,
            arguments: words.collect(),
            assignments: invocation.assignments,
            redirects: context.redirects,
            wrappers: invocation.wrappers,
            place: context.place,
            directory: invocation.directory,
            span,
            input: context.input,
        });
        self.remember_written();
    }
}

/// Whether the parser took the value of `A=<(…)` for the program behind it.
fn cuts_value(command: &Tree, words: &[Word]) -> bool {
    let Tree::Simple(simple) = command else { return false };
    let end = simple.assignments.last().map(|one| one.span.end.offset());
    let is_piped = words.first().is_some_and(|word| word.raw.starts_with("<("));
    is_piped && end == Some(simple.name.span.start.offset())
}

/// `declare -A name=(…)`: its items were read where they are written.
fn declares_array(arguments: &[Word]) -> bool {
    let [flag, names @ ..] = arguments else { return false };
    let is_array = |word: &Word| {
        let name = word
            .raw
            .split_once("=(")
            .filter(|_| word.raw.ends_with(')'))
            .map_or(&*word.raw, |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    };
    (flag.is("-A") || flag.is("-a")) && !names.is_empty() && names.iter().all(is_array)
}

/// Whether a declaration leaves the values as they are written.
fn declares_plainly(arguments: &[Word]) -> bool {
    let is_plain = |word: &Word| {
        word.text.as_deref().is_some_and(|text| match text.strip_prefix('-') {
            // `-i`, `-l`, `-u`, `-n` and `-a` would change what the value becomes.
            Some(flags) => !flags.is_empty() && flags.bytes().all(|flag| matches!(flag, b'x' | b'r' | b'g')),
            None => text.contains('='),
        })
    };
    arguments.iter().all(is_plain)
}

fn piped(context: &CommandContext) -> Piped<'_> {
    match &context.input {
        Some(text) => Piped::Text(text),
        None if context.place.pipe_in => Piped::Unknown,
        None => Piped::Nothing,
    }
}

/// What a shell is given, in its words or in a here-string: `bash <<< "$X"`.
fn given(words: &[Word], redirects: &[Redirect]) -> String {
    let input = input_redirect(redirects).filter(|it| it.kind == RedirectKind::HereString);
    let input = input.map(|it| format!(" {}", it.target.raw)).unwrap_or_default();
    spelling(words) + &input
}

fn spelling(words: &[Word]) -> String {
    words.iter().map(|word| word.raw.as_str()).collect::<Vec<_>>().join(" ")
}
