//! Finds what starts processes without end: a loop that never ends and starts something with `&` in every round, a
//! function that starts itself in the background.

use shuck_ast::{BinaryCommand, BinaryOp, Command, CompoundCommand, Span, Stmt, StmtSeq, StmtTerminator};

use crate::model::base_name;

/// More functions than this are no bomb that anyone would write on one line.
const MOST_FUNCTIONS: usize = 32;

/// Whether a text starts processes without end.
pub(super) fn starts_without_end(list: &StmtSeq, source: &str) -> bool {
    // Nearly every line ends here: only what starts something in the background is looked at.
    let has_loop = ["while", "until", "for", "()", "function"].iter().any(|word| source.contains(word));
    if !source.contains('&') || !has_loop {
        return false;
    }
    let mut search = Search { source, functions: Vec::new(), found: false };
    search.list(list);
    search.found || search.has_cycle()
}

/// What is found in one text.
struct Search<'s> {
    source: &'s str,
    functions: Vec<Function<'s>>,
    found: bool,
}

/// A function, and what it always starts.
struct Function<'s> {
    name: &'s str,
    body: Body<'s>,
}

/// What happens each time when a list of statements runs.
#[derive(Clone, Default)]
struct Body<'s> {
    calls: Vec<Call<'s>>,
    /// Something in the background is started by the shell that runs the list.
    starts: bool,
    /// A subshell starts something, for which nobody waits.
    starts_detached: bool,
    waits: bool,
    disowns: bool,
    /// Something takes its time, or may end the list.
    pauses: bool,
    /// It may be left: `break`, `exit`, `return`.
    leaves: bool,
}

/// A program that is started, perhaps a function.
#[derive(Clone)]
struct Call<'s> {
    name: &'s str,
    is_background: bool,
}

/// Where a statement is.
#[derive(Clone, Copy, Default)]
struct Where {
    background: bool,
    subshell: bool,
    conditional: bool,
}

impl Body<'_> {
    /// Whether a loop with this body starts more and more processes.
    fn piles_up(&self) -> bool {
        let waits = self.waits && !self.disowns && !self.starts_detached;
        (self.starts || self.starts_detached) && !waits && !self.pauses && !self.leaves
    }
}

impl<'s> Search<'s> {
    /// Looks for loops and functions, wherever they are.
    fn list(&mut self, list: &StmtSeq) {
        list.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.command {
            Command::Binary(binary) => {
                for part in parts(binary) {
                    self.statement(part);
                }
            }
            Command::Function(function) => {
                let body = self.body_of(std::iter::once(&*function.body));
                for entry in &function.header.entries {
                    let name = entry.word.span.slice(self.source);
                    if self.functions.len() < MOST_FUNCTIONS {
                        self.functions.push(Function { name, body: body.clone() });
                    }
                }
                self.statement(&function.body);
            }
            Command::Compound(compound) => self.compound(compound),
            Command::Simple(_) | Command::Builtin(_) | Command::Decl(_) | Command::AnonymousFunction(_) => {}
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::BraceGroup(list) | CompoundCommand::Subshell(list) => self.list(list),
            CompoundCommand::While(repeat) => {
                self.repeated(self.is_always(&repeat.condition, true), &repeat.body)
            }
            CompoundCommand::Until(repeat) => {
                self.repeated(self.is_always(&repeat.condition, false), &repeat.body)
            }
            CompoundCommand::ArithmeticFor(each) => {
                let is_endless = each.condition_span.is_none_or(|span| self.is_number(span, true));
                self.repeated(is_endless, &each.body);
            }
            CompoundCommand::For(each) => self.list(&each.body),
            CompoundCommand::If(branch) => {
                self.list(&branch.then_branch);
                branch.elif_branches.iter().for_each(|(_, body)| self.list(body));
                branch.else_branch.iter().for_each(|body| self.list(body));
            }
            CompoundCommand::Case(case) => case.cases.iter().for_each(|item| self.list(&item.body)),
            CompoundCommand::Time(time) => time.command.iter().for_each(|inner| self.statement(inner)),
            _ => {}
        }
    }

    fn repeated(&mut self, is_endless: bool, body: &StmtSeq) {
        self.found |= is_endless && self.body_of(body.iter()).piles_up();
        self.list(body);
    }

