//! The programs that flyball starts.

use super::report::Section;
use crate::install::on_path;

/// A program, and what does not work without it.
struct Tool {
    name: &'static str,
    without: &'static str,
}

/// Every program of others that flyball starts.
const TOOLS: &[Tool] = &[Tool { name: "git", without: "changes cannot be told from what was committed" }];

pub(super) fn examine() -> Section {
    let mut section = Section::new("tools");
    for tool in TOOLS {
        match on_path(tool.name) {
            Some(path) => section.good(format!("{} ({})", tool.name, path.display())),
            None => {
                section.warn(
                    format!("{} is not on the search path: {}", tool.name, tool.without),
                    &format!("install {}", tool.name),
                );
            }
        }
    }
    section
}
