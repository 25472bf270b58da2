//! What somebody is told who is not a person.

use crate::outcome::Failed;

pub(super) fn refused(what: &str, why: &str) -> Failed {
    let fix = format!("open a terminal of your own and run `{what}` there");
    Failed::refused(format!("only a person may do this: {why}"), fix)
}
