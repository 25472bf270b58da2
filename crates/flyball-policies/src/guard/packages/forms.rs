//! How each package manager writes what is asked for, as tables of templates.
//!
//! `[name text]` is written if the detail is there: `{}` once for each of its values, `{*}` with all of them, else once.
//! `[-name text]` is written if it is not there, `[~name text]` is named as left out, and `[!name]` and `[!-name]` say
//! that there is no such command then. Details that a template does not name are dropped.

use super::request::{Details, Verb};

/// The package manager whose command is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Uv,
    Poetry,
    Pipenv,
    Pip,
    Conda,
    Npm,
    /// Yarn 1.
    ClassicYarn,
    /// Yarn 2 and later, which changed most of its commands.
    ModernYarn,
    Pnpm,
    Bun,
}

/// For uv, poetry, pipenv, pip and conda.
const PYTHON: &[(Verb, [&str; 5])] = &[
    (
        Verb::Add,
        [
            "uv add [dev --dev] [group --group {}] [optional --optional {}] [extras --extra {}] \
             [upgrade --upgrade-package {}] [pre --prerelease allow] [index {}] [requirements -r {}] [constraints -c {}] \
             [editables --editable {*}] [paths {}] [packages {}]",
            "poetry add [!optional] [!index] [!requirements] [!constraints] [dev --group dev] [group --group {}] \
             [extras --extras {}] [pre --allow-prereleases] [editables --editable {*}] [paths {}] [packages {}]",
            "pipenv install [!optional] [!index] [!constraints] [dev --dev] [group --categories {}] [pre --pre] \
             [requirements -r {}] [editables -e {}] [paths {}] [packages {}]",
            PIP_INSTALL,
            "conda install -y [!index] [!constraints] [!editables] [!paths] [!addresses] [requirements --file {}] \
             [packages {}]",
        ],
    ),
    (
        Verb::Sync,
        [
            "uv sync [locked --locked] [production --no-dev] [rootless --no-install-project] [all-extras --all-extras] \
             [all-groups --all-groups] [group --group {}] [without --no-group {}] [only --only-group {}] \
             [extras --extra {}] [dry-run --dry-run]",
            "poetry install [production --only main] [rootless --no-root] [all-extras --all-extras] \
             [all-groups --all-groups] [group --with {}] [without --without {}] [only --only {}] [extras --extras {}] \
             [dry-run --dry-run]",
            "pipenv [locked sync] [-locked install] [-production --dev]",
            "pip install [has-requirements -r requirements.txt] [-has-requirements -e .]",
            "conda env update -f environment.yml",
        ],
    ),
    (
        Verb::Remove,
        [
            "uv remove [dev --group dev] [group --group {}] [packages {}]",
            "poetry remove [!-packages] [dev --group dev] [group --group {}] [packages {}]",
            "pipenv uninstall [!-packages] [dev --dev] [group --categories {}] [packages {}]",
            "pip uninstall -y [packages {}]",
            "conda remove -y [!-packages] [packages {}]",
        ],
    ),
    (
        Verb::Run,
        [
            "uv run [words {}]",
            "poetry run [words {}]",
            "pipenv run [words {}]",
            "[words {}]",
            "conda run [words {}]",
        ],
    ),
    (
        Verb::Venv,
        ["uv venv [existing --allow-existing] [python --python {}] [options {}] [folder {}]", "", "", "", ""],
    ),
    (Verb::Lock, ["uv lock", "poetry lock", "pipenv lock", "", ""]),
    (Verb::Relock, ["uv lock --upgrade", "poetry lock --regenerate", "pipenv lock", "", ""]),
    (
        Verb::Update,
        [
            "uv sync [-packages --upgrade] [packages --upgrade-package {}]",
            "poetry update [packages {}]",
            "pipenv update [packages {}]",
            "pip install -U [!-packages] [packages {}]",
            "conda update -y [-packages --all] [packages {}]",
        ],
    ),
    (
        Verb::List,
        [
            "uv pip [-packages list] [packages show {*}]",
            "poetry show [packages {}]",
            "pipenv run pip [-packages list] [packages show {*}]",
            "pip [-packages list] [packages show {*}]",
            "conda list [packages {}]",
        ],
    ),
    (
        Verb::Outdated,
        [
            "uv pip list --outdated",
            "poetry show --outdated",
            "pipenv update --outdated",
            "pip list --outdated",
            "conda update --all --dry-run",
        ],
    ),
    (Verb::Tree, ["uv tree", "poetry show --tree", "pipenv graph", "", ""]),
    (Verb::Check, ["uv lock --check", "poetry check --lock", "pipenv verify", "pip check", ""]),
    (Verb::Init, ["uv init [packages {}]", "poetry [-packages init -n] [packages new {}]", "", "", ""]),
    (Verb::Build, ["uv build", "poetry build", "", "python3 -m build", ""]),
];

