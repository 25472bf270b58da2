//! The built-in linters, written as a user would write them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::linter::Entry;

/// Each file holds `[NAME]` tables of [`Entry`]s, in the order in which linters are asked.
const FILES: &[(&str, &str)] = &[
    ("python.toml", include_str!("../catalogue/python.toml")),
    ("shell.toml", include_str!("../catalogue/shell.toml")),
    ("data.toml", include_str!("../catalogue/data.toml")),
    ("markdown.toml", include_str!("../catalogue/markdown.toml")),
    ("docker.toml", include_str!("../catalogue/docker.toml")),
    ("web.toml", include_str!("../catalogue/web.toml")),
    ("rust.toml", include_str!("../catalogue/rust.toml")),
    ("go.toml", include_str!("../catalogue/go.toml")),
    ("project.toml", include_str!("../catalogue/project.toml")),
];

/// Every built-in linter by name. Read when first asked for: the hook reads the compiled config
/// instead.
#[must_use]
pub fn builtin() -> &'static BTreeMap<String, Entry> {
    static READ: OnceLock<BTreeMap<String, Entry>> = OnceLock::new();
    READ.get_or_init(|| FILES.iter().flat_map(|(_, text)| read(text).unwrap_or_default()).collect())
}

fn read(text: &str) -> Result<BTreeMap<String, Entry>, String> {
    flyball_core::config::read_toml(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_catalogue_can_be_read() {
        for (name, text) in FILES {
            let read = read(text);
            assert!(read.is_ok(), "{name}: {}", read.unwrap_err());
        }
    }
}
