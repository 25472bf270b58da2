//! What the audit reads: the store, times, files.

use std::path::Path;
use std::time::Duration;

use flyball_core::time::Time;

use flyball_store::Store;
use jiff::Zoned;

use crate::arguments;
use crate::environment::Environment;
use crate::outcome::Failed;
use crate::show::time::Bound;

/// How long to wait for another process that folds journals.
pub(super) const WAIT: Duration = Duration::from_secs(10);

/// The store of this user.
pub(super) fn open_store() -> Result<Store, Failed> {
    let environment = Environment::read();
    let Some(state) = environment.state_dir() else {
        return Err(Failed::new(
            "there is no home directory, so nothing is recorded",
            "set HOME or FLYBALL_STATE_DIR",
        ));
    };
    Ok(Store::at(state))
}

pub(super) fn parse_time(text: Option<&str>, bound: Bound) -> Result<Option<Time>, Failed> {
    text.map(|text| arguments::time(text, bound, &Zoned::now())).transpose()
}

/// The failure of a command that cannot read a file.
pub(super) fn read_failure(path: &Path, cause: &dyn std::fmt::Display) -> Failed {
    Failed::new(
        format!("`{}` cannot be read: {cause}", path.display()),
        "check that it exists and that you may read it",
    )
}
