//! The built-in linters, written as a user would write them, out of the table of programs.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use flyball_core::config::read_toml;
use flyball_programs::LINTERS;

use crate::linter::Entry;

/// Every built-in linter by name. Read on first use: the hook reads the compiled config instead.
#[must_use]
pub fn builtin() -> &'static BTreeMap<String, Entry> {
    static READ: OnceLock<BTreeMap<String, Entry>> = OnceLock::new();
    // An entry that does not parse is left out; a test reads all of them.
    let read = |text: &str| read_toml::<Entry>(text).ok();
    READ.get_or_init(|| {
        LINTERS.iter().filter_map(|(name, text)| Some(((*name).to_owned(), read(text)?))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_linter_of_the_table_can_be_read() {
        for (name, text) in LINTERS {
            let read = read_toml::<Entry>(text);
            assert!(read.is_ok(), "{name}: {}", read.unwrap_err());
        }
    }
}
