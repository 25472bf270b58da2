//! What the audit reads: the store, moments, files; and how it says that it cannot.

use std::path::Path;
use std::time::Duration;

use flyball_store::Store;
use jiff::Zoned;

use crate::environment::Environment;
use crate::outcome::Failed;
use crate::show::time;
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

pub(super) fn parse_time(text: Option<&str>, bound: Bound, now: &Zoned) -> Result<Option<i64>, Failed> {
    let Some(text) = text else { return Ok(None) };
    let moment = time::parse(text, bound, now);
    moment.map(Some).ok_or_else(|| Failed::new(format!("`{text}` is no time"), time::FORMS))
}

/// A file that cannot be read, as the failure of a command.
pub(super) fn read_failure(path: &Path, cause: &dyn std::fmt::Display) -> Failed {
    Failed::new(format!("`{}` cannot be read: {cause}", path.display()), "see that it is there and is yours")
}
