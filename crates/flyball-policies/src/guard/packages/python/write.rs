//! Writes commands of Python's package managers.

use super::super::reading::{Replacement, WorkingFolder};
use super::super::tool::Tool;
use super::specifier::{extras_of, is_bare, is_project};
use super::{Detail, Details, Intent, Pip, Venv};

/// How a tool writes the details of a subcommand, in this order: `{}` is a value, `{*}` are all of them, and what
/// is `NOT` cannot be said. What is not listed goes without saying.
type Spelling = &'static [(Detail, &'static str)];

const UNSUPPORTED: &str = "";

const UV_ADD: Spelling = &[
    (Detail::Dev, "--dev"),
    (Detail::Group, "--group {}"),
    (Detail::Optional, "--optional {}"),
    (Detail::Extras, "--extra {}"),
    // `--upgrade` would upgrade all that the project needs.
    (Detail::Upgrade, "--upgrade-package {}"),
    (Detail::Prerelease, "--prerelease allow"),
    (Detail::Index, "{}"),
    (Detail::Requirements, "-r {}"),
    (Detail::Constraints, "-c {}"),
    (Detail::Editables, "--editable {*}"),
    (Detail::Paths, "{}"),
    (Detail::Packages, "{}"),
];

const UV_SYNC: Spelling = &[
    (Detail::Locked, "--locked"),
    (Detail::Production, "--no-dev"),
    (Detail::Rootless, "--no-install-project"),
    (Detail::AllExtras, "--all-extras"),
    (Detail::AllGroups, "--all-groups"),
    (Detail::Group, "--group {}"),
    (Detail::Without, "--no-group {}"),
    (Detail::Only, "--only-group {}"),
    (Detail::Extras, "--extra {}"),
    (Detail::DryRun, "--dry-run"),
];

const POETRY_ADD: Spelling = &[
    (Detail::Dev, "--group dev"),
    (Detail::Group, "--group {}"),
    (Detail::Optional, UNSUPPORTED),
    (Detail::Extras, "--extras {}"),
    (Detail::Prerelease, "--allow-prereleases"),
    (Detail::Index, UNSUPPORTED),
    (Detail::Requirements, UNSUPPORTED),
    (Detail::Constraints, UNSUPPORTED),
    (Detail::Editables, "--editable {*}"),
    (Detail::Paths, "{}"),
    (Detail::Packages, "{}"),
];

const POETRY_INSTALL: Spelling = &[
    (Detail::Production, "--only main"),
    (Detail::Rootless, "--no-root"),
    (Detail::AllExtras, "--all-extras"),
    (Detail::AllGroups, "--all-groups"),
    (Detail::Group, "--with {}"),
    (Detail::Without, "--without {}"),
    (Detail::Only, "--only {}"),
    (Detail::Extras, "--extras {}"),
    (Detail::DryRun, "--dry-run"),
];

const PIPENV_INSTALL: Spelling = &[
    (Detail::Dev, "--dev"),
    (Detail::Group, "--categories {}"),
    (Detail::Optional, UNSUPPORTED),
    (Detail::Prerelease, "--pre"),
    (Detail::Index, UNSUPPORTED),
    (Detail::Requirements, "-r {}"),
    (Detail::Constraints, UNSUPPORTED),
    (Detail::Editables, "-e {}"),
    (Detail::Paths, "{}"),
    (Detail::Packages, "{}"),
];

const PIP_INSTALL: Spelling = &[
    (Detail::Upgrade, "-U"),
    (Detail::Prerelease, "--pre"),
    (Detail::Index, "{}"),
    (Detail::Requirements, "-r {}"),
    (Detail::Constraints, "-c {}"),
    (Detail::Editables, "-e {}"),
    (Detail::Paths, "{}"),
    (Detail::Packages, "{}"),
];

const CONDA_INSTALL: Spelling = &[
    (Detail::Index, UNSUPPORTED),
    (Detail::Requirements, "--file {}"),
    (Detail::Constraints, UNSUPPORTED),
    (Detail::Editables, UNSUPPORTED),
    (Detail::Paths, UNSUPPORTED),
    (Detail::Packages, "{}"),
];

/// uv and poetry have one word for both.
const IN_GROUP: Spelling =
    &[(Detail::Dev, "--group dev"), (Detail::Group, "--group {}"), (Detail::Packages, "{}")];
const IN_CATEGORY: Spelling =
    &[(Detail::Dev, "--dev"), (Detail::Group, "--categories {}"), (Detail::Packages, "{}")];
const BARE: Spelling = &[(Detail::Packages, "{}")];

