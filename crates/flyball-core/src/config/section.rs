//! One policy's section: its mode and its typed settings.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
    pub settings: SectionBytes,
}

impl Section {
    /// The settings as the policy's type.
    ///
    /// # Errors
    /// When they cannot be read, or were compiled for another type, which is a bug of ours.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, PolicyError> {
        let bytes = self.settings.get().ok_or_else(|| PolicyError::World {
            what: "the compiled configuration cannot be read".to_owned(),
            fix: "delete the folder `cache` in flyball's state directory".to_owned(),
        })?;
        postcard::from_bytes(&bytes)
            .map_err(|cause| PolicyError::Bug { what: format!("compiled config section: {cause}") })
    }

    /// What the settings begin with, as a type. Of long ones, no more is read for it than has to be.
    ///
    /// # Errors
    /// As [`Section::parse`].
    pub fn parse_beginning<T: DeserializeOwned>(&self) -> Result<T, PolicyError> {
        match &self.settings {
            // What is cut off in the middle of a value cannot be decoded.
            SectionBytes::Later { beginning, .. } => {
                postcard::from_bytes(beginning).or_else(|_| self.parse())
            }
            SectionBytes::Here(_) => self.parse(),
        }
    }
}

/// The compiled settings of a section. Few events need long ones, so those can be read when they are first asked for.
#[derive(Clone)]
pub enum SectionBytes {
    Here(Vec<u8>),
    Later {
        /// As much as everybody may need.
        beginning: Vec<u8>,
        all: Arc<LazyBytes>,
    },
}

/// Bytes that are read at most once; `None` if they cannot be.
pub type LazyBytes = LazyLock<Option<Vec<u8>>, Box<dyn FnOnce() -> Option<Vec<u8>> + Send>>;

impl SectionBytes {
    /// Those that begin so and are read by this.
    #[must_use]
    pub fn later(
        beginning: Vec<u8>,
        read: impl FnOnce() -> Option<Vec<u8>> + Send + 'static,
    ) -> SectionBytes {
        SectionBytes::Later { beginning, all: Arc::new(LazyLock::new(Box::new(read))) }
    }

    /// The bytes; `None` if they cannot be read.
    #[must_use]
    pub fn get(&self) -> Option<Cow<'_, [u8]>> {
        match self {
            SectionBytes::Here(bytes) => Some(Cow::Borrowed(bytes)),
            SectionBytes::Later { all, .. } => LazyLock::force(all).as_deref().map(Cow::Borrowed),
        }
    }
}

impl Default for SectionBytes {
    fn default() -> SectionBytes {
        SectionBytes::Here(Vec::new())
    }
}

impl From<Vec<u8>> for SectionBytes {
    fn from(bytes: Vec<u8>) -> SectionBytes {
        SectionBytes::Here(bytes)
    }
}

impl PartialEq for SectionBytes {
    fn eq(&self, other: &SectionBytes) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for SectionBytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(out)
    }
}

impl Serialize for SectionBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.get().ok_or_else(|| serde::ser::Error::custom("settings that cannot be read"))?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de> Deserialize<'de> for SectionBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SectionBytes, D::Error> {
        serde_bytes::deserialize::<Vec<u8>, D>(deserializer).map(SectionBytes::Here)
    }
}
