//! Writes commands of npm, yarn, pnpm and bun.

use super::super::reading::{Ground, Replacement};
use super::super::tool::Tool;
use super::{Act, Add, Execute, Install, Kind, Origin, Plain, Verb, Wish, Workspace};

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
    fn of(tool: Tool, ground: Ground<'_>) -> Option<Target> {
        Some(match tool {
            Tool::Npm => Target::Npm,
            Tool::Yarn if ground.has_modern_yarn() => Target::Modern,
            Tool::Yarn => Target::Classic,
            Tool::Pnpm => Target::Pnpm,
            Tool::Bun => Target::Bun,
            Tool::Pip | Tool::Poetry | Tool::Pipenv | Tool::Uv | Tool::Conda => return None,
        })
    }
}

/// A command while it is written.
struct Written {
    program: &'static str,
    words: Vec<String>,
    left_out: Vec<String>,
}

/// What a wish is in the words of `to`; `None` if it has none for it.
pub(crate) fn write(wish: &Wish, to: Tool, ground: Ground<'_>) -> Option<Replacement> {
    let target = Target::of(to, ground)?;
    let mut left_out = Vec::new();
    let (program, words) = match &wish.act {
        Act::Execute(execute) => executed(execute, target, ground)?,
        Act::Add(add) => (to.name(), added(add, target, (wish, ground), &mut left_out)?),
        Act::Install(install) => (to.name(), installed(install, target, &mut left_out)?),
        Act::Remove { packages, is_global } => {
            let is_here = !is_global && wish.workspace == Workspace::Here;
            let root = if is_here && target == Target::Classic { at_root(target, ground) } else { "" };
            (to.name(), removed(&joined(&[root], packages), *is_global, target)?)
        }
        Act::Run { script, words, if_present } => {
            if *if_present && is_yarn(target) {
                left_out.push("--if-present".to_owned());
            }
            (to.name(), run(script, words, (*if_present, target)))
        }
        Act::Create { template, words } => (to.name(), created(template, words, target)),
        Act::Plain(plain) => (to.name(), plainly(plain, target, &mut left_out)?),
    };
    placed(wish, target, Written { program, words, left_out })
}

const fn is_yarn(target: Target) -> bool {
    matches!(target, Target::Classic | Target::Modern)
}

