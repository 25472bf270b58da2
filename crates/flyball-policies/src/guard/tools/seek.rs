//! One search: what for, where, and in which files.

use flyball_core::event::{SearchFor, Tool, ToolCall};
use flyball_core::policy::Situation;

use super::avoided::Way;
use super::{program, shape};
use crate::globs::Glob;
use crate::paths::inside;

/// One search in the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seek {
    pub(super) way: Way,
    /// The tool or program, as it is called.
    pub(super) tool: String,
    /// What is looked for, if that is known.
    pub(super) pattern: Option<String>,
    pub(super) spots: Vec<Spot>,
    /// Globs of the only files that are looked at; none for all.
    pub(super) filters: Vec<String>,
}

/// One place that is searched, relative to the project; empty for all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot(String);

impl Spot {
    /// The place at an absolute path; nothing for what lies outside the project.
    pub(super) fn at(path: &str, situation: &Situation<'_>) -> Option<Spot> {
        let root = situation.world.project_root().trim_end_matches('/');
        let path = path.trim_end_matches('/');
        if path == root { Some(Spot(String::new())) } else { Some(Spot(inside(path, root)?.to_owned())) }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Its name if it is a file, told by the dot in it: looking would cost more than it tells.
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
        // A folder matches if what lies in it does.
        is_above || glob.matches(&self.0) || glob.matches(&format!("{}/x", self.0))
    }
}

/// The folders of a glob before its first wildcard.
fn literal_base(glob: &str) -> &str {
    let Some(wild) = glob.find(['*', '?', '[', '{']) else { return glob };
    let before = glob.get(..wild).unwrap_or_default();
    before.rsplit_once('/').map_or("", |(folder, _)| folder)
}

impl Seek {
    /// The searches that a call makes.
    pub(super) fn all(situation: &Situation<'_>, call: &ToolCall) -> Vec<Seek> {
        match &call.tool {
            Tool::Search { target, pattern, path } => {
                let seek = match target {
                    SearchFor::Content => content(situation, call, (pattern, path.as_deref())),
                    SearchFor::Names => names(situation, call, (pattern, path.as_deref())),
                };
                seek.into_iter().collect()
            }
            Tool::Shell { .. } => {
                let commands = situation.line().map(|line| line.script.commands.as_slice());
                commands
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|command| program::seek(situation, command))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The name that is looked for, if it is one.
    pub(super) fn symbol(&self) -> Option<String> {
        let pattern = self.pattern.as_deref()?;
        if self.way.finds_names() { shape::name_of_file(pattern) } else { shape::symbol(pattern) }
    }

    /// Whether it searches in one of these places.
    pub(super) fn is_in(&self, paths: &[Glob]) -> bool {
        paths.is_empty() || self.spots.iter().any(|spot| paths.iter().any(|glob| spot.overlaps(glob)))
    }

    /// Whether it looks at such files: by its filters, or by the names of the files it is given.
    pub(super) fn is_about(&self, files: &[Glob]) -> bool {
        let fits = |name: &str| files.iter().any(|glob| glob.matches(name));
        if files.is_empty() {
            return true;
        }
        if !self.filters.is_empty() {
            return self.filters.iter().any(|filter| fits(filter));
        }
        self.spots.iter().any(|spot| spot.file_name().is_none_or(fits))
    }
}

/// The client's search in files.
fn content(
    situation: &Situation<'_>,
    call: &ToolCall,
    (pattern, path): (&str, Option<&str>),
) -> Option<Seek> {
    let spot = spot(situation, path)?;
    let input: serde_json::Value = serde_json::from_str(&call.input).unwrap_or_default();
    let field =
        |name: &str| input.get(name).and_then(serde_json::Value::as_str).filter(|text| !text.is_empty());
    let mut filters: Vec<String> =
        field("glob").or_else(|| field("include")).map(of_glob).unwrap_or_default();
    filters.extend(field("type").into_iter().flat_map(of_type));
    Some(Seek {
        way: Way::Content,
        tool: call.name.clone(),
        pattern: Some(pattern.to_owned()),
        spots: vec![spot],
        filters,
    })
}

/// The client's search for file names: the pattern says where and which.
fn names(situation: &Situation<'_>, call: &ToolCall, (pattern, path): (&str, Option<&str>)) -> Option<Seek> {
    let base = literal_base(pattern);
    let within = match path {
        Some(path) if pattern.starts_with('/') || base.is_empty() => path.to_owned(),
        Some(path) => format!("{path}/{base}"),
        None => base.to_owned(),
    };
    let within = if pattern.starts_with('/') { base } else { within.as_str() };
    Some(Seek {
        way: Way::Names,
        tool: call.name.clone(),
        pattern: Some(pattern.to_owned()),
        spots: vec![spot(situation, Some(within).filter(|within| !within.is_empty()))?],
        filters: of_glob(pattern),
    })
}

fn spot(situation: &Situation<'_>, path: Option<&str>) -> Option<Spot> {
    let cwd = &situation.event.cwd;
    let path = situation.world.real_path(cwd, path.unwrap_or("."));
    Spot::at(&path, situation)
}

/// The names that a glob is about: `*.ts` and `*.tsx` of `src/**/*.{ts,tsx}`. None for a glob
/// that takes something out, or that takes all.
pub(super) fn of_glob(glob: &str) -> Vec<String> {
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
pub(super) fn of_type(name: &str) -> Vec<String> {
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
