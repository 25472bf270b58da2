//! Which files a glob matches.

use fast_glob::glob_match;

/// Whether one of the globs matches the path of a file below the root. A glob without a `/` matches
/// the name, one that ends with a `/` all below that folder.
pub(super) fn any(globs: &[String], file: &str) -> bool {
    globs.iter().any(|glob| matches(glob, file))
}

/// Whether everything below a folder matches one of the globs.
pub(super) fn all_below(globs: &[String], folder: &str) -> bool {
    // No glob that people write matches this name and not others.
    any(globs, &format!("{folder}/\u{1}"))
}

/// Whether a glob matches the path of a file below the root.
pub(super) fn matches(glob: &str, file: &str) -> bool {
    // Most globs are of this kind, and most files are compared with hundreds of them.
    if let Some(end) = glob.strip_prefix('*').filter(|end| is_plain(end)) {
        return file.ends_with(end);
    }
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    match glob.strip_suffix('/') {
        Some(folder) if is_plain(folder) => {
            let above = file.rsplit_once('/').map_or("", |(above, _)| above);
            above.split('/').any(|part| part == folder)
        }
        Some(folder) if folder.contains('/') => glob_match(format!("{folder}/**"), file),
        Some(folder) => glob_match(format!("**/{folder}/**"), file),
        None if glob.contains('/') => glob_match(glob, file),
        None => glob_match(glob, file.rsplit('/').next().unwrap_or(file)),
    }
}

/// Whether a glob matches a whole path, as a shell would.
pub(super) fn matches_path(glob: &str, path: &str) -> bool {
    glob_match(glob, path)
}

/// Whether a glob is about the ends of names alone: `*.py`, `*.{js,ts}`.
pub(super) fn is_of_ends(glob: &str) -> bool {
    let is_literal =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b',' | b'{' | b'}');
    glob.strip_prefix("*.").is_some_and(|end| end.bytes().all(is_literal))
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_paths_and_those_without_a_slash_names() {
        let cases = [
            ("*.py", "a.py", true),
            ("*.py", "deep/er/a.py", true),
            ("*.py", "a.pyi", false),
            ("*.{yml,yaml}", "ci/.hidden.yml", true),
            ("Dockerfile*", "x/Dockerfile.dev", true),
            ("src/*.py", "src/a.py", true),
            ("src/*.py", "lib/src/a.py", false),
            ("**/tests/**", "tests/a.py", true),
            ("**/tests/**", "a/tests/b/c.py", true),
            (".git/**", ".github/x.yml", false),
            ("build/", "x/build/a.js", true),
            ("docs/old/", "docs/old/a.md", true),
            ("./src/**", "src/a.py", true),
            ("*.py", "we ird: \"name\"\n.py", true),
        ];
        for (glob, file, expected) in cases {
            assert_eq!(any(&[glob.to_owned()], file), expected, "{glob} on {file}");
        }
    }

    #[test]
    fn a_folder_is_left_out_if_all_below_it_is() {
        let globs = ["**/node_modules/**".to_owned(), "*.lock".to_owned(), ".git/**".to_owned()];
        assert!(all_below(&globs, "web/node_modules"));
        assert!(all_below(&globs, ".git"));
        assert!(!all_below(&globs, "web"));
    }
}
