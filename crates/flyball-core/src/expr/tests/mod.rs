//! The event that the tests of the language look at.

mod against_cel;
mod errors;
mod evaluation;
mod prefilter;
mod properties;
mod syntax;
mod templates;

use std::cell::{Cell, OnceCell};
use std::collections::BTreeMap;

use super::*;

static COMMAND: Schema = Schema::new(&[
    Field { name: "program", ty: Type::STRING, doc: "the program that is run" },
    Field { name: "args", ty: Type::STRING.list(), doc: "its arguments" },
]);

static SHELL: Schema = Schema::new(&[Field {
    name: "commands",
    ty: Type::record(&COMMAND).list(),
    doc: "every command of the line",
}]);

static TOOL: Schema = Schema::new(&[
    Field { name: "name", ty: Type::STRING, doc: "which tool" },
    Field { name: "command", ty: Type::STRING, doc: "the command line" },
    Field { name: "path", ty: Type::STRING, doc: "the file" },
]);

static EDIT: Schema = Schema::new(&[
    Field { name: "path", ty: Type::STRING, doc: "the file that is edited" },
    Field { name: "added", ty: Type::INT, doc: "how many lines are added" },
]);

static EVENT: Schema = Schema::new(&[
    Field { name: "tool", ty: Type::record(&TOOL), doc: "the tool that is called" },
    Field { name: "shell", ty: Type::record(&SHELL), doc: "what the shell would run" },
    Field { name: "edits", ty: Type::record(&EDIT).list(), doc: "the edits" },
    Field { name: "labels", ty: Type::map(&Type::STRING), doc: "labels of the project" },
    Field { name: "words", ty: Type::STRING.list(), doc: "some words" },
    Field { name: "numbers", ty: Type::INT.list(), doc: "some numbers" },
    Field { name: "count", ty: Type::INT, doc: "a number" },
    Field { name: "open", ty: Type::BOOL, doc: "a bool" },
    Field { name: "missing", ty: Type::record(&TOOL), doc: "a record that the event lacks" },
]);

struct Event {
    tool: Tool,
    shell: Shell,
    edits: Vec<Edit>,
    labels: BTreeMap<String, String>,
    words: Vec<String>,
    numbers: Vec<i64>,
    count: i64,
}

struct Tool {
    command: String,
}

/// Parses when it is asked, like the real one.
struct Shell {
    line: String,
    commands: OnceCell<Vec<Command>>,
    parsed: Cell<usize>,
}

struct Command {
    words: Vec<String>,
}

struct Edit {
    path: &'static str,
    added: i64,
}

impl Scope for Event {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "tool" => Some(Value::Record(&self.tool)),
            "shell" => Some(Value::Record(&self.shell)),
            "edits" => Some(Value::list(&self.edits)),
            "labels" => Some(Value::Map(&self.labels)),
            "words" => Some(Value::list(&self.words)),
            "numbers" => Some(Value::list(&self.numbers)),
            "count" => Some(Value::Int(self.count)),
            "open" => Some(Value::Bool(true)),
            _ => None,
        }
    }
}

impl Scope for Tool {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "name" => Some(Value::from("shell")),
            "command" => Some(Value::from(self.command.as_str())),
            _ => None,
        }
    }
}

impl Scope for Shell {
    fn field(&self, _name: &str) -> Option<Value<'_>> {
        Some(Value::list(self.commands.get_or_init(|| self.parse())))
    }
}

impl Shell {
    fn parse(&self) -> Vec<Command> {
        self.parsed.set(self.parsed.get() + 1);
        let commands = self.line.split("&&");
        commands.map(|one| Command { words: one.split_whitespace().map(str::to_owned).collect() }).collect()
    }
}

impl Scope for Command {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        let (program, args) = self.words.split_first()?;
        match name {
            "program" => Some(Value::from(program.as_str())),
            _ => Some(args.iter().map(|word| Value::from(word.as_str())).collect::<Vec<_>>().into()),
        }
    }
}

impl Scope for Edit {
    fn field(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "path" => Some(Value::from(self.path)),
            _ => Some(Value::Int(self.added)),
        }
    }
}

fn event() -> Event {
    event_running("cd api && rm -rf build && make -j4")
}

fn event_running(line: &str) -> Event {
    Event {
        tool: Tool { command: line.to_owned() },
        shell: Shell { line: line.to_owned(), commands: OnceCell::new(), parsed: Cell::new(0) },
        edits: vec![Edit { path: "docs/a.md", added: 3 }, Edit { path: "src/lib.rs", added: 40 }],
        labels: BTreeMap::from([("team".to_owned(), "core".to_owned())]),
        words: ["one", "two", "Three "].map(str::to_owned).to_vec(),
        numbers: vec![1, 2, 3],
        count: 7,
    }
}

fn compile_any(source: &str) -> Result<Program, Error> {
    let expression = parser::parse(source)?;
    check::check(&expression, &EVENT).map(|(program, _)| program)
}

/// `start..end: message (help)`
fn describe(error: &Error) -> String {
    let Error { message, span, help } = error;
    let help = help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{}..{}: {message}{help}", span.start, span.end)
}

/// What a source gives: a value as a literal, or what is wrong with it.
fn outcome(source: &str, scope: &dyn Scope) -> String {
    match compile_any(source) {
        Err(error) => describe(&error),
        Ok(program) => match program.evaluate(scope) {
            Ok(value) => value.to_string(),
            Err(failure) => format!("fails: {failure}"),
        },
    }
}

/// Runs a table of named rows and shows every row that does not hold.
fn assert_rows(rows: &[(&str, &str, &str)], run: impl Fn(&str) -> String) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|(name, source, expected)| (name, source, expected, run(source)))
        .filter(|(_, _, expected, found)| *expected != found)
        .map(|(name, source, expected, found)| {
            format!("{name}: `{source}`\n  expected {expected}\n     found {found}\n")
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
