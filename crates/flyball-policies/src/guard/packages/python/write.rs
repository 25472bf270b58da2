//! Writes commands of Python's package managers.

use super::super::reading::{Ground, Replacement};
use super::super::tool::Tool;
use super::specifier::{extras_of, is_bare, is_project};
use super::{Add, Export, OnExisting, Pip, Sync, Venv, Wish};

/// What a wish is in the words of `to`; `None` if it has none for it.
pub(crate) fn write(wish: &Wish, to: Tool, ground: Ground<'_>) -> Option<Replacement> {
    match wish {
        Wish::Pip(pip) => imitated(pip, to, ground),
        _ => match to {
            Tool::Uv => uv(wish, ground),
            Tool::Poetry => poetry(wish),
            Tool::Pipenv => pipenv(wish),
            Tool::Pip => pip(wish, ground),
            Tool::Conda => conda(wish),
            Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun => None,
        },
    }
}

fn imitated(pip: &Pip, to: Tool, ground: Ground<'_>) -> Option<Replacement> {
    let simple = || pip.simple.as_deref().and_then(|wish| write(wish, to, ground));
    let plain = |add: &Add| {
        let beside = [&add.paths, &add.requirements, &add.editables, &add.constraints];
        beside.iter().all(|words| words.is_empty())
    };
    match (to, pip.simple.as_deref()) {
        (Tool::Uv, Some(Wish::Add(add))) if plain(add) => simple(),
        (Tool::Uv, Some(Wish::Remove { packages, .. })) if !packages.is_empty() => simple(),
        (Tool::Uv, Some(Wish::CleanCache)) => simple(),
        // It would look at itself instead of the project.
        (Tool::Uv, _) if pip.verb == "inspect" => None,
        (Tool::Uv, _) => Some(match &pip.uv {
            Some(uv) => {
                Replacement { left_out: uv.left_out.clone(), ..Replacement::of(&["uv", "pip"], &uv.words) }
            }
            // pip itself, without installing it anywhere.
            None => Replacement::of(&["uvx", "pip"], &pip.words),
        }),
        (
            Tool::Poetry | Tool::Pipenv,
            Some(Wish::Add(_) | Wish::Remove { .. } | Wish::Show(_) | Wish::Outdated),
        ) => simple().or_else(|| Some(Replacement::of(&[to.name(), "run", "pip"], &pip.words))),
        (Tool::Poetry | Tool::Pipenv, _) => Some(Replacement::of(&[to.name(), "run", "pip"], &pip.words)),
        (Tool::Pip, _) => Some(Replacement::of(&["pip"], &pip.words)),
        (Tool::Conda, None) if pip.verb == "freeze" => {
            Some(Replacement::of(&["conda", "list", "--export"], &[]))
        }
        (Tool::Conda, _) => simple(),
        (Tool::Npm | Tool::Yarn | Tool::Pnpm | Tool::Bun, _) => None,
    }
}

/// A flag in front of each of these.
fn each(flag: &str, values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| [flag.to_owned(), value.clone()]).collect()
}

fn when(holds: bool, flag: &str) -> Vec<String> {
    flag.split(' ').filter(|_| holds).map(str::to_owned).collect()
}

