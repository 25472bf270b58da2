//! Whether there is something newer, asked of git or a package manager only when a person wants to know.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use super::packager::{Packager, greatest_version};
use super::source::{Source, short};
use super::version::version;
use crate::environment::{self, Environment};
use crate::outcome::Failed;

/// The newest version that there is.
pub(super) enum Newest {
    This,
    /// What it is called.
    Other(String),
}

const NOTHING_CHANGED: &str = "nothing was changed; look at the place that `flyball update` names";

/// What the last check found.
#[derive(Deserialize, Serialize)]
struct Found {
    /// The program that asked.
    version: String,
    program: PathBuf,
    newer: String,
}

/// Asks the place that this program came from.
pub(super) fn newest(source: &Source) -> Result<Newest, Failed> {
    match source {
        Source::Registry => newest_in_registry(),
        Source::Git { address, commit } => {
            let heads = output("git", &["ls-remote", address, "HEAD"])?;
            let head = head(&heads)?;
            let is_same = head.starts_with(commit.as_str()) || commit.starts_with(head);
            Ok(if is_same { Newest::This } else { Newest::Other(format!("commit {}", short(head))) })
        }
        Source::Checkout(folder) => newest_for_checkout(folder),
        Source::Packaged(by) => newest_by(by),
        Source::Unknown => Err(Failed::new(
            "it is not recorded where this program came from, so there is nobody to ask",
            "look where you copied it from",
        )),
    }
}

/// Only asked for a program that came from there: the name may be another one's elsewhere.
fn newest_in_registry() -> Result<Newest, Failed> {
    let found = output("cargo", &["search", "--limit", "10", "flyball"])?;
    let newest = found.lines().find_map(|line| line.strip_prefix("flyball = \"")?.split('"').next());
    let newest = newest.ok_or_else(|| Failed::new("cargo knows no version of flyball", "ask again later"))?;
    Ok(if newest == env!("CARGO_PKG_VERSION") { Newest::This } else { Newest::Other(newest.to_owned()) })
}

/// Asks the package manager that installed this program.
fn newest_by(packager: &Packager) -> Result<Newest, Failed> {
    let Some((program, arguments)) = packager.ask.split_first() else { return Ok(Newest::This) };
    let found = greatest_version(&output(program, arguments)?);
    let newest = found
        .ok_or_else(|| Failed::new(format!("{program} knows no version of flyball"), "ask again later"))?;
    Ok(if newest == env!("CARGO_PKG_VERSION") { Newest::This } else { Newest::Other(newest) })
}

fn newest_for_checkout(folder: &Path) -> Result<Newest, Failed> {
    let folder = folder.to_string_lossy();
    let heads = output("git", &["-C", &folder, "ls-remote", "origin", "HEAD"])?;
    let head = head(&heads)?;
    // A commit that the checkout has already is not newer.
    let commit = format!("{head}^{{commit}}");
    let is_known = output("git", &["-C", &folder, "cat-file", "-e", &commit]).is_ok();
    Ok(if is_known { Newest::This } else { Newest::Other(format!("commit {}", short(head))) })
}

/// The commit in the answer of `git ls-remote`.
fn head(answer: &str) -> Result<&str, Failed> {
    let nothing = || Failed::new("the place that this program came from has no commits", NOTHING_CHANGED);
    answer.split_whitespace().next().ok_or_else(nothing)
}

fn output(program: &str, arguments: &[&str]) -> Result<String, Failed> {
    // Not in a project of the user's, whose settings could change what is asked.
    let mut command = Command::new(program);
    command.args(arguments).current_dir("/").env("GIT_TERMINAL_PROMPT", "0");
    let output = command
        .output()
        .map_err(|cause| Failed::new(format!("{program} cannot be run: {cause}"), NOTHING_CHANGED))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let why = stderr.lines().map(str::trim).find(|line| line.contains(": "));
    let why = why.map_or_else(|| output.status.to_string(), str::to_owned);
    Err(Failed::new(format!("{program} could not tell the newest version: {why}"), NOTHING_CHANGED))
}

/// Writes down what was found, for [`notice`].
pub(super) fn remember(newest: &Newest) {
    let Some((file, program)) = file().zip(environment::program()) else { return };
    // Who does not get the notice has just read the same.
    match newest {
        Newest::This => drop(std::fs::remove_file(file)),
        Newest::Other(newer) => {
            let found = Found { version: version().to_owned(), program, newer: newer.clone() };
            let text = serde_json::to_string(&found).unwrap_or_default();
            drop(file.parent().map(flyball_files::make_private_dirs));
            drop(std::fs::write(file, text));
        }
    }
}

/// A line about something newer, if a check found it and this is still the program that it was found for.
pub(crate) fn notice() -> Option<String> {
    let path = file()?;
    let found: Found = serde_json::from_str(&std::fs::read_to_string(&path).ok()?).ok()?;
    let program = environment::program()?;
    let is_same = found.version == version() && found.program == program && !is_newer(&program, &path);
    is_same
        .then(|| format!("There is a newer flyball ({}): `flyball update` shows how to get it", found.newer))
}

/// Whether a program was installed after the check.
fn is_newer(program: &Path, check: &Path) -> bool {
    let modified = |path: &Path| std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    modified(program).zip(modified(check)).is_some_and(|(program, check)| program > check)
}

fn file() -> Option<PathBuf> {
    Environment::read().state_dir().map(|folder| folder.join("update.json"))
}
