//! Finds, reads and caches the config files.
//!
//! [`load`] is what every event calls: while no file changed it reads one cache file and parses
//! no TOML. [`Layers::read`] is for the commands that show and check the files.

mod cache;
mod files;
mod last_good;
mod layers;
mod load;
mod stamp;
mod status;

pub use files::{ConfigFiles, Homes, MANAGED_FILE};
pub use layers::Layers;
pub use load::{Loaded, Source, load, load_all, load_read_only};
pub use status::Status;

#[cfg(test)]
mod tests;
