//! One access of a call that would change flyball itself.

use flyball_core::path::AbsolutePath;
use flyball_core::verdict::Stance;

pub(super) struct Access {
    /// How sure we are: deny what is certain, ask about what cannot be known.
    pub(super) stance: Stance,
    /// The file or the command, as the call names it.
    pub(super) named: String,
    pub(super) what: &'static str,
    /// By which route, for the explanation.
    pub(super) route: &'static str,
    /// The file, where it is known.
    pub(super) path: Option<AbsolutePath>,
    /// Whether the call names only a folder that it is in.
    pub(super) is_below: bool,
    /// What agents may not do: `run it`, `change it`.
    pub(super) verb: &'static str,
}
