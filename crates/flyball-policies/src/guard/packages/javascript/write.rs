//! Writes commands of npm, yarn, pnpm and bun.

use super::super::reading::{Replacement, WorkingFolder};
use super::super::tool::Tool;
use super::{Act, Change, Execute, Flag, Intent, Origin, Plain, Run, Verb, Workspace};

/// Whose words are written. Yarn changed most of its own with version 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Npm,
    /// Yarn 1.
    Classic,
    /// Yarn 2 and later.
    Modern,
    Pnpm,
    Bun,
}

impl Target {
    fn new(tool: Tool, ground: WorkingFolder<'_>) -> Option<Target> {
        Some(match tool {
            Tool::Npm => Target::Npm,
            Tool::Yarn if ground.has_modern_yarn() => Target::Modern,
            Tool::Yarn => Target::Classic,
            Tool::Pnpm => Target::Pnpm,
            Tool::Bun => Target::Bun,
            Tool::Pip | Tool::Poetry | Tool::Pipenv | Tool::Uv | Tool::Conda => return None,
        })
    }

    /// What it says, if it can.
    fn word(self, words: &Words) -> Option<&'static str> {
        let [npm, classic, modern, pnpm, bun] = *words;
        let word = match self {
            Target::Npm => npm,
            Target::Classic => classic,
            Target::Modern => modern,
            Target::Pnpm => pnpm,
            Target::Bun => bun,
        };
        (word != UNSUPPORTED).then_some(word)
    }
}

