//! Reads the input of a call, object by object.

use serde_json::{Map, Value};

use super::call::ServerCall;
use super::code;
use super::fields::{
    ACTION, ARGS, CODE, COMMAND, ENV, FOLDER, Fields, LANGUAGE, NAMING, NEW, OLD, PATCH, PROGRAM, PROSE,
    REGEX, SENT_FILE, SQL, SURE_CONTENT, TYPED, plain, texts,
};
use super::files::{FileFields, Scope, is_path, is_path_key};
use super::kinds::{self, Kind, Style};
use super::name::{self, Verbs};
use super::patch::{is_patch, patch_edits};
use super::remote;
use super::request;
use super::words::{below, joined, path_of, quoted};
use crate::event::Change;
use crate::text::Words;

/// How deep an input is read.
const MOST_DEPTH: usize = 12;
/// Servers and tools whose texts are for people or for later reading.
const TALKS: Words = Words(
    "slack|discord|email|mail|gmail|issue|issues|comment|message|messages|notion|linear|jira|confluence|memory|think|\
     thinking|docs|wiki|chat|note|notes|todo|todos|search|question|telegram|teams|translate|summarize|flyball",
);
/// flyball's own server, whose tools have nothing to do with the commands of that name.
const OWN: &str = "flyball";

pub(super) struct Reader {
    kind: Option<&'static Kind>,
    /// The word that names the kind.
    kind_word: String,
    /// Words of the server and its tool that may name a language.
    words: Vec<String>,
    verbs: Verbs,
    lines: Vec<Part>,
    call: ServerCall,
    /// Whether a field could write whatever the name of the tool says.
    has_content: bool,
}

/// A command line and the folder that it runs in.
struct Part {
    folder: Option<String>,
    line: String,
}

impl Reader {
    pub(super) fn new(server: &str, tool: &str, input: &Value) -> Reader {
        let (server_words, tool_words) = (name::split(server), name::split(tool));
        let kind = kinds::find(&tool_words, &server_words).filter(|_| server != OWN);
        let mut verbs: Vec<String> =
            tool_words.iter().filter(|word| kind.is_none_or(|(_, by)| by != **word)).cloned().collect();
        if let Some(map) = input.as_object() {
            let fields = Fields::new(map);
            // A verb is one word or two, anything longer is a text.
            let actions = fields
                .all(ACTION)
                .filter_map(|(_, value)| value.as_str())
                .filter(|it| it.split_whitespace().count() == 1);
            verbs
                .extend(actions.filter(|it| it.len() < 24 && !it.contains(['/', '.'])).flat_map(name::split));
        }
        let words = tool_words.iter().chain(&server_words).cloned().collect();
        Reader {
            kind_word: kind.map(|(_, word)| word.to_owned()).unwrap_or_default(),
            kind: kind.map(|(kind, _)| kind),
            words,
            verbs: Verbs(verbs),
            lines: Vec::new(),
            call: ServerCall::default(),
            has_content: false,
        }
    }

    pub(super) fn read(mut self, input: &Value) -> ServerCall {
        self.value(input, &Scope::default(), MOST_DEPTH);
        let only_reads = self.verbs.only_read() && !self.has_content;
        let is_talk = self.words.iter().any(|word| TALKS.contains(word));
        if only_reads || is_talk {
            self.call.maybe.clear();
        }
        if only_reads {
            self.call.names.clear();
        }
        self.call.reads = only_reads;
        self.call.line = self.line();
        self.call
    }

