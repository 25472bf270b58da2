//! Redirections and here-documents.

use std::rc::Rc;

use shuck_ast::{
    Command, Heredoc, HeredocBodyMode, HeredocBodyPart, Redirect as Tree, RedirectKind as Kind,
    RedirectTarget, Stmt, StmtSeq,
};

use super::expansions::Substitution;
use super::launch::Input;
use super::operations;
use super::quoting::{Expansion, Quotes, find_expansion, letters};
use super::reader::{Form, Reader};
use crate::model::{Place, Redirect, RedirectKind, UnknownReason, Word, input_redirect};

/// What to put back after a compound command, and where its parts are.
pub(super) struct Outer {
    pub(super) place: Place,
    pub(super) input: Input,
}

impl Reader<'_> {
    /// All redirections of a statement.
    pub(super) fn redirects(&mut self, trees: &[Tree], place: Place) -> Vec<Redirect> {
        trees.iter().map(|tree| self.redirect(tree, place)).collect()
    }

    /// The redirections of a compound command become a command without a program, and what its
    /// parts read is remembered.
    pub(super) fn redirect_compound(&mut self, statement: &Stmt, mut place: Place) -> Outer {
        let input = self.input.clone();
        if statement.redirects.is_empty() {
            return Outer { place, input };
        }
        let redirects = self.redirects(&statement.redirects, place);
        let redirected = self.file_input(&redirects).or_else(|| redirected_input(&redirects));
        self.push_bare(Vec::new(), redirects, place);
        if let Some(redirected) = redirected {
            // What a compound command is redirected from wins over the pipe before it.
            self.input = redirected;
            place.pipe_in = false;
            place.from_pipe = 0;
        }
        Outer { place, input }
    }

    /// The text of the file that a loop reads: `while read x; do …; done < f`.
    fn file_input(&mut self, redirects: &[Redirect]) -> Option<Input> {
        let file = input_redirect(redirects).filter(|redirect| redirect.kind == RedirectKind::Read)?;
        let name = file.target.text.clone().or_else(|| {
            // A process substitution was stored under its spelling.
            file.target.raw.starts_with("<(").then(|| file.target.raw.clone())
        })?;
        if !self.is_deep() && !self.scope.has_files() {
            return None;
        }
        let directory = self.scope.directory.clone();
        self.file_text(&name, &directory).map(|text| Input::Text(text.into()))
    }

    /// What a command with these redirections reads.
    pub(super) fn input_of(&self, redirects: &[Redirect]) -> Input {
        let copied = input_redirect(redirects).filter(|it| it.kind == RedirectKind::Duplicate);
        let known = copied.and_then(|it| self.descriptor_text(it.target.text.as_deref()?));
        if let Some(text) = known {
            return Input::Text(text);
        }
        redirected_input(redirects).unwrap_or_else(|| self.input.clone())
    }

    /// `coproc NAME …`: what is written to `${NAME[1]}` its body reads, and what it writes is read from `${NAME[0]}`.
    pub(super) fn open_coprocess(&mut self, name: &str, body: &str, from: usize) {
        let name = if name.is_empty() { "COPROC" } else { name };
        let (output, input) = (self.budget.next_descriptor(), self.budget.next_descriptor());
        let numbers = [output, input].map(|number| Word::literal(number.to_string()));
        self.scope.set_list(name, &numbers);
        let target = Word::unknown(format!(">({body})"));
        let fed = Redirect { kind: RedirectKind::Write, descriptor: Some(input), target };
        self.scope.open_output(input, &fed);
        if let Some(text) = self.written_since(from, &Input::Unknown) {
            let directory = self.scope.directory.clone();
            self.scope.store(&format!("/dev/fd/{output}"), &directory, Some(text));
            return;
        }
        let target = Word::unknown(format!("<({body})"));
        let read = Redirect { kind: RedirectKind::Read, descriptor: Some(output), target };
        self.scope.open_output(output, &read);
    }

    /// The text that the line put behind a descriptor: `exec 3<<<'text'`.
    pub(super) fn descriptor_text(&self, number: &str) -> Option<Rc<str>> {
        if !self.scope.has_files() {
            return None;
        }
        self.scope.stored(&format!("/dev/fd/{number}"), &self.scope.directory)
    }

    fn redirect(&mut self, tree: &Tree, place: Place) -> Redirect {
        self.covered.add(tree.span);
        self.covered.add(tree.fd_var_span.unwrap_or_default());
        let target = match &tree.target {
            RedirectTarget::Word(word) => self.word(word, place),
            RedirectTarget::Heredoc(document) => self.document(document, place),
        };
        let mut descriptor = tree.fd.or_else(|| self.descriptor_before(tree));
        if let Some(name) = &tree.fd_var {
            // `{fd}>file` stores the number of the descriptor in a variable; the shell takes one from 10 on.
            let number = self.budget.next_descriptor();
            self.scope.set(name.as_str(), Some(number.to_string()));
            descriptor = Some(number);
        }
        let redirect = Redirect { kind: kind(tree.kind, &target), descriptor, target };
        self.follow_descriptor(redirect)
    }

    /// Remembers where a descriptor leads, and puts that in the place of a copy of it: `exec 3>f; echo x >&3`.
    fn follow_descriptor(&mut self, redirect: Redirect) -> Redirect {
        let own = redirect.descriptor.filter(|descriptor| *descriptor > 2);
        match redirect.kind {
            RedirectKind::HereDoc | RedirectKind::HereString => {
                if let Some(number) = own {
                    let directory = self.scope.directory.clone();
                    let text = redirect.target.text.clone();
                    self.scope.store(&format!("/dev/fd/{number}"), &directory, text);
                }
                redirect
            }
            RedirectKind::Write | RedirectKind::Append => {
                if let Some(number) = own {
                    self.scope.open_output(number, &redirect);
                }
                redirect
            }
            RedirectKind::Duplicate => {
                let number = redirect.target.text.as_deref().and_then(|text| text.parse::<i32>().ok());
                match number.and_then(|number| self.scope.output(number)) {
                    Some((kind, target)) => Redirect { kind, target, descriptor: redirect.descriptor },
                    None => redirect,
                }
            }
            RedirectKind::Read | RedirectKind::ReadWrite => redirect,
        }
    }

    /// The parser takes the number in `0<<END` and `0<<<word` for an argument.
    fn descriptor_before(&self, tree: &Tree) -> Option<i32> {
        let before = self.source.get(..tree.span.start.offset())?;
        let word = before.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
        let is_whole_word = before.len() == word.len()
            || before.get(..before.len() - word.len())?.ends_with([' ', '\t', '\n', ';', '&', '|', '(']);
        word.parse().ok().filter(|_| is_whole_word)
    }

    /// A here-document: its body as a word.
    fn document(&mut self, document: &Heredoc, place: Place) -> Word {
        self.cover_document(document);
        // The parser takes every here-document but the first of a line for a quoted one.
        let is_quoted = document.delimiter.span.slice(self.source).contains(['\'', '"', '\\']);
        let raw = document.body.span.slice(self.source);
        let raw = if document.delimiter.strip_tabs { without_tabs(raw) } else { raw.to_owned() };
        if is_quoted {
            return Word { text: Some(raw.clone()), raw, glob: false };
        }
        if find_expansion(&raw, Quotes::HereDoc) > Expansion::Nothing {
            self.body(document, &raw, place);
            // A backslash may keep a variable from being one.
            let text = (!raw.contains('\\')).then(|| operations::filled(&raw, &self.scope)).flatten();
            return Word { text, raw, glob: false };
        }
        let text = letters(&raw, Quotes::HereDoc).map(|(letter, _)| letter).collect();
        Word { text: Some(text), raw, glob: false }
    }

    /// The body, and the line that ends it.
    fn cover_document(&mut self, document: &Heredoc) {
        let end = document.body.span.end.offset();
        let rest = self.source.get(end..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        // `<<-` allows tabs before the end mark.
        let is_end = line.trim_start_matches('\t') == document.delimiter.cooked.as_str();
        self.covered.add_range(document.body.span.start.offset(), end + if is_end { line.len() } else { 0 });
    }

    fn body(&mut self, document: &Heredoc, raw: &str, place: Place) {
        match document.body.mode {
            HeredocBodyMode::Expanding => self.body_parts(document, place),
            HeredocBodyMode::Literal => {
                let end = &document.delimiter.cooked;
                let newline = if raw.ends_with('\n') || raw.is_empty() { "" } else { "\n" };
                // Written again as the only here-document of its line, so that the parser reads its
                // expansions.
                self.defer_text(format!(": <<{end}\n{raw}{newline}{end}\n"), Form::Carrier, place);
            }
        }
    }

    fn body_parts(&mut self, document: &Heredoc, place: Place) {
        for (part, span) in document.body.parts_with_spans() {
            match part {
                HeredocBodyPart::Literal(literal) => {
                    let text = literal.syntax_str(self.source, span);
                    if find_expansion(text, Quotes::HereDoc) == Expansion::Commands {
                        self.unknown(UnknownReason::TooDeep, text);
                    }
                }
                HeredocBodyPart::Variable(name) if name.is_empty() => self.brace_substitution(span, place),
                HeredocBodyPart::Variable(_) => {}
                HeredocBodyPart::CommandSubstitution { body, syntax } => {
                    let quotes = Quotes::HereDoc;
                    self.command_substitution(&Substitution { body, syntax: *syntax, span, quotes }, place);
                }
                HeredocBodyPart::ArithmeticExpansion {
                    expression,
                    expression_ast,
                    expression_word_ast,
                    ..
                } => match expression_ast {
                    Some(_) => self.arithmetic(expression, expression_word_ast, place),
                    None => self.not_arithmetic(expression, span, place),
                },
                HeredocBodyPart::Parameter(parameter) => self.parameter(parameter, place),
            }
        }
    }

    /// The words and here-documents of commands that only carry them.
    pub(super) fn carried(&mut self, list: &StmtSeq, place: Place) {
        for statement in list.iter() {
            let Command::Simple(simple) = &statement.command else {
                self.unknown(UnknownReason::Syntax, self.source);
                continue;
            };
            simple.args.iter().for_each(|word| self.visit(word, place));
            let documents = statement.redirects.iter().filter_map(Tree::heredoc);
            documents.for_each(|document| self.carried_document(document, place));
        }
    }

    fn carried_document(&mut self, document: &Heredoc, place: Place) {
        match document.body.mode {
            HeredocBodyMode::Expanding => self.body_parts(document, place),
            // Deferred once already: doing so again would not end.
            HeredocBodyMode::Literal => self.flag_expansions(self.source),
        }
    }
}

