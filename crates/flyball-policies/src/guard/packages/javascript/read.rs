//! Reads commands of npm, yarn, pnpm and bun.

use super::super::arguments::{Argument, Arguments, spelled};
use super::super::reading::{self, Reading};
use super::super::settings::AllowKey;
use super::super::tool::{Call, Program, Tool};
use super::{Act, Change, Execute, Flag, Intent, Origin, Plain, Run, Verb, Workspace, write};

/// Flags that take a value, of any of the tools.
pub(crate) const VALUED: &str = "--prefix -C --dir --cwd --registry --loglevel --workspace --filter -F --omit --include \
                      --only --tag --otp --access --cache --userconfig --package -p --call --depth \
                      --install-strategy --save-prefix --store-dir --network-timeout --reporter \
                      --backend --config --scope --otp --before --cache-folder --modules-folder";

/// Flags that change nothing that matters: what is printed, what is asked, what is checked beside;
/// and `--shamefully-hoist`, which makes pnpm do what the others do anyway.
const NOISE: &str = "--no-audit --audit --no-fund --fund --loglevel --silent -s --quiet -q -d -dd -ddd \
                     --verbose --no-progress --progress --prefer-offline --prefer-dedupe --save -S --yes -y \
                     --non-interactive --no-interactive --color --no-color --reporter --legacy-peer-deps \
                     --no-optional-warnings --save-prod --foreground-scripts --no-update-notifier \
                     --network-timeout --check-files --no-summary --no-bin-links-warning \
                     --no-strict-peer-dependencies --shamefully-hoist";

/// What npm does with the registry, an account or the manifest alone, and mostly does alone: no lock
/// file and no installed package is touched.
const NPM_ALONE: &str = "access adduser bugs deprecate dist-tag dist-tags docs doctor home issues logout org owner \
                         ping pkg prefix profile repo root s se search find star stars team token unstar version";

/// Subcommands and their other names; a tool in front of a name is the only one that has it.
const ALIASES: &[(&str, &str)] = &[
    ("install", "i in ins inst insta instal isnt isnta isntal isntall"),
    ("add", "bun:a"),
    ("ci", "clean-install ic install-clean isntall-clean"),
    ("remove", "uninstall un rm remove npm:r npm:unlink"),
    ("run", "run-script rum urn"),
    ("test", "t tst"),
    ("exec", "x"),
    ("create", "bun:c"),
    ("init", "innit"),
    ("list", "ls la ll"),
    ("update", "up upgrade udpate upgrade-interactive"),
    ("why", "explain"),
    ("link", "ln"),
    ("dedupe", "ddp"),
    ("config", "c"),
    ("rebuild", "rb"),
    ("view", "info show v"),
    ("login", "adduser add-user"),
    ("cache", "pnpm:store"),
];

/// Subcommands of yarn, pnpm and bun; they take any other word for a script.
const KNOWN: &str = "config node plugin set policies versions version import licenses patch patch-commit patch-remove \
                     bin root env setup fetch deploy server doctor self-update owner tag team generate-lock-entry \
                     autoclean check constraints explain npm rebase search stage unplug approve-builds cat-file \
                     cat-index find-hash install-test it install-completion feedback getcompletes";

/// What a package is needed for; the first that is said counts.
const KINDS: &[(Flag, &str)] = &[
    (Flag::Develop, "-D --save-dev --dev bun:-d"),
    (Flag::Peer, "--save-peer --peer yarn:-P"),
    (Flag::Optional, "-O --save-optional --optional"),
];

/// Reads a command; `None` if it is free.
pub(crate) fn read(call: &Call) -> Option<Reading> {
    match call.program {
        Program::Main => read_main(call.tool, &call.words),
        Program::Runner => {
            let from = if call.tool == Tool::Pnpm { Origin::Downloaded } else { Origin::Either };
            execute(AllowKey::Runner, "", &call.words, from)
        }
        Program::Venv | Program::EnsurePip | Program::EasyInstall => None,
    }
}

/// What stands before the subcommand and holds for all of them.
struct CommonFlags {
    folder: Option<String>,
    workspace: Workspace,
    registry: Option<String>,
}

