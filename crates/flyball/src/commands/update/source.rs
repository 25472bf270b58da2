//! Where this program came from: what cargo wrote down when it installed it, or the folder that it is in.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::packager::{Packager, packager};
use crate::project_context::tilde;

/// Where a program came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// `cargo install flyball`
    Registry,
    /// `cargo install --git …`, at this commit.
    Git { address: String, commit: String },
    /// `cargo install --path …`, or run where it was built.
    Checkout(PathBuf),
    /// By another package manager.
    Packaged(&'static Packager),
    /// Copied to where it is, by the install script or by hand.
    Unknown,
}

impl Source {
    pub(super) fn of(program: &Path) -> Source {
        let installed = || {
            let root = program.parent()?.parent()?;
            let noted = std::fs::read_to_string(root.join(".crates2.json")).ok()?;
            noted_by_cargo(&serde_json::from_str(&noted).ok()?)
        };
        installed()
            .or_else(|| built_in(program).map(Source::Checkout))
            .or_else(|| packager(program, Path::exists).map(Source::Packaged))
            .unwrap_or(Source::Unknown)
    }

    pub(super) const fn name(&self) -> &'static str {
        match self {
            Source::Registry => "registry",
            Source::Git { .. } => "git",
            Source::Checkout(_) => "checkout",
            Source::Packaged(by) => by.name,
            Source::Unknown => "unknown",
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Source::Registry => "installed by cargo from its registry".to_owned(),
            Source::Git { address, commit } => {
                format!("installed by cargo from {address} at {}", short(commit))
            }
            Source::Checkout(folder) => format!("built from {}", tilde(&folder.to_string_lossy())),
            Source::Packaged(by) => format!("installed by {}", by.name),
            Source::Unknown => "copied here, by the install script or by hand".to_owned(),
        }
    }

    /// What updates it.
    pub(super) fn command(&self) -> String {
        match self {
            Source::Registry => "cargo install --locked flyball".to_owned(),
            Source::Git { address, .. } => format!("cargo install --locked --git {address} flyball"),
            Source::Checkout(folder) => {
                let folder = tilde(&folder.to_string_lossy());
                format!("git -C {folder} pull && cargo install --locked --path {folder}/crates/flyball")
            }
            Source::Packaged(by) => by.update.to_owned(),
            Source::Unknown => {
                "run the install script again, or copy the program of a newer archive over this one"
                    .to_owned()
            }
        }
    }
}

/// The beginning of a commit's id, as people write it.
pub(super) fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

/// What cargo noted about us: `"flyball 0.1.0 (git+https://…#commit)"` is a key.
fn noted_by_cargo(noted: &Value) -> Option<Source> {
    let installs = noted.get("installs")?.as_object()?;
    let ours = installs.keys().find_map(|key| key.strip_prefix("flyball "))?;
    let (_, source) = ours.split_once(" (")?;
    let (kind, place) = source.trim_end_matches(')').split_once('+')?;
    match kind {
        "registry" | "sparse" => Some(Source::Registry),
        "git" => {
            let (address, commit) = place.split_once('#')?;
            let address = address.split_once('?').map_or(address, |(address, _)| address);
            Some(Source::Git { address: address.to_owned(), commit: commit.to_owned() })
        }
        "path" => {
            let folder = place.strip_prefix("file://")?;
            Some(Source::Checkout(Path::new(folder).ancestors().nth(2)?.to_owned()))
        }
        _ => None,
    }
}

/// The checkout in whose `target` folder the program is.
fn built_in(program: &Path) -> Option<PathBuf> {
    let target = program.ancestors().find(|folder| folder.ends_with("target"))?;
    let checkout = target.parent()?;
    checkout.join("crates/flyball/Cargo.toml").is_file().then(|| checkout.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cargo_knows_where_a_program_came_from() {
        let cases = [
            ("flyball 0.1.0 (registry+https://example.com/index)", Some(Source::Registry)),
            ("flyball 0.1.0 (sparse+https://example.com/)", Some(Source::Registry)),
            (
                "flyball 0.1.0 (git+https://example.com/flyball?branch=main#0123456789abcdef)",
                Some(Source::Git {
                    address: "https://example.com/flyball".to_owned(),
                    commit: "0123456789abcdef".to_owned(),
                }),
            ),
            (
                "flyball 0.1.0 (path+file:///src/flyball/crates/flyball)",
                Some(Source::Checkout(PathBuf::from("/src/flyball"))),
            ),
            ("flyball 0.1.0 (elsewhere+x)", None),
            ("flyball-dev 0.1.0 (registry+x)", None),
        ];
        for (key, expected) in cases {
            assert_eq!(noted_by_cargo(&json!({ "installs": { key: {} } })), expected, "{key}");
        }
    }
}
