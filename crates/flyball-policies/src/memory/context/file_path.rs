//! What a path says about a file: its place in the project, and whether it is source, a test or generated.

use std::borrow::Cow;

use flyball_core::path::strip_folder;
use flyball_core::policy::World;
use flyball_core::world::real_root;

use super::settings::Settings;
use crate::code_files::is_code;
use crate::test_files::TEST_FILES;

/// Extensions of files whose change cannot make a rule wrong.
const NON_CODE: &[&str] = &[
    "csv", "json", "jsonl", "lock", "log", "markdown", "md", "mdx", "rst", "snap", "svg", "txt", "yaml",
    "yml",
];
/// Folders that are generated, vendored or temporary.
const GENERATED_FOLDERS: &[&str] = &[
    "__pycache__",
    "bower_components",
    "build",
    "cache",
    "coverage",
    "dist",
    "log",
    "logs",
    "node_modules",
    "obj",
    "out",
    "site-packages",
    "target",
    "temp",
    "third_party",
    "tmp",
    "vendor",
    "venv",
];

/// A path as people see it: from the project's root, or whole if it is elsewhere. `.` is the root.
pub(super) fn display_path<'a>(world: &dyn World, path: &'a str) -> Cow<'a, str> {
    let (root, path) = (real_root(world), path.trim_end_matches('/'));
    match strip_folder(path, &root) {
        Some(inside) => Cow::Borrowed(inside),
        None if root == path => Cow::Borrowed("."),
        None => Cow::Borrowed(path),
    }
}

/// A path in a sentence, quoted so that no file name can end the sentence.
pub(super) fn quoted(path: &str) -> String {
    format!("`{}`", path.replace(|letter: char| letter.is_control() || letter == '`', "?"))
}

/// The folder that a file is in, without a slash at its end.
pub(super) fn folder(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((folder, _)) => folder,
    }
}

/// The name of a file.
fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether people would look for rules about this file.
pub(super) fn is_source(path: &str, settings: &Settings) -> bool {
    let is_more =
        |more: &String| ending(path).is_some_and(|it| it.eq_ignore_ascii_case(more.trim_start_matches('.')));
    is_code(path) || settings.sources.iter().any(is_more)
}

/// Whether a change of this file (shown path) can make a rule wrong.
pub(super) fn can_invalidate_rules(shown: &str) -> bool {
    let is_non_code = ending(shown).is_some_and(|ending| NON_CODE.contains(&ending.as_str()));
    !is_non_code && !TEST_FILES.iter().any(|glob| fast_glob::glob_match(glob, shown))
}

/// Whether a folder (shown path) is generated or hidden.
pub(super) fn is_generated(shown: &str) -> bool {
    let is_one = |part: &str| (part.starts_with('.') && part != ".") || GENERATED_FOLDERS.contains(&part);
    shown.split('/').any(is_one)
}

fn ending(path: &str) -> Option<String> {
    let (stem, ending) = name(path).rsplit_once('.')?;
    // `.gitignore` is a name without an ending.
    (!stem.is_empty()).then(|| ending.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_classified_by_their_names() {
        let cases = [
            ("src/a.ts", true, true, false),
            ("src/A.PY", true, true, false),
            ("a.bpmn", true, true, false),
            ("a.dmn", false, true, false),
            ("src/a.test.ts", true, false, false),
            ("tests/a.rs", true, false, false),
            ("README.md", false, false, false),
            ("package.json", false, false, false),
            ("Makefile", true, true, false),
            ("web/a.css", true, true, false),
            (".env", false, true, true),
            ("node_modules/x/a.js", true, true, true),
            ("src/.cache/a.js", true, true, true),
            ("src/building/a.js", true, true, false),
        ];
        let settings = Settings { sources: vec![".bpmn".to_owned()], ..Settings::default() };
        for (path, source, invalidates, generated) in cases {
            let found = (is_source(path, &settings), can_invalidate_rules(path), is_generated(path));
            assert_eq!(found, (source, invalidates, generated), "{path}");
        }
        assert!(!is_generated("."));
    }

    #[test]
    fn paths_are_quoted_and_split() {
        assert_eq!(quoted("a`\nb"), "`a??b`");
        assert_eq!((folder("/a/b.c"), name("/a/b.c")), ("/a", "b.c"));
        assert_eq!((folder("/a/b/"), folder("/b.c")), ("/a/b", "/"));
    }
}
