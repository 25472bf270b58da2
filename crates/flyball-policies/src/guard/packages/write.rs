//! Writes what a command asks for as a command of another package manager.

use super::folder::WorkingFolder;
use super::forms::{self, Replacement, Target};
use super::request::{Details, Pip, Request, Verb};
use super::specifier;
use super::tool::{Ecosystem, Tool};

/// How managers are given a folder.
const IN_FOLDER: &[(&str, &str)] = &[
    ("uv ", "--directory {}"),
    ("poetry ", "-C {}"),
    ("npm ", "--prefix {}"),
    ("yarn ", "--cwd {}"),
    ("pnpm ", "-C {}"),
    // In two words, bun takes the folder for a script.
    ("bun ", "--cwd={}"),
    ("bunx ", "--cwd={}"),
];

/// The same command of another package manager; `None` if it has none.
pub(super) fn translate(request: &Request, to: Tool, place: WorkingFolder<'_>) -> Option<Replacement> {
    // A dry run must not become a real one.
    if request.left_out.iter().any(|flag| flag == "--dry-run") {
        return None;
    }
    let target = target(to, place);
    let details = &request.details;
    let written = match &request.pip {
        Some(pip) => write_pip(pip, request, target, place)?,
        None => write(request.verb, details, target, place)?,
    };
    let mut replacement = in_folder(written, request.folder.as_deref(), to)?;
    replacement.left_out.extend(request.left_out.iter().cloned());
    Some(replacement)
}

fn target(tool: Tool, place: WorkingFolder<'_>) -> Target {
    match tool {
        Tool::Uv => Target::Uv,
        Tool::Poetry => Target::Poetry,
        Tool::Pipenv => Target::Pipenv,
        Tool::Pip => Target::Pip,
        Tool::Conda => Target::Conda,
        Tool::Npm => Target::Npm,
        Tool::Yarn if place.has_modern_yarn() => Target::ModernYarn,
        Tool::Yarn => Target::ClassicYarn,
        Tool::Pnpm => Target::Pnpm,
        Tool::Bun => Target::Bun,
    }
}

fn in_folder(mut replacement: Replacement, folder: Option<&str>, to: Tool) -> Option<Replacement> {
    let Some(folder) = folder else { return Some(replacement) };
    let found = IN_FOLDER.iter().find(|(program, _)| replacement.text.starts_with(program));
    match (found, to.ecosystem()) {
        (Some((program, option)), _) => {
            let rest = replacement.text.split_off(program.len());
            replacement.text.push_str(&format!("{} {rest}", option.replace("{}", folder)));
        }
        (None, Ecosystem::Python) => replacement.left_out.push(format!("--directory {folder}")),
        // npx only runs in the current folder.
        (None, Ecosystem::JavaScript) => return None,
    }
    Some(replacement)
}

fn write(verb: Verb, details: &Details, target: Target, place: WorkingFolder<'_>) -> Option<Replacement> {
    let mut details = details.clone();
    match (verb, target) {
        (Verb::Add, Target::Uv | Target::Poetry | Target::Pipenv | Target::Pip | Target::Conda) => {
            return add_python(details, target);
        }
        (Verb::Sync, Target::Pip) if place.has_file_upwards("requirements.txt") => {
            details.set("has-requirements")
        }
        (Verb::Venv, _) if has_environment(&details, place) => details.set("existing"),
        // It does not change the lock file either.
        (Verb::Sync | Verb::Frozen, Target::ModernYarn) if details.has("production") => {
            let is_alone = !details.has_any(&["lock-only", "dry-run", "ignore-scripts", "force"]);
            return is_alone.then(|| Replacement::new("yarn workspaces focus --all --production", &[]));
        }
        (Verb::Add | Verb::Remove, Target::Pnpm | Target::ClassicYarn)
            if asks_for_root(verb, &details, target, place) =>
        {
            details.set("root");
        }
        (_, Target::ClassicYarn | Target::ModernYarn) if details.values("workspace").len() > 1 => {
            return None;
        }
        _ => {}
    }
    forms::write(started(verb, &details, place), &details, target)
}

/// Where a program that is to be run comes from.
fn started(verb: Verb, details: &Details, place: WorkingFolder<'_>) -> Verb {
    let program = details.values("script").first().map_or("", String::as_str);
    let is_installed =
        || place.has_file_upwards(&format!("node_modules/.bin/{program}")) || is_needed(program, place);
    match verb {
        Verb::Exec if details.has("from") || !is_installed() => Verb::Download,
        Verb::ScriptOrProgram if is_installed() => Verb::ExecInstalled,
        Verb::ScriptOrProgram => Verb::Run,
        verb => verb,
    }
}

