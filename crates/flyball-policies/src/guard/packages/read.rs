//! Reads commands of package managers.

use flyball_effects::Word;

use super::arguments::{Arguments, spelled, text, written};
use super::commands::{self, Subcommand};
use super::request::{Request, Verb};
use super::settings::AllowKey;
use super::tool::{Call, Ecosystem, Program, Tool};
use super::{pip, python};

/// Reads a command; `None` if it is allowed in every project: help, versions, what is only known at run time.
pub(super) fn read(call: &Call) -> Option<Request> {
    match call.program {
        Program::Main if call.tool == Tool::Pip => pip::read(&call.words),
        Program::Main => main(call.tool, &call.words),
        Program::Runner => {
            let verb = if call.tool == Tool::Pnpm { Verb::Download } else { Verb::Exec };
            let request = Request::new(AllowKey::Runner, verb, &[]);
            Reader { tool: call.tool, request, head: Arguments::default(), after: &call.words }.executed()
        }
        Program::Venv => python::venv(call),
        Program::EnsurePip => {
            let asks = |word: &Word| matches!(text(word), "--version" | "--help" | "-h");
            (!call.words.iter().any(asks)).then(|| pip::install("ensurepip", &[Word::literal("pip")]))?
        }
        Program::EasyInstall => {
            let arguments = Arguments::read(&call.words, &commands::grammar(call.tool));
            let packages: Vec<Word> = arguments.operands.iter().map(|word| (*word).clone()).collect();
            (!arguments.asks_only() && !packages.is_empty())
                .then(|| pip::install("easy_install", &packages))?
        }
    }
}

fn main(tool: Tool, words: &[Word]) -> Option<Request> {
    // npm's `-ws` would be read as two letters.
    let expand = |word: &Word| if word.is("-ws") { Word::literal("--workspaces") } else { word.clone() };
    let words: Vec<Word> = words.iter().map(expand).collect();
    let grammar = commands::grammar(tool);
    let (mut head, rest) = Arguments::head(&words, &grammar);
    let is_javascript = tool.ecosystem() == Ecosystem::JavaScript;
    if head.asks_only() || (is_javascript && words.first().is_some_and(|first| first.is("-v"))) {
        return None;
    }
    let install = [Word::literal("install")];
    // `yarn` alone installs.
    let rest = if rest.is_empty() && tool == Tool::Yarn { &install } else { rest };
    let Some((first, after)) = rest.split_first() else {
        // `pipenv --python 3.11` makes an environment; other options alone ask something.
        let makes = tool == Tool::Pipenv && head.has("python");
        return makes.then(|| Request::new(AllowKey::Tool(tool), Verb::Other, &["--python"]));
    };
    let called = first.text.as_deref()?;
    let is_file = |name: &str| name.contains(['.', '/']);
    match (tool, called, after) {
        (_, "help", _) => return None,
        (Tool::Uv, "pip", _) => {
            let mut request = pip::read(after)?;
            request.key = AllowKey::Tool(Tool::Uv);
            request.names.push(called.to_owned());
            request.folder = head.values("C directory project P").pop();
            return Some(request);
        }
        (Tool::Yarn, "workspace", [name, rest @ ..]) => {
            let mut request = main(tool, rest)?;
            request.details.put("workspace", vec![written(name)]);
            request.names.push(called.to_owned());
            return Some(request);
        }
        (Tool::Yarn, "workspaces", _) => return Some(in_all_workspaces(after)),
        // bun is a runtime too.
        (Tool::Bun, "run", _) if after.iter().any(|word| is_file(text(word))) => return None,
        (Tool::Bun, _, _) if is_file(called) => return None,
        _ => {}
    }
    let mut arguments = Arguments::read(after, &grammar);
    let second = after.first().map(text).filter(|word| !word.starts_with('-'));
    let unlisted =
        Subcommand { verb: commands::unlisted(tool, called), full: called, words: 1, values: Vec::new() };
    let found = commands::find(tool, called, second, &mut arguments).unwrap_or(unlisted);
    let names: &[&str] = if found.words == 2 {
        &[second.unwrap_or_default(), found.full, called]
    } else {
        &[called, found.full]
    };
    if found.words == 2 {
        arguments.operands.remove(0);
    }
    let request = Request::new(AllowKey::Tool(tool), found.verb, names);
    let after = after.get(found.words - 1..).unwrap_or_default();
    Reader { tool, request, head, after }.read(arguments, found)
}

/// `yarn workspaces run build`.
fn in_all_workspaces(after: &[Word]) -> Request {
    let mut request = Request::new(AllowKey::Tool(Tool::Yarn), Verb::Other, &["workspaces"]);
    let run = after.iter().position(|word| word.is("run")).and_then(|at| after.get(at + 1..));
    if let Some((script, words)) = run.and_then(<[Word]>::split_first) {
        request.verb = Verb::Run;
        request.details.set("workspaces");
        request.details.put("script", vec![written(script)]);
        request.details.put("words", words.iter().map(written).collect());
    }
    request
}

