//! Details that only Python has: kinds of packages, groups, environments.

use flyball_effects::Word;
use flyball_effects::argv::{Grammar, OptionStyle};

use super::arguments::{Arguments, written};
use super::request::{Details, Request, Verb};
use super::settings::AllowKey;
use super::tool::{Call, Tool};
use super::{commands, specifier};

/// Details that name what is added.
pub(super) const NAMED: &[&str] = &["packages", "paths", "requirements", "editables"];

/// Where uv gets packages from.
const INDEX_OF_UV: &str = "index-url extra-index-url default-index=index-url index=extra-index-url";

/// Packages to add, with their options.
pub(super) fn added(tool: Tool, arguments: &mut Arguments<'_>) -> Details {
    let spell = match tool {
        Tool::Poetry => specifier::from_poetry,
        Tool::Conda => specifier::from_conda,
        _ => written,
    };
    let (paths, packages): (Vec<&Word>, Vec<&Word>) =
        arguments.operands.iter().partition(|word| specifier::is_path(super::arguments::text(word)));
    let paths: Vec<String> = paths.into_iter().map(written).collect();
    let packages: Vec<String> = packages.into_iter().map(spell).collect();
    // pip's option has the folder as its value; that of the others makes all folders editable.
    let (editables, paths) = match arguments.take("e editable") {
        Some(folders) if !folders.is_empty() => (folders, paths),
        Some(_) => (paths, Vec::new()),
        None => (Vec::new(), paths),
    };
    let mut found = commands::details(tool, Verb::Add, arguments);
    // uv upgrades by package, so the packages become the values of the detail.
    if found.has("upgrade") {
        found.take("upgrade");
        found.put("upgrade", packages.clone());
    }
    if tool == Tool::Uv {
        found.put("index", arguments.take_renamed(INDEX_OF_UV));
    }
    found.put("editables", editables);
    found.put("paths", paths);
    found.put("packages", packages);
    found
}

/// The group that packages are added to or removed from.
pub(super) fn add_group(arguments: &mut Arguments<'_>, details: &mut Details) {
    let is_dev = arguments.has("D dev d");
    match arguments.values("G group categories").pop() {
        Some(group) if group != "dev" => details.put("group", vec![group]),
        None if !is_dev => {}
        Some(_) | None => details.set("dev"),
    }
}

/// How the packages of the project are installed.
pub(super) fn synced(tool: Tool, arguments: &mut Arguments<'_>) -> Details {
    let mut found = commands::details(tool, Verb::Sync, arguments);
    arguments.ignore("sync remove-untracked compile all-packages dev");
    // poetry's `--only main` leaves out the groups for development.
    let (main, only): (Vec<String>, Vec<String>) =
        found.take("only").into_iter().partition(|group| group == "main");
    if !main.is_empty() {
        found.set("production");
    }
    found.put("only", only);
    found
}

/// pipenv's `install` without packages, and its `sync`.
pub(super) fn synced_by_pipenv(called: &str, is_dev: bool, arguments: &mut Arguments<'_>) -> Details {
    let mut found = Details::default();
    if arguments.has("deploy ignore-pipfile") || called == "sync" {
        found.set("locked");
    }
    if !is_dev {
        found.set("production");
    }
    arguments.ignore("system");
    found
}

/// `python -m venv`, `virtualenv`.
pub(super) fn venv(call: &Call) -> Option<Request> {
    let grammar =
        Grammar { letters: "p", optional: "", names: "prompt python", option_style: OptionStyle::Anywhere };
    let mut arguments = Arguments::read(&call.words, &grammar);
    if arguments.asks_only() || call.words.is_empty() {
        return None;
    }
    let name = call.called.rsplit(' ').next().unwrap_or(&call.called);
    let mut request = Request::new(AllowKey::Tool(Tool::Pip), Verb::Venv, &[name, "venv"]);
    let python = arguments.values("python p").pop();
    let python = python.or_else(|| call.called.split(' ').next().and_then(version_of));
    request.details.put("python", python.into_iter().collect());
    request.details.put("options", arguments.take_renamed("system-site-packages prompt clear"));
    request.details.put("folder", arguments.words());
    request.left_out = arguments.remaining("copies symlinks without-pip upgrade-deps upgrade q v");
    Some(request)
}

/// `3.11` of `python3.11`; nothing of `python3`.
fn version_of(program: &str) -> Option<String> {
    let version = program.strip_prefix("python")?;
    version.contains('.').then(|| version.to_owned())
}
