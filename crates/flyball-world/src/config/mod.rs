//! Finds, reads and caches the config files.
//!
//! [`load`] is what every event calls: while no file changed it reads one cache file and parses
//! no TOML. [`Layers::read`] is for the commands that show and check the files.

mod cache;
mod files;
mod last_good;
mod layers;
mod load;
mod pin;
mod settle;
mod stamp;
mod status;
mod trust;

pub use files::{Accepted, ConfigFiles, Homes, MANAGED_FILE};
pub use layers::Layers;
pub use load::{Loaded, Source, load, load_all, load_read_only};
pub use pin::{Pin, PinnedTexts};
pub use settle::NOT_TRUSTED;
pub use status::Status;
pub(crate) use trust::VERSION as LEDGER_VERSION;
pub use trust::{Acceptance, Consent, Trust, TrustLedger, content_of};

#[cfg(test)]
mod tests;
