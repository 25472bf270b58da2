//! The paths that linters print.

use flyball_core::path::AbsolutePath;

/// The path of a name in a folder, without `.` and `..`.
pub(crate) fn absolute(folder: &AbsolutePath, name: &str) -> AbsolutePath {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let start = if name.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            // Textual, without the disk: the file may be gone, and `..` above the root stays at the root.
            ".." => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    AbsolutePath::from_root(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_in_the_folder_of_the_command() {
        let cases = [
            ("/p", "a.py", "/p/a.py"),
            ("/p", "./a.py", "/p/a.py"),
            ("/p/b", "../a.py", "/p/a.py"),
            ("/p", "/p/x/./a.py", "/p/x/a.py"),
            ("/p", "file:///p/a.py", "/p/a.py"),
        ];
        for (folder, name, path) in cases {
            assert_eq!(absolute(&AbsolutePath::from_root(folder), name), path, "{name}");
        }
    }
}
