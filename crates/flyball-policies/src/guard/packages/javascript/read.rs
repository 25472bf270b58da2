//! Reads commands of npm, yarn, pnpm and bun.

use super::super::arguments::{Argument, Arguments, spelled};
use super::super::reading::{self, Reading};
use super::super::settings::AllowKey;
use super::super::tool::{Call, Program, Tool};
use super::{Act, Add, Execute, Install, Kind, Origin, Plain, Verb, Wish, Workspace};

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
const NPM_ALONE: &[&str] = &[
    "access",
    "adduser",
    "bugs",
    "deprecate",
    "dist-tag",
    "dist-tags",
    "docs",
    "doctor",
    "home",
    "issues",
    "logout",
    "org",
    "owner",
    "ping",
    "pkg",
    "prefix",
    "profile",
    "repo",
    "root",
    "s",
    "se",
    "search",
    "find",
    "star",
    "stars",
    "team",
    "token",
    "unstar",
    "version",
];

/// Reads a command; `None` if it is free.
pub(crate) fn read(call: &Call) -> Option<Reading> {
    match call.program {
        Program::Main => main(call.tool, &call.words),
        Program::Runner => {
            let from = if call.tool == Tool::Pnpm { Origin::Downloaded } else { Origin::Either };
            execute(AllowKey::Runner, "", &call.words, from)
        }
        Program::Venv | Program::EnsurePip | Program::EasyInstall => None,
    }
}

/// What stands before the subcommand and holds for all of them.
struct Around {
    folder: Option<String>,
    workspace: Workspace,
    registry: Option<String>,
}

impl Around {
    fn take(tool: Tool, arguments: &mut Arguments) -> Around {
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
        Around { folder, workspace, registry: arguments.value("--registry") }
    }
}

fn valued(tool: Tool) -> String {
    // To pnpm, `-w` alone means the root of the workspace.
    if tool == Tool::Npm { format!("{VALUED} -w") } else { VALUED.to_owned() }
}

fn main(tool: Tool, words: &[Argument]) -> Option<Reading> {
    let words = expanded(words);
    let valued = valued(tool);
    let (head, rest) = Arguments::head(&words, &valued);
    if head.asks_only() || words.first().is_some_and(|first| first.is("-v")) {
        return None;
    }
    let Some((subcommand, after)) = rest.split_first() else {
        // Only yarn does something when it is told nothing.
        return (tool == Tool::Yarn).then(|| installed(tool, "install", (head, &[])))?;
    };
    let called = subcommand.text.clone()?;
    if called == "help" || (tool == Tool::Npm && NPM_ALONE.contains(&called.as_str())) {
        return None;
    }
    match tool {
        Tool::Yarn => yarn(&called, head, after),
        Tool::Bun => bun(&called, head, after),
        _ => shared(tool, &called, head, after),
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
            let mut reading = shared(Tool::Yarn, &verb.text.clone()?, head, rest)?;
            if let Some(reading::Wish::JavaScript(wish)) = &mut reading.wish {
                match &mut wish.act {
                    Act::Add(Add { is_global, .. })
                    | Act::Remove { is_global, .. }
                    | Act::Plain(Plain { is_global, .. }) => *is_global = true,
                    _ => return Some(unequalled(Tool::Yarn, "global")),
                }
            }
            reading.names.push("global".to_owned());
            Some(reading)
        }
        "workspace" => {
            let (name, rest) = after.split_first()?;
            let mut reading = main(Tool::Yarn, rest)?;
            if let Some(reading::Wish::JavaScript(wish)) = &mut reading.wish {
                wish.workspace = Workspace::Named(vec![name.written.clone()]);
            }
            reading.names.push("workspace".to_owned());
            Some(reading)
        }
        "workspaces" => {
            let rest = after.iter().position(|word| word.is("run")).and_then(|at| after.get(at + 1..));
            let Some((script, words)) = rest.and_then(<[Argument]>::split_first) else {
                return Some(unequalled(Tool::Yarn, "workspaces"));
            };
            let act = Act::Run { script: script.written.clone(), words: spelled(words), if_present: false };
            let mut reading = Reading::new(AllowKey::Tool(Tool::Yarn), called, called);
            let workspace = Workspace::All;
            reading.wish =
                Some(reading::Wish::JavaScript(Wish { act, folder: None, workspace, registry: None }));
            Some(reading)
        }
        _ => shared(Tool::Yarn, called, head, after),
    }
}

