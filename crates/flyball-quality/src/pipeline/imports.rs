//! Imports that a type checker cannot resolve because the packages of the project are not installed: one line of advice, not
//! a finding for each import.

use flyball_core::path::AbsolutePath;

use super::context::Context;
use super::keys::ancestors;
use super::unread::{described, pattern};
use crate::finding::{Finding, Level};
use crate::installers::{self, Ecosystem};
use crate::linter::{Linter, Unresolved};

/// How files of modules end.
const CODE_ENDS: &[&str] = &[".py", ".pyi"];

/// The code of that line.
const CODE: &str = "imports";

/// The findings, with those about unresolved imports of a file as one, where nothing is installed.
pub(super) fn summarize(context: &Context<'_>, linter: &Linter, findings: Vec<Finding>) -> Vec<Finding> {
    let Some(unresolved) = &linter.entry.unresolved else { return findings };
    let Some(pattern) = pattern(&unresolved.finding) else { return findings };
    let mut kept: Vec<Finding> = Vec::new();
    let mut counts: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let folder = context.root.join(&finding.file).folder();
        let is_kept = !pattern.is_match(&described(&finding))
            || is_installed(context, unresolved, &folder)
            || imported(&finding.message).is_some_and(|module| is_own(context, module, &folder));
        match counts.iter_mut().find(|(first, _)| first.file == finding.file) {
            _ if is_kept => kept.push(finding),
            Some((_, count)) => *count += 1,
            None => counts.push((finding, 1)),
        }
    }
    let ecosystem = if is_python(unresolved) { Ecosystem::Python } else { Ecosystem::Node };
    kept.extend(counts.into_iter().map(|(first, count)| advice(context, ecosystem, (first, count))));
    kept.sort_unstable();
    kept
}

/// The module that a finding is about: the first name in quotes.
fn imported(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once(['"', '\'', '`'])?;
    rest.split(['"', '\'', '`']).next().filter(|name| !name.is_empty())
}

/// Whether an import is one of the project's own modules, which no environment would install: it is relative, or the project
/// has what its name begins with.
fn is_own(context: &Context<'_>, module: &str, folder: &AbsolutePath) -> bool {
    let first = module.split('.').next().unwrap_or_default();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    if first.is_empty() || !first.chars().all(is_name) {
        return module.starts_with('.');
    }
    let workshop = context.workshop;
    let is_module = |place: &AbsolutePath| {
        let is_file = |name: &str| workshop.stat(&place.join(name)).is_some_and(|stat| !stat.is_folder);
        let has_code = |folder: &AbsolutePath| {
            workshop.list(folder).iter().any(|name| CODE_ENDS.iter().any(|end| name.ends_with(end)))
        };
        CODE_ENDS.iter().any(|end| is_file(&format!("{first}{end}"))) || has_code(&place.join(first))
    };
    // What is beside a module of a package is not found without the name of the package.
    let is_package = |folder: &AbsolutePath| workshop.stat(&folder.join("__init__.py")).is_some();
    ancestors(context.root, folder)
        .filter(|above| !is_package(above))
        .any(|above| is_module(&above) || is_module(&above.join("src")))
}

/// Whether one of the folders that packages are installed in is near, or the user is in an environment.
fn is_installed(context: &Context<'_>, unresolved: &Unresolved, folder: &AbsolutePath) -> bool {
    let workshop = context.workshop;
    let is_active = ["VIRTUAL_ENV", "CONDA_PREFIX"].iter().any(|name| workshop.variable(name).is_some());
    (is_python(unresolved) && is_active)
        || ancestors(context.root, folder)
            .any(|folder| unresolved.without.iter().any(|name| workshop.stat(&folder.join(name)).is_some()))
}

fn is_python(unresolved: &Unresolved) -> bool {
    unresolved.without.iter().any(|name| name.ends_with("venv"))
}

fn advice(context: &Context<'_>, ecosystem: Ecosystem, (first, count): (Finding, usize)) -> Finding {
    let imports = if count == 1 { "1 import".to_owned() } else { format!("{count} imports") };
    let folder = context.root.join(&first.file).folder();
    let mut folders = ancestors(context.root, &folder);
    let run = folders
        .find_map(|folder| installers::of_folder(context.workshop, ecosystem, &folder))
        .map(|command| format!("; run `{command}`"))
        .unwrap_or_default();
    Finding {
        code: CODE.to_owned(),
        message: format!("{imports} cannot be resolved: the environment is not installed{run}"),
        level: Level::Advisory,
        end_line: None,
        fixable: false,
        fix: None,
        ..first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_the_first_name_in_quotes() {
        let cases = [
            ("Cannot find implementation or library stub for module named \"app.x\"", Some("app.x")),
            ("Import \".utilz\" could not be resolved", Some(".utilz")),
            ("Cannot resolve imported module `app.x`", Some("app.x")),
            ("Unable to import 'app.x'", Some("app.x")),
            ("no name", None),
        ];
        for (message, module) in cases {
            assert_eq!(imported(message), module, "{message}");
        }
    }
}