/// A subcommand while it is read.
struct Reader<'a> {
    tool: Tool,
    request: Request,
    /// The options in front of it.
    head: Arguments<'a>,
    /// The words after it.
    after: &'a [Word],
}

impl<'a> Reader<'a> {
    fn read(mut self, mut arguments: Arguments<'a>, found: Subcommand<'_>) -> Option<Request> {
        match self.request.verb {
            Verb::Free => return None,
            Verb::Run if self.tool.ecosystem() == Ecosystem::Python => return self.run_in_environment(),
            Verb::Run => return self.run(),
            Verb::Script if matches!(self.after.first().map(text), Some("--help" | "-h")) => return None,
            Verb::Script => {
                let after = self.after;
                return self.script(found.full.to_owned(), after);
            }
            Verb::ScriptOrProgram => {
                self.request.names.push("run".to_owned());
                let words = self.after.iter().map(written).collect();
                return self.started(found.full.to_owned(), words);
            }
            Verb::Exec | Verb::ExecInstalled | Verb::Download => return self.executed(),
            Verb::Create => return self.create(),
            Verb::Init if self.creates() => return self.create(),
            _ => {}
        }
        if arguments.asks_only() {
            return None;
        }
        match self.tool.ecosystem() {
            Ecosystem::Python => self.change_python(&mut arguments, found),
            Ecosystem::JavaScript => {
                arguments = arguments.with(std::mem::take(&mut self.head));
                self.change_javascript(&mut arguments);
            }
        }
        self.finish(arguments)
    }

    /// Takes out the options about the folder, and stores the options that remain.
    fn finish(mut self, mut options: Arguments<'a>) -> Option<Request> {
        let folder = match self.tool.ecosystem() {
            Ecosystem::Python => {
                let inner = options.values("directory project").pop();
                inner.or_else(|| self.head.values("C directory project P").pop())
            }
            Ecosystem::JavaScript => {
                let (named, all) = match self.tool {
                    Tool::Npm => ("w workspace", "workspaces"),
                    _ => ("filter F", "r recursive workspaces"),
                };
                self.request.details.put("workspace", options.values(named));
                if options.has(all) && !self.request.details.has("workspace") {
                    self.request.details.set("workspaces");
                }
                self.request.details.put("registry", options.values("registry"));
                options.values("prefix C dir cwd").pop()
            }
        };
        self.request.folder = folder;
        // Without a translation there is nothing that an option could be missing from.
        if self.request.verb != Verb::Other {
            self.request.left_out = options.remaining(commands::noise(self.tool.ecosystem()));
        }
        Some(self.request)
    }

    fn change_python(&mut self, arguments: &mut Arguments<'a>, found: Subcommand<'_>) {
        let tool = self.tool;
        if tool == Tool::Conda {
            arguments.ignore("c channel");
        }
        let details = &mut self.request.details;
        match self.request.verb {
            Verb::Add => {
                *details = python::added(tool, arguments);
                python::add_group(arguments, details);
            }
            Verb::Install => {
                *details = python::added(tool, arguments);
                python::add_group(arguments, details);
                let is_dev = details.has_any(&["dev", "group"]);
                self.request.verb = Verb::Add;
                if !details.has_any(python::NAMED) {
                    self.request.verb = Verb::Sync;
                    *details = python::synced_by_pipenv(found.full, is_dev, arguments);
                }
            }
            Verb::Sync => *details = python::synced(tool, arguments),
            Verb::Remove => {
                python::add_group(arguments, details);
                details.put("packages", arguments.words());
            }
            _ => {
                arguments.ignore("lock strict d dev all");
                details.put("packages", [found.values, arguments.words()].concat());
            }
        }
    }