/// bun is a runtime too: what runs files, tests or builds is free.
fn bun(called: &str, head: Arguments, after: &[Argument]) -> Option<Reading> {
    let is_file = |name: &str| name.contains(['.', '/']);
    match called {
        "test" | "build" | "repl" | "exec" | "upgrade" | "completions" | "discord" => None,
        "run" if after.iter().any(|word| is_file(word.known())) => None,
        "pm" => {
            let (verb, rest) = after.split_first()?;
            match verb.known() {
                "ls" | "list" => shared(Tool::Bun, "list", head, rest),
                "pack" => shared(Tool::Bun, "pack", head, rest),
                "whoami" => shared(Tool::Bun, "whoami", head, rest),
                "cache" if rest.first().is_some_and(|word| word.is("rm")) => {
                    shared(Tool::Bun, "cache", head, rest)
                }
                _ => Some(unequalled(Tool::Bun, "pm")),
            }
        }
        _ if is_file(called) => None,
        _ => shared(Tool::Bun, called, head, after),
    }
}

fn unequalled(tool: Tool, called: &str) -> Reading {
    Reading::new(AllowKey::Tool(tool), called, called)
}

/// What a subcommand means; the four agree on nearly all of them.
fn shared(tool: Tool, called: &str, head: Arguments, after: &[Argument]) -> Option<Reading> {
    let full = full_name(tool, called);
    let rest = (head, after);
    match full {
        "install" | "add" | "ci" => installed(tool, called, rest),
        "remove" => removed(tool, called, rest),
        "run" => scripted(tool, called, rest),
        "test" | "start" | "stop" | "restart" => lifecycle(tool, (called, full), rest),
        "exec" if matches!(tool, Tool::Npm | Tool::Bun) => executed(tool, called, rest, Origin::Either),
        "exec" => executed(tool, called, rest, Origin::Installed),
        "dlx" => executed(tool, called, rest, Origin::Downloaded),
        "create" => created(tool, called, rest),
        "init" if after.iter().any(|word| !word.known().starts_with('-')) => created(tool, called, rest),
        _ => match verb(full) {
            Some(verb) => plain(tool, (called, full, verb), rest),
            None if is_script(tool, called) => Some(script(tool, called, rest)),
            None => Some(unequalled(tool, called)),
        },
    }
}

/// The full name behind an alias.
fn full_name(tool: Tool, called: &str) -> &str {
    match called {
        "i" | "in" | "ins" | "inst" | "insta" | "instal" | "isnt" | "isnta" | "isntal" | "isntall" => {
            "install"
        }
        "a" if tool == Tool::Bun => "add",
        "clean-install" | "ic" | "install-clean" | "isntall-clean" => "ci",
        "uninstall" | "un" | "rm" | "remove" => "remove",
        "r" if tool == Tool::Npm => "remove",
        "unlink" if tool == Tool::Npm => "remove",
        "run" | "run-script" | "rum" | "urn" => "run",
        "test" | "t" | "tst" => "test",
        "exec" | "x" => "exec",
        "c" if tool == Tool::Bun => "create",
        "innit" => "init",
        "ls" | "la" | "ll" | "list" => "list",
        "up" | "upgrade" | "udpate" | "upgrade-interactive" => "update",
        "explain" => "why",
        "ln" => "link",
        "ddp" => "dedupe",
        "c" => "config",
        "rb" => "rebuild",
        "info" | "show" | "v" => "view",
        "adduser" | "add-user" => "login",
        "store" if tool == Tool::Pnpm => "cache",
        other => other,
    }
}

fn verb(full: &str) -> Option<Verb> {
    Some(match full {
        "init" => Verb::Init,
        "list" => Verb::List,
        "outdated" => Verb::Outdated,
        "update" => Verb::Update,
        "why" => Verb::Why,
        "link" => Verb::Link,
        "unlink" => Verb::Unlink,
        "audit" => Verb::Audit,
        "dedupe" => Verb::Dedupe,
        "prune" => Verb::Prune,
        "rebuild" => Verb::Rebuild,
        "cache" => Verb::CleanCache,
        "pack" => Verb::Pack,
        "publish" => Verb::Publish,
        "view" => Verb::View,
        "whoami" => Verb::Whoami,
        "login" => Verb::Login,
        "config" => Verb::Config,
        _ => return None,
    })
}

