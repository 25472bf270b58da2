//! Turns a call whose meaning is known into acts.

use crate::model::{CodeAct, Content, Directory, FileAct, Language, Target, Word};

use super::calls::parent;
use super::dialect::{CallEffect, Returned, Start};
use super::expressions::join;
use super::value::{Arg, Args, Value};
use super::walker::{Base, Walker};

impl Walker<'_> {
    /// The names in a folder are not known, but a pattern stands for all of them.
    fn list(&mut self, place: Option<&Value>) -> Value {
        self.listed.extend(self.path(place));
        match place {
            Some(value) if value.text().is_some_and(|text| text.contains('*')) => value.clone(),
            _ => Value::Unknown,
        }
    }

    /// Does what a function does.
    pub(super) fn apply(&mut self, effect: CallEffect, args: Args) -> Value {
        match effect {
            CallEffect::Nothing => self.spoil_handles(&args),
            CallEffect::Opaque => self.is_opaque = true,
            CallEffect::Code(code) => self.run_code(args.at(code)),
            CallEffect::Lists(place) => return self.list(args.at(place).or_else(|| args.at(0))),
            CallEffect::Returns(returned) => return self.returned_value(returned, &args),
            CallEffect::Read(path) => {
                self.file(FileAct::Read, args.either(path, &["file", "path", "filename"]))
            }
            CallEffect::Change(path) => self.file(FileAct::Change, args.at(path)),
            CallEffect::Touch(path) => {
                self.file(FileAct::Append(Content::Text(String::new())), args.at(path))
            }
            CallEffect::Delete(path) => self.delete(args.either(path, &["path"]), false),
            CallEffect::DeleteTree(path) => self.delete(args.either(path, &["path"]), true),
            CallEffect::DeleteOption(path) => self.delete(args.at(path), args.turns_on("recursive")),
            CallEffect::DeleteEach => self.each(&args, 0, &FileAct::Delete { recursive: false }),
            CallEffect::Attributes(path) => {
                self.file(FileAct::Attributes { recursive: false }, args.at(path))
            }
            CallEffect::AttributesFrom(first) => {
                self.each(&args, first, &FileAct::Attributes { recursive: false })
            }
            CallEffect::Write(path, content) | CallEffect::Append(path, content) => {
                self.write(matches!(effect, CallEffect::Append(..)), args.at(path), args.at(content), &args);
            }
            CallEffect::WriteIf(path) => {
                if let Some(path) = args.at(path).or_else(|| args.named("path")) {
                    self.file(FileAct::Write(Content::Unknown), Some(path));
                }
            }
            CallEffect::Move(from, to) => self.relocate(&args, from, to),
            CallEffect::Copy(from, to) => {
                self.file(FileAct::Read, args.either(from, &["src"]));
                self.file(FileAct::Write(Content::Unknown), args.either(to, &["dst"]));
            }
            CallEffect::Link(target, name) => {
                let name = self.target(args.at(name));
                self.file(FileAct::Link { name }, args.at(target));
            }
            CallEffect::Open(path, mode) => {
                let mode = args.at(mode).or_else(|| args.named("mode")).or_else(|| args.named("flag"));
                let act = open_act(mode);
                return self.opened(act, args.either(path, &["file", "name"]));
            }
            CallEffect::Create(path) => {
                let appends = args.named("flags").and_then(Value::text).is_some_and(|it| it.starts_with('a'));
                let act = if appends {
                    FileAct::Append(Content::Unknown)
                } else {
                    FileAct::Write(Content::Unknown)
                };
                return self.opened(act, args.at(path));
            }
            CallEffect::OpenPerl => return self.open_perl(&args),
            CallEffect::WriteTo(handle, first) => self.print(args.at(handle).cloned(), &args, first, ""),
            CallEffect::Print(end) => self.print(args.at(0).cloned(), &args, 1, end),
            CallEffect::Shell(line) => {
                let value = args.either(line, &["args", "cmd", "command"]).cloned().unwrap_or(Value::Unknown);
                self.shell_in(&value, args.named("cwd"));
            }
            CallEffect::Start(start) => self.start(start, &args),
            CallEffect::Fetch(to) => return self.network(&args, to, false),
            CallEffect::Send(to) => return self.network(&args, to, true),
            CallEffect::Download(from, to) => {
                self.network(&args, from, false);
                self.file(FileAct::Write(Content::Unknown), args.at(to));
            }
            CallEffect::Enter(to) => self.enter(args.at(to)),
            CallEffect::Sql => self.sql(&args),
            CallEffect::Calls => self.escape_args(&args),
            CallEffect::FileInput => {
                if args.turns_on("inplace") {
                    self.file(FileAct::Change, args.at(0));
                }
            }
            CallEffect::Load(name) => return self.load(args.at(name).and_then(Value::text)),
        }
        Value::Unknown
    }

    /// The path that a value names from the directory in which the code starts.
    pub(super) fn path(&self, value: Option<&Value>) -> Option<String> {
        let path = match value? {
            Value::Path(Some(path)) => path.clone(),
            // Only a shell expands a tilde to the home directory.
            Value::Text(text) if text.starts_with('~') => format!("./{text}"),
            Value::Text(text) => text.strip_prefix("file://").unwrap_or(text).to_owned(),
            _ => return None,
        };
        // The system rejects such a path; no file has it.
        if path.is_empty() || path.contains('\u{0}') {
            return None;
        }
        match &self.base {
            Base::Known(base) if !path.starts_with(['/', '~']) => Some(join(base, &path)),
            Base::Unknown if !path.starts_with(['/', '~']) => None,
            Base::Start | Base::Known(_) | Base::Unknown => Some(path),
        }
    }

    fn target(&self, value: Option<&Value>) -> Target {
        let word = self.path(value).map_or_else(|| Word::unknown(""), Word::literal);
        Target::new(&word, &Directory::Start)
    }

    fn file(&mut self, act: FileAct, path: Option<&Value>) {
        let path = self.path(path);
        self.acts.push(CodeAct::File { act, path });
    }

    /// Adds the same act for every argument, or for every item of a list.
    fn each(&mut self, args: &Args, first: usize, act: &FileAct) {
        for value in args.positional().skip(first) {
            match value {
                Value::List(items) => items.iter().for_each(|item| self.file(act.clone(), Some(item))),
                single => self.file(act.clone(), Some(single)),
            }
        }
    }

    fn delete(&mut self, path: Option<&Value>, recursive: bool) {
        match path {
            Some(Value::List(items)) => {
                items.iter().for_each(|item| self.file(FileAct::Delete { recursive }, Some(item)));
            }
            other => self.file(FileAct::Delete { recursive }, other),
        }
    }

    fn write(&mut self, is_append: bool, path: Option<&Value>, content: Option<&Value>, args: &Args) {
        let content = match content {
            Some(Value::Text(text)) => Content::Text(text.clone()),
            _ => Content::Unknown,
        };
        let flag = args.named("flag").or_else(|| args.named("mode")).and_then(Value::text);
        let appends = is_append
            || flag.is_some_and(|flag| flag.starts_with('a'))
            || args.turns_on("append")
            // The flag of PHP's `file_put_contents`.
            || args.positional().any(|value| *value == Value::Named("FILE_APPEND".to_owned()));
        if let Some(Value::Handle(handle)) = path {
            let text = content.text().map(str::to_owned);
            return self.write_to(*handle, text);
        }
        self.file(if appends { FileAct::Append(content) } else { FileAct::Write(content) }, path);
    }

    fn relocate(&mut self, args: &Args, from: usize, to: usize) {
        let to = self.target(args.either(to, &["dst", "target"]));
        self.file(FileAct::Move { to }, args.either(from, &["src"]));
    }

    fn opened(&mut self, act: FileAct, path: Option<&Value>) -> Value {
        // Ruby, Perl and PHP start commands by the names of files.
        if let Some(line) = path.and_then(Value::text).and_then(|text| text.strip_prefix('|'))
            && self.language() == Language::Ruby
        {
            let line = Value::Text(line.to_owned());
            self.shell(&line);
            return Value::Unknown;
        }
        if let Some(text) = path.and_then(Value::text)
            && self.language() == Language::Php
            // PHP opens addresses like files.
            && text.contains("://")
        {
            if !text.starts_with("php://") {
                self.acts.push(CodeAct::Network { to: Some(text.to_owned()), sends: false });
            }
            return Value::Unknown;
        }
        self.file(act, path);
        // A handle is the index of its act, so that later writes can complete the act's content.
        Value::Handle(self.acts.len() - 1)
    }

    /// `open F, '>', 'x'`, `open F, '>x'`, `open F, '-|', 'cmd'`, `open F, 'cmd |'`.
    fn open_perl(&mut self, args: &Args) -> Value {
        let mode = args.at(1).and_then(Value::text).map(str::trim);
        // An unknown mode may open for writing.
        let Some(mode) = mode else {
            self.file(FileAct::Change, None);
            return Value::Handle(self.acts.len() - 1);
        };
        if let Some(path) = args.at(2) {
            // `>:encoding(UTF-8)`: a layer may follow the sign.
            let sign = mode.split(':').next().unwrap_or(mode).trim();
            if sign.contains('|') {
                let words = args.positional().skip(2).cloned();
                let items = words.map(|value| Arg { name: None, value }).collect();
                self.start(Start::Words, &Args { items });
                return Value::Unknown;
            }
            return self.opened(perl_act(sign), Some(path));
        }
        if mode.starts_with('|') || mode.ends_with('|') {
            let line = Value::Text(mode.trim_matches('|').to_owned());
            self.shell(&line);
            return Value::Unknown;
        }
        let path = mode.trim_start_matches(['<', '>', '+', ' ']);
        let sign = mode.get(..mode.len() - path.len()).unwrap_or_default().trim();
        self.opened(perl_act(sign), Some(&Value::Text(path.to_owned())))
    }

    fn print(&mut self, handle: Option<Value>, args: &Args, first: usize, end: &str) {
        let Some(Value::Handle(handle)) = handle else { return self.spoil_handles(args) };
        let mut text = Some(String::new());
        for value in args.positional().skip(first) {
            text = match (text, value) {
                (Some(text), Value::Text(more)) => {
                    let end = if more.ends_with('\n') { "" } else { end };
                    Some(text + more + end)
                }
                _ => None,
            };
        }
        self.write_to(handle, text);
    }

    /// Records what is written to an open file.
    pub(super) fn write_to(&mut self, handle: usize, text: Option<String>) {
        // In a loop or a branch, a write may happen never or often.
        let is_exact = self.bindings.is_straight && !self.spoiled.contains(&handle);
        let Some(CodeAct::File { act: FileAct::Write(content) | FileAct::Append(content), .. }) =
            self.acts.get_mut(handle)
        else {
            return;
        };
        match (text.filter(|_| is_exact), &mut *content) {
            (Some(text), Content::Text(before)) => before.push_str(&text),
            (Some(text), Content::Unknown) => *content = Content::Text(text),
            (None, _) => {
                *content = Content::Unknown;
                // Marked for good: a known write later must not make the content look known again.
                self.spoiled.insert(handle);
            }
        }
    }

    /// Hands a line to a shell.
    pub(super) fn shell(&mut self, line: &Value) {
        self.shell_in(line, None);
    }

    fn shell_in(&mut self, line: &Value, directory: Option<&Value>) {
        if line.is_encoded() {
            return self.acts.push(CodeAct::Decoded);
        }
        let line = line.text().map(|line| match self.directory(directory) {
            None => line.to_owned(),
            Some(Some(directory)) => format!("cd {} && {line}", quoted(&directory)),
            // `"$_"` is a directory that the shell reader cannot know.
            Some(None) => format!("cd \"$_\" && {line}"),
        });
        self.acts.push(CodeAct::Shell { line });
    }

    /// The directory in which something is started, if it differs from the first.
    fn directory(&self, own: Option<&Value>) -> Option<Option<String>> {
        match (own.filter(|own| !matches!(own, Value::Named(name) if name == "None")), &self.base) {
            (Some(own), _) => Some(self.path(Some(own))).filter(|it| it.as_deref() != Some(".")),
            (None, Base::Start) => None,
            (None, Base::Known(base)) => Some(Some(base.clone())),
            (None, Base::Unknown) => Some(None),
        }
    }

    fn command(&mut self, words: Vec<Option<String>>, args: &Args) {
        let directory = self.directory(args.named("cwd").or_else(|| args.named("chdir")));
        let words = match directory {
            // The shell reader knows this one.
            Some(directory) => {
                let mut all = vec![Some("env".to_owned()), Some("-C".to_owned()), directory];
                all.extend(words);
                all
            }
            None => words,
        };
        // A shell or interpreter that is given its text this way.
        self.is_opaque |= words.len() == 1 && args.named("input").is_some();
        self.acts.push(CodeAct::Command { words });
    }

    fn start(&mut self, start: Start, args: &Args) {
        if args.positional().take(2).any(Value::is_encoded) {
            return self.acts.push(CodeAct::Decoded);
        }
        let text = |value: &Value| value.text().map(str::to_owned);
        match start {
            Start::ListOrLine(at) => self.start_list(args.either(at, &["args", "cmd"]), args),
            Start::Program => {
                let mut words = vec![args.at(0).and_then(Value::text).map(str::to_owned)];
                match args
                    .at(1)
                    .filter(|value| !matches!(value, Value::Fields(_)))
                    .or_else(|| args.named("args"))
                {
                    Some(Value::List(items)) => words.extend(items.iter().map(text)),
                    None | Some(Value::Local) => {}
                    Some(_) => words.push(None),
                }
                if args.turns_on("shell") {
                    let line: Option<Vec<String>> = words.into_iter().collect();
                    let line = line.map_or(Value::Unknown, |words| Value::Text(words.join(" ")));
                    return self.shell_in(&line, args.named("cwd"));
                }
                self.command(words, args);
            }
            Start::Words => {
                let items: Vec<&Value> =
                    args.positional().filter(|value| !matches!(value, Value::Fields(_))).collect();
                match items.as_slice() {
                    [] => self.command(vec![None], args),
                    [Value::List(_)] => self.start_list(args.at(0), args),
                    [line] => self.shell_in(line, args.named("chdir")),
                    words => self.command(words.iter().map(|word| text(word)).collect(), args),
                }
            }
            Start::Replace(at) => {
                let mut words = vec![args.at(at).and_then(Value::text).map(str::to_owned)];
                match args.at(at + 1) {
                    // The first item is the name that the program sees for itself.
                    Some(Value::List(items)) => words.extend(items.iter().skip(1).map(text)),
                    _ => words.push(None),
                }
                self.command(words, args);
            }
            Start::Spread(at) => {
                let program = args.at(at).and_then(Value::text).map(str::to_owned);
                let rest = args.positional().skip(at + 2).map(text);
                self.command(std::iter::once(program).chain(rest).collect(), args);
            }
            Start::Each => self.command(args.positional().map(text).collect(), args),
        }
    }

    fn start_list(&mut self, value: Option<&Value>, args: &Args) {
        match value {
            Some(Value::List(items)) if args.turns_on("shell") => {
                // With a list and `shell=True`, Python gives the shell only the first item as its text.
                let line = items.first().cloned().unwrap_or(Value::Unknown);
                self.shell_in(&line, args.named("cwd"));
            }
            Some(Value::List(items)) => {
                let words = items.iter().map(|item| item.text().map(str::to_owned)).collect();
                self.command(words, args);
            }
            // Without a shell, a text is the name of one program; read as a line, it can only show more.
            Some(line @ (Value::Text(_) | Value::Path(_))) => self.shell_in(line, args.named("cwd")),
            _ if args.turns_on("shell") => self.acts.push(CodeAct::Shell { line: None }),
            _ => self.command(vec![None], args),
        }
    }

    fn network(&mut self, args: &Args, to: usize, sends: bool) -> Value {
        let value = args.either(to, &["url", "uri"]);
        let to_text = value.and_then(Value::text).map(str::to_owned);
        let method = args.named("method").and_then(Value::text);
        let sends = sends
            || ["data", "json", "files", "body"].iter().any(|name| args.named(name).is_some())
            || method.is_some_and(|method| !matches!(method, "GET" | "HEAD" | "get" | "head" | "OPTIONS"));
        let act = CodeAct::Network { to: to_text.clone(), sends };
        if self.acts.last() != Some(&act) {
            self.acts.push(act);
        }
        to_text.map_or(Value::Unknown, Value::Text)
    }

    fn enter(&mut self, to: Option<&Value>) {
        // In a branch or a loop, it may or may not have happened.
        self.base = match self.path(to).filter(|_| self.bindings.is_straight) {
            Some(path) => Base::Known(path),
            None => Base::Unknown,
        };
    }

    /// Only queries leave a database unchanged.
    fn sql(&mut self, args: &Args) {
        let statement = args.at(1).and_then(Value::text).map(|text| text.trim_start().to_ascii_lowercase());
        let is_query =
            |text: &String| ["select", "pragma", "explain", "with"].iter().any(|word| text.starts_with(word));
        if !statement.as_ref().is_some_and(is_query) {
            self.file(FileAct::Change, args.at(0));
        }
    }

    fn returned_value(&mut self, returned: Returned, args: &Args) -> Value {
        let value = match returned {
            Returned::Join | Returned::Path => self.joined_path(returned == Returned::Path, args),
            Returned::Same(at) => args.at(at).cloned().unwrap_or(Value::Unknown),
            Returned::Home => match args.at(0).and_then(Value::text) {
                Some(text) => {
                    // `path` protects a literal tilde with `./`; here the code asks for the expansion.
                    Value::Path(Some(text.strip_prefix("./~").map_or(text.to_owned(), |it| format!("~{it}"))))
                }
                None => Value::Path(None),
            },
            Returned::HomeItself => Value::Path(Some("~".to_owned())),
            Returned::Here => Value::Path(Some(".".to_owned())),
            Returned::Words => match args.at(0) {
                Some(Value::Text(text)) if args.items.len() < 3 && !text.contains(['\'', '"', '\\']) => {
                    Value::List(text.split_whitespace().map(|word| Value::Text(word.to_owned())).collect())
                }
                _ => Value::Unknown,
            },
            Returned::Parent => match args.at(0) {
                Some(Value::Text(path)) => Value::Text(parent(path)),
                Some(Value::Path(Some(path))) => Value::Path(Some(parent(path))),
                _ => Value::Unknown,
            },
            Returned::Sibling => match (args.at(0), args.at(1).and_then(Value::text)) {
                (Some(Value::Path(Some(path))), Some(name)) => Value::Path(Some(join(&parent(path), name))),
                _ => Value::Path(None),
            },
            Returned::SomePath => Value::Path(None),
            Returned::Member => match (args.at(0), args.at(1).and_then(Value::text)) {
                (Some(Value::Named(_)), None) => {
                    // `getattr(os, name)` with an unknown name may be any function.
                    self.is_opaque = true;
                    Value::Unknown
                }
                (Some(value @ Value::Named(_)), Some(name)) => self.member(value.clone(), name),
                _ => Value::Unknown,
            },
            Returned::Database => {
                self.file(FileAct::Read, args.at(0));
                Value::Path(self.path(args.at(0)))
            }
            Returned::Function => Value::Local,
            Returned::Document => {
                self.file(FileAct::Read, args.at(0));
                Value::Named("ElementTree".to_owned())
            }
        };
        self.charge(value)
    }

    fn joined_path(&mut self, is_object: bool, args: &Args) -> Value {
        let mut whole = String::new();
        let mut is_home = is_object;
        for (at, value) in args.positional().enumerate() {
            let Some(text) = value.text() else {
                return if is_object { Value::Path(None) } else { Value::Unknown };
            };
            let is_plain_tilde = matches!(value, Value::Text(_)) && text.starts_with('~');
            // A path object does not expand a tilde either.
            let text = if is_plain_tilde && is_object { format!("./{text}") } else { text.to_owned() };
            is_home |= at == 0 && matches!(value, Value::Path(_));
            whole = join(&whole, &text);
        }
        if whole.is_empty() {
            whole = ".".to_owned();
        }
        if is_home { Value::Path(Some(whole)) } else { Value::Text(whole) }
    }
}

