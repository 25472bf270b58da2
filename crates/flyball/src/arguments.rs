//! What several commands read from their arguments: times, policies, projects.

use std::path::Path;

use flyball_core::nearest::nearest;
use flyball_core::policy::Policy;
use flyball_core::time::Time;
use flyball_policies::REGISTRY;
use jiff::Zoned;

use crate::environment;
use crate::outcome::Failed;
use crate::show::time::{self, Bound};

pub(crate) fn time(text: &str, bound: Bound, now: &Zoned) -> Result<Time, Failed> {
    time::parse(text, bound, now).ok_or_else(|| Failed::new(format!("invalid time `{text}`"), time::FORMS))
}

/// The policy with this id.
pub(crate) fn policy(id: &str) -> Result<&'static &'static Policy, Failed> {
    REGISTRY.iter().find(|policy| policy.id.as_str() == id).ok_or_else(|| {
        let ids = REGISTRY.iter().map(|policy| policy.id.as_str());
        unknown(format!("no policy is called `{id}`"), nearest(id, ids), "`flyball policies` lists them all")
    })
}

/// A failure whose fix begins with the word that was probably meant.
pub(crate) fn unknown(what: String, meant: Option<&str>, fix: &str) -> Failed {
    let meant = meant.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
    Failed::new(what, format!("{meant}{fix}"))
}

/// The root of the project that a path is in. One that no longer exists may still be in the record, under the path
/// that was typed.
pub(crate) fn project(path: &Path) -> String {
    let path = environment::working_directory().map_or_else(|| path.to_owned(), |here| here.join(path));
    path.canonicalize().map_or(path, |real| environment::project_root(&real)).to_string_lossy().into_owned()
}
