//! Files that a linter's own config leaves out, where the linter checks them all the same when they are named.

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Workshop;
use flyball_effects::yaml::Node;
use regex_lite::Regex;

use super::readers;
use super::sources::Sources;
use super::uses::Covered;
use crate::linter::{ConfigFiles, Patterns};
use crate::pipeline::globs;
use crate::pipeline::keys::ancestors;

/// Which files the nearest config of a linter is for.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnFiles {
    /// The folder of the config.
    folder: AbsolutePath,
    lists: Vec<Lists>,
}

/// What a config includes and excludes.
#[derive(Clone, Debug)]
struct Lists {
    included: Vec<String>,
    excluded: Vec<String>,
    patterns: Patterns,
}

impl OwnFiles {
    /// By the nearest config, seen from a folder.
    pub(super) fn look(
        sources: &mut Sources,
        workshop: &dyn Workshop,
        configs: &[ConfigFiles],
        folder: &AbsolutePath,
    ) -> OwnFiles {
        let mut of = |folder: AbsolutePath| {
            let lists = configs
                .iter()
                .filter_map(|config| read(config, sources.text(workshop, &folder.join(&config.file))?));
            let lists: Vec<Lists> = lists.collect();
            (!lists.is_empty()).then_some(OwnFiles { folder, lists })
        };
        ancestors(workshop.project_root(), folder).find_map(&mut of).unwrap_or_default()
    }

    pub(super) fn covers(&self, path: &AbsolutePath) -> Covered {
        let Some(file) = path.strip_folder(&self.folder).filter(|_| !self.lists.is_empty()) else {
            return Covered::Yes;
        };
        let mut covered = Covered::Yes;
        for Lists { included, excluded, patterns } in &self.lists {
            if !included.is_empty() && !included.iter().any(|pattern| is_path(pattern, file)) {
                return Covered::No;
            }
            match excludes(excluded, *patterns, file) {
                Covered::Yes => return Covered::No,
                Covered::Unknown => covered = Covered::Unknown,
                Covered::No => {}
            }
        }
        covered
    }
}

/// The lists of a config; `None` if it has no settings of the linter.
fn read(config: &ConfigFiles, text: &str) -> Option<Lists> {
    if config.exclude.is_empty() {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let excluded = lines.map(str::to_owned).collect();
        return Some(Lists { included: Vec::new(), excluded, patterns: config.patterns });
    }
    let tree = readers::settings(&config.file, text);
    let mut sections = config.exclude.split_ascii_whitespace().map(|key| key.rsplit_once('.'));
    let is_there =
        sections.any(|key| key.is_none_or(|(section, _)| matches!(at(&tree, section), Node::Map(_))));
    let values = |keys: &str| {
        let keys = keys.split_ascii_whitespace();
        keys.flat_map(|key| texts(at(&tree, key), config.patterns)).collect::<Vec<_>>()
    };
    let include = &config.include;
    is_there.then(|| Lists {
        included: paths(at_all(&tree, include)),
        excluded: values(&config.exclude),
        patterns: config.patterns,
    })
}

/// The text of one value in a config.
pub(super) fn value(name: &str, text: &str, key: &str) -> Option<String> {
    at(&readers::settings(name, text), key).text().map(str::to_owned)
}

fn at_all<'n>(tree: &'n Node, keys: &str) -> Vec<&'n Node> {
    keys.split_ascii_whitespace().map(|key| at(tree, key)).collect()
}

/// The value at names that are joined by dots.
fn at<'n>(tree: &'n Node, keys: &str) -> &'n Node {
    keys.split('.').fold(tree, |node, key| node.get(key))
}

fn paths(values: Vec<&Node>) -> Vec<String> {
    values.into_iter().flat_map(|value| texts(value, Patterns::Paths)).collect()
}

