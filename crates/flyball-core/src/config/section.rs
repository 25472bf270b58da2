//! One policy's section: its mode and its typed settings.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::policy::PolicyError;

/// Whether a policy's verdicts count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It is not asked.
    Off,
    /// It decides and is recorded, and the action passes.
    Observe,
    /// Its verdict counts.
    Enforce,
}

impl Mode {
    /// Every mode, weakest first.
    pub const ALL: &'static [Mode] = &[Mode::Off, Mode::Observe, Mode::Enforce];

    /// The name used in the config.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Off => "off",
            Mode::Observe => "observe",
            Mode::Enforce => "enforce",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Mode> {
        Mode::ALL.iter().copied().find(|mode| mode.name() == name)
    }
}

/// One policy's section, compiled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Whether its verdicts count.
    pub mode: Mode,
    /// Its settings: the policy's own type, as postcard.
    #[serde(with = "serde_bytes")]
    pub settings: Vec<u8>,
}

impl Section {
    /// The settings as the policy's type.
    ///
    /// # Errors
    /// When they were compiled for another type, which is a bug of ours.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, PolicyError> {
        postcard::from_bytes(&self.settings)
            .map_err(|cause| PolicyError::Bug { what: format!("compiled config section: {cause}") })
    }
}