    fn body_of<'t>(&self, statements: impl Iterator<Item = &'t Stmt>) -> Body<'s> {
        let mut body = Body::default();
        for statement in statements {
            self.note(statement, Where::default(), &mut body);
        }
        body
    }

    /// Adds what a statement does each time.
    fn note(&self, statement: &Stmt, mut at: Where, body: &mut Body<'s>) {
        if matches!(statement.terminator, Some(StmtTerminator::Background(_))) {
            at.background = true;
            if !at.conditional {
                *(if at.subshell { &mut body.starts_detached } else { &mut body.starts }) = true;
            }
        }
        match &statement.command {
            Command::Simple(simple) => {
                let name = base_name(simple.name.span.slice(self.source));
                self.note_program(name, at, body);
            }
            Command::Builtin(_) => body.leaves |= !at.background && !at.subshell,
            Command::Binary(binary) => {
                let is_pipe = matches!(binary.op, BinaryOp::Pipe | BinaryOp::PipeAll);
                for (position, part) in parts(binary).into_iter().enumerate() {
                    let conditional = at.conditional || (!is_pipe && position > 0);
                    self.note(part, Where { conditional, subshell: at.subshell || is_pipe, ..at }, body);
                }
            }
            Command::Compound(compound) => self.note_compound(compound, at, body),
            Command::Decl(_) | Command::Function(_) | Command::AnonymousFunction(_) => {}
        }
    }

    fn note_program(&self, name: &'s str, at: Where, body: &mut Body<'s>) {
        if !at.conditional {
            body.calls.push(Call { name, is_background: at.background });
        }
        if at.background {
            return;
        }
        match name {
            "wait" => body.waits |= !at.subshell,
            "disown" => body.disowns = true,
            // Over at once, or never taken.
            "" | "true" | ":" | "false" | "echo" | "printf" | "[" | "test" | "let" | "shift" => {}
            _ => body.pauses = true,
        }
    }

    fn note_compound(&self, compound: &CompoundCommand, at: Where, body: &mut Body<'s>) {
        let inner = Where { conditional: true, ..at };
        let mut each = |list: &StmtSeq, at: Where| list.iter().for_each(|it| self.note(it, at, body));
        match compound {
            CompoundCommand::BraceGroup(list) => each(list, at),
            CompoundCommand::Subshell(list) => each(list, Where { subshell: true, ..at }),
            // A branch that is never taken does nothing.
            CompoundCommand::If(branch) => {
                if !self.is_always(&branch.condition, false) {
                    each(&branch.condition, at);
                    each(&branch.then_branch, inner);
                }
                branch.elif_branches.iter().for_each(|(_, list)| each(list, inner));
                branch.else_branch.iter().for_each(|list| each(list, inner));
            }
            CompoundCommand::Case(case) => case.cases.iter().for_each(|item| each(&item.body, inner)),
            CompoundCommand::For(repeat) => each(&repeat.body, inner),
            CompoundCommand::While(repeat) => {
                each(&repeat.condition, inner);
                each(&repeat.body, inner);
            }
            CompoundCommand::Until(repeat) => {
                each(&repeat.condition, inner);
                each(&repeat.body, inner);
            }
            CompoundCommand::Conditional(_) | CompoundCommand::Arithmetic(_) => {}
            _ => body.pauses |= !at.background,
        }
    }

    /// Whether a condition is always true, or always false.
    fn is_always(&self, condition: &StmtSeq, wanted: bool) -> bool {
        let [statement] = condition.stmts.as_slice() else { return false };
        let wanted = wanted != statement.negated;
        match &statement.command {
            Command::Compound(CompoundCommand::Arithmetic(command)) => {
                command.expr_span.is_some_and(|span| self.is_number(span, wanted))
            }
            Command::Compound(CompoundCommand::Conditional(command)) => {
                let text = command.span.slice(self.source);
                let inner = text.strip_prefix("[[").and_then(|rest| rest.split("]]").next());
                wanted && inner.is_some_and(is_one_word)
            }
            Command::Simple(simple) => {
                let arguments: Vec<&str> =
                    simple.args.iter().map(|word| word.span.slice(self.source)).collect();
                match (base_name(simple.name.span.slice(self.source)), arguments.as_slice()) {
                    ("true" | ":", _) => wanted,
                    ("false", _) => !wanted,
                    ("[", [word, "]"]) | ("test", [word]) => wanted && is_one_word(word),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether an arithmetic expression is a number, other than zero or zero.
    fn is_number(&self, span: Span, is_true: bool) -> bool {
        let text = span.slice(self.source).trim();
        match text.parse::<i64>() {
            Ok(number) => (number != 0) == is_true,
            Err(_) => text.is_empty() && is_true,
        }
    }

    /// Whether a function leads back to itself, through the background at least once.
    fn has_cycle(&self) -> bool {
        let find = |name: &str| self.functions.iter().find(|function| function.name == name);
        self.functions.iter().any(|function| {
            let started = function.body.calls.iter().filter(|call| call.is_background);
            started.filter_map(|call| find(call.name)).any(|started| {
                let mut reached = vec![started.name];
                let mut at = 0;
                while let Some(name) = reached.get(at).copied() {
                    at += 1;
                    let calls = find(name).filter(|it| self.goes_on(&it.body));
                    for call in calls.into_iter().flat_map(|it| &it.body.calls) {
                        if !reached.contains(&call.name) && find(call.name).is_some() {
                            reached.push(call.name);
                        }
                    }
                }
                reached.contains(&function.name) && self.goes_on(&function.body)
            })
        })
    }

    /// Whether a function calls what it calls each time, and at once.
    fn goes_on(&self, body: &Body<'_>) -> bool {
        let is_slow = |call: &Call<'_>| matches!(call.name, "sleep" | "read" | "inotifywait" | "fswatch");
        !body.leaves && !body.calls.iter().any(|call| is_slow(call) && !call.is_background)
    }
}

/// The parts of a chain, which the parser nests to the left.
fn parts(binary: &BinaryCommand) -> Vec<&Stmt> {
    let mut parts = vec![binary.right.as_ref()];
    let mut first = binary.left.as_ref();
    while let Command::Binary(inner) = &first.command
        && first.terminator.is_none()
        && inner.op == binary.op
    {
        parts.push(inner.right.as_ref());
        first = inner.left.as_ref();
    }
    parts.push(first);
    parts.reverse();
    parts
}

/// A word that is not empty, whatever the environment says.
fn is_one_word(text: &str) -> bool {
    let text = text.trim().trim_matches(['"', '\'']);
    !text.is_empty() && !text.contains(['$', '`', ' ', '!', '-', '='])
}