    /// All parts as one line. Each is a shell of its own, so that none changes the folder of the next.
    fn line(&self) -> String {
        let text = |part: &Part| match part
            .folder
            .as_deref()
            .filter(|folder| *folder != "." && !folder.is_empty())
        {
            Some(folder) => format!("cd {} && {}", quoted(folder), part.line),
            None => part.line.clone(),
        };
        match self.lines.as_slice() {
            [only] => text(only),
            several => several
                .iter()
                .map(|part| format!("bash -c {}", quoted(&text(part))))
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }

    fn value(&mut self, value: &Value, scope: &Scope, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match value {
            Value::Object(map) => self.object(map, scope, depth),
            Value::Array(items) => items.iter().for_each(|item| self.value(item, scope, depth)),
            Value::String(text) if is_path(text) => {
                self.call.names.push(below(scope.folder.as_deref(), &path_of(text)))
            }
            _ => {}
        }
    }

    fn object(&mut self, map: &Map<String, Value>, scope: &Scope, depth: usize) {
        let fields = Fields::new(map);
        let folder = fields.text(FOLDER).filter(|(_, text)| is_path(text));
        let mut scope = scope.clone();
        if let Some((_, text)) = folder {
            scope.folder = Some(below(scope.folder.as_deref(), &path_of(text)));
        }
        self.has_content |= fields.find(SURE_CONTENT).is_some();
        let env = environment(&fields);
        let before = self.lines.len();
        self.run(&fields, &scope);
        for part in self.lines.iter_mut().skip(before).filter(|_| !env.is_empty()) {
            part.line = format!("{env}\n{}", part.line);
        }
        let has_run = self.lines.len() > before;
        if !has_run && depth + 2 > MOST_DEPTH {
            self.remote(&fields, &scope);
        } else if !has_run && let Some(line) = request::nested_line(&fields) {
            self.push(line, &scope);
        }
        self.documents(&fields, &scope);
        self.sent_files(&fields, &scope);
        self.patch(&fields, &scope);
        let files = FileFields { fields: &fields, verbs: &self.verbs, scope: &scope };
        let paths = if has_run { Vec::new() } else { files.paths() };
        let found = files.read(&paths);
        let is_known = !found.edits.is_empty() || !found.lines.is_empty();
        self.call.edits.extend(found.edits);
        self.lines.extend(found.lines.into_iter().map(|line| Part { folder: None, line }));
        if !is_known {
            self.call.names.extend(paths.iter().cloned());
        }
        if let [path] = paths.as_slice() {
            scope.path = Some(path.clone());
        }
        self.nested(&fields, &scope, depth);
        if let Some((key, text)) = folder.filter(|(key, _)| !fields.is_used(key)) {
            fields.mark(key);
            self.call.names.push(path_of(text));
        }
    }

    /// What is in fields that mean nothing by themselves.
    fn nested(&mut self, fields: &Fields<'_>, scope: &Scope, depth: usize) {
        for (key, value) in fields.rest() {
            let name = plain(key);
            match value {
                Value::Object(_) | Value::Array(_) | Value::String(_) if is_path_key(key) => {
                    let scope = Scope { path: Some(below(scope.folder.as_deref(), key)), ..scope.clone() };
                    self.keyed(value, &scope, depth);
                }
                Value::Object(_) | Value::Array(_) => self.value(value, scope, depth),
                Value::String(_)
                    if PROSE.contains(&name) || FOLDER.contains(&name) || SURE_CONTENT.contains(&name) => {}
                other => self.value(other, scope, depth),
            }
            let is_data = [PROSE, FOLDER, SURE_CONTENT, NAMING, OLD, NEW, REGEX]
                .into_iter()
                .any(|names| names.contains(&name));
            if !is_data {
                self.call.maybe.extend(texts(value).into_iter().filter(|it| may_run(it)).map(str::to_owned));
            }
        }
    }

    /// Commands of a document database, which are objects: `{"dropDatabase": 1}`.
    fn documents(&mut self, fields: &Fields<'_>, scope: &Scope) {
        let is_database = self.kind.is_some_and(|kind| kind.style == Style::Mongo)
            || self
                .words
                .iter()
                .any(|word| Words("db|database|document|documents|collection").contains(word));
        if let Some(line) = remote::document_command(fields.map, is_database) {
            self.push(line, scope);
        }
    }

    /// Files that the call sends along: attachments and uploads.
    fn sent_files(&mut self, fields: &Fields<'_>, scope: &Scope) {
        for (key, value) in fields.all(SENT_FILE).filter(|(key, _)| !fields.is_used(key)) {
            for path in texts(value).into_iter().filter(|text| is_path(text)) {
                fields.mark(key);
                self.push(
                    request::upload(&below(scope.folder.as_deref(), &path_of(path))),
                    &Scope::default(),
                );
            }
        }
    }

    /// A value whose key is a path.
    fn keyed(&mut self, value: &Value, scope: &Scope, depth: usize) {
        let Some(path) = &scope.path else { return };
        match value {
            Value::String(text) if !self.verbs.only_read() => {
                let change = Change::Write { content: text.clone() };
                self.call.edits.push(crate::event::FileEdit { path: path.clone(), change });
            }
            other => {
                self.call.names.push(path.clone());
                self.value(other, scope, depth);
            }
        }
    }

    fn push(&mut self, line: String, scope: &Scope) {
        self.lines.push(Part { folder: scope.folder.clone(), line });
    }

    /// Commands, programs with arguments, code and SQL.
    fn run(&mut self, fields: &Fields<'_>, scope: &Scope) {
        if self.sql(fields, scope) {
            return;
        }
        let arguments = fields.take_list(ARGS);
        let command = self.command(fields).or_else(|| fields.find(TYPED).filter(|_| self.is_typed(fields)));
        let program = fields.text(PROGRAM).filter(|(_, text)| !arguments.is_empty() && is_path(text));
        if let Some((key, value)) = command {
            fields.mark(key);
            let words = texts(value);
            let is_list = value.is_array() && plain(key).ends_with('s');
            match words.as_slice() {
                // Keys are typed one behind the other.
                keys if plain(key) == "keys" => {
                    let is_text = |key: &&&str| !matches!(**key, "Enter" | "C-m" | "Return" | "KPEnter");
                    let line = keys.iter().filter(is_text).copied().collect::<Vec<_>>().join(" ");
                    self.push(line, scope);
                }
                lines if is_list => lines.iter().for_each(|line| self.push(self.with_program(line), scope)),
                [line] if arguments.is_empty() => self.push(self.with_program(line), scope),
                words => {
                    let line = joined(words.iter().chain(&arguments));
                    self.push(self.with_program(&line), scope);
                }
            }
        } else if let Some((key, program)) = program {
            fields.mark(key);
            self.push(joined(std::iter::once(&program).chain(&arguments)), scope);
        } else if !arguments.is_empty() {
            self.arguments(&arguments, fields, scope);
        }
        self.code(fields, scope);
    }

    /// The field with a command, unless it is the name of an action of an editor.
    fn command<'v>(&self, fields: &Fields<'v>) -> Option<(&'v str, &'v Value)> {
        let mut all = fields.all(COMMAND).filter(|(_, value)| !texts(value).is_empty());
        // `line` may be the number or the text of a line.
        all.find(|(key, value)| {
            let is_word = value.as_str().is_some_and(|text| !text.contains(char::is_whitespace));
            let is_file = fields.find(super::fields::PATH).is_some();
            !(is_file && (is_word || plain(key) == "line"))
        })
    }

