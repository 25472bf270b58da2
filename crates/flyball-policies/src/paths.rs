//! Compares absolute paths by their text.

/// Whether a path is a folder or is below it.
pub(crate) fn is_or_is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path below a folder; `None` for the folder itself and for paths elsewhere.
pub(crate) fn strip_folder<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/')
}

/// A path below a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::{is_or_is_below, strip_folder};

    #[test]
    fn a_path_is_in_a_folder_by_whole_names() {
        let cases = [
            ("/project/src/a.rs", "/project", Some("src/a.rs"), true),
            ("/project/a", "/project/", Some("a"), true),
            ("/project", "/project", None, true),
            ("/project2/a", "/project", None, false),
            ("/elsewhere", "/project", None, false),
            ("/a", "/", Some("a"), true),
        ];
        for (path, folder, rest, is_in) in cases {
            assert_eq!(strip_folder(path, folder), rest, "{path} in {folder}");
            assert_eq!(is_or_is_below(path, folder), is_in, "{path} in {folder}");
        }
    }
}
