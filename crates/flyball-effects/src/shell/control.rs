//! `if`, loops, `case`, functions, `[[ … ]]`: what may run, may run often, or runs later.

use shuck_ast::{
    ArithmeticCommand, ArithmeticForCommand, CaseCommand, CompoundCommand, ConditionalExpr, ForCommand,
    FunctionDef, IfCommand, Span, StmtSeq,
};

use super::launch::Input;
use super::quoting::{Expansion, Quotes, find_expansion};
use super::reader::{Form, Reader};
use super::scope::{ARGUMENTS, Scope};
use crate::model::{Directory, Place, UnknownReason, Word};

impl Reader<'_> {
    /// A compound command that decides whether and how often its parts run.
    pub(super) fn control(&mut self, compound: &CompoundCommand, place: Place) {
        let inner = Place { conditional: true, ..place };
        match compound {
            CompoundCommand::If(branch) => self.branch(branch, place),
            CompoundCommand::Case(case) => self.case(case, place),
            CompoundCommand::For(each) => self.for_each(each, place),
            CompoundCommand::Select(select) => {
                self.covered.add(select.variable_span);
                select.words.iter().for_each(|word| self.check(word, place));
                self.repeat(select.span, &[select.variable.as_str()], |reader| {
                    reader.statements(&select.body, inner)
                });
            }
            CompoundCommand::Foreach(each) => {
                self.covered.add(each.variable_span);
                each.words.iter().for_each(|word| self.check(word, place));
                self.repeat(each.span, &[each.variable.as_str()], |reader| {
                    reader.statements(&each.body, inner)
                });
            }
            CompoundCommand::Repeat(repeat) => {
                self.check(&repeat.count, place);
                self.repeat(repeat.span, &[], |reader| reader.statements(&repeat.body, inner));
            }
            CompoundCommand::While(repeat) => {
                self.while_loop(repeat.span, [&repeat.condition, &repeat.body], inner)
            }
            CompoundCommand::Until(repeat) => {
                self.while_loop(repeat.span, [&repeat.condition, &repeat.body], inner)
            }
            CompoundCommand::ArithmeticFor(each) => self.arithmetic_for(each, place),
            // `compound` reads the others itself.
            _ => {}
        }
    }

    fn branch(&mut self, branch: &IfCommand, place: Place) {
        self.statements(&branch.condition, place);
        let place = Place { conditional: true, ..place };
        // Every branch starts from where the conditions before it left the shell.
        let mut otherwise = self.scope.clone();
        self.scope.assume_success();
        self.statements(&branch.then_branch, place);
        let mut ends = self.scope.clone();
        for (condition, body) in &branch.elif_branches {
            self.scope = otherwise;
            self.statements(condition, place);
            otherwise = self.scope.clone();
            self.scope.assume_success();
            self.statements(body, place);
            ends.or(self.scope.clone());
        }
        self.scope = otherwise;
        if let Some(body) = &branch.else_branch {
            self.statements(body, place);
        }
        self.scope.or(ends);
    }

    fn case(&mut self, case: &CaseCommand, place: Place) {
        self.check(&case.word, place);
        let place = Place { conditional: true, ..place };
        let before = self.scope.clone();
        for item in &case.cases {
            item.patterns.iter().for_each(|pattern| self.word_pattern(pattern, place));
            // `;&` falls through, so an item may start from what any item before it left.
            self.statements(&item.body, place);
            self.scope.or(before.clone());
        }
    }

    fn for_each(&mut self, each: &ForCommand, place: Place) {
        each.targets.iter().for_each(|target| self.covered.add(target.span));
        let mut items = Vec::new();
        match &each.words {
            Some(words) => words.iter().for_each(|word| self.words(word, place, &mut items)),
            // `for x; do …` goes through the arguments.
            None => items.extend(self.arguments()),
        }
        let items = self.expanded(items);
        let names: Vec<&str> = each.targets.iter().filter_map(|target| target.name.as_deref()).collect();
        let inner = Place { conditional: true, ..place };
        let rounds = match names.as_slice() {
            [name] => {
                let text = each.span.slice(self.source);
                // Reading the body once per value is worth its cost only if the body uses the value.
                let is_read = text.contains(&format!("${name}")) || text.contains(&format!("${{{name}"));
                is_read.then(|| self.budget.spend_rounds(&items, text.len())).flatten()
            }
            _ => None,
        };
        let leaves_early = each.span.slice(self.source).contains("break");
        self.repeat(each.span, &names, |reader| {
            let Some(rounds) = rounds else { return reader.statements(&each.body, inner) };
            for item in rounds {
                names.iter().for_each(|name| reader.scope.set(name, Some(item.clone())));
                // With a `break`, any round may be the last.
                if leaves_early {
                    reader.conditionally(|reader| reader.statements(&each.body, inner));
                } else {
                    reader.statements(&each.body, inner);
                }
            }
        });
    }

    /// How many lines a `while read` would read, if they are known and few.
    fn lines_to_read(&mut self, text: &str) -> Option<usize> {
        const MOST_LINES: usize = 16;
        let Input::Text(input) = &self.input else { return None };
        let head = text.lines().next().unwrap_or_default();
        let lines = input.lines().count();
        let reads = head.split_ascii_whitespace().take(4).any(|word| word == "read");
        (reads
            && (1..=MOST_LINES).contains(&lines)
            && self.budget.spend_call(text.len().saturating_mul(lines)))
        .then_some(lines)
    }

    fn arithmetic_for(&mut self, each: &ArithmeticForCommand, place: Place) {
        for span in [each.init_span, each.condition_span, each.step_span] {
            self.arithmetic_span(span, place);
        }
        let inner = Place { conditional: true, ..place };
        self.repeat(each.span, &[], |reader| reader.statements(&each.body, inner));
    }

    /// The arguments that a loop with a `shift` goes through, if they are known and few.
    fn arguments_to_shift(&mut self, text: &str) -> Option<Vec<Word>> {
        const MOST_ARGUMENTS: usize = 16;
        let shifts = text.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == "shift");
        let arguments = self.scope.list(ARGUMENTS).filter(|_| shifts)?;
        let arguments: Vec<Word> = arguments.iter().cloned().map(Word::literal).collect();
        let rounds = arguments.len();
        ((1..=MOST_ARGUMENTS).contains(&rounds) && self.budget.spend_call(text.len().saturating_mul(rounds)))
            .then_some(arguments)
    }

    fn while_loop(&mut self, span: Span, parts: [&StmtSeq; 2], place: Place) {
        let text = span.slice(self.source);
        let shifted = self.arguments_to_shift(text);
        let rounds = self.lines_to_read(text).or(shifted.as_ref().map(Vec::len));
        self.repeat(span, &[], |reader| {
            if let Some(arguments) = &shifted {
                reader.scope.set_list(ARGUMENTS, arguments);
            }
            if let Some(rounds) = rounds {
                for _ in 0..rounds {
                    parts.iter().for_each(|part| reader.statements(part, place));
                }
                return;
            }
            let [condition, body] = parts;
            reader.statements(condition, place);
            reader.statements(body, place);
        });
    }

    /// A loop: its second round starts from what its first one left.
    fn repeat(&mut self, span: Span, variables: &[&str], read: impl FnOnce(&mut Self)) {
        self.scope.run_text(span.slice(self.source));
        for variable in variables {
            self.scope.forget(variable);
        }
        self.conditionally(read);
    }

    /// A function: read where it is written, run at an unknown time.
    pub(super) fn function(&mut self, function: &FunctionDef, place: Place) {
        let text = function.body.span.slice(self.source);
        for entry in &function.header.entries {
            self.covered.add(entry.word.span);
            self.scope.define(entry.word.span.slice(self.source), text);
        }
        // A function runs where it is called, which may be behind any `cd` of the text, also a later one.
        let moves = self.moves_somewhere() || self.scope.directory != Directory::Start;
        let directory = if moves { Directory::Unknown } else { Directory::Start };
        // Nor are variables known: they may be set differently by the time it is called.
        let outer = std::mem::replace(&mut self.scope, Scope::at(directory));
        self.statement(&function.body, Place { function: true, ..place.deeper() });
        self.scope = outer;
    }

    /// The expression in `[[ … ]]`.
    pub(super) fn conditional(&mut self, expression: &ConditionalExpr, place: Place) {
        // The parser nests a chain of operators to the left, up to a thousand deep.
        let (mut leftmost, mut rest) = (expression, Vec::new());
        while let ConditionalExpr::Binary(binary) = leftmost {
            self.covered.add(binary.op_span);
            rest.push(&*binary.right);
            leftmost = &binary.left;
        }
        match leftmost {
            ConditionalExpr::Binary(_) => {}
            ConditionalExpr::Unary(unary) => {
                self.covered.add(unary.op_span);
                self.conditional(&unary.expr, place);
            }
            ConditionalExpr::Parenthesized(inner) => self.conditional(&inner.expr, place),
            ConditionalExpr::Word(word) => self.check(word, place),
            ConditionalExpr::Regex(word) => self.check_pattern(word, place),
            ConditionalExpr::Pattern(pattern) => self.word_pattern(pattern, place),
            ConditionalExpr::VarRef(variable) => self.variable(variable, place),
        }
        for operand in rest.into_iter().rev() {
            self.conditional(operand, place);
        }
    }

    /// `(( … ))`. Where it is really two subshells, `((a) | (b))`, the parser loses its place.
    pub(super) fn arithmetic_command(&mut self, command: &ArithmeticCommand, place: Place) {
        let text = command.expr_span.map_or("", |span| span.slice(self.source));
        if command.expr_ast.is_none() && !text.trim().is_empty() {
            self.unknown(UnknownReason::Syntax, text);
        }
        self.arithmetic_span(command.expr_span, place);
    }

    /// An arithmetic expression: the parser's tree of it is skipped, its words are enough.
    pub(super) fn arithmetic_span(&mut self, span: Option<Span>, place: Place) {
        let Some(span) = span else { return };
        self.covered.add(span);
        let text = span.slice(self.source);
        // Arithmetic assigns without `$`: `((x = 1))`, `((x++))`.
        self.scope.run_text(text);
        if find_expansion(text, Quotes::None) == Expansion::Commands {
            self.defer_text(format!(": $(({text}))"), Form::Carrier, place);
        }
    }
}
