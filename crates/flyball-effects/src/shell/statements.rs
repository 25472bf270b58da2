//! Lists, pipelines and compound commands.

use shuck_ast::{
    BinaryCommand, BinaryOp, BuiltinCommand, Command, CompoundCommand, Stmt, StmtSeq, StmtTerminator,
};

use super::launch::Input;
use super::reader::Reader;
use crate::model::Place;

impl Reader<'_> {
    /// A list of statements.
    pub(super) fn statements(&mut self, list: &StmtSeq, place: Place) {
        for statement in list.iter() {
            self.statement(statement, place);
        }
    }

    pub(super) fn statement(&mut self, statement: &Stmt, mut place: Place) {
        place.negated |= statement.negated;
        if !matches!(statement.terminator, Some(StmtTerminator::Background(_))) {
            return self.foreground(statement, place);
        }
        place.background = true;
        // A background job is a shell of its own: its `cd` and variables do not reach what follows.
        self.in_subshell(|reader| reader.foreground(statement, place));
    }

    fn foreground(&mut self, statement: &Stmt, place: Place) {
        match &statement.command {
            Command::Binary(binary) => match binary.op {
                BinaryOp::And | BinaryOp::Or => self.and_or(binary, place),
                BinaryOp::Pipe | BinaryOp::PipeAll => self.pipeline(binary, place),
            },
            Command::Simple(_) | Command::Builtin(_) | Command::Decl(_) => self.command(statement, place),
            Command::Compound(compound) => {
                let outer = self.redirect_compound(statement, place);
                let before = self.script.commands.len();
                self.compound(compound, outer.place);
                self.input = outer.input;
                if !statement.redirects.is_empty() {
                    self.remember_group(before);
                }
            }
            Command::Function(function) => {
                self.function(function, place);
            }
            Command::AnonymousFunction(function) => {
                function.args.iter().for_each(|word| self.check(word, place));
                self.statement(&function.body, place.deeper());
            }
        }
    }

    /// Runs `read` in a shell of its own: what it changes is lost.
    pub(super) fn in_subshell(&mut self, read: impl FnOnce(&mut Self)) {
        let scope = self.scope.clone();
        read(self);
        let inner = std::mem::replace(&mut self.scope, scope);
        self.scope.adopt_files(&inner);
    }

    /// Runs `read`, which may or may not happen.
    pub(super) fn conditionally(&mut self, read: impl FnOnce(&mut Self)) {
        let before = self.scope.clone();
        read(self);
        self.scope.or(before);
    }

    fn and_or(&mut self, binary: &BinaryCommand, place: Place) {
        let (first, rest) = flatten(binary, |op| matches!(op, BinaryOp::And | BinaryOp::Or));
        self.statement(first, place);
        let place = Place { conditional: true, ..place };
        // The scope if any statement so far failed.
        let mut failed = self.scope.clone();
        for (op, statement) in &rest {
            if *op == BinaryOp::And {
                self.scope.assume_success();
                self.statement(statement, place);
            } else {
                let mut succeeded = self.scope.clone();
                self.scope.or(failed.clone());
                self.statement(statement, place);
                // `cd x || exit 1`: whatever follows runs only if the `cd` succeeded.
                if exits(statement) {
                    succeeded.assume_success();
                    self.scope = succeeded;
                    failed = self.scope.clone();
                    continue;
                }
                self.scope.or(succeeded);
            }
            failed.or(self.scope.clone());
        }
        self.scope.or(failed);
    }

    fn pipeline(&mut self, binary: &BinaryCommand, place: Place) {
        let (first, rest) = flatten(binary, |op| matches!(op, BinaryOp::Pipe | BinaryOp::PipeAll));
        let last = rest.len();
        let start = self.script.commands.len();
        let outer = self.input.clone();
        let parts = std::iter::once(first).chain(rest.iter().map(|(_, statement)| *statement));
        let mut from_pipe = place.from_pipe;
        for (position, statement) in parts.enumerate() {
            let into_pipe = if position < last { self.budget.next_pipe() } else { place.into_pipe };
            let here = Place {
                position: u16::try_from(position).unwrap_or(u16::MAX),
                pipe_in: place.pipe_in || position > 0,
                pipe_out: place.pipe_out || position < last,
                from_pipe,
                into_pipe,
                ..place
            };
            from_pipe = into_pipe;
            // zsh runs the last part in the shell itself, bash does not.
            if position == last {
                let before = self.script.commands.len();
                self.conditionally(|reader| reader.statement(statement, here));
                let input = self.input.clone();
                let end = self.script.commands.len();
                self.piped_output = self.written_since(before, &input).map(|text| (start..end, text));
            } else {
                let before = self.script.commands.len();
                self.in_subshell(|reader| reader.statement(statement, here));
                // Only a part that writes plain text gives the next one a known input: `echo 'rm x' | sh`.
                let input = self.input.clone();
                self.input = Input::from_text(self.written_since(before, &input));
            }
        }
        self.input = outer;
    }

    fn compound(&mut self, compound: &CompoundCommand, place: Place) {
        let inner = place.deeper();
        match compound {
            CompoundCommand::BraceGroup(list) => self.statements(list, inner),
            CompoundCommand::Subshell(list) => {
                let inner = Place { subshell: true, ..inner };
                self.in_subshell(|reader| reader.statements(list, inner));
            }
            CompoundCommand::Time(time) => self.time(time.command.as_deref(), place),
            CompoundCommand::Coproc(coproc) => {
                self.covered.add(coproc.name_span.unwrap_or_default());
                let inner = Place { background: true, pipe_in: true, pipe_out: true, ..inner };
                // Whatever the shell writes to the coprocess later.
                let outer = std::mem::replace(&mut self.input, Input::Unknown);
                let before = self.script.commands.len();
                self.in_subshell(|reader| reader.statement(&coproc.body, inner));
                self.input = outer;
                let name = coproc.name_span.map_or("COPROC", |span| span.slice(self.source)).to_owned();
                let body =
                    coproc.body.span.slice(self.source).trim_end_matches([';', '\n', '&', ' ']).to_owned();
                self.open_coprocess(&name, &body, before);
            }
            CompoundCommand::Always(always) => {
                self.statements(&always.body, inner);
                self.statements(&always.always_body, inner);
            }
            CompoundCommand::Conditional(conditional) => self.conditional(&conditional.expression, place),
            CompoundCommand::Arithmetic(arithmetic) => self.arithmetic_command(arithmetic, place),
            CompoundCommand::If(_)
            | CompoundCommand::For(_)
            | CompoundCommand::Repeat(_)
            | CompoundCommand::Foreach(_)
            | CompoundCommand::ArithmeticFor(_)
            | CompoundCommand::While(_)
            | CompoundCommand::Until(_)
            | CompoundCommand::Case(_)
            | CompoundCommand::Select(_) => self.control(compound, inner),
        }
    }

    fn time(&mut self, timed: Option<&Stmt>, place: Place) {
        let Some(timed) = timed else { return };
        self.wrappers.push("time".to_owned());
        self.statement(timed, place);
        self.wrappers.pop();
    }
}

/// A chain of one kind of operator, which the parser nests to the left, as a list.
fn flatten(binary: &BinaryCommand, belongs: impl Fn(BinaryOp) -> bool) -> (&Stmt, Vec<(BinaryOp, &Stmt)>) {
    // A loop, because a line of a thousand `&&` would cost a recursion as much stack.
    let mut rest = vec![(binary.op, binary.right.as_ref())];
    let mut first = binary.left.as_ref();
    while let Command::Binary(inner) = &first.command
        && belongs(inner.op)
        // A negated part or one with `&` is a unit of its own, not a part of this chain.
        && !first.negated
        && first.terminator.is_none()
    {
        rest.push((inner.op, inner.right.as_ref()));
        first = inner.left.as_ref();
    }
    rest.reverse();
    (first, rest)
}

/// Whether nothing after this statement runs.
fn exits(statement: &Stmt) -> bool {
    match &statement.command {
        Command::Builtin(builtin) => match builtin {
            BuiltinCommand::Exit(_)
            | BuiltinCommand::Return(_)
            | BuiltinCommand::Break(_)
            | BuiltinCommand::Continue(_) => true,
        },
        Command::Compound(CompoundCommand::BraceGroup(list)) => list.last().is_some_and(exits),
        _ => false,
    }
}