fn uv(wish: &Wish, ground: Ground<'_>) -> Option<Replacement> {
    let none: &[String] = &[];
    Some(match wish {
        Wish::Pip(_) => return None,
        Wish::Add(add) => uv_add(add),
        Wish::Sync(sync) => uv_sync(sync),
        Wish::Remove { packages, group } => {
            let group = each("--group", group.as_slice());
            Replacement::of(&["uv", "remove"], &[group, packages.clone()].concat())
        }
        Wish::Run(words) => Replacement::of(&["uv", "run"], words),
        Wish::Venv(venv) => uv_venv(venv, ground),
        Wish::Lock { is_upgrade } => Replacement::of(&["uv", "lock"], &when(*is_upgrade, "--upgrade")),
        Wish::Update(packages) if packages.is_empty() => Replacement::of(&["uv", "sync", "--upgrade"], none),
        Wish::Update(packages) => Replacement::of(&["uv", "sync"], &each("--upgrade-package", packages)),
        Wish::Show(packages) if packages.is_empty() => Replacement::of(&["uv", "pip", "list"], none),
        Wish::Show(packages) => Replacement::of(&["uv", "pip", "show"], packages),
        Wish::Tree => Replacement::of(&["uv", "tree"], none),
        Wish::Outdated => Replacement::of(&["uv", "pip", "list", "--outdated"], none),
        Wish::Check => Replacement::of(&["uv", "lock", "--check"], none),
        Wish::Init(words) => Replacement::of(&["uv", "init"], words),
        Wish::Build => Replacement::of(&["uv", "build"], none),
        Wish::Publish { builds: false } => Replacement::of(&["uv", "publish"], none),
        Wish::Publish { builds: true } => Replacement::of(&["uv", "build", "&&", "uv", "publish"], none),
        Wish::Export(export) => uv_export(export),
        Wish::CleanCache => Replacement::of(&["uv", "cache", "clean"], none),
        Wish::Version(words) if words.is_empty() => Replacement::of(&["uv", "version"], none),
        Wish::Version(words) => match words.as_slice() {
            [part] if matches!(part.as_str(), "patch" | "minor" | "major") => {
                Replacement::of(&["uv", "version", "--bump"], words)
            }
            [version] if version.starts_with(|first: char| first.is_ascii_digit()) => {
                Replacement::of(&["uv", "version"], words)
            }
            _ => return None,
        },
    })
}

/// An environment that is there already is kept, as `python -m venv` does; uv would stop.
fn uv_venv(venv: &Venv, ground: Ground<'_>) -> Replacement {
    let folder = venv.folder.first().map_or(".venv", String::as_str);
    let is_there = ground.has(folder.trim_matches(['\'', '"']));
    let existing = match (is_there, venv.on_existing) {
        (false, _) => "",
        (true, OnExisting::Keep) if venv.flags.iter().any(|flag| flag == "--clear") => "",
        (true, OnExisting::Keep) => "--allow-existing",
        (true, OnExisting::Replace) => "--clear",
    };
    let python = each("--python", venv.python.as_slice());
    let existing = when(!existing.is_empty(), existing);
    Replacement::of(&["uv", "venv"], &[existing, python, venv.flags.clone(), venv.folder.clone()].concat())
}

fn uv_export(export: &Export) -> Replacement {
    let words = [
        when(!export.has_hashes, "--no-hashes"),
        when(!export.has_dev, "--no-dev"),
        when(export.is_projectless, "--no-emit-project"),
        each("-o", export.file.as_slice()),
    ];
    Replacement::of(&["uv", "export", "--format", "requirements-txt"], &words.concat())
}

fn uv_add(add: &Add) -> Replacement {
    // A project cannot depend on itself; it is installed with what it needs.
    if let Some(extras) = own_extras(add) {
        return uv_sync(&Sync { extras, ..Sync::default() });
    }
    let group = match add.group.as_deref() {
        Some("dev") => vec!["--dev".to_owned()],
        _ => each("--group", add.group.as_slice()),
    };
    let words = [
        group,
        each("--optional", add.extra.as_slice()),
        each("--extra", &add.extras),
        // `--upgrade` would upgrade all that the project needs.
        each("--upgrade-package", if add.is_upgrade { &add.packages } else { &[] }),
        when(add.is_prerelease, "--prerelease allow"),
        add.index.clone(),
        each("-r", &add.requirements),
        each("-c", &add.constraints),
        when(!add.editables.is_empty(), "--editable"),
        add.editables.clone(),
        add.paths.clone(),
        add.packages.clone(),
    ];
    Replacement::of(&["uv", "add"], &words.concat())
}