impl CommonFlags {
    fn take(tool: Tool, arguments: &mut Arguments) -> CommonFlags {
        let folder = arguments.value("--prefix -C --dir --cwd");
        let named = match tool {
            Tool::Npm => arguments.values("-w --workspace"),
            _ => arguments.values("--filter -F"),
        };
        let all = arguments.has(match tool {
            Tool::Npm => "--workspaces",
            _ => "-r --recursive --workspaces",
        });
        let workspace = match (all, named.is_empty()) {
            (_, false) => Workspace::Named(named),
            (true, true) => Workspace::All,
            (false, true) => Workspace::Here,
        };
        CommonFlags { folder, workspace, registry: arguments.value("--registry") }
    }
}

fn valued(tool: Tool) -> String {
    // To pnpm, `-w` alone means the root of the workspace.
    if tool == Tool::Npm { format!("{VALUED} -w") } else { VALUED.to_owned() }
}

fn read_main(tool: Tool, words: &[Argument]) -> Option<Reading> {
    let words = expanded(words);
    let valued = valued(tool);
    let (head, rest) = Arguments::head(&words, &valued);
    if head.asks_only() || words.first().is_some_and(|first| first.is("-v")) {
        return None;
    }
    let Some((subcommand, after)) = rest.split_first() else {
        // Only yarn does something when it is told nothing.
        return (tool == Tool::Yarn).then(|| Subcommand::new(tool, "install", head, &[]).read())?;
    };
    let called = subcommand.text.clone()?;
    if called == "help" || (tool == Tool::Npm && lists(NPM_ALONE, tool, &called)) {
        return None;
    }
    match tool {
        Tool::Yarn => yarn(&called, head, after),
        Tool::Bun => bun(&called, head, after),
        _ => Subcommand::new(tool, &called, head, after).read(),
    }
}

/// npm's shorthand `-ws` would be read as two letters.
fn expanded(words: &[Argument]) -> Vec<Argument> {
    let long = |word: &Argument| {
        if word.is("-ws") {
            let all = "--workspaces".to_owned();
            Argument { text: Some(all.clone()), written: all }
        } else {
            word.clone()
        }
    };
    words.iter().map(long).collect()
}

fn yarn(called: &str, head: Arguments, after: &[Argument]) -> Option<Reading> {
    match called {
        "global" => {
            let (verb, rest) = after.split_first()?;
            let verb = verb.text.clone()?;
            let mut reading = Subcommand::new(Tool::Yarn, &verb, head, rest).read()?;
            if let Some(reading::Intent::JavaScript(wish)) = &mut reading.intent {
                match &mut wish.act {
                    Act::Change(Change { is_global, verb: Verb::Add | Verb::Remove, .. })
                    | Act::Plain(Plain { is_global, .. }) => *is_global = true,
                    _ => return Some(untranslated(Tool::Yarn, "global")),
                }
            }
            reading.names.push("global".to_owned());
            Some(reading)
        }
        "workspace" => {
            let (name, rest) = after.split_first()?;
            let mut reading = read_main(Tool::Yarn, rest)?;
            if let Some(reading::Intent::JavaScript(wish)) = &mut reading.intent {
                wish.workspace = Workspace::Named(vec![name.written.clone()]);
            }
            reading.names.push("workspace".to_owned());
            Some(reading)
        }
        "workspaces" => {
            let rest = after.iter().position(|word| word.is("run")).and_then(|at| after.get(at + 1..));
            let Some((script, words)) = rest.and_then(<[Argument]>::split_first) else {
                return Some(untranslated(Tool::Yarn, "workspaces"));
            };
            let run = Run { script: script.written.clone(), words: spelled(words), if_present: false };
            let act = Act::Run(run);
            let mut reading = Reading::new(AllowKey::Tool(Tool::Yarn), called, called);
            let workspace = Workspace::All;
            reading.intent =
                Some(reading::Intent::JavaScript(Intent { act, folder: None, workspace, registry: None }));
            Some(reading)
        }
        _ => Subcommand::new(Tool::Yarn, called, head, after).read(),
    }
}