/// What opening a file with this mode does to it.
fn open_act(mode: Option<&Value>) -> FileAct {
    let Some(mode) = mode else { return FileAct::Read };
    // An options object or a callback in the place of a mode: the default is reading.
    if *mode == Value::Named("os.O_RDONLY".to_owned()) || matches!(mode, Value::Fields(_) | Value::Local) {
        return FileAct::Read;
    }
    match mode.text() {
        Some(mode) if mode.contains('w') || mode.contains('x') => FileAct::Write(Content::Unknown),
        Some(mode) if mode.contains('a') => FileAct::Append(Content::Unknown),
        Some(mode) if mode.contains('+') || mode.contains('c') => FileAct::Change,
        Some(_) => FileAct::Read,
        // An unknown mode may write.
        None => FileAct::Change,
    }
}

fn perl_act(sign: &str) -> FileAct {
    match sign {
        ">" | "+>" => FileAct::Write(Content::Unknown),
        ">>" | "+>>" => FileAct::Append(Content::Unknown),
        "" | "<" => FileAct::Read,
        _ => FileAct::Change,
    }
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    // Inside quotes, the shell would not expand the tilde.
    if let Some(rest) = text.strip_prefix("~/") {
        return format!("~/{}", quoted(rest));
    }
    if text == "~" { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
