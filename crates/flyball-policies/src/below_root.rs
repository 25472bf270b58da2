//! A path of a setting: inside the project. [`ProjectPath`](flyball_core::path::ProjectPath) is not checked where it is
//! read and may be the root itself.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::literal;

/// A path below the project's root, by its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct BelowRoot(pub(crate) String);

impl BelowRoot {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The path is outside of the project.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not inside the project; write a path from the project's root, without `..`")]
pub struct Outside(String);

impl TryFrom<String> for BelowRoot {
    type Error = Outside;

    fn try_from(path: String) -> Result<BelowRoot, Outside> {
        let leaves = path.starts_with(['/', '~', '\\']) || path.split(['/', '\\']).any(|part| part == "..");
        let plain = path.trim_start_matches("./").trim_end_matches('/');
        if leaves || plain.is_empty() || plain == "." {
            Err(Outside(path))
        } else {
            Ok(BelowRoot(plain.to_owned()))
        }
    }
}

impl<'de> Deserialize<'de> for BelowRoot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BelowRoot, D::Error> {
        literal::read(deserializer)
    }
}