/// bun is a runtime too: what runs files, tests or builds is free.
fn bun(called: &str, head: Arguments, after: &[Argument]) -> Option<Reading> {
    let is_file = |name: &str| name.contains(['.', '/']);
    match called {
        "test" | "build" | "repl" | "exec" | "upgrade" | "completions" | "discord" => None,
        "run" if after.iter().any(|word| is_file(word.text_or_empty())) => None,
        "pm" => {
            let (verb, rest) = after.split_first()?;
            match verb.text_or_empty() {
                verb @ ("ls" | "list" | "pack" | "whoami") => {
                    Subcommand::new(Tool::Bun, full_name(Tool::Bun, verb), head, rest).read()
                }
                "cache" if rest.first().is_some_and(|word| word.is("rm")) => {
                    Subcommand::new(Tool::Bun, "cache", head, rest).read()
                }
                _ => Some(untranslated(Tool::Bun, "pm")),
            }
        }
        _ if is_file(called) => None,
        _ => Subcommand::new(Tool::Bun, called, head, after).read(),
    }
}

fn untranslated(tool: Tool, called: &str) -> Reading {
    Reading::new(AllowKey::Tool(tool), called, called)
}

/// A subcommand while it is read.
struct Subcommand<'a> {
    tool: Tool,
    called: &'a str,
    /// The same by its full name.
    full: &'a str,
    /// The flags in front of it.
    head: Arguments,
    /// The words behind it.
    after: &'a [Argument],
}