fn uv_sync(sync: &Sync) -> Replacement {
    let (only_main, only): (Vec<String>, Vec<String>) =
        sync.only.iter().cloned().partition(|group| group == "main");
    let words = [
        when(sync.is_locked, "--locked"),
        when(sync.is_production || !only_main.is_empty(), "--no-dev"),
        when(sync.is_rootless, "--no-install-project"),
        when(sync.has_all_extras, "--all-extras"),
        when(sync.has_all_groups, "--all-groups"),
        each("--group", &sync.groups),
        each("--no-group", &sync.without),
        each("--only-group", &only),
        each("--extra", &sync.extras),
        when(sync.is_trial, "--dry-run"),
    ];
    Replacement::of(&["uv", "sync"], &words.concat())
}

fn poetry(wish: &Wish) -> Option<Replacement> {
    let none: &[String] = &[];
    Some(match wish {
        Wish::Pip(_) | Wish::Venv(_) => return None,
        Wish::Add(add) => return poetry_add(add).or_else(|| inside(wish, Tool::Poetry)),
        Wish::Sync(sync) => poetry_install(sync),
        Wish::Remove { packages, .. } if packages.is_empty() => return None,
        Wish::Remove { packages, group } => {
            let group = each("--group", group.as_slice());
            Replacement::of(&["poetry", "remove"], &[group, packages.clone()].concat())
        }
        Wish::Run(words) => Replacement::of(&["poetry", "run"], words),
        Wish::Lock { is_upgrade } => Replacement::of(&["poetry", "lock"], &when(*is_upgrade, "--regenerate")),
        Wish::Update(packages) => Replacement::of(&["poetry", "update"], packages),
        Wish::Show(packages) => Replacement::of(&["poetry", "show"], packages),
        Wish::Tree => Replacement::of(&["poetry", "show", "--tree"], none),
        Wish::Outdated => Replacement::of(&["poetry", "show", "--outdated"], none),
        Wish::Check => Replacement::of(&["poetry", "check", "--lock"], none),
        Wish::Init(words) if words.is_empty() => Replacement::of(&["poetry", "init", "-n"], none),
        Wish::Init(words) => Replacement::of(&["poetry", "new"], words),
        Wish::Build => Replacement::of(&["poetry", "build"], none),
        Wish::Publish { builds } => Replacement::of(&["poetry", "publish"], &when(*builds, "--build")),
        // `poetry export` is a plugin that does not come with poetry.
        Wish::Export(export) => {
            let file = each(">", export.file.as_slice());
            Replacement::of(&["poetry", "run", "pip", "freeze", "--exclude-editable"], &file)
        }
        Wish::CleanCache => Replacement::of(&["poetry", "cache", "clear", "--all", "-n", "."], none),
        Wish::Version(words) => Replacement::of(&["poetry", "version"], words),
    })
}

fn poetry_add(add: &Add) -> Option<Replacement> {
    if !add.requirements.is_empty()
        || !add.constraints.is_empty()
        || !add.index.is_empty()
        || add.extra.is_some()
    {
        return None;
    }
    if let Some(extras) = own_extras(add) {
        return Some(poetry_install(&Sync { extras, ..Sync::default() }));
    }
    let newest =
        |package: &String| if is_bare(package) { format!("{package}@latest") } else { package.clone() };
    let packages: Vec<String> =
        if add.is_upgrade { add.packages.iter().map(newest).collect() } else { add.packages.clone() };
    let words = [
        each("--group", add.group.as_slice()),
        each("--extras", &add.extras),
        when(add.is_prerelease, "--allow-prereleases"),
        when(!add.editables.is_empty(), "--editable"),
        add.editables.clone(),
        add.paths.clone(),
        packages,
    ];
    Some(Replacement::of(&["poetry", "add"], &words.concat()))
}