    /// Whether the text of a terminal's call is typed into it and not written to a file.
    fn is_typed(&self, fields: &Fields<'_>) -> bool {
        let is_terminal = matches!(self.kind.map(|kind| kind.style), Some(Style::Terminal))
            || self.words.iter().any(|word| matches!(word.as_str(), "process" | "keys" | "terminal"));
        is_terminal && fields.find(super::fields::PATH).is_none() && !self.verbs.only_read()
    }

    /// Arguments of a program that the server or its tool is named after.
    fn arguments(&mut self, arguments: &[&str], fields: &Fields<'_>, scope: &Scope) {
        let Some(kind) = self.kind.filter(|kind| !kind.program.is_empty()) else {
            self.push(joined(arguments), scope);
            return;
        };
        let command = if kind.style == Style::Git { super::git::line(&self.verbs.0, fields) } else { None };
        let is_whole = arguments.first().is_some_and(|first| kind.commands.contains(first));
        let line = match command {
            Some(command) if !is_whole => format!("{command} {}", joined(arguments)),
            _ => {
                let words = self.verbs.0.iter().filter(|word| kind.commands.contains(word) && !is_whole);
                let before: Vec<&str> = words.map(String::as_str).take(1).collect();
                format!("{} {}", kind.program, joined(before.iter().chain(arguments)))
            }
        };
        self.push(line.replace("  ", " "), scope);
    }

    /// A line with its program, if the server's name is the program.
    fn with_program(&self, line: &str) -> String {
        let first = line.split_whitespace().next().unwrap_or_default();
        let Some(kind) = self.kind.filter(|kind| !kind.program.is_empty() && first != kind.program) else {
            return line.to_owned();
        };
        match kind.style {
            // A database may be anywhere; the files of a container are not ours.
            Style::Docker if self.verbs.has(Words("exec")) => {
                let is_database =
                    Words("psql|mysql|mariadb|mongosh|mongo|redis-cli|dropdb|mysqladmin|sqlite3")
                        .contains(first);
                if is_database { line.to_owned() } else { format!("docker exec container {line}") }
            }
            Style::Mongo => mongo_line(line),
            Style::Redis => format!("{} {line}", kind.program),
            _ if kind.commands.contains(first) => format!("{} {line}", kind.program),
            _ => line.to_owned(),
        }
    }