impl<'a> Subcommand<'a> {
    fn new(tool: Tool, called: &'a str, head: Arguments, after: &'a [Argument]) -> Subcommand<'a> {
        Subcommand { tool, called, full: full_name(tool, called), head, after }
    }

    /// What it means; the four agree on nearly all of them.
    fn read(self) -> Option<Reading> {
        let tool = self.tool;
        match self.full {
            "install" | "add" | "ci" => self.read_install(),
            "remove" => self.read_remove(),
            "run" => self.read_run(),
            "test" | "start" | "stop" | "restart" => self.lifecycle(),
            "exec" if matches!(tool, Tool::Npm | Tool::Bun) => self.read_exec(Origin::Either),
            "exec" => self.read_exec(Origin::Installed),
            "dlx" => self.read_exec(Origin::Downloaded),
            "create" => self.read_create(),
            "init" if self.after.iter().any(|word| !word.text_or_empty().starts_with('-')) => {
                self.read_create()
            }
            full if write::is_plain(full) => self.read_plain(),
            _ if tool != Tool::Npm && !lists(KNOWN, tool, self.called) => Some(self.read_bare_script()),
            _ => Some(untranslated(tool, self.called)),
        }
    }

    fn read_arguments(&self) -> Option<Arguments> {
        let all = Arguments::read(self.after, &valued(self.tool)).with(self.head.clone());
        (!all.asks_only()).then_some(all)
    }

    /// A reading with what stood around the act.
    fn build_reading(&self, full: &str, act: Act, mut arguments: Arguments) -> Reading {
        let CommonFlags { folder, workspace, registry } = CommonFlags::take(self.tool, &mut arguments);
        let mut reading = Reading::new(AllowKey::Tool(self.tool), self.called, full);
        reading.installs =
            matches!(&act, Act::Change(Change { verb: Verb::Add | Verb::Install | Verb::Frozen, .. }));
        reading.left_out = arguments.remaining_flags(NOISE);
        reading.folder.clone_from(&folder);
        reading.intent = Some(reading::Intent::JavaScript(Intent { act, folder, workspace, registry }));
        reading
    }

    fn read_install(self) -> Option<Reading> {
        let mut arguments = self.read_arguments()?;
        // pnpm's own word for the root of the workspace, which is where the others add to anyway.
        if self.tool != Tool::Npm {
            arguments.ignore("-w --workspace-root -W --ignore-workspace-root-check");
        }
        let change = if arguments.operands.is_empty() {
            read_project_install(self.full, &mut arguments)
        } else {
            read_added(self.tool, &mut arguments)
        };
        Some(self.build_reading(self.full, Act::Change(change), arguments))
    }

    fn read_remove(self) -> Option<Reading> {
        let mut arguments = self.read_arguments()?;
        let is_global = arguments.has("-g --global");
        arguments.ignore("-D --save-dev --dev -d -W -w --save-optional -O --save-peer");
        let packages = arguments.words();
        let change = Change { verb: Verb::Remove, packages, flags: Vec::new(), is_global };
        Some(self.build_reading(self.full, Act::Change(change), arguments))
    }

    /// `run` and what stands behind it. npm reads flags up to `--`, the others hand all on.
    fn read_run(self) -> Option<Reading> {
        let (flags, rest) = Arguments::head(self.after, &valued(self.tool));
        let head = self.head.clone().with(flags);
        if head.asks_only() {
            return None;
        }
        let Some((name, behind)) = rest.split_first() else {
            return Some(untranslated(self.tool, self.called));
        };
        Some(self.build_run(name.written.clone(), behind, head))
    }

    /// `npm test` and its like, which are scripts.
    fn lifecycle(self) -> Option<Reading> {
        if self.after.first().is_some_and(|word| word.is("--help") || word.is("-h")) {
            return None;
        }
        Some(self.build_run(self.full.to_owned(), self.after, self.head.clone()))
    }

    fn build_run(&self, script: String, behind: &[Argument], mut head: Arguments) -> Reading {
        let words = script_words(self.tool, behind, &mut head);
        let if_present = head.has("--if-present");
        self.build_reading(self.full, Act::Run(Run { script, words, if_present }), head)
    }

    /// A script called by its name alone.
    fn read_bare_script(self) -> Reading {
        let (packages, program) = (Vec::new(), self.called.to_owned());
        let execute = Execute { packages, program, words: spelled(self.after), from: Origin::Unspecified };
        self.build_reading("run", Act::Execute(execute), self.head.clone())
    }

    fn read_exec(mut self, from: Origin) -> Option<Reading> {
        let mut reading = execute(AllowKey::Tool(self.tool), self.called, self.after, from)?;
        let around = CommonFlags::take(self.tool, &mut self.head);
        if let Some(reading::Intent::JavaScript(wish)) = &mut reading.intent {
            reading.folder.clone_from(&around.folder);
            (wish.folder, wish.workspace) = (around.folder, around.workspace);
        }
        Some(reading)
    }

    fn read_create(self) -> Option<Reading> {
        let (flags, rest) = Arguments::head(self.after, VALUED);
        let mut head = self.head.clone().with(flags);
        let Some((template, behind)) = rest.split_first() else {
            return Some(untranslated(self.tool, self.called));
        };
        let words = script_words(self.tool, behind, &mut head);
        let act = Act::Create { template: template.written.clone(), words };
        Some(self.build_reading("create", act, head))
    }

    fn read_plain(self) -> Option<Reading> {
        let mut arguments = self.read_arguments()?;
        let is_global = arguments.has("-g --global");
        let is_json = arguments.has("--json");
        let mut words = arguments.words();
        match self.full {
            "init" if arguments.has("-y --yes") => words.push("-y".to_owned()),
            "cache" => {
                let cleans =
                    |word: &Argument| matches!(word.text_or_empty(), "clean" | "clear" | "rm" | "prune");
                if !arguments.operands.first().is_some_and(cleans) {
                    return Some(untranslated(self.tool, self.called));
                }
                arguments.ignore("--force -f --all");
                words.clear();
            }
            _ => {}
        }
        let plain = Plain { verb: self.full.to_owned(), words, is_global, is_json };
        Some(self.build_reading(self.full, Act::Plain(plain), arguments))
    }
}

/// The full name behind an alias. The names of one tool come first: `c` is bun's `create`.
fn full_name(tool: Tool, called: &str) -> &str {
    let is_alias = |(_, names): &&(&str, &str)| lists(names, tool, called);
    ALIASES.iter().find(is_alias).map_or(called, |(full, _)| full)
}

/// Whether a list has a name, for all tools or for this one: `i bun:a`.
fn lists(names: &str, tool: Tool, name: &str) -> bool {
    names.split(' ').any(|listed| match listed.split_once(':') {
        Some((only, listed)) => only == tool.name() && listed == name,
        None => listed == name,
    })
}