/// The extras that are wanted, if all that is to be added is the project itself.
fn own_extras(add: &Add) -> Option<Vec<String>> {
    let own: Vec<&String> = add.paths.iter().chain(&add.editables).collect();
    match own.as_slice() {
        [project] if is_project(project) && add.packages.is_empty() && add.requirements.is_empty() => {
            Some(extras_of(project))
        }
        _ => None,
    }
}

fn poetry_install(sync: &Sync) -> Replacement {
    let words = [
        when(sync.is_production, "--only main"),
        when(sync.is_rootless, "--no-root"),
        when(sync.has_all_extras, "--all-extras"),
        when(sync.has_all_groups, "--all-groups"),
        each("--with", &sync.groups),
        each("--without", &sync.without),
        each("--only", &sync.only),
        each("--extras", &sync.extras),
        when(sync.is_trial, "--dry-run"),
    ];
    Replacement::of(&["poetry", "install"], &words.concat())
}

fn pipenv(wish: &Wish) -> Option<Replacement> {
    let none: &[String] = &[];
    let category = |group: &Option<String>| match group.as_deref() {
        Some("dev") => vec!["--dev".to_owned()],
        _ => each("--categories", group.as_slice()),
    };
    Some(match wish {
        Wish::Pip(_)
        | Wish::Venv(_)
        | Wish::Init(_)
        | Wish::Build
        | Wish::Publish { .. }
        | Wish::CleanCache
        | Wish::Version(_) => {
            return None;
        }
        Wish::Add(add) if !add.constraints.is_empty() || !add.index.is_empty() || add.extra.is_some() => {
            return inside(wish, Tool::Pipenv);
        }
        Wish::Add(add) => {
            let words = [
                category(&add.group),
                when(add.is_prerelease, "--pre"),
                each("-r", &add.requirements),
                each("-e", &add.editables),
                add.paths.clone(),
                add.packages.clone(),
            ];
            Replacement::of(&["pipenv", "install"], &words.concat())
        }
        Wish::Sync(sync) => {
            let verb = if sync.is_locked { "sync" } else { "install" };
            let is_main = sync.is_production || sync.only.iter().any(|group| group == "main");
            Replacement::of(&["pipenv", verb], &when(!is_main, "--dev"))
        }
        Wish::Remove { packages, .. } if packages.is_empty() => return None,
        Wish::Remove { packages, group } => {
            Replacement::of(&["pipenv", "uninstall"], &[category(group), packages.clone()].concat())
        }
        Wish::Run(words) => Replacement::of(&["pipenv", "run"], words),
        Wish::Lock { .. } => Replacement::of(&["pipenv", "lock"], none),
        Wish::Update(packages) => Replacement::of(&["pipenv", "update"], packages),
        Wish::Show(packages) if packages.is_empty() => {
            Replacement::of(&["pipenv", "run", "pip", "list"], none)
        }
        Wish::Show(packages) => Replacement::of(&["pipenv", "run", "pip", "show"], packages),
        Wish::Tree => Replacement::of(&["pipenv", "graph"], none),
        Wish::Outdated => Replacement::of(&["pipenv", "update", "--outdated"], none),
        Wish::Check => Replacement::of(&["pipenv", "verify"], none),
        Wish::Export(export) => {
            let words = [
                when(export.has_dev, "--dev"),
                when(export.has_hashes, "--hash"),
                each(">", export.file.as_slice()),
            ];
            Replacement::of(&["pipenv", "requirements"], &words.concat())
        }
    })
}

/// pip, run in the environment of a tool that cannot do it itself.
fn inside(wish: &Wish, tool: Tool) -> Option<Replacement> {
    let Wish::Add(add) = wish else { return None };
    Some(Replacement::of(&[tool.name(), "run"], &pip_install(add)))
}

fn pip_install(add: &Add) -> Vec<String> {
    let words = [
        vec!["pip".to_owned(), "install".to_owned()],
        when(add.is_upgrade, "-U"),
        when(add.is_prerelease, "--pre"),
        add.index.clone(),
        each("-r", &add.requirements),
        each("-c", &add.constraints),
        each("-e", &add.editables),
        add.paths.clone(),
        add.packages.clone(),
    ];
    words.concat()
}