/// yarn, pnpm and bun take a word they do not know for a script; these they know.
fn is_script(tool: Tool, called: &str) -> bool {
    const KNOWN: &[&str] = &[
        "config",
        "node",
        "plugin",
        "set",
        "policies",
        "versions",
        "version",
        "import",
        "licenses",
        "patch",
        "patch-commit",
        "patch-remove",
        "bin",
        "root",
        "env",
        "setup",
        "fetch",
        "deploy",
        "server",
        "doctor",
        "self-update",
        "owner",
        "tag",
        "team",
        "generate-lock-entry",
        "autoclean",
        "check",
        "constraints",
        "explain",
        "npm",
        "rebase",
        "search",
        "stage",
        "unplug",
        "approve-builds",
        "cat-file",
        "cat-index",
        "find-hash",
        "install-test",
        "it",
        "install-completion",
        "feedback",
        "getcompletes",
    ];
    tool != Tool::Npm && !KNOWN.contains(&called)
}

type Rest<'a> = (Arguments, &'a [Argument]);

fn all(tool: Tool, (head, after): Rest<'_>) -> Option<Arguments> {
    let all = Arguments::read(after, &valued(tool)).with(head);
    (!all.asks_only()).then_some(all)
}

/// Completes a reading by what stood around the act.
fn finished(tool: Tool, names: (&str, &str), act: Act, mut arguments: Arguments) -> Reading {
    let Around { folder, workspace, registry } = Around::take(tool, &mut arguments);
    let mut reading = Reading::new(AllowKey::Tool(tool), names.0, names.1);
    reading.installs = matches!(act, Act::Add(_) | Act::Install(_));
    reading.left_out = arguments.left(NOISE);
    reading.folder.clone_from(&folder);
    reading.wish = Some(reading::Wish::JavaScript(Wish { act, folder, workspace, registry }));
    reading
}

const SHARED: &str = "--ignore-scripts --force -f=--force";

fn installed(tool: Tool, called: &str, rest: Rest<'_>) -> Option<Reading> {
    let mut arguments = all(tool, rest)?;
    let full = full_name(tool, called);
    // pnpm's own word for the root of the workspace, which is where the others add to anyway.
    if tool != Tool::Npm {
        arguments.has("-w --workspace-root -W --ignore-workspace-root-check");
    }
    if arguments.operands.is_empty() {
        let is_frozen = full == "ci" || arguments.has("--frozen-lockfile --immutable");
        let omitted = arguments.values("--omit --only");
        let is_production = arguments.has("--production --prod -P")
            || omitted.iter().any(|it| it == "dev" || it.starts_with("prod"));
        let is_lock_only = arguments.has("--package-lock-only --lockfile-only");
        let is_trial = arguments.has("--dry-run");
        arguments.has("--no-frozen-lockfile --no-immutable");
        let shared = arguments.renamed(SHARED);
        let act = Act::Install(Install { is_frozen, is_production, is_lock_only, is_trial, shared });
        return Some(finished(tool, (called, full), act, arguments));
    }
    let develop = if tool == Tool::Bun { "-D --dev -d" } else { "-D --save-dev --dev" };
    let kind = if arguments.has(develop) {
        Kind::Develop
    } else if arguments.has("--save-peer --peer") || (tool == Tool::Yarn && arguments.has("-P")) {
        Kind::Peer
    } else if arguments.has("-O --save-optional --optional") {
        Kind::Optional
    } else {
        Kind::Run
    };
    let add = Add {
        kind,
        is_exact: arguments.has("-E --save-exact --exact"),
        is_global: arguments.has("-g --global"),
        shared: arguments.renamed(SHARED),
        packages: arguments.words(),
    };
    arguments.has("-P");
    Some(finished(tool, (called, full), Act::Add(add), arguments))
}

fn removed(tool: Tool, called: &str, rest: Rest<'_>) -> Option<Reading> {
    let mut arguments = all(tool, rest)?;
    let is_global = arguments.has("-g --global");
    arguments.has("-D --save-dev --dev -d -W -w --save-optional -O --save-peer");
    let act = Act::Remove { packages: arguments.words(), is_global };
    Some(finished(tool, (called, full_name(tool, called)), act, arguments))
}