/// Says where a command works, and from which registry.
fn placed(wish: &Wish, to: Target, mut it: Written) -> Option<Replacement> {
    let is_run = matches!(wish.act, Act::Run { .. } | Act::Execute(_));
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
    Some(Replacement { left_out: it.left_out, ..Replacement::of(&[it.program], &it.words) })
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

fn added(
    add: &Add,
    to: Target,
    (wish, ground): (&Wish, Ground<'_>),
    left_out: &mut Vec<String>,
) -> Option<Vec<String>> {
    let Add { packages, kind, is_exact, is_global, shared } = add;
    let verb: &[&str] = match (to, is_global) {
        (Target::Npm, false) => &["install"],
        (Target::Npm, true) => &["install", "-g"],
        (Target::Classic, true) => &["global", "add"],
        (Target::Modern, true) => return None,
        (Target::Pnpm | Target::Bun, true) => &["add", "-g"],
        (_, false) => &["add"],
    };
    let kind = match (kind, to) {
        (Kind::Run, _) => "",
        (Kind::Develop, Target::Bun) => "-d",
        (Kind::Develop, _) => "-D",
        (Kind::Peer, Target::Bun) => "--peer",
        (Kind::Peer, Target::Classic | Target::Modern) => "-P",
        (Kind::Peer, _) => "--save-peer",
        (Kind::Optional, Target::Bun) => "--optional",
        (Kind::Optional, _) => "-O",
    };
    let exact = match (is_exact, to) {
        (false, _) => "",
        (true, Target::Bun) => "--exact",
        (true, _) => "-E",
    };
    let is_here = !is_global && wish.workspace == Workspace::Here;
    let root = if is_here { at_root(to, ground) } else { "" };
    let flags = joined(&[root, kind, exact], &understood(shared, to, left_out));
    Some(joined(verb, &[flags, packages.clone()].concat()))
}

/// What pnpm and Yarn 1 want to be told before they add to the root of a workspace.
fn at_root(to: Target, ground: Ground<'_>) -> &'static str {
    match to {
        Target::Pnpm if ground.has("pnpm-workspace.yaml") => "-w",
        Target::Classic if ground.text("package.json").is_some_and(|it| it.contains("\"workspaces\"")) => {
            "-W"
        }
        _ => "",
    }
}

/// The flags that all share, as far as `to` does.
fn understood(shared: &[String], to: Target, left_out: &mut Vec<String>) -> Vec<String> {
    let (known, unknown): (Vec<String>, Vec<String>) =
        shared.iter().cloned().partition(|flag| to != Target::Modern || flag == "--ignore-scripts");
    left_out.extend(unknown);
    let spell = |flag: String| if to == Target::Modern { "--mode=skip-build".to_owned() } else { flag };
    known.into_iter().map(spell).collect()
}

fn installed(install: &Install, to: Target, left_out: &mut Vec<String>) -> Option<Vec<String>> {
    let Install { is_frozen, is_production, is_lock_only, is_trial, shared } = install;
    let verb: &[&str] = match (is_frozen, is_production, to) {
        // It does not change the lock file either.
        (_, true, Target::Modern) => return focused(install),
        (true, _, Target::Npm) => &["ci"],
        (true, _, Target::Modern) => &["install", "--immutable"],
        (true, _, _) => &["install", "--frozen-lockfile"],
        (false, _, _) => &["install"],
    };
    let production = match (is_production, to) {
        (false, _) | (true, Target::Modern) => "",
        (true, Target::Npm) => "--omit=dev",
        (true, Target::Pnpm) => "--prod",
        (true, Target::Classic | Target::Bun) => "--production",
    };
    let lock = match (is_lock_only, to) {
        (false, _) => "",
        (true, Target::Npm) => "--package-lock-only",
        (true, Target::Pnpm | Target::Bun) => "--lockfile-only",
        (true, Target::Modern) => "--mode=update-lockfile",
        (true, Target::Classic) => return None,
    };
    let trial = match (is_trial, to) {
        (false, _) => "",
        (true, Target::Npm | Target::Bun) => "--dry-run",
        (true, Target::Pnpm | Target::Classic | Target::Modern) => return None,
    };
    let flags = understood(shared, to, left_out);
    Some(joined(verb, &joined(&[production, lock, trial], &flags)))
}

/// Yarn's word for an installation without what is only needed to develop.
fn focused(install: &Install) -> Option<Vec<String>> {
    let is_plain = install.shared.is_empty() && !install.is_lock_only && !install.is_trial;
    is_plain.then(|| joined(&["workspaces", "focus", "--all", "--production"], &[]))
}

fn removed(packages: &[String], is_global: bool, to: Target) -> Option<Vec<String>> {
    let verb: &[&str] = match (to, is_global) {
        (Target::Npm, false) => &["uninstall"],
        (Target::Npm, true) => &["uninstall", "-g"],
        (Target::Classic, true) => &["global", "remove"],
        (Target::Modern, true) => return None,
        (Target::Pnpm | Target::Bun, true) => &["remove", "-g"],
        (_, false) => &["remove"],
    };
    Some(joined(verb, packages))
}

fn run(script: &str, words: &[String], (if_present, to): (bool, Target)) -> Vec<String> {
    let flag = if if_present && !is_yarn(to) { "--if-present" } else { "" };
    let separator = if to == Target::Npm && !words.is_empty() { "--" } else { "" };
    let start = match (to, script) {
        (Target::Npm, "test" | "start") => vec![script, flag, separator],
        _ => vec!["run", flag, script, separator],
    };
    joined(&start, words)
}

fn created(template: &str, words: &[String], to: Target) -> Vec<String> {
    let mut all = joined(&["create", template], words);
    let flag = all.iter().position(|word| word.starts_with('-'));
    // npm takes flags for its own that do not stand behind `--`.
    if let Some(at) = flag.filter(|_| to == Target::Npm) {
        all.insert(at, "--".to_owned());
    }
    all
}

/// Whether the project's manifest names the package of a program: it may not be installed yet.
fn is_needed(program: &str, ground: Ground<'_>) -> bool {
    let package = if matches!(program, "tsc" | "tsserver") { "typescript" } else { program };
    ground.text("package.json").is_some_and(|text| text.contains(&format!("\"{package}\": \"")))
}

/// The program and the words that run a program of a package.
fn executed(execute: &Execute, to: Target, ground: Ground<'_>) -> Option<(&'static str, Vec<String>)> {
    let Execute { packages, program, words, from } = execute;
    let is_installed = || ground.holds(&format!("node_modules/.bin/{program}")) || is_needed(program, ground);
    let is_local = match from {
        Origin::Installed | Origin::Unsaid => true,
        Origin::Downloaded => false,
        Origin::Either => packages.is_empty() && is_installed(),
    };
    let flagged = |flag: &str| -> Vec<String> {
        packages.iter().flat_map(|package| [flag.to_owned(), package.clone()]).collect()
    };
    let run = joined(&[program], words);
    Some(match (to, from) {
        (Target::Bun, Origin::Installed | Origin::Unsaid) => ("bun", joined(&["run"], &run)),
        (Target::Bun, _) => ("bunx", [flagged("-p"), run].concat()),
        (Target::Npm, Origin::Unsaid) if !is_installed() => {
            let separator = if words.is_empty() { "" } else { "--" };
            ("npm", joined(&["run", program, separator], words))
        }
        (Target::Classic | Target::Modern, _) if is_local => ("yarn", joined(&["run"], &run)),
        (Target::Modern, _) => ("yarn", joined(&["dlx"], &[flagged("-p"), run].concat())),
        // Yarn 1 runs only what is installed.
        (Target::Npm | Target::Classic, _) => ("npx", [flagged("-p"), run].concat()),
        (Target::Pnpm, Origin::Unsaid) if !is_installed() => ("pnpm", joined(&["run"], &run)),
        (Target::Pnpm, _) if is_local => ("pnpm", joined(&["exec"], &run)),
        (Target::Pnpm, _) => ("pnpm", [flagged("--package"), joined(&["dlx"], &run)].concat()),
    })
}

/// The word each tool has for an act.
fn plainly(plain: &Plain, to: Target, left_out: &mut Vec<String>) -> Option<Vec<String>> {
    let Plain { verb, words, is_global, is_json } = plain;
    let name: Vec<&str> = match to {
        Target::Modern => modern(*verb, words.is_empty())?,
        Target::Classic => classic(*verb)?,
        Target::Bun => bun(*verb)?,
        Target::Pnpm => pnpm(*verb, words)?,
        Target::Npm => npm(*verb).to_vec(),
    };
    let mut words = words.clone();
    // Only npm, Yarn 1 and bun ask when they make a project.
    if *verb == Verb::Init && matches!(to, Target::Pnpm | Target::Modern) {
        words.retain(|word| word != "-y");
    }
    if *is_json {
        let is_known = to != Target::Bun || matches!(verb, Verb::View | Verb::Audit);
        if is_known { words.push("--json".to_owned()) } else { left_out.push("--json".to_owned()) }
    }
    match (is_global, to) {
        (false, _) => Some(joined(&name, &words)),
        (true, Target::Classic) => Some(joined(&["global"], &joined(&name, &words))),
        (true, Target::Modern) => None,
        (true, Target::Bun) if *verb == Verb::Outdated => None,
        (true, _) => Some(joined(&[name, vec!["-g"]].concat(), &words)),
    }
}

const fn npm(verb: Verb) -> &'static [&'static str] {
    match verb {
        Verb::Init => &["init"],
        Verb::List => &["list"],
        Verb::Outdated => &["outdated"],
        Verb::Update => &["update"],
        Verb::Why => &["explain"],
        Verb::Link => &["link"],
        Verb::Unlink => &["unlink"],
        Verb::Audit => &["audit"],
        Verb::Dedupe => &["dedupe"],
        Verb::Prune => &["prune"],
        Verb::Rebuild => &["rebuild"],
        Verb::CleanCache => &["cache", "clean", "--force"],
        Verb::Pack => &["pack"],
        Verb::Publish => &["publish"],
        Verb::View => &["view"],
        Verb::Whoami => &["whoami"],
        Verb::Login => &["login"],
        Verb::Config => &["config"],
    }
}

fn pnpm(verb: Verb, words: &[String]) -> Option<Vec<&'static str>> {
    Some(match verb {
        Verb::Why => vec!["why"],
        Verb::CleanCache => vec!["store", "prune"],
        // It links folders only.
        Verb::Link if !words.iter().any(|word| word.contains('/')) => return None,
        _ => npm(verb).to_vec(),
    })
}

fn bun(verb: Verb) -> Option<Vec<&'static str>> {
    Some(match verb {
        Verb::List => vec!["pm", "ls"],
        Verb::Why => vec!["why"],
        Verb::CleanCache => vec!["pm", "cache", "rm"],
        Verb::Pack => vec!["pm", "pack"],
        Verb::Whoami => vec!["pm", "whoami"],
        Verb::View => vec!["info"],
        Verb::Rebuild | Verb::Login | Verb::Config => return None,
        _ => npm(verb).to_vec(),
    })
}

