//! The patches of `apply_patch`, written for a file that is new. They are read by [`flyball_core::server`].

use std::fmt::Write as _;

pub(super) use flyball_core::server::patch_edits as parse;

/// A patch that creates one file.
pub(super) fn render_addition(path: &str, content: &str) -> String {
    let mut patch = format!("*** Begin Patch\n*** Add File: {path}\n");
    for line in content.lines() {
        // Writing to a String cannot fail.
        let _ = writeln!(patch, "+{line}");
    }
    patch.push_str("*** End Patch\n");
    patch
}
