//! Rule files as resources. Nothing else is a resource.

use std::path::{Path, PathBuf};

use flyball_core::path::AbsolutePath;
use flyball_core::world::Files;
use rmcp::model::{ListResourcesResult, Resource, ResourceContents};

use super::projects::{Place, Projects, Refusal, quote};
use crate::commands::memory::nodes;
use crate::commands::memory::place::{display_path, machine};

/// How many are listed at a time.
const PAGE: usize = 200;

/// Longer files are not rule files.
const MOST_BYTES: u64 = 1024 * 1024;

const SCHEME: &str = "file://";

/// One page of the list, from where the last one ended.
pub(super) fn page(projects: &Projects, cursor: Option<&str>) -> Result<ListResourcesResult, Refusal> {
    let from: usize = match cursor {
        None => 0,
        Some(text) => {
            text.parse().map_err(|_| Refusal(format!("`{}` is not a valid cursor", quote(text))))?
        }
    };
    let all: Vec<(&PathBuf, PathBuf)> = projects
        .roots
        .iter()
        .flat_map(|root| nodes::all(&machine(root), root).into_iter().map(move |node| (root, node)))
        .collect();
    let is_one = projects.roots.len() == 1;
    let listed = all.iter().skip(from).take(PAGE).map(|(root, node)| resource(root, node, is_one)).collect();
    let mut page = ListResourcesResult::with_all_items(listed);
    let next = from.saturating_add(PAGE);
    // A position in a list that may have changed since; a file that moved is listed twice or not at all.
    page.next_cursor = (next < all.len()).then(|| next.to_string());
    Ok(page)
}

fn resource(root: &Path, node: &Path, is_one: bool) -> Resource {
    let path = node.to_string_lossy();
    let name = display_path(&path, &root.to_string_lossy());
    let folder =
        Path::new(&name).parent().map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    let whole = if is_one { "the project".to_owned() } else { root.to_string_lossy().into_owned() };
    let about = if folder.is_empty() { whole } else { format!("{folder} of {whole}") };
    let resource = Resource::new(uri(&path), name).with_description(format!("Rules for {about}"));
    resource.with_mime_type("text/markdown")
}

/// The text of one.
pub(super) fn read(projects: &Projects, uri: &str) -> Result<ResourceContents, Refusal> {
    let none = || Refusal(format!("`{}` is not an AGENTS.md or CLAUDE.md that may be read here", quote(uri)));
    let path = path(uri).ok_or_else(none)?;
    let Place { root, path: real } = projects.place(&path)?;
    // The name as it was asked for and the file behind it: a link called AGENTS.md must not lead out.
    if !nodes::is_node(Path::new(&path)) || !nodes::is_inside(&real, &root) {
        return Err(none());
    }
    let bytes =
        machine(&root).read(&AbsolutePath::from_path(&real), MOST_BYTES).ok().flatten().ok_or_else(none)?;
    Ok(ResourceContents::text(String::from_utf8_lossy(&bytes), uri).with_mime_type("text/markdown"))
}

/// The address of a file.
fn uri(path: &str) -> String {
    let mut uri = SCHEME.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                uri.push(char::from(byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// The file of an address; only absolute ones.
fn path(uri: &str) -> Option<String> {
    let coded = uri.strip_prefix(SCHEME).filter(|path| path.starts_with('/'))?;
    let mut bytes = Vec::new();
    let mut rest = coded.bytes();
    while let Some(byte) = rest.next() {
        let letter = match byte {
            b'%' => {
                // Decoded before the path is checked, so that `%2e%2e` is the same as `..`.
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            plain => plain,
        };
        bytes.push(letter);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_carry_any_name() {
        let name = "/a b/ü%20?#/AGENTS.md";
        assert_eq!(uri(name), "file:///a%20b/%C3%BC%2520%3F%23/AGENTS.md");
        assert_eq!(path(&uri(name)).as_deref(), Some(name));
        for broken in ["file://host/x", "http:///x", "file:///%", "file:///%zz", "file:///%ff", ""] {
            assert_eq!(path(broken), None, "{broken}");
        }
    }
}
