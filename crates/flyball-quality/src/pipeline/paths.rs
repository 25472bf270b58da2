//! Paths as text.

/// The absolute path of a name in a folder, without `.` and `..`.
pub(super) fn absolute(folder: &str, name: &str) -> String {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let start = if name.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The path relative to a folder, if it is below it.
pub(super) fn below<'f>(folder: &str, file: &'f str) -> Option<&'f str> {
    let rest = file.strip_prefix(folder.trim_end_matches('/'))?;
    rest.strip_prefix('/').filter(|rest| !rest.is_empty())
}

/// The folder that a file is in.
pub(super) fn parent(file: &str) -> &str {
    match file.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((folder, _)) => folder,
    }
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
            assert_eq!(absolute(folder, name), path, "{name}");
        }
    }
}
