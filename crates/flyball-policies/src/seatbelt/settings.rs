//! `[seatbelt]`

use flyball_core::config::Tightening;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[seatbelt]`: what the kernel refuses to the commands of agents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How much is refused; each level has what the ones before it have.
    pub level: Level,
    /// With the level `project`: further folders that can be written.
    pub write: Vec<String>,
    /// With the level `secrets`: files and folders with secrets that can be read.
    pub read: Vec<String>,
    /// Whether commands reach the network.
    pub net: Net,
    /// What happens to a command that cannot work inside, such as `sudo`.
    pub outside: Outside,
}

/// How much is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Nobody changes flyball's own files, protected files, git's hooks and git's configuration.
    #[default]
    Protect,
    /// Only the project, temporary folders and the caches of known tools can be written.
    Project,
    /// The user's keys and tokens cannot be read.
    Secrets,
}

/// What of the network is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Net {
    #[default]
    On,
    /// Only this machine to itself.
    Off,
}

/// What happens to a command that cannot work inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outside {
    /// The user is asked, and it runs outside.
    #[default]
    Ask,
    /// It runs outside.
    Allow,
}

/// What anyone may set: more is refused.
pub(super) const TIGHTENED_BY: &[(&str, Tightening)] = &[
    ("level", Tightening::Later(&["protect", "project", "secrets"])),
    ("net", Tightening::Later(&["on", "off"])),
    ("outside", Tightening::Later(&["allow", "ask"])),
];