const PIP_INSTALL: &str = "pip install [upgrade -U] [pre --pre] [index {}] [requirements -r {}] [constraints -c {}] \
                           [editables -e {}] [paths {}] [packages {}]";

/// For npm, Yarn 1, later Yarns, pnpm and bun. What precedes `:` runs in a workspace, and `…` is what the
/// manager says of a change of packages.
const JAVASCRIPT: &[(Verb, [&str; 5])] = &[
    (Verb::Add, ["npm: install …", "yarn: add …", "yarn: add …", "pnpm: add …", "bun: add …"]),
    (
        Verb::Sync,
        ["npm: install …", "yarn: install …", "yarn: install …", "pnpm: install …", "bun: install …"],
    ),
    (
        Verb::Frozen,
        [
            "npm: ci …",
            "yarn: install --frozen-lockfile …",
            "yarn: install --immutable …",
            "pnpm: install --frozen-lockfile …",
            "bun: install --frozen-lockfile …",
        ],
    ),
    (
        Verb::Remove,
        ["npm: uninstall …", "yarn: remove …", "yarn: remove …", "pnpm: remove …", "bun: remove …"],
    ),
    (Verb::AddGlobal, ["npm: install -g …", "yarn: global add …", "", "pnpm: add -g …", "bun: add -g …"]),
    (
        Verb::RemoveGlobal,
        ["npm: uninstall -g …", "yarn: global remove …", "", "pnpm: remove -g …", "bun: remove -g …"],
    ),
    (
        Verb::Run,
        [
            "npm: run [~registry --registry {}] [if-present --if-present] [script {}] [words -- {*}]",
            "yarn: [workspaces workspaces] run [~registry --registry {}] [~if-present --if-present] [script {}] [words {}]",
            "yarn: [workspaces workspaces foreach -A --exclude .] run [~registry --registry {}] \
             [~if-present --if-present] [script {}] [words {}]",
            "pnpm: run [~registry --registry {}] [if-present --if-present] [script {}] [words {}]",
            "bun run [workspace --filter {}] [workspaces --filter '*'] [~registry --registry {}] \
             [if-present --if-present] [script {}] [words {}]",
        ],
    ),
    (
        Verb::Exec,
        [
            NPX,
            "yarn: run [!workspaces] [script {}] [words {}]",
            "yarn: run [!workspaces] [script {}] [words {}]",
            "pnpm: exec [script {}] [words {}]",
            BUNX,
        ],
    ),
    (
        Verb::ExecInstalled,
        [
            NPX,
            "yarn: [workspaces workspaces] run [script {}] [words {}]",
            "yarn: [workspaces workspaces foreach -A --exclude .] run [script {}] [words {}]",
            "pnpm: exec [script {}] [words {}]",
            "bun run [workspace --filter {}] [workspaces --filter '*'] [script {}] [words {}]",
        ],
    ),
    (
        Verb::Download,
        [
            NPX,
            NPX,
            "yarn: dlx [!workspaces] [from -p {}] [script {}] [words {}]",
            "pnpm: [from --package {}] dlx [script {}] [words {}]",
            BUNX,
        ],
    ),
    (
        Verb::Create,
        [
            "npm: create [script {}] [words {}] [flags -- {*}]",
            "yarn: create [!workspaces] [script {}] [words {}] [flags {}]",
            "yarn: create [!workspaces] [script {}] [words {}] [flags {}]",
            "pnpm: create [script {}] [words {}] [flags {}]",
            "bun create [!workspace] [!workspaces] [script {}] [words {}] [flags {}]",
        ],
    ),
    (
        Verb::Init,
        ["npm: init [yes -y]", "yarn: init [yes -y]", "yarn: init", "pnpm: init", "bun init [yes -y]"],
    ),
    (Verb::List, ["npm: list …", "yarn: list …", "yarn: info --name-only …", "pnpm: list …", "bun: pm ls …"]),
    (Verb::Outdated, ["npm: outdated …", "yarn: outdated …", "", "pnpm: outdated …", "bun: outdated …"]),
    (
        Verb::Update,
        [
            "npm: update …",
            "yarn: upgrade …",
            "yarn: up -R [-packages '*'] …",
            "pnpm: update …",
            "bun: update …",
        ],
    ),
    (Verb::Why, ["npm: explain …", "yarn: why …", "yarn: why …", "pnpm: why …", "bun: why …"]),
];

