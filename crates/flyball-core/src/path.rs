//! Paths as text: absolute ones, and those of a project from its root on.
//!
//! Reading stored values checks nothing: an odd path in an old record must not make the rest of the record unreadable.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::fmt::{Display, Formatter, Result};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// An absolute path. Whether it has symlinks or `..` in it depends on where it comes from;
/// [`Files::real_path`](crate::world::Files::real_path) gives one without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AbsolutePath(String);

/// A path from the project's root on that does not lead out of the project. The root itself is `.`, or empty where a
/// path may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectPath(String);

impl AbsolutePath {
    /// The path, if it is absolute.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<AbsolutePath> {
        Some(text.into()).filter(|text| text.starts_with('/')).map(AbsolutePath)
    }

    /// The path from the root of the file system on, with or without its first `/`. Not for names that are relative to
    /// another folder.
    #[must_use]
    pub fn from_root(text: impl Into<String>) -> AbsolutePath {
        let text = text.into();
        AbsolutePath(if text.starts_with('/') { text } else { format!("/{text}") })
    }

    /// The absolute path of a file or folder of this system as text.
    #[must_use]
    pub fn from_path(path: &Path) -> AbsolutePath {
        AbsolutePath::from_root(path.to_string_lossy())
    }

    /// The path below this folder, as it is written: `..` is not resolved.
    #[must_use]
    pub fn join(&self, below: &str) -> AbsolutePath {
        AbsolutePath(format!("{}/{below}", self.trim_end_matches('/')))
    }

    /// The folder that it is in; `None` for the root of the file system.
    #[must_use]
    pub fn parent(&self) -> Option<AbsolutePath> {
        match self.trim_end_matches('/').rsplit_once('/')? {
            ("", _) => Some(AbsolutePath::default()),
            (folder, _) => Some(AbsolutePath(folder.to_owned())),
        }
    }

    /// The folder that it is in; the root of the file system is in itself.
    #[must_use]
    pub fn folder(&self) -> AbsolutePath {
        self.parent().unwrap_or_default()
    }

    /// It and all folders above it, the nearest first.
    pub fn ancestors(&self) -> impl Iterator<Item = AbsolutePath> + use<> {
        std::iter::successors(Some(self.clone()), AbsolutePath::parent)
    }

    /// Whether it is this folder or lies in it.
    #[must_use]
    pub fn is_in(&self, folder: &str) -> bool {
        is_or_is_below(self, folder)
    }

    /// The path from a folder on; `None` for the folder itself and for what lies elsewhere.
    #[must_use]
    pub fn strip_folder(&self, folder: &str) -> Option<&str> {
        strip_folder(self, folder)
    }

    /// The path from the project's root on; `None` for the root itself and for what lies elsewhere.
    #[must_use]
    pub fn below(&self, root: &AbsolutePath) -> Option<ProjectPath> {
        self.strip_folder(root).and_then(ProjectPath::new)
    }
}

/// Whether a path is a folder or lies in it, by their texts.
#[must_use]
pub fn is_or_is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder.trim_end_matches('/'))
        // Whole components: `/a/bc` is not in `/a/b`.
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The path from a folder on, by their texts; `None` for the folder itself and for what lies elsewhere.
#[must_use]
pub fn strip_folder<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/').filter(|rest| !rest.is_empty())
}

impl Default for AbsolutePath {
    /// The root of the file system.
    fn default() -> AbsolutePath {
        AbsolutePath("/".to_owned())
    }
}

