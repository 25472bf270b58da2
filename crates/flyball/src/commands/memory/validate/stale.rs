//! Paths and links in a rule file that lead nowhere.

use std::path::Path;

use flyball_core::encoding::percent_decoded;

use super::found::Found;
use super::lines::{self, Lines};
use super::severity::Severity;
use crate::commands::memory::project_files::ProjectFiles;

/// Endings of files of which a name alone is a path.
const ENDINGS: &[&str] = &[
    "c", "cc", "cfg", "cjs", "cpp", "cs", "css", "cts", "ex", "exs", "go", "gradle", "graphql", "h", "hpp",
    "html", "ini", "java", "js", "json", "jsonc", "jsx", "kt", "kts", "less", "lock", "lua", "md", "mdx",
    "mjs", "mts", "php", "proto", "py", "pyi", "rb", "rs", "rst", "scala", "scss", "sh", "sql", "svelte",
    "swift", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml", "yml", "zig",
];

/// What a line says about a path that need not be there.
const ALLOWED: &[&str] = &[
    "creat",
    "new ",
    "add ",
    "example",
    "e.g.",
    "such as",
    "like ",
    "remov",
    "delet",
    "no longer",
    "generat",
    "legacy",
    "renam",
    "does not exist",
    "doesn't exist",
    "if it exist",
    "never",
    "instead of",
    "not ",
    "don't",
    "named ",
    "called ",
];

/// A path in a file that is not there.
struct Missing {
    line: usize,
    path: String,
}

/// What leads nowhere in a file of a folder.
pub(super) fn inspect(text: &str, folder: &Path, files: &ProjectFiles<'_>) -> Vec<Found> {
    let lines = lines::read(text);
    let mut found = dead_links(&lines, folder, files);
    found.extend(stale_paths(&lines, folder, files));
    found
}

fn dead_links(lines: &Lines<'_>, folder: &Path, files: &ProjectFiles<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for line in lines.iter().filter(|line| !line.is_code) {
        for target in links(&without_code(line.text)) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            let path = String::from_utf8_lossy(&percent_decoded(path)).into_owned();
            let is_there = match path.strip_prefix('/') {
                // From the root of the site or of the project: only the latter is known.
                Some(below) => below.is_empty() || files.has(below, folder),
                None => path.is_empty() || folder.join(&path).exists(),
            };
            if !is_there {
                found.push((line.number, Severity::Error, format!("the link to `{target}` leads nowhere")));
            }
        }
    }
    found
}

/// The targets of the links of a line that are files.
fn links(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("](") {
        let rest = line.get(at + 2..).unwrap_or_default();
        let target = rest.split([')', ' ']).next().unwrap_or_default().trim_matches(['<', '>']);
        let is_file = !target.contains(':') && !target.starts_with('#') && !target.contains(['<', '{', '$']);
        if is_file && !target.is_empty() {
            found.push(target.to_owned());
        }
    }
    found
}

fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("``")
}

fn stale_paths(lines: &Lines<'_>, folder: &Path, files: &ProjectFiles<'_>) -> Vec<Found> {
    let mut missing: Vec<Missing> = Vec::new();
    for line in lines.iter().filter(|line| !line.is_code) {
        let lower = line.text.to_lowercase();
        if ALLOWED.iter().any(|word| lower.contains(word)) {
            continue;
        }
        for code in line.text.split('`').skip(1).step_by(2) {
            let Some(path) = path_in(code, folder, files) else { continue };
            let is_new = !missing.iter().any(|other| other.path == path);
            if is_new && !files.has(&path, folder) {
                missing.push(Missing { line: line.number, path });
            }
        }
    }
    let from_root = |path: &str| files.path_below_root(&folder.join(path));
    let asked: Vec<String> =
        missing.iter().flat_map(|missing| [missing.path.clone(), from_root(&missing.path)]).collect();
    let ignored = files.ignored(&asked);
    // What a build makes is not there yet.
    let is_made = |path: &str| ignored.contains(path) || ignored.contains(&from_root(path));
    let left = missing.into_iter().filter(|missing| !is_made(&missing.path));
    let found = left.map(|Missing { line, path }| {
        // A name alone may be that of a kind of file.
        let severity = if path.contains('/') { Severity::Warning } else { Severity::Hint };
        (line, severity, format!("`{path}` is not in the project: correct the path, or take the line out"))
    });
    found.collect()
}

/// The path that a piece of code is, if it is one for sure.
fn path_in(code: &str, folder: &Path, files: &ProjectFiles<'_>) -> Option<String> {
    let code = code.trim();
    // `src/a.rs:12` is line 12 of it.
    let code = code.split_once(':').map_or(code, |(path, rest)| {
        if rest.starts_with(|it: char| it.is_ascii_digit()) { path } else { code }
    });
    let is_plain = code.chars().all(|letter| letter.is_alphanumeric() || "/._-+".contains(letter));
    let is_odd = code.starts_with(['-', '/', '.']) && !code.starts_with("./") && !code.starts_with("../");
    if !is_plain || is_odd || code.len() < 3 || code.contains("...") || code.contains("//") {
        return None;
    }
    let name = code.trim_end_matches('/').rsplit('/').next().unwrap_or(code);
    let has_ending =
        name.rsplit_once('.').is_some_and(|(stem, end)| !stem.is_empty() && ENDINGS.contains(&end));
    let is_product =
        !code.contains('/') && name.starts_with(|first: char| first.is_uppercase()) && name.ends_with(".js");
    // `origin/main` and `read/write` are no paths: the first part is no folder here.
    let is_path = (has_ending && !is_product) || (code.contains('/') && files.begins_here(code, folder));
    let leaves = code.starts_with("..") && !files.begins_here(code, folder);
    (is_path && !leaves).then(|| code.trim_start_matches("./").trim_end_matches('/').to_owned())
}
