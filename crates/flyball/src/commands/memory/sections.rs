//! The sections of rule files that are known by name, merged over the files that cover a path.

use flyball_knowledge::markdown::{self, Section};
use flyball_knowledge::node::Node;
use serde::Serialize;

/// Their names, in the order in which they are told.
pub(in crate::commands) const KNOWN: &[&str] = &[
    "Purpose",
    "Entry Points",
    "Contracts",
    "Pitfalls",
    "Checks",
    "Patterns",
    "Boundaries",
    "Design Rationale",
    "Code Map",
    "Public API",
    "Downlinks",
    "Context",
];

/// Those that describe, and whose text is mostly no rule.
pub(in crate::commands) const DESCRIPTIONS: &[&str] =
    &["Purpose", "Entry Points", "Design Rationale", "Code Map", "Public API", "Downlinks"];

/// One section, from all files that have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::commands) struct MergedSection {
    pub(in crate::commands) name: String,
    /// What each file says, that of the root first.
    pub(in crate::commands) parts: Vec<Part>,
}

/// What one file says in a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::commands) struct Part {
    pub(in crate::commands) node: String,
    /// Its text, without the heading.
    pub(in crate::commands) text: String,
}

/// The name of a section as it is known, whatever case it was written in.
pub(in crate::commands) fn known(name: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.eq_ignore_ascii_case(name.trim())).copied()
}

/// The names that were asked for: the known ones in the order in which they are told, then other headings that the files
/// have; all known ones if none was. An unknown one is given back.
pub(in crate::commands) fn chosen<'a>(
    names: impl IntoIterator<Item = &'a str>,
    nodes: &[Node],
) -> Result<Vec<&'a str>, &'a str> {
    let names: Vec<&str> = names.into_iter().map(str::trim).filter(|name| !name.is_empty()).collect();
    let others: Vec<&str> = names.iter().copied().filter(|name| known(name).is_none()).collect();
    let has = |name: &str| {
        let mut sections = nodes.iter().flat_map(|node| markdown::sections(&node.text));
        sections.any(|section| section.level >= 2 && section.title.trim().eq_ignore_ascii_case(name))
    };
    if let Some(unknown) = others.iter().find(|name| !has(name)) {
        return Err(unknown);
    }
    let is_wanted = |section: &&&str| {
        names.is_empty() || names.iter().any(|name| known(name).is_some_and(|name| name == **section))
    };
    Ok(KNOWN.iter().filter(is_wanted).copied().chain(others).collect())
}

/// What the files say in these sections; those that none of them has is left out.
pub(in crate::commands) fn merged(nodes: &[Node], names: &[&str]) -> Vec<MergedSection> {
    let read: Vec<(&Node, Vec<Section>)> =
        nodes.iter().map(|node| (node, markdown::sections(&node.text))).collect();
    let merged = names.iter().map(|name| MergedSection {
        name: (*name).to_owned(),
        parts: read.iter().flat_map(|(node, sections)| parts(node, sections, name)).collect(),
    });
    merged.filter(|section| !section.parts.is_empty()).collect()
}

/// What one file says in a section, which it may have more than once.
fn parts(node: &Node, sections: &[Section], name: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut told_until = 0;
    for section in sections {
        let is_asked_for = section.level >= 2 && section.title.trim().eq_ignore_ascii_case(name);
        // One inside of another of the same name was told with it.
        if !is_asked_for || section.span.start < told_until {
            continue;
        }
        told_until = section.span.end;
        let text = node.text.get(section.body.clone()).unwrap_or_default();
        let text = text.trim_matches(['\n', '\r']).trim_end();
        if !text.is_empty() {
            parts.push(Part { node: node.path.to_string(), text: text.to_owned() });
        }
    }
    parts
}

/// A text without blank lines and without what only stands in comments, to be short.
pub(in crate::commands) fn compact(text: &str) -> String {
    let is_kept = |line: &markdown::Line<'_>| {
        let bare = line.text.trim();
        let is_comment = bare.starts_with("<!--") && bare.ends_with("-->");
        line.is_code || !(bare.is_empty() || is_comment)
    };
    let lines: Vec<&str> = markdown::lines(text).filter(is_kept).map(|line| line.text.trim_end()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use flyball_core::path::AbsolutePath;

    use super::*;

    fn node(path: &str, text: &str) -> Node {
        Node::new(AbsolutePath::from_root(path), text)
    }

    #[test]
    fn names_are_taken_in_any_case_and_told_in_order() {
        let own = [node("/r/AGENTS.md", "# R\n\n## House style\n\n- x\n")];
        assert_eq!(chosen(["pitfalls", " CONTRACTS"], &[]), Ok(vec!["Contracts", "Pitfalls"]));
        assert_eq!(chosen([], &[]).map(|names| names.len()), Ok(12));
        assert_eq!(chosen(["Pitfalls", "nonsense"], &own), Err("nonsense"));
        assert_eq!(chosen(["house style", "Pitfalls"], &own), Ok(vec!["Pitfalls", "house style"]));
    }

    #[test]
    fn sections_are_merged_over_files_and_levels_the_root_first() {
        let root =
            node("/r/AGENTS.md", "# R\n\n## PITFALLS ##\n\nroot\n\n```\n## Checks\n```\n\n## Other\n\nx\n");
        let child = node("/r/a/AGENTS.md", "## A\n### pitfalls\nchild\n#### pitfalls\ninner\n### Checks\n\n");
        let part = |node: &str, text: &str| Part { node: node.to_owned(), text: text.to_owned() };
        let parts = vec![
            part("/r/AGENTS.md", "root\n\n```\n## Checks\n```"),
            part("/r/a/AGENTS.md", "child\n#### pitfalls\ninner"),
        ];
        assert_eq!(merged(&[root, child], KNOWN), [MergedSection { name: "Pitfalls".to_owned(), parts }]);
    }

    #[test]
    fn a_short_text_keeps_what_stands_in_fences() {
        let text = "a\n\n<!-- gone -->\n- b\n\n```sh\nx\n\ny\n```\n\nend";
        assert_eq!(compact(text), "a\n- b\n```sh\nx\n\ny\n```\nend");
        let inline = "```a``` is code in a line\n\nend";
        assert_eq!(compact(inline), "```a``` is code in a line\nend");
    }
}