/// The patterns of a value: a list, or a text with commas or on several lines.
fn texts(value: &Node, patterns: Patterns) -> Vec<String> {
    match (value, patterns) {
        (Node::List(items), _) => items.iter().filter_map(Node::text).map(str::to_owned).collect(),
        (Node::Text(text), Patterns::Regex | Patterns::RootedRegex) => vec![text.clone()],
        (Node::Text(text), Patterns::Paths | Patterns::Names) => {
            let parts = text.split([',', '\n']).map(str::trim);
            parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
        }
        (Node::Map(_), _) => Vec::new(),
    }
}

/// Whether one of these patterns is for a file.
pub(super) fn excludes(excluded: &[String], patterns: Patterns, file: &str) -> Covered {
    match patterns {
        Patterns::Paths => is_any(excluded.iter().any(|pattern| is_path(pattern, file))),
        Patterns::Names => {
            let is_name = |pattern: &String| file.split('/').any(|part| globs::matches_path(pattern, part));
            is_any(excluded.iter().any(|pattern| is_path(pattern, file) || is_name(pattern)))
        }
        Patterns::Regex => search(excluded, "", file),
        Patterns::RootedRegex => search(excluded, "/", file),
    }
}

fn is_any(is_any: bool) -> Covered {
    if is_any { Covered::Yes } else { Covered::No }
}

/// Whether a path is a file, a folder above it, or a glob of either.
fn is_path(path: &str, file: &str) -> bool {
    let path = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
    path.is_empty()
        || path == "."
        || globs::matches_path(path, file)
        || globs::matches_path(&format!("{path}/**"), file)
}

/// Whether a pattern is found in the path of a file or of a folder above it, which ends with a slash.
fn search(patterns: &[String], root: &str, file: &str) -> Covered {
    let path = format!("{root}{file}");
    let folders =
        path.match_indices('/').filter_map(|(at, _)| path.get(..=at)).filter(|folder| *folder != "/");
    let places: Vec<&str> = folders.chain([path.as_str()]).collect();
    let mut found = Covered::No;
    for pattern in patterns.iter().filter(|pattern| !pattern.trim().is_empty()) {
        // As Black reads one on several lines.
        let verbose = if root.is_empty() || !pattern.contains('\n') { "" } else { "(?x)" };
        match Regex::new(&format!("{verbose}{pattern}")) {
            Ok(pattern) if places.iter().any(|place| pattern.is_match(place)) => return Covered::Yes,
            Ok(_) => {}
            Err(_) => found = Covered::Unknown,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_leave_files_out() {
        let cases = [
            (Patterns::Paths, "src/legacy", "src/legacy/a.py", Covered::Yes),
            (Patterns::Paths, "**/legacy", "src/legacy/a.py", Covered::Yes),
            (Patterns::Paths, "src/legacy/", "src/new/a.py", Covered::No),
            (Patterns::Names, "*_pb2.py", "x/a_pb2.py", Covered::Yes),
            (Patterns::Names, "gen", "x/gen/a.py", Covered::Yes),
            (Patterns::Paths, "gen", "x/gen/a.py", Covered::No),
            (Patterns::Regex, "^src/legacy/", "src/legacy/a.py", Covered::Yes),
            (Patterns::Regex, "legacy/$", "src/legacy/a.py", Covered::Yes),
            (Patterns::Regex, "^legacy/", "src/legacy/a.py", Covered::No),
            (Patterns::Regex, "^(?!src)", "a.py", Covered::Unknown),
            (Patterns::RootedRegex, "^/gen/", "gen/a.py", Covered::Yes),
            (Patterns::RootedRegex, "gen|other", "gen/a.py", Covered::Yes),
            (
                Patterns::RootedRegex,
                "\n(\n  ^/foo.py  # one\n  | ^/gen/  # all\n)\n",
                "gen/a.py",
                Covered::Yes,
            ),
        ];
        for (patterns, pattern, file, expected) in cases {
            assert_eq!(excludes(&[pattern.to_owned()], patterns, file), expected, "{pattern} {file}");
        }
    }
}