/// The flags of a list that a tool has.
fn flags_of_tool(flags: &str, tool: Tool) -> String {
    let own = flags.split(' ').filter_map(|flag| match flag.split_once(':') {
        Some((only, flag)) => (only == tool.name()).then_some(flag),
        None => Some(flag),
    });
    own.collect::<Vec<_>>().join(" ")
}

/// Flags that every tool has.
fn shared(arguments: &mut Arguments) -> Vec<Flag> {
    let flag = |word: String| if word == "--force" { Flag::Force } else { Flag::IgnoreScripts };
    arguments.take_renamed("--ignore-scripts --force -f=--force").into_iter().map(flag).collect()
}

/// An installation of what the project needs.
fn read_project_install(full: &str, arguments: &mut Arguments) -> Change {
    let is_frozen = full == "ci" || arguments.has("--frozen-lockfile --immutable");
    let omitted = arguments.values("--omit --only");
    let is_production = arguments.has("--production --prod -P")
        || omitted.iter().any(|it| it == "dev" || it.starts_with("prod"));
    let said = [
        (is_production, Flag::Production),
        (arguments.has("--package-lock-only --lockfile-only"), Flag::LockOnly),
        (arguments.has("--dry-run"), Flag::DryRun),
    ];
    arguments.ignore("--no-frozen-lockfile --no-immutable");
    let said = said.into_iter().filter(|(is_said, _)| *is_said).map(|(_, flag)| flag);
    let flags = said.chain(shared(arguments)).collect();
    let verb = if is_frozen { Verb::Frozen } else { Verb::Install };
    Change { verb, packages: Vec::new(), flags, is_global: false }
}

fn read_added(tool: Tool, arguments: &mut Arguments) -> Change {
    let kind =
        KINDS.iter().find(|(_, flags)| arguments.has(&flags_of_tool(flags, tool))).map(|(kind, _)| *kind);
    let exact = arguments.has("-E --save-exact --exact").then_some(Flag::Exact);
    let is_global = arguments.has("-g --global");
    let flags = kind.into_iter().chain(exact).chain(shared(arguments)).collect();
    arguments.ignore("-P");
    Change { verb: Verb::Add, packages: arguments.words(), flags, is_global }
}

/// The words that a script is given.
fn script_words(tool: Tool, words: &[Argument], flags: &mut Arguments) -> Vec<String> {
    if tool != Tool::Npm {
        let is_separator = words.first().is_some_and(|word| word.is("--"));
        return spelled(words.get(usize::from(is_separator)..).unwrap_or_default());
    }
    let own = Arguments::read(words, &valued(tool));
    let handed = own.operands.iter().chain(own.after_separator.iter().flatten());
    let handed: Vec<Argument> = handed.cloned().collect();
    *flags = std::mem::take(flags).with(own);
    spelled(&handed)
}

/// `npx` and what is like it: flags, a program, and its own words.
fn execute(key: AllowKey, called: &str, words: &[Argument], from: Origin) -> Option<Reading> {
    let (mut flags, rest) = Arguments::head(words, VALUED);
    if flags.asks_only() || words.first().is_some_and(|first| first.is("-v")) {
        return None;
    }
    if flags.has("-c --call") {
        return Some(Reading::new(key, called, "-c"));
    }
    let (program, words) = rest.split_first()?;
    let name = program.text.clone()?;
    let words = match words.split_first() {
        Some((first, more)) if first.is("--") => spelled(more),
        _ => spelled(words),
    };
    let packages = flags.values("-p --package");
    flags.ignore("--bun -q --prefer-offline");
    let from = if flags.has("--no-install --no") { Origin::Installed } else { from };
    let mut reading = Reading::new(key, if called.is_empty() { &name } else { called }, &name);
    reading.left_out = flags.remaining_flags(NOISE);
    let execute = Execute { packages, program: program.written.clone(), words, from };
    let (act, workspace) = (Act::Execute(execute), Workspace::Here);
    reading.intent =
        Some(reading::Intent::JavaScript(Intent { act, folder: None, workspace, registry: None }));
    Some(reading)
}