/// `run` and what stands behind it. npm reads flags up to `--`, the others hand all on.
fn scripted(tool: Tool, called: &str, (head, after): Rest<'_>) -> Option<Reading> {
    let (own, rest) = Arguments::head(after, &valued(tool));
    let mut head = head.with(own);
    if head.asks_only() {
        return None;
    }
    let Some((name, behind)) = rest.split_first() else { return Some(unequalled(tool, called)) };
    let words = handed_on(tool, behind, &mut head);
    let if_present = head.has("--if-present");
    let act = Act::Run { script: name.written.clone(), words, if_present };
    Some(finished(tool, (called, "run"), act, head))
}

/// `npm test` and its like, which are scripts.
fn lifecycle(tool: Tool, (called, full): (&str, &str), (mut head, after): Rest<'_>) -> Option<Reading> {
    if after.first().is_some_and(|word| word.is("--help") || word.is("-h")) {
        return None;
    }
    let words = handed_on(tool, after, &mut head);
    let if_present = head.has("--if-present");
    let act = Act::Run { script: full.to_owned(), words, if_present };
    Some(finished(tool, (called, full), act, head))
}

/// The words that a script is given.
fn handed_on(tool: Tool, words: &[Argument], flags: &mut Arguments) -> Vec<String> {
    if tool != Tool::Npm {
        let is_separator = words.first().is_some_and(|word| word.is("--"));
        return spelled(words.get(usize::from(is_separator)..).unwrap_or_default());
    }
    let own = Arguments::read(words, &valued(tool));
    let handed = own.operands.iter().chain(own.behind.iter().flatten());
    let handed: Vec<Argument> = handed.cloned().collect();
    *flags = std::mem::take(flags).with(own);
    spelled(&handed)
}

/// A script called by its name alone.
fn script(tool: Tool, called: &str, (head, after): Rest<'_>) -> Reading {
    let (packages, program) = (Vec::new(), called.to_owned());
    let execute = Execute { packages, program, words: spelled(after), from: Origin::Unsaid };
    finished(tool, (called, "run"), Act::Execute(execute), head)
}

fn executed(tool: Tool, called: &str, (head, after): Rest<'_>, from: Origin) -> Option<Reading> {
    let mut reading = execute(AllowKey::Tool(tool), called, after, from)?;
    let mut head = head;
    let around = Around::take(tool, &mut head);
    if let Some(reading::Wish::JavaScript(wish)) = &mut reading.wish {
        reading.folder.clone_from(&around.folder);
        (wish.folder, wish.workspace) = (around.folder, around.workspace);
    }
    Some(reading)
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
    flags.has("--bun -q --prefer-offline");
    let from = if flags.has("--no-install --no") { Origin::Installed } else { from };
    let mut reading = Reading::new(key, if called.is_empty() { &name } else { called }, &name);
    reading.left_out = flags.left(NOISE);
    let execute = Execute { packages, program: program.written.clone(), words, from };
    let (act, workspace) = (Act::Execute(execute), Workspace::Here);
    reading.wish = Some(reading::Wish::JavaScript(Wish { act, folder: None, workspace, registry: None }));
    Some(reading)
}

fn created(tool: Tool, called: &str, (head, after): Rest<'_>) -> Option<Reading> {
    let (own, rest) = Arguments::head(after, VALUED);
    let mut head = head.with(own);
    let Some((template, behind)) = rest.split_first() else { return Some(unequalled(tool, called)) };
    let words = handed_on(tool, behind, &mut head);
    let act = Act::Create { template: template.written.clone(), words };
    Some(finished(tool, (called, "create"), act, head))
}

fn plain(tool: Tool, (called, full, verb): (&str, &str, Verb), rest: Rest<'_>) -> Option<Reading> {
    let mut arguments = all(tool, rest)?;
    let is_global = arguments.has("-g --global");
    let is_json = arguments.has("--json");
    let mut words = arguments.words();
    match verb {
        Verb::Init if arguments.has("-y --yes") => words.push("-y".to_owned()),
        Verb::CleanCache => {
            let cleans = |word: &Argument| matches!(word.known(), "clean" | "clear" | "rm" | "prune");
            if !arguments.operands.first().is_some_and(cleans) {
                return Some(unequalled(tool, called));
            }
            arguments.has("--force -f --all");
            words.clear();
        }
        _ => {}
    }
    Some(finished(tool, (called, full), Act::Plain(Plain { verb, words, is_global, is_json }), arguments))
}
