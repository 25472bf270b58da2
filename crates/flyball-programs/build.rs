//! Turns `programs/*.toml` into static tables.

#[path = "build/schema.rs"]
mod schema;
#[path = "build/write.rs"]
mod write;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use schema::{Cmdlet, Entry, Manifest, Risks};
use serde::de::DeserializeOwned;
use toml::Spanned;

/// The files in the order in which findings about a project are shown.
const FILES: &[&str] = &[
    "rust",
    "python",
    "javascript",
    "go",
    "languages",
    "shell",
    "docker",
    "data",
    "markdown",
    "project",
    "files",
    "text",
    "network",
    "system",
];

/// All entries, in the order in which they are written.
pub(crate) struct Catalogue {
    pub(crate) programs: Vec<(String, Entry)>,
    pub(crate) manifests: Vec<(String, Manifest)>,
    pub(crate) risks: Vec<(String, Risks)>,
    pub(crate) cmdlets: Vec<(String, Cmdlet)>,
}

impl Catalogue {
    /// Whether several programs share a file.
    pub(crate) fn is_shared(&self, file: &str) -> bool {
        self.manifests.iter().any(|(manifest, _)| manifest == file)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=programs");
    println!("cargo::rerun-if-changed=build");
    let mut programs = Vec::new();
    for file in FILES {
        programs.extend(read(file)?);
    }
    let catalogue = Catalogue {
        programs,
        manifests: read("manifests")?,
        risks: read("risks")?,
        cmdlets: read("cmdlets")?,
    };
    let out = env::var("OUT_DIR")?;
    fs::write(Path::new(&out).join("tables.rs"), write::tables(&catalogue)?)?;
    Ok(())
}

/// The entries of a file, in their order there.
fn read<T: DeserializeOwned>(name: &str) -> Result<Vec<(String, T)>, Box<dyn Error>> {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("programs").join(name).with_extension("toml");
    let text = fs::read_to_string(&path)?;
    // A map of TOML forgets the order of its keys, which matters for findings; the spans bring it back.
    let entries: BTreeMap<Spanned<String>, T> =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut entries: Vec<(Spanned<String>, T)> = entries.into_iter().collect();
    entries.sort_by_key(|(name, _)| name.span().start);
    Ok(entries.into_iter().map(|(name, entry)| (name.into_inner(), entry)).collect())
}