impl ProjectPath {
    /// The path without needless parts, if it is relative and does not lead out of the project.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<ProjectPath> {
        let text = text.into();
        // Also `a/../b`: if `a` is a link, that leads elsewhere than the text shows.
        if text.starts_with('/') || text.split('/').any(|part| part == "..") {
            return None;
        }
        if text.is_empty() || !text.split('/').any(|part| matches!(part, "" | ".")) {
            return Some(ProjectPath(text));
        }
        // Two spellings of one path must be equal, because paths are keys.
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        Some(if parts.is_empty() { ProjectPath::root() } else { ProjectPath(parts.join("/")) })
    }

    /// The root of the project.
    #[must_use]
    pub fn root() -> ProjectPath {
        ProjectPath(".".to_owned())
    }

    /// A path below it, as it is written.
    #[must_use]
    pub fn join(&self, below: &str) -> ProjectPath {
        let is_root = matches!(self.as_str(), "" | ".");
        ProjectPath(if is_root { below.to_owned() } else { format!("{}/{below}", self.0) })
    }

    /// The folder that it is in: empty for what is in the root.
    #[must_use]
    pub fn parent(&self) -> ProjectPath {
        ProjectPath(self.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
    }
}

macro_rules! text {
    ($($path:ty),+) => {$(
        impl $path {
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Deref for $path {
            type Target = str;

            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl Borrow<str> for $path {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $path {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<Path> for $path {
            fn as_ref(&self) -> &Path {
                Path::new(&self.0)
            }
        }

        impl AsRef<OsStr> for $path {
            fn as_ref(&self) -> &OsStr {
                OsStr::new(&self.0)
            }
        }

        impl Display for $path {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                f.pad(&self.0)
            }
        }

        impl From<$path> for String {
            fn from(path: $path) -> String {
                path.0
            }
        }

        impl From<$path> for PathBuf {
            fn from(path: $path) -> PathBuf {
                path.0.into()
            }
        }

        impl PartialEq<str> for $path {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<String> for $path {
            fn eq(&self, other: &String) -> bool {
                self.0 == *other
            }
        }

        impl PartialEq<&str> for $path {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }
    )+};
}

text!(AbsolutePath, ProjectPath);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_what_is_below_it_and_nothing_that_only_begins_alike() {
        let cases = [
            ("/project/src/a.rs", "/project", Some("src/a.rs"), true),
            ("/project/a", "/project/", Some("a"), true),
            ("/project", "/project", None, true),
            ("/project/", "/project", None, true),
            ("/project2/a", "/project", None, false),
            ("/elsewhere", "/project", None, false),
            ("/a", "/", Some("a"), true),
        ];
        for (path, folder, rest, is_in) in cases {
            let (path, folder) = (AbsolutePath::new(path).unwrap(), AbsolutePath::new(folder).unwrap());
            assert_eq!(path.below(&folder).as_deref(), rest, "{path} in {folder}");
            assert_eq!(path.is_in(&folder), is_in, "{path} in {folder}");
        }
    }

    #[test]
    fn what_is_not_absolute_is_none_and_what_leads_out_is_no_path_of_the_project() {
        for text in ["", "a", "./a", "~/a", "../a"] {
            assert_eq!(AbsolutePath::new(text), None, "{text}");
        }
        let cases = [
            ("src/a.rs", Some("src/a.rs")),
            ("./src//a.rs", Some("src/a.rs")),
            ("src/", Some("src")),
            ("..a", Some("..a")),
            (".", Some(".")),
            ("./", Some(".")),
            ("", Some("")),
            ("/src", None),
            ("src/../../a", None),
        ];
        for (text, expected) in cases {
            assert_eq!(ProjectPath::new(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn paths_are_joined_and_taken_apart() {
        let root = AbsolutePath::from_root("project");
        assert_eq!(root.join("src"), "/project/src");
        assert_eq!(AbsolutePath::default().join("a"), "/a");
        let above: Vec<AbsolutePath> = root.join("src").ancestors().collect();
        assert_eq!(above, ["/project/src", "/project", "/"]);
        assert_eq!(ProjectPath::root().join("a").parent(), "");
        assert_eq!(ProjectPath::root().join("a/b").parent(), "a");
    }

    #[test]
    fn they_are_stored_as_plain_text_and_an_odd_one_is_read_as_it_is() {
        for text in ["\"/a\"", "\"a\"", "\"\""] {
            let path: AbsolutePath = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&path).unwrap(), text);
        }
    }
}