    fn change_javascript(&mut self, arguments: &mut Arguments<'a>) {
        let tool = self.tool;
        // The others add to the root of the workspace anyway.
        if tool != Tool::Npm {
            arguments.ignore("w workspace-root W ignore-workspace-root-check");
        }
        let is_named = !arguments.operands.is_empty();
        self.request.verb = match self.request.verb {
            Verb::Install | Verb::Frozen if is_named && arguments.has("g global") => Verb::AddGlobal,
            Verb::Install | Verb::Frozen if is_named => Verb::Add,
            Verb::Install if !arguments.has("frozen-lockfile immutable") => Verb::Sync,
            Verb::Install => Verb::Frozen,
            Verb::Remove if arguments.has("g global") => Verb::RemoveGlobal,
            verb => verb,
        };
        let details = &mut self.request.details;
        match self.request.verb {
            Verb::Sync | Verb::Frozen => {
                *details = commands::details(tool, Verb::Sync, arguments);
                let is_dev = |omitted: &String| omitted == "dev" || omitted.starts_with("prod");
                if details.take("omitted").iter().any(is_dev) {
                    details.set("production");
                }
                arguments.ignore("frozen-lockfile immutable no-frozen-lockfile no-immutable");
            }
            Verb::Add | Verb::AddGlobal => {
                *details = commands::details(tool, Verb::Add, arguments);
                // npm's `-P` is its default: a dependency for production.
                arguments.ignore("P");
            }
            Verb::Remove | Verb::RemoveGlobal => {
                arguments.ignore("D save-dev dev d W w save-optional O save-peer");
            }
            Verb::Init if arguments.has("y yes") => details.set("yes"),
            _ => {}
        }
        details.put("packages", arguments.words());
    }

    /// `uv run`: options of its own, then a program and its words.
    fn run_in_environment(mut self) -> Option<Request> {
        let (mut own, rest) = Arguments::head(self.after, &commands::grammar(self.tool));
        own.ignore("no-capture-output live-stream");
        if rest.is_empty() {
            self.request.verb = Verb::Other;
            return (!own.asks_only()).then_some(self.request);
        }
        let module: &[&str] =
            if self.tool == Tool::Uv && own.has("m module") { &["python", "-m"] } else { &[] };
        let words = module.iter().map(|word| (*word).to_owned()).chain(rest.iter().map(written)).collect();
        self.request.details.put("words", words);
        self.finish(own)
    }

    fn run(mut self) -> Option<Request> {
        let (flags, rest) = Arguments::head(self.after, &commands::grammar(self.tool));
        self.head = self.head.with(flags);
        if self.head.asks_only() {
            return None;
        }
        match rest.split_first() {
            Some((name, rest)) => self.script(written(name), rest),
            None => {
                self.request.verb = Verb::Other;
                Some(self.request)
            }
        }
    }

    fn script(mut self, name: String, rest: &'a [Word]) -> Option<Request> {
        self.request.verb = Verb::Run;
        let words = self.script_words(rest);
        if self.head.has("if-present") {
            self.request.details.set("if-present");
        }
        self.started(name, words)
    }

    fn started(mut self, program: String, words: Vec<String>) -> Option<Request> {
        self.request.details.put("script", vec![program]);
        self.request.details.put("words", words);
        let options = std::mem::take(&mut self.head);
        self.finish(options)
    }

    /// The words for a script. npm reads options up to `--`, the others pass all of them to the script.
    fn script_words(&mut self, words: &'a [Word]) -> Vec<String> {
        if self.tool != Tool::Npm {
            let is_separator = words.first().is_some_and(|word| word.is("--"));
            return words.iter().skip(usize::from(is_separator)).map(written).collect();
        }
        let own = Arguments::read(words, &commands::grammar(self.tool));
        let passed = spelled(own.operands.iter().chain(&own.after_separator));
        self.head = std::mem::take(&mut self.head).with(own);
        passed
    }

    /// `npx` and the like: options, a program, and its words.
    fn executed(mut self) -> Option<Request> {
        let (mut own, rest) = Arguments::head(self.after, &commands::grammar(self.tool));
        if own.asks_only() || self.after.first().is_some_and(|first| first.is("-v")) {
            return None;
        }
        if own.has("c call") {
            self.request.verb = Verb::Other;
            self.request.names.push("-c".to_owned());
            return Some(self.request);
        }
        let (program, words) = rest.split_first()?;
        self.request.names.push(program.text.clone()?);
        let words = if words.first().is_some_and(|first| first.is("--")) { words.get(1..)? } else { words };
        self.request.details.put("from", own.values("p package"));
        own.ignore("bun q prefer-offline");
        if own.has("no-install no") {
            self.request.verb = Verb::ExecInstalled;
        }
        self.head = self.head.with(own);
        self.started(written(program), words.iter().map(written).collect())
    }

    fn creates(&self) -> bool {
        self.tool.ecosystem() == Ecosystem::JavaScript
            && self.after.iter().any(|word| !text(word).starts_with('-'))
    }

    fn create(mut self) -> Option<Request> {
        let (flags, rest) = Arguments::head(self.after, &commands::grammar(self.tool));
        self.head = self.head.with(flags);
        let Some((template, rest)) = rest.split_first() else {
            self.request.verb = Verb::Other;
            return Some(self.request);
        };
        self.request.verb = Verb::Create;
        self.request.names.push("create".to_owned());
        let mut words = self.script_words(rest);
        let at = words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len());
        self.request.details.put("flags", words.split_off(at));
        self.started(written(template), words)
    }
}