fn classic(verb: Verb) -> Option<Vec<&'static str>> {
    Some(match verb {
        Verb::Update => vec!["upgrade"],
        Verb::Why => vec!["why"],
        Verb::CleanCache => vec!["cache", "clean"],
        Verb::View => vec!["info"],
        // An installation does both on its way.
        Verb::Prune => vec!["install"],
        Verb::Rebuild => vec!["install", "--force"],
        Verb::Dedupe | Verb::Whoami => return None,
        _ => npm(verb).to_vec(),
    })
}

fn modern(verb: Verb, is_alone: bool) -> Option<Vec<&'static str>> {
    Some(match verb {
        Verb::Update if is_alone => vec!["up", "-R", "'*'"],
        Verb::Update => vec!["up", "-R"],
        Verb::Why => vec!["why"],
        Verb::CleanCache => vec!["cache", "clean"],
        Verb::List => vec!["info", "--name-only"],
        Verb::View => vec!["npm", "info"],
        Verb::Audit => vec!["npm", "audit"],
        Verb::Publish => vec!["npm", "publish"],
        Verb::Whoami => vec!["npm", "whoami"],
        Verb::Login => vec!["npm", "login"],
        Verb::Prune => vec!["install"],
        Verb::Link if is_alone => return None,
        Verb::Outdated | Verb::Config => return None,
        _ => npm(verb).to_vec(),
    })
}