/// Whether the project's manifest names the package of a program: it may not be installed yet.
fn is_needed(program: &str, place: WorkingFolder<'_>) -> bool {
    let package = if matches!(program, "tsc" | "tsserver") { "typescript" } else { program };
    place.text("package.json").is_some_and(|text| text.contains(&format!("\"{package}\": \"")))
}

/// pnpm and Yarn 1 refuse to change the root of a workspace without an option.
fn asks_for_root(verb: Verb, details: &Details, target: Target, place: WorkingFolder<'_>) -> bool {
    let has_workspaces = || place.text("package.json").is_some_and(|it| it.contains("\"workspaces\""));
    !details.has_any(&["workspace", "workspaces"])
        && match target {
            Target::Pnpm => verb == Verb::Add && place.has_file("pnpm-workspace.yaml"),
            _ => has_workspaces(),
        }
}

fn add_python(mut details: Details, target: Target) -> Option<Replacement> {
    // A project cannot depend on itself; it is installed with what it needs.
    let own = own_extras(&details).map(|extras| {
        let mut own = Details::default();
        own.put("extras", extras);
        own
    });
    let written = |details: &Details| forms::write(Verb::Add, details, target);
    match (target, own) {
        (Target::Uv, Some(own)) => forms::write(Verb::Sync, &own, target),
        (Target::Poetry, Some(own)) if written(&details).is_some() => forms::write(Verb::Sync, &own, target),
        (Target::Poetry, _) => {
            let newest = newest(details.clone());
            // What poetry and pipenv cannot do, pip does in their environment.
            written(&newest).or_else(|| forms::pip_install("poetry", &details))
        }
        (Target::Pipenv, _) => written(&details).or_else(|| forms::pip_install("pipenv", &details)),
        _ => {
            if details.values("packages").iter().any(|package| package.contains("://")) {
                details.set("addresses");
            }
            written(&details)
        }
    }
}

/// poetry upgrades what it adds with `@latest`.
fn newest(mut details: Details) -> Details {
    if details.has("upgrade") {
        let latest =
            |package: String| if specifier::is_bare(&package) { package + "@latest" } else { package };
        let packages = details.take("packages").into_iter().map(latest).collect();
        details.put("packages", packages);
    }
    details
}

/// The requested extras, if only the project itself is added.
fn own_extras(details: &Details) -> Option<Vec<String>> {
    let own = [details.values("paths"), details.values("editables")].concat();
    match own.as_slice() {
        [project] if specifier::is_project(project) && !details.has_any(&["packages", "requirements"]) => {
            Some(specifier::extras_of(project))
        }
        _ => None,
    }
}

/// `python -m venv` reuses an existing environment; uv would fail.
fn has_environment(details: &Details, place: WorkingFolder<'_>) -> bool {
    let folder = details.values("folder").first().map_or(".venv", String::as_str);
    place.has_file(folder.trim_matches(['\'', '"']))
        && !details.values("options").iter().any(|it| it == "--clear")
}

fn write_pip(pip: &Pip, request: &Request, target: Target, place: WorkingFolder<'_>) -> Option<Replacement> {
    let details = &request.details;
    let simple = || write(request.verb, details, target, place);
    let by_pip = |program: &str| Replacement::new(program, &pip.words);
    let is_simple = match request.verb {
        Verb::Add => !details.has_any(&["paths", "requirements", "editables", "constraints"]),
        Verb::Remove => details.has("packages"),
        _ => false,
    };
    match target {
        Target::Uv if is_simple => simple(),
        // It would list its own environment instead of the project's.
        Target::Uv if pip.verb == "inspect" => None,
        Target::Uv => Some(match &pip.uv {
            Some(uv) => {
                Replacement { left_out: uv.left_out.clone(), ..Replacement::new("uv pip", &uv.words) }
            }
            // pip itself, without installing it anywhere.
            None => by_pip("uvx pip"),
        }),
        Target::Poetry => simple().or_else(|| Some(by_pip("poetry run pip"))),
        Target::Pipenv => simple().or_else(|| Some(by_pip("pipenv run pip"))),
        Target::Pip => Some(by_pip("pip")),
        Target::Conda if pip.verb == "freeze" => Some(Replacement::new("conda list --export", &[])),
        _ => simple(),
    }
}