    fn code(&mut self, fields: &Fields<'_>, scope: &Scope) {
        let runs = Words(
            "run|execute|exec|eval|evaluate|code|script|cell|interpreter|repl|python|node|notebook|kernel|submit|shell|bash",
        );
        // `{"python": "…"}` says it by itself.
        let names_language =
            |key: &str| plain(key) != "command" && code::interpreter(&name::split(key)).is_some();
        let is_runner = self.verbs.has(runs)
            || self.words.iter().any(|word| runs.contains(word))
            || fields.find(LANGUAGE).is_some()
            || fields.all(CODE).any(|(key, _)| names_language(key));
        let is_file = fields.find(super::fields::PATH).is_some()
            && fields.find(LANGUAGE).is_none()
            && !self.verbs.has(Words("run|execute|exec|eval"));
        if !is_runner || is_file {
            return;
        }
        let language = fields.take(LANGUAGE).map(name::split);
        let is_mongo = self.kind.is_some_and(|kind| kind.style == Style::Mongo);
        let of_kind = is_mongo.then_some("mongosh --eval");
        let interpreter = language
            .as_deref()
            .and_then(code::interpreter)
            .or(of_kind)
            .or_else(|| code::interpreter(&self.words));
        let all: Vec<(&str, &str)> =
            fields.all(CODE).filter_map(|(key, value)| Some((key, value.as_str()?))).collect();
        for (key, text) in all.into_iter().filter(|(key, _)| !fields.is_used(key)) {
            fields.mark(key);
            let by_key = code::interpreter(&name::split(key)).filter(|_| plain(key) != "command");
            for line in code::lines(text, by_key.or(interpreter)) {
                self.push(line, scope);
            }
        }
    }

    fn sql(&mut self, fields: &Fields<'_>, scope: &Scope) -> bool {
        let (program, options) = match self.kind.map(|kind| (kind.program, kind.style)) {
            Some((program, Style::Sql(options))) => (program, Some(options)),
            _ => ("psql", None),
        };
        let mut has_found = false;
        for (key, value) in fields.all(SQL) {
            let is_named = plain(key).contains("sql");
            let statements: Vec<&str> = texts(value)
                .into_iter()
                .filter(|text| {
                    code::is_surely_sql(text) || ((options.is_some() || is_named) && code::is_sql(text))
                })
                .collect();
            // Other texts of a database may be a search, or a command of its shell.
            if statements.is_empty() {
                continue;
            }
            fields.mark(key);
            has_found = true;
            for statement in statements {
                self.push(remote::sql(program, options.unwrap_or(&["-c"]), statement), scope);
            }
        }
        has_found
    }

    /// What the name of the tool says, for servers that are known.
    fn remote(&mut self, fields: &Fields<'_>, scope: &Scope) {
        let line = match self.kind {
            Some(kind) if kind.style == Style::Packages => {
                remote::packages(&self.kind_word, &self.verbs, fields)
            }
            Some(kind) if !self.verbs.only_read() => remote::line(kind, &self.verbs, fields),
            _ => None,
        };
        match line.or_else(|| request::line(fields)) {
            Some(line) => self.push(line, scope),
            None => {
                // What is on disk is judged by its path.
                let is_file = fields.find(super::fields::PATH).is_some();
                self.call.deletes = remote::deletion(&self.verbs, fields).filter(|_| !is_file);
            }
        }
    }

    fn patch(&mut self, fields: &Fields<'_>, scope: &Scope) {
        let all: Vec<(&str, &str)> =
            fields.all(PATCH).filter_map(|(key, value)| Some((key, value.as_str()?))).collect();
        for (key, text) in all.into_iter().filter(|(_, text)| is_patch(text)) {
            fields.mark(key);
            let edits = patch_edits(text).into_iter().map(|mut edit| {
                edit.path = below(scope.folder.as_deref(), &edit.path);
                edit
            });
            self.call.edits.extend(edits);
        }
    }
}

/// Variables that a call sets for what it runs.
fn environment(fields: &Fields<'_>) -> String {
    let Some((key, Value::Object(variables))) = fields.find(ENV) else { return String::new() };
    fields.mark(key);
    let set = variables.iter().filter_map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !name.is_empty();
        is_name.then(|| format!("export {name}={}", quoted(&text)))
    });
    set.collect::<Vec<_>>().join("\n")
}

/// Whether a text may be a command line: short, of several words, and not an address.
fn may_run(text: &str) -> bool {
    const MOST: usize = 2000;
    let text = text.trim();
    text.len() <= MOST
        && text.contains(char::is_whitespace)
        && !text.starts_with("http")
        && !text.starts_with('{')
}

/// Code for the shell of the document database.
fn mongo_line(code: &str) -> String {
    let is_options = code.starts_with('-');
    if is_options { format!("mongosh {code}") } else { format!("mongosh --eval {}", quoted(code)) }
}