/// Yarn 1 runs only what is installed.
const NPX: &str =
    "npx [!workspace] [!workspaces] [~registry --registry {}] [from -p {}] [script {}] [words {}]";
const BUNX: &str =
    "bunx [!workspace] [!workspaces] [~registry --registry {}] [from -p {}] [script {}] [words {}]";

/// What each of the five writes for `:` and for `…`.
const CHANGES: [(&str, &str); 5] = [
    (
        " [workspace -w {}] [workspaces --workspaces]",
        "[registry --registry {}] [dev -D] [peer --save-peer] [optional -O] [exact -E] [production --omit=dev] \
         [lock-only --package-lock-only] [dry-run --dry-run] [ignore-scripts --ignore-scripts] [force --force] [packages {}]",
    ),
    (
        " [workspace workspace {}]",
        "[!workspaces] [!lock-only] [!dry-run] [root -W] [registry --registry {}] [dev -D] [peer -P] [optional -O] \
         [exact -E] [production --production] [ignore-scripts --ignore-scripts] [force --force] [packages {}]",
    ),
    (
        " [workspace workspace {}]",
        "[!workspaces] [!dry-run] [~registry --registry {}] [dev -D] [peer -P] [optional -O] [exact -E] \
         [lock-only --mode=update-lockfile] [ignore-scripts --mode=skip-build] [~force --force] [packages {}]",
    ),
    (
        " [workspace --filter {}] [workspaces -r]",
        "[!dry-run] [root -w] [registry --registry {}] [dev -D] [peer --save-peer] [optional -O] [exact -E] \
         [production --prod] [lock-only --lockfile-only] [ignore-scripts --ignore-scripts] [force --force] [packages {}]",
    ),
    (
        "",
        "[!workspaces] [workspace --filter {}] [registry --registry {}] [dev -d] [peer --peer] [optional --optional] \
         [exact --exact] [production --production] [lock-only --lockfile-only] [dry-run --dry-run] \
         [ignore-scripts --ignore-scripts] [force --force] [packages {}]",
    ),
];

/// A command in the words of another package manager.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Replacement {
    pub(super) text: String,
    /// What it does not do.
    pub(super) left_out: Vec<String>,
}

impl Replacement {
    /// A program and its words, without those that `xargs` will add.
    pub(super) fn new(program: &str, words: &[String]) -> Replacement {
        let words = words.iter().map(String::as_str).filter(|word| !word.is_empty());
        let text = std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ");
        Replacement { text, left_out: Vec::new() }
    }
}

/// The command of a target; `None` if it has none.
pub(super) fn write(verb: Verb, details: &Details, target: Target) -> Option<Replacement> {
    let at = target as usize;
    // The variants of `Target` are in the order of the columns: five for Python, five for JavaScript.
    let (table, column) = if at < 5 { (PYTHON, at) } else { (JAVASCRIPT, at - 5) };
    let (_, templates) = table.iter().find(|(written, _)| *written == verb)?;
    let template = templates.get(column)?;
    match CHANGES.get(column).filter(|_| at >= 5) {
        Some((place, change)) => fill(&template.replacen(':', place, 1).replace('…', change), details),
        None => fill(template, details),
    }
}

/// What `pip install` inside of the environment of another manager is.
pub(super) fn pip_install(runner: &str, details: &Details) -> Option<Replacement> {
    fill(&format!("{runner} run {PIP_INSTALL}"), details)
}

fn fill(template: &str, details: &Details) -> Option<Replacement> {
    let (mut words, mut left_out) = (Vec::new(), Vec::new());
    for (at, part) in template.split(['[', ']']).enumerate() {
        // Every second part is between brackets.
        if at % 2 == 0 {
            words.push(part.trim().to_owned());
            continue;
        }
        let (slot, text) = part.split_once(' ').unwrap_or((part, ""));
        let name = slot.trim_start_matches(['!', '~', '-']);
        if details.has(name) == slot.trim_start_matches(['!', '~']).starts_with('-') {
            continue;
        }
        match slot.chars().next()? {
            '!' => return None,
            '~' => left_out.extend(expand(text, details.values(name))),
            _ => words.extend(expand(text, details.values(name))),
        }
    }
    words.retain(|word| !word.is_empty());
    (!words.is_empty()).then(|| Replacement { text: words.join(" "), left_out })
}

fn expand(text: &str, values: &[String]) -> Vec<String> {
    if text.contains("{}") {
        // A word that `xargs` will add is not written.
        values.iter().map(|value| text.replace("{}", value).trim_end().to_owned()).collect()
    } else {
        vec![text.replace("{*}", &values.join(" "))]
    }
}
