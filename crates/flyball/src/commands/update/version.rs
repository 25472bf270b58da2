//! The version of this program, as people read it.

use std::sync::LazyLock;

static VERSION: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    // Set where releases are built. A build script that asks git would compile this crate again after each commit.
    option_env!("FLYBALL_COMMIT").map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
});

/// The version of this program, with its commit if the build was given one.
pub(crate) fn version() -> &'static str {
    VERSION.as_str()
}
