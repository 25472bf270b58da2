//! The configuration in force.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::otlp::OtlpSettings;
use super::section::Section;
use super::settings::{EngineSettings, StoreSettings};

/// The configuration in force, compiled: what the hook path loads from its cache.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// `[engine]`.
    pub engine: EngineSettings,
    /// `[store]`.
    pub store: StoreSettings,
    /// `[otlp]`.
    pub otlp: OtlpSettings,
    /// Sections by policy id.
    pub sections: BTreeMap<String, Section>,
}
