//! Rule files as resources. Nothing else is a resource.

use std::path::{Path, PathBuf};

use flyball_core::encoding::{percent_decoded, percent_encoded};
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
    let Place { root, path: real, .. } = projects.place(&path)?;
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
    let parts: Vec<String> = path.split('/').map(percent_encoded).collect();
    format!("{SCHEME}{}", parts.join("/"))
}

/// The file of an address; only absolute ones, and only with valid escapes.
fn path(uri: &str) -> Option<String> {
    let coded = uri.strip_prefix(SCHEME).filter(|path| path.starts_with('/'))?;
    let is_escape = |after: &str| after.bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2;
    if !coded.split('%').skip(1).all(is_escape) {
        return None;
    }
    String::from_utf8(percent_decoded(coded)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_carry_any_name() {
        let name = "/a b/ü%20?#/AGENTS.md";
        assert_eq!(uri(name), "file:///a%20b/%C3%BC%2520%3F%23/AGENTS.md");
        assert_eq!(path(&uri(name)).as_deref(), Some(name));
        for broken in
            ["file://host/x", "http:///x", "file:///%", "file:///%zz", "file:///%+5", "file:///%ff", ""]
        {
            assert_eq!(path(broken), None, "{broken}");
        }
    }
}