/// Acts that most tools have one word for: in front of `|` without words, behind it with them.
const PLAIN: &[(&str, [(Tool, &str); 5])] = &[
    plain("lock", ["uv lock", "poetry lock", "pipenv lock", UNSUPPORTED, UNSUPPORTED]),
    plain(
        "relock",
        ["uv lock --upgrade", "poetry lock --regenerate", "pipenv lock", UNSUPPORTED, UNSUPPORTED],
    ),
    plain(
        "update",
        [
            "uv sync --upgrade|uv sync {--upgrade-package}",
            "poetry update {}",
            "pipenv update {}",
            "|pip install -U {}",
            "conda update -y --all|conda update -y {}",
        ],
    ),
    plain(
        "show",
        [
            "uv pip list|uv pip show {}",
            "poetry show {}",
            "pipenv run pip list|pipenv run pip show {}",
            "pip list|pip show {}",
            "conda list {}",
        ],
    ),
    plain("tree", ["uv tree", "poetry show --tree", "pipenv graph", UNSUPPORTED, UNSUPPORTED]),
    plain(
        "outdated",
        [
            "uv pip list --outdated",
            "poetry show --outdated",
            "pipenv update --outdated",
            "pip list --outdated",
            "conda update --all --dry-run",
        ],
    ),
    plain("check", ["uv lock --check", "poetry check --lock", "pipenv verify", "pip check", UNSUPPORTED]),
    plain("init", ["uv init {}", "poetry init -n|poetry new {}", UNSUPPORTED, UNSUPPORTED, UNSUPPORTED]),
    plain("build", ["uv build", "poetry build", UNSUPPORTED, "python3 -m build", UNSUPPORTED]),
    plain("clean", ["uv cache clean", UNSUPPORTED, UNSUPPORTED, UNSUPPORTED, "conda clean -y --all"]),
];

const fn plain(
    act: &'static str,
    [uv, poetry, pipenv, pip, conda]: [&'static str; 5],
) -> (&'static str, [(Tool, &'static str); 5]) {
    let all = [
        (Tool::Uv, uv),
        (Tool::Poetry, poetry),
        (Tool::Pipenv, pipenv),
        (Tool::Pip, pip),
        (Tool::Conda, conda),
    ];
    (act, all)
}

/// What a wish is in the words of `to`; `None` if it has none for it.
pub(crate) fn write(wish: &Intent, to: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    match wish {
        Intent::Pip(pip) => write_pip(pip, to, ground),
        Intent::Add(details) => add(details, to),
        Intent::Sync(details) => sync(details, to, ground),
        Intent::Remove(details) => remove(details, to),
        Intent::Run(words) => {
            let runner: &[&str] = if to == Tool::Pip { &[] } else { &[to.name(), "run"] };
            Some(Replacement::from_words(runner, words))
        }
        Intent::Venv(venv) => (to == Tool::Uv).then(|| uv_venv(venv, ground)),
        Intent::Plain { act, words } => write_plain(act, words, to),
    }
}

fn spell(words: &str, details: &Details, spelling: Spelling) -> Option<Replacement> {
    let mut all = vec![words.to_owned()];
    for (detail, template) in spelling.iter().filter(|(detail, _)| details.has(*detail)) {
        let values = details.values(*detail);
        if *template == UNSUPPORTED {
            return None;
        } else if template.contains("{*}") {
            all.push(template.replace("{*}", &values.join(" ")));
        } else if template.contains("{}") {
            // A word that `xargs` will add is not written.
            all.extend(values.iter().map(|value| template.replace("{}", value).trim_end().to_owned()));
        } else {
            all.push((*template).to_owned());
        }
    }
    Some(Replacement::from_words(&[], &all))
}

fn add(details: &Details, to: Tool) -> Option<Replacement> {
    // A project cannot depend on itself; it is installed with what it needs.
    let own = own_extras(details).map(|extras| Details::default().with(Detail::Extras, extras));
    // What poetry and pipenv cannot do, pip does in their environment.
    let inside = || spell(&format!("{} run pip install", to.name()), details, PIP_INSTALL);
    match (to, own) {
        (Tool::Uv, Some(own)) => spell("uv sync", &own, UV_SYNC),
        (Tool::Uv, None) => spell("uv add", details, UV_ADD),
        (Tool::Poetry, Some(own)) if spell("", details, POETRY_ADD).is_some() => {
            spell("poetry install", &own, POETRY_INSTALL)
        }
        (Tool::Poetry, _) => spell("poetry add", &newest(details), POETRY_ADD).or_else(inside),
        (Tool::Pipenv, _) => spell("pipenv install", details, PIPENV_INSTALL).or_else(inside),
        (Tool::Pip, _) => spell("pip install", details, PIP_INSTALL),
        (Tool::Conda, _) => {
            let is_address = |package: &String| package.contains("://");
            let known = !details.values(Detail::Packages).iter().any(is_address);
            known.then(|| spell("conda install -y", details, CONDA_INSTALL))?
        }
        (Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun, _) => None,
    }
}

/// Poetry's way to upgrade what it adds.
fn newest(details: &Details) -> Details {
    let packages = details.values(Detail::Packages);
    let latest =
        |package: &String| if is_bare(package) { format!("{package}@latest") } else { package.clone() };
    if details.has(Detail::Upgrade) {
        details.clone().with(Detail::Packages, packages.iter().map(latest).collect())
    } else {
        details.clone()
    }
}