fn kind(kind: Kind, target: &Word) -> RedirectKind {
    match kind {
        Kind::Output | Kind::Clobber | Kind::OutputBoth => RedirectKind::Write,
        Kind::Append => RedirectKind::Append,
        Kind::Input => RedirectKind::Read,
        Kind::ReadWrite => RedirectKind::ReadWrite,
        Kind::HereDoc | Kind::HereDocStrip => RedirectKind::HereDoc,
        Kind::HereString => RedirectKind::HereString,
        Kind::DupInput => RedirectKind::Duplicate,
        // `>&2` copies a descriptor, `>&file` writes a file.
        Kind::DupOutput if is_descriptor(target) => RedirectKind::Duplicate,
        Kind::DupOutput => RedirectKind::Write,
    }
}

fn is_descriptor(target: &Word) -> bool {
    let is_number = |text: &str| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    target.text.as_deref().is_some_and(|text| text == "-" || is_number(text))
}

/// What the redirections put on standard input, if they do.
fn redirected_input(redirects: &[Redirect]) -> Option<Input> {
    let last = input_redirect(redirects)?;
    Some(match last.kind {
        RedirectKind::HereDoc | RedirectKind::HereString => Input::from_text(last.target.text.clone()),
        // `Unread` is a file that can be named; one only known at run time may contain anything.
        RedirectKind::Read | RedirectKind::ReadWrite if last.target.text.is_some() => Input::Unread,
        RedirectKind::Read
        | RedirectKind::ReadWrite
        | RedirectKind::Duplicate
        | RedirectKind::Write
        | RedirectKind::Append => Input::Unknown,
    })
}

fn without_tabs(body: &str) -> String {
    body.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}