fn pip(wish: &Wish, ground: Ground<'_>) -> Option<Replacement> {
    let none: &[String] = &[];
    Some(match wish {
        Wish::Pip(_) | Wish::Lock { .. } | Wish::Tree | Wish::Init(_) | Wish::Version(_) => return None,
        Wish::Add(add) => Replacement::of(&[], &pip_install(add)),
        Wish::Sync(_) if ground.holds("requirements.txt") => {
            Replacement::of(&["pip", "install", "-r", "requirements.txt"], none)
        }
        Wish::Sync(_) => Replacement::of(&["pip", "install", "-e", "."], none),
        Wish::Remove { packages, .. } => Replacement::of(&["pip", "uninstall", "-y"], packages),
        Wish::Run(words) => Replacement::of(&[], words),
        Wish::Venv(venv) => {
            let folder = if venv.folder.is_empty() { vec![".venv".to_owned()] } else { venv.folder.clone() };
            Replacement::of(&["python3", "-m", "venv"], &folder)
        }
        Wish::Update(packages) if packages.is_empty() => return None,
        Wish::Update(packages) => Replacement::of(&["pip", "install", "-U"], packages),
        Wish::Show(packages) if packages.is_empty() => Replacement::of(&["pip", "list"], none),
        Wish::Show(packages) => Replacement::of(&["pip", "show"], packages),
        Wish::Outdated => Replacement::of(&["pip", "list", "--outdated"], none),
        Wish::Check => Replacement::of(&["pip", "check"], none),
        Wish::Build => Replacement::of(&["python3", "-m", "build"], none),
        Wish::Publish { builds: false } => Replacement::of(&["twine", "upload", "dist/*"], none),
        Wish::Publish { builds: true } => {
            Replacement::of(&["python3", "-m", "build", "&&", "twine", "upload", "dist/*"], none)
        }
        Wish::Export(export) => Replacement::of(&["pip", "freeze"], &each(">", export.file.as_slice())),
        Wish::CleanCache => Replacement::of(&["pip", "cache", "purge"], none),
    })
}

fn conda(wish: &Wish) -> Option<Replacement> {
    let none: &[String] = &[];
    Some(match wish {
        Wish::Add(add) => {
            let beside = [&add.paths, &add.editables, &add.constraints, &add.index];
            if beside.iter().any(|words| !words.is_empty())
                || add.packages.iter().any(|it| it.contains("://"))
            {
                return None;
            }
            let words = [each("--file", &add.requirements), add.packages.clone()];
            Replacement::of(&["conda", "install", "-y"], &words.concat())
        }
        Wish::Sync(_) => Replacement::of(&["conda", "env", "update", "-f", "environment.yml"], none),
        Wish::Remove { packages, .. } if packages.is_empty() => return None,
        Wish::Remove { packages, .. } => Replacement::of(&["conda", "remove", "-y"], packages),
        Wish::Run(words) => Replacement::of(&["conda", "run"], words),
        Wish::Update(packages) if packages.is_empty() => {
            Replacement::of(&["conda", "update", "-y", "--all"], none)
        }
        Wish::Update(packages) => Replacement::of(&["conda", "update", "-y"], packages),
        Wish::Show(packages) => Replacement::of(&["conda", "list"], packages),
        Wish::Outdated => Replacement::of(&["conda", "update", "--all", "--dry-run"], none),
        Wish::CleanCache => Replacement::of(&["conda", "clean", "-y", "--all"], none),
        Wish::Pip(_)
        | Wish::Venv(_)
        | Wish::Lock { .. }
        | Wish::Tree
        | Wish::Check
        | Wish::Init(_)
        | Wish::Build
        | Wish::Publish { .. }
        | Wish::Export(_)
        | Wish::Version(_) => return None,
    })
}
