//! What a project uses, by its files: languages, lock files, linters, tests.

mod contents;
mod finding;
mod signs;

use std::fs;
use std::path::Path;

pub(super) use self::finding::{Finding, Findings};
use self::signs::signs;

/// Folders that hold other people's code or our own products.
const FOREIGN_FOLDERS: &[&str] =
    &["node_modules", "target", "vendor", "dist", "build", "venv", "third_party"];
/// More folders than this are not looked into: the time must not grow with the repository.
const MOST_FOLDERS: usize = 100;

/// Looks at the project's root and at the folders right below it.
pub(super) fn scan(root: &Path) -> Findings {
    let mut findings = Findings::default();
    let listing = Listing::read(root, "");
    listing.inspect(root, &mut findings);
    for folder in listing.folders.iter().take(MOST_FOLDERS) {
        Listing::read(&root.join(folder), &format!("{folder}/")).inspect(root, &mut findings);
    }
    findings
}

/// The names in one folder, sorted.
struct Listing {
    /// The folder from the root, with its slash; empty for the root.
    prefix: String,
    files: Vec<String>,
    folders: Vec<String>,
}

impl Listing {
    fn read(folder: &Path, prefix: &str) -> Listing {
        let mut listing = Listing { prefix: prefix.to_owned(), files: Vec::new(), folders: Vec::new() };
        // A folder that cannot be read counts as empty.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => listing.folders.push(name),
                Ok(_) => listing.files.push(name),
                Err(_) => {}
            }
        }
        listing.folders.retain(|name| !name.starts_with('.') && !FOREIGN_FOLDERS.contains(&name.as_str()));
        // Directories are listed in any order; the same project must give the same config.
        listing.files.sort();
        listing.folders.sort();
        listing
    }

    fn inspect(&self, root: &Path, findings: &mut Findings) {
        // Locks before contents: the command for tests depends on the package manager.
        for sign in signs() {
            if let Some(file) = self.files.iter().find(|file| sign.fits(file)) {
                findings.add(sign.aspect, sign.name, &format!("{}{file}", self.prefix));
            }
        }
        for file in &self.files {
            contents::inspect(root, &format!("{}{file}", self.prefix), findings);
        }
    }
}

#[cfg(test)]
mod tests;
