//! The name of a policy.

use std::fmt;

/// The id of a policy: what is governed, e.g. `guard.packages`. Also the name of its config section
/// and of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyId(&'static str);

impl PolicyId {
    /// An id; a test walks the registry and checks the form of each.
    #[must_use]
    pub const fn new(id: &'static str) -> PolicyId {
        PolicyId(id)
    }

    /// The id as text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The pack it belongs to: `guard` of `guard.packages`.
    #[must_use]
    pub fn pack(self) -> &'static str {
        self.0.split_once('.').map_or(self.0, |(pack, _)| pack)
    }
}

impl fmt::Display for PolicyId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0)
    }
}