/// What each tool says, in this order: npm, Yarn 1, later Yarns, pnpm, bun.
type Words = [&'static str; 5];

/// Nothing: the tool cannot do it.
const UNSUPPORTED: &str = "";

/// How packages are changed, in the project and for all projects.
const VERBS: &[(Verb, Words, Words)] = &[
    (
        Verb::Add,
        ["install", "add", "add", "add", "add"],
        ["install -g", "global add", UNSUPPORTED, "add -g", "add -g"],
    ),
    (Verb::Install, ["install"; 5], [UNSUPPORTED; 5]),
    (
        Verb::Frozen,
        [
            "ci",
            "install --frozen-lockfile",
            "install --immutable",
            "install --frozen-lockfile",
            "install --frozen-lockfile",
        ],
        [UNSUPPORTED; 5],
    ),
    (
        Verb::Remove,
        ["uninstall", "remove", "remove", "remove", "remove"],
        ["uninstall -g", "global remove", UNSUPPORTED, "remove -g", "remove -g"],
    ),
];

const FLAGS: &[(Flag, Words)] = &[
    (Flag::Develop, ["-D", "-D", "-D", "-D", "-d"]),
    (Flag::Peer, ["--save-peer", "-P", "-P", "--save-peer", "--peer"]),
    (Flag::Optional, ["-O", "-O", "-O", "-O", "--optional"]),
    (Flag::Exact, ["-E", "-E", "-E", "-E", "--exact"]),
    (Flag::Production, ["--omit=dev", "--production", UNSUPPORTED, "--prod", "--production"]),
    (
        Flag::LockOnly,
        ["--package-lock-only", UNSUPPORTED, "--mode=update-lockfile", "--lockfile-only", "--lockfile-only"],
    ),
    (Flag::DryRun, ["--dry-run", UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, "--dry-run"]),
    (
        Flag::IgnoreScripts,
        ["--ignore-scripts", "--ignore-scripts", "--mode=skip-build", "--ignore-scripts", "--ignore-scripts"],
    ),
    (Flag::Force, ["--force"; 5]),
];

/// Acts that each tool has one word for; `|` stands between the word without and with words behind it.
const PLAIN: &[(&str, Words)] = &[
    ("init", ["init"; 5]),
    ("list", ["list", "list", "info --name-only", "list", "pm ls"]),
    ("outdated", ["outdated", "outdated", UNSUPPORTED, "outdated", "outdated"]),
    ("update", ["update", "upgrade", "up -R '*'|up -R", "update", "update"]),
    ("why", ["explain", "why", "why", "why", "why"]),
    ("link", ["link", "link", "|link", "link", "link"]),
    ("unlink", ["unlink"; 5]),
    ("audit", ["audit", "audit", "npm audit", "audit", "audit"]),
    ("dedupe", ["dedupe", UNSUPPORTED, "dedupe", "dedupe", "dedupe"]),
    // An installation does both on its way.
    ("prune", ["prune", "install", "install", "prune", "prune"]),
    ("rebuild", ["rebuild", "install --force", "rebuild", "rebuild", UNSUPPORTED]),
    ("cache", ["cache clean --force", "cache clean", "cache clean", "store prune", "pm cache rm"]),
    ("pack", ["pack", "pack", "pack", "pack", "pm pack"]),
    ("publish", ["publish", "publish", "npm publish", "publish", "publish"]),
    ("view", ["view", "info", "npm info", "view", "info"]),
    ("whoami", ["whoami", UNSUPPORTED, "npm whoami", "whoami", "pm whoami"]),
    ("login", ["login", "login", "npm login", "login", UNSUPPORTED]),
    ("config", ["config", "config", UNSUPPORTED, "config", UNSUPPORTED]),
];

/// Whether each tool has one word for what npm calls so.
pub(super) fn is_plain(name: &str) -> bool {
    PLAIN.iter().any(|(verb, _)| *verb == name)
}

/// A command while it is written.
struct Draft {
    program: &'static str,
    words: Vec<String>,
    left_out: Vec<String>,
}

/// What a wish is in the words of `to`; `None` if it has none for it.
pub(crate) fn write(wish: &Intent, to: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    let target = Target::new(to, ground)?;
    let mut left_out = Vec::new();
    let (program, words) = match &wish.act {
        Act::Execute(execute) => write_execute(execute, target, ground)?,
        Act::Change(change) => {
            let is_here = !change.is_global && wish.workspace == Workspace::Here;
            let root = if is_here { at_root(change.verb, target, ground) } else { "" };
            (to.name(), write_change(change, root, target, &mut left_out)?)
        }
        Act::Run(it) => {
            if it.if_present && is_yarn(target) {
                left_out.push("--if-present".to_owned());
            }
            (to.name(), write_run(it, target))
        }
        Act::Create { template, words } => (to.name(), write_create(template, words, target)),
        Act::Plain(plain) => (to.name(), write_plain(plain, target, &mut left_out)?),
    };
    add_location(wish, target, Draft { program, words, left_out })
}

const fn is_yarn(target: Target) -> bool {
    matches!(target, Target::Classic | Target::Modern)
}

/// Says where a command works, and from which registry.
fn add_location(wish: &Intent, to: Target, mut it: Draft) -> Option<Replacement> {
    let is_run = matches!(wish.act, Act::Run(_) | Act::Execute(_));
    if let Some(registry) = &wish.registry {
        if is_run || to == Target::Modern {
            it.left_out.push(format!("--registry {registry}"));
        } else {
            let at = it.words.len().min(1);
            it.words.splice(at..at, ["--registry".to_owned(), registry.clone()]);
        }
    }
    let workspace = in_workspace(&wish.workspace, is_run, to)?;
    // npx works where it stands; bun takes its filter behind the subcommand only.
    if it.program == "npx" && (wish.folder.is_some() || !workspace.is_empty())
        || it.program == "bunx" && !workspace.is_empty()
    {
        return None;
    }
    let at = if to == Target::Bun { it.words.len().min(1) } else { 0 };
    it.words.splice(at..at, workspace);
    if let Some(folder) = &wish.folder {
        it.words.splice(0..0, in_folder(folder, to));
    }
    Some(Replacement { left_out: it.left_out, ..Replacement::from_words(&[it.program], &it.words) })
}

fn in_folder(folder: &str, to: Target) -> Vec<String> {
    match to {
        Target::Npm => vec!["--prefix".to_owned(), folder.to_owned()],
        Target::Pnpm => vec!["-C".to_owned(), folder.to_owned()],
        Target::Classic | Target::Modern => vec!["--cwd".to_owned(), folder.to_owned()],
        // In two words, bun takes the folder for a script.
        Target::Bun => vec![format!("--cwd={folder}")],
    }
}

/// The words that name the workspace.
fn in_workspace(workspace: &Workspace, is_run: bool, to: Target) -> Option<Vec<String>> {
    let named = |flag: &str, names: &[String]| {
        names.iter().flat_map(|name| [flag.to_owned(), name.clone()]).collect::<Vec<_>>()
    };
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Some(match (workspace, to) {
        (Workspace::Here, _) => Vec::new(),
        (Workspace::Named(names), Target::Npm) => named("-w", names),
        (Workspace::Named(names), Target::Pnpm | Target::Bun) => named("--filter", names),
        (Workspace::Named(names), Target::Classic | Target::Modern) if names.len() == 1 => {
            named("workspace", names)
        }
        (Workspace::All, Target::Npm) => own(&["--workspaces"]),
        (Workspace::All, Target::Pnpm) => own(&["-r"]),
        (Workspace::All, Target::Bun) if is_run => own(&["--filter", "'*'"]),
        (Workspace::All, Target::Classic) if is_run => own(&["workspaces"]),
        // The others leave the root out.
        (Workspace::All, Target::Modern) if is_run => own(&["workspaces", "foreach", "-A", "--exclude", "."]),
        (Workspace::Named(_) | Workspace::All, _) => return None,
    })
}

/// Words of our own and those that were given.
fn joined(words: &[&str], more: &[String]) -> Vec<String> {
    let own = words.iter().filter(|word| !word.is_empty()).map(|word| (*word).to_owned());
    own.chain(more.iter().cloned()).collect()
}

fn write_change(change: &Change, root: &str, to: Target, left_out: &mut Vec<String>) -> Option<Vec<String>> {
    // Yarn's word for an installation without what is only needed to develop, which does not change the lock file.
    if to == Target::Modern && change.flags.contains(&Flag::Production) {
        let is_alone = change.flags.len() == 1;
        return is_alone.then(|| joined(&["workspaces", "focus", "--all", "--production"], &[]));
    }
    let (_, here, everywhere) = VERBS.iter().find(|(verb, ..)| *verb == change.verb)?;
    let mut words = to.word(if change.is_global { everywhere } else { here })?.to_owned();
    if !root.is_empty() {
        words = format!("{words} {root}");
    }
    let mut all = vec![words];
    for flag in &change.flags {
        let (_, spellings) = FLAGS.iter().find(|(known, _)| known == flag)?;
        let spelling = to.word(spellings)?;
        if *flag == Flag::Force && to == Target::Modern {
            left_out.push(spelling.to_owned());
        } else {
            all.push(spelling.to_owned());
        }
    }
    let all = all.iter().flat_map(|words| words.split(' ')).map(str::to_owned);
    Some(all.chain(change.packages.iter().cloned()).collect())
}

/// What pnpm and Yarn 1 want to be told before they change the root of a workspace.
fn at_root(verb: Verb, to: Target, ground: WorkingFolder<'_>) -> &'static str {
    let has_workspaces = || ground.text("package.json").is_some_and(|it| it.contains("\"workspaces\""));
    match (to, verb) {
        (Target::Pnpm, Verb::Add) if ground.has_file("pnpm-workspace.yaml") => "-w",
        (Target::Classic, Verb::Add | Verb::Remove) if has_workspaces() => "-W",
        _ => "",
    }
}

fn write_run(run: &Run, to: Target) -> Vec<String> {
    let flag = if run.if_present && !is_yarn(to) { "--if-present" } else { "" };
    let separator = if to == Target::Npm && !run.words.is_empty() { "--" } else { "" };
    let start = match (to, run.script.as_str()) {
        (Target::Npm, script @ ("test" | "start")) => vec![script, flag, separator],
        (_, script) => vec!["run", flag, script, separator],
    };
    joined(&start, &run.words)
}

fn write_create(template: &str, words: &[String], to: Target) -> Vec<String> {
    let mut all = joined(&["create", template], words);
    let flag = all.iter().position(|word| word.starts_with('-'));
    // npm takes flags for its own that do not stand behind `--`.
    if let Some(at) = flag.filter(|_| to == Target::Npm) {
        all.insert(at, "--".to_owned());
    }
    all
}

/// Whether the project's manifest names the package of a program: it may not be installed yet.
fn is_needed(program: &str, ground: WorkingFolder<'_>) -> bool {
    let package = if matches!(program, "tsc" | "tsserver") { "typescript" } else { program };
    ground.text("package.json").is_some_and(|text| text.contains(&format!("\"{package}\": \"")))
}

/// The program and the words that run a program of a package.
fn write_execute(
    execute: &Execute,
    to: Target,
    ground: WorkingFolder<'_>,
) -> Option<(&'static str, Vec<String>)> {
    let Execute { packages, program, words, from } = execute;
    let is_installed =
        || ground.has_file_upwards(&format!("node_modules/.bin/{program}")) || is_needed(program, ground);
    let is_local = match from {
        Origin::Installed | Origin::Unspecified => true,
        Origin::Downloaded => false,
        Origin::Either => packages.is_empty() && is_installed(),
    };
    let flagged = |flag: &str| -> Vec<String> {
        packages.iter().flat_map(|package| [flag.to_owned(), package.clone()]).collect()
    };
    let run = joined(&[program], words);
    Some(match (to, from) {
        (Target::Bun, Origin::Installed | Origin::Unspecified) => ("bun", joined(&["run"], &run)),
        (Target::Bun, _) => ("bunx", [flagged("-p"), run].concat()),
        (Target::Npm, Origin::Unspecified) if !is_installed() => {
            let separator = if words.is_empty() { "" } else { "--" };
            ("npm", joined(&["run", program, separator], words))
        }
        (Target::Classic | Target::Modern, _) if is_local => ("yarn", joined(&["run"], &run)),
        (Target::Modern, _) => ("yarn", joined(&["dlx"], &[flagged("-p"), run].concat())),
        // Yarn 1 runs only what is installed.
        (Target::Npm | Target::Classic, _) => ("npx", [flagged("-p"), run].concat()),
        (Target::Pnpm, Origin::Unspecified) if !is_installed() => ("pnpm", joined(&["run"], &run)),
        (Target::Pnpm, _) if is_local => ("pnpm", joined(&["exec"], &run)),
        (Target::Pnpm, _) => ("pnpm", [flagged("--package"), joined(&["dlx"], &run)].concat()),
    })
}

/// The word a tool has for an act.
fn write_plain(plain: &Plain, to: Target, left_out: &mut Vec<String>) -> Option<Vec<String>> {
    let Plain { verb, words, is_global, is_json } = plain;
    let (_, all) = PLAIN.iter().find(|(name, _)| name == verb)?;
    let name = to.word(all)?;
    let (alone, with) = name.split_once('|').unwrap_or((name, name));
    let name = if words.is_empty() { alone } else { with };
    // pnpm links folders only.
    let is_folder = words.iter().any(|word| word.contains('/'));
    if name.is_empty() || (to == Target::Pnpm && verb == "link" && !is_folder) {
        return None;
    }
    let name: Vec<&str> = name.split(' ').collect();
    let mut words = words.clone();
    // Only npm, Yarn 1 and bun ask when they make a project.
    if verb == "init" && matches!(to, Target::Pnpm | Target::Modern) {
        words.retain(|word| word != "-y");
    }
    if *is_json {
        let is_known = to != Target::Bun || matches!(verb.as_str(), "view" | "audit");
        if is_known { words.push("--json".to_owned()) } else { left_out.push("--json".to_owned()) }
    }
    match (is_global, to) {
        (false, _) => Some(joined(&name, &words)),
        (true, Target::Classic) => Some(joined(&["global"], &joined(&name, &words))),
        (true, Target::Modern) => None,
        (true, Target::Bun) if verb == "outdated" => None,
        (true, _) => Some(joined(&[name, vec!["-g"]].concat(), &words)),
    }
}
