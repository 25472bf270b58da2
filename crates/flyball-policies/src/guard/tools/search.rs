//! One search: what for, where, and in which files.

use flyball_core::path::strip_folder;
use flyball_core::policy::Situation;

use super::avoided::SearchKind;
use super::shape::{self, Shape};
use crate::globs::Glob;

/// One search in the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) kind: SearchKind,
    /// The tool or program, as it is called.
    pub(super) tool: String,
    /// What it searches for, if that is known.
    pub(super) pattern: Option<String>,
    pub(super) paths: Vec<SearchPath>,
    /// Globs of the files that are searched; none for all.
    pub(super) filters: Vec<String>,
}

/// One place that is searched, relative to the project; empty for all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchPath(String);

impl SearchPath {
    /// The place at an absolute path; `None` outside the project.
    pub(super) fn from_absolute(path: &str, situation: &Situation<'_>) -> Option<SearchPath> {
        let root = situation.world.project_root().trim_end_matches('/');
        let path = path.trim_end_matches('/');
        if path == root {
            Some(SearchPath(String::new()))
        } else {
            Some(SearchPath(strip_folder(path, root)?.to_owned()))
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name if it is a file, by the dot in it: looking it up would cost more than it is worth.
    fn file_name(&self) -> Option<&str> {
        let name = self.0.rsplit('/').next()?;
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|_| name)
    }

    /// Whether something that the glob matches is searched here.
    fn overlaps(&self, glob: &Glob) -> bool {
        let base = literal_base(glob.as_str());
        let is_above = self.0.is_empty()
            || base
                .strip_prefix(self.0.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        // A folder matches if its files do.
        is_above || glob.matches(&self.0) || glob.matches(&format!("{}/x", self.0))
    }
}

/// The folders of a glob before its first wildcard.
pub(super) fn literal_base(glob: &str) -> &str {
    let Some(wild) = glob.find(['*', '?', '[', '{']) else { return glob };
    let before = glob.get(..wild).unwrap_or_default();
    before.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Search {
    /// The name that it searches for, if the pattern is one.
    pub(super) fn symbol(&self) -> Option<String> {
        let pattern = self.pattern.as_deref()?;
        if self.kind.finds_names() { shape::file_symbol(pattern) } else { shape::symbol(pattern) }
    }

    /// Whether its pattern has this shape.
    pub(super) fn has_shape(&self, shape: Shape) -> bool {
        let Some(pattern) = &self.pattern else { return shape == Shape::Any };
        let is_symbol = || self.symbol().is_some() || (!self.kind.finds_names() && pattern.contains("=>"));
        match shape {
            Shape::Any => true,
            Shape::Symbol => is_symbol(),
            Shape::Text => !is_symbol(),
        }
    }

    /// Whether it searches in one of these places.
    pub(super) fn is_in(&self, paths: &[Glob]) -> bool {
        paths.is_empty() || self.paths.iter().any(|path| paths.iter().any(|glob| path.overlaps(glob)))
    }

    /// Whether it searches such files: by its filters, or by the names of the files it is given.
    pub(super) fn is_about(&self, files: &[Glob]) -> bool {
        let fits = |name: &str| files.iter().any(|glob| glob.matches(name));
        if files.is_empty() {
            return true;
        }
        if !self.filters.is_empty() {
            return self.filters.iter().any(|filter| fits(filter));
        }
        // A folder may contain such files.
        self.paths.iter().any(|path| path.file_name().is_none_or(fits))
    }
}

/// The names that a glob matches: `*.ts` and `*.tsx` of `src/**/*.{ts,tsx}`. None for a glob
/// that excludes files, or that matches all.
pub(super) fn names_in_glob(glob: &str) -> Vec<String> {
    if glob.starts_with('!') {
        return Vec::new();
    }
    let split = glob.split_once('{').and_then(|(before, rest)| {
        let (inside, after) = rest.split_once('}')?;
        Some(inside.split(',').map(|part| format!("{before}{part}{after}")).collect::<Vec<_>>())
    });
    let whole = split.unwrap_or_else(|| vec![glob.to_owned()]);
    let names = whole.iter().map(|glob| glob.rsplit('/').next().unwrap_or(glob));
    names.filter(|name| name.contains('.')).map(str::to_owned).collect()
}

/// The names of the files of a type, as search programs call it.
pub(super) fn globs_of_type(name: &str) -> Vec<String> {
    let endings: &[&str] = match name {
        "ts" | "typescript" => &["ts", "tsx", "mts", "cts"],
        "js" | "javascript" => &["js", "jsx", "mjs", "cjs"],
        "py" | "python" => &["py", "pyi"],
        "rust" => &["rs"],
        "ruby" => &["rb"],
        "kotlin" => &["kt", "kts"],
        "csharp" => &["cs"],
        "cpp" => &["cpp", "hpp", "cc", "cxx"],
        "c" => &["c", "h"],
        "markdown" => &["md"],
        other => return vec![format!("*.{other}")],
    };
    endings.iter().map(|ending| format!("*.{ending}")).collect()
}