/// The extras that are wanted, if all that is to be added is the project itself.
fn own_extras(details: &Details) -> Option<Vec<String>> {
    let own = [details.values(Detail::Paths), details.values(Detail::Editables)].concat();
    let is_alone = !details.has(Detail::Packages) && !details.has(Detail::Requirements);
    match own.as_slice() {
        [project] if is_project(project) && is_alone => Some(extras_of(project)),
        _ => None,
    }
}

fn sync(details: &Details, to: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    match to {
        Tool::Uv => spell("uv sync", details, UV_SYNC),
        Tool::Poetry => spell("poetry install", details, POETRY_INSTALL),
        Tool::Pipenv => {
            let verb = if details.has(Detail::Locked) { "sync" } else { "install" };
            let dev = if details.has(Detail::Production) { "" } else { "--dev" };
            Some(Replacement::from_words(&["pipenv", verb, dev], &[]))
        }
        Tool::Pip if ground.has_file_upwards("requirements.txt") => {
            Some(Replacement::from_words(&["pip install -r requirements.txt"], &[]))
        }
        Tool::Pip => Some(Replacement::from_words(&["pip install -e ."], &[])),
        Tool::Conda => Some(Replacement::from_words(&["conda env update -f environment.yml"], &[])),
        Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun => None,
    }
}

fn remove(details: &Details, to: Tool) -> Option<Replacement> {
    let is_named = details.has(Detail::Packages);
    match to {
        Tool::Uv => spell("uv remove", details, IN_GROUP),
        Tool::Pip => spell("pip uninstall -y", details, BARE),
        Tool::Poetry if is_named => spell("poetry remove", details, IN_GROUP),
        Tool::Pipenv if is_named => spell("pipenv uninstall", details, IN_CATEGORY),
        Tool::Conda if is_named => spell("conda remove -y", details, BARE),
        _ => None,
    }
}

fn write_plain(act: &str, words: &[String], to: Tool) -> Option<Replacement> {
    let (_, tools) = PLAIN.iter().find(|(name, _)| *name == act)?;
    let (_, template) = tools.iter().find(|(tool, _)| *tool == to)?;
    let (alone, with) = template.split_once('|').unwrap_or((template, template));
    let template = if words.is_empty() { alone } else { with };
    let filled = template.split(' ').flat_map(|word| {
        match word.strip_prefix('{').and_then(|it| it.strip_suffix('}')) {
            Some(flag) => words.iter().flat_map(|word| [flag.to_owned(), word.clone()]).collect(),
            None => vec![word.to_owned()],
        }
    });
    (!template.is_empty()).then(|| Replacement::from_words(&[], &filled.collect::<Vec<_>>()))
}

fn write_pip(pip: &Pip, to: Tool, ground: WorkingFolder<'_>) -> Option<Replacement> {
    let simple = || pip.simple.as_deref().and_then(|wish| write(wish, to, ground));
    let is_plain = |add: &Details| add.packages_alone().is_some() && !add.has(Detail::Constraints);
    let itself = || Some(Replacement::from_words(&[to.name(), "run", "pip"], &pip.words));
    match (to, pip.simple.as_deref()) {
        (Tool::Uv, Some(Intent::Add(add))) if is_plain(add) => simple(),
        (Tool::Uv, Some(Intent::Remove(packages))) if packages.has(Detail::Packages) => simple(),
        (Tool::Uv, Some(Intent::Plain { act: "clean", .. })) => simple(),
        // It would look at itself instead of the project.
        (Tool::Uv, _) if pip.verb == "inspect" => None,
        (Tool::Uv, _) => Some(match &pip.uv {
            Some(uv) => Replacement {
                left_out: uv.left_out.clone(),
                ..Replacement::from_words(&["uv", "pip"], &uv.words)
            },
            // pip itself, without installing it anywhere.
            None => Replacement::from_words(&["uvx", "pip"], &pip.words),
        }),
        (Tool::Poetry | Tool::Pipenv, _) => simple().or_else(itself),
        (Tool::Pip, _) => Some(Replacement::from_words(&["pip"], &pip.words)),
        (Tool::Conda, None) if pip.verb == "freeze" => {
            Some(Replacement::from_words(&["conda", "list", "--export"], &[]))
        }
        (Tool::Conda, _) => simple(),
        (Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun, _) => None,
    }
}

/// An environment that is there already is kept, as `python -m venv` does; uv would stop.
fn uv_venv(venv: &Venv, ground: WorkingFolder<'_>) -> Replacement {
    let folder = venv.folder.first().map_or(".venv", String::as_str);
    let is_there = ground.has_file(folder.trim_matches(['\'', '"']));
    let is_kept = is_there && !venv.flags.iter().any(|flag| flag == "--clear");
    let existing = if is_kept { "--allow-existing" } else { "" };
    let python: Vec<String> = venv.python.iter().map(|version| format!("--python {version}")).collect();
    Replacement::from_words(
        &["uv", "venv", existing],
        &[python, venv.flags.clone(), venv.folder.clone()].concat(),
    )
}
