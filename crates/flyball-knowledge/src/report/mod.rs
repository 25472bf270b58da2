//! Reports: what failed, was denied or corrected, or was learned; one Markdown file each, for a person to review.

mod document;
mod draft;
mod files;
mod id;
pub mod ledger;
mod parse;
mod render;
mod sanitize;
#[cfg(test)]
mod tests;

pub use self::document::{ends_entry, is_entry};
pub use self::draft::{Draft, Kind, Origin, Report, Status};
pub use self::files::{load, path, relocate};
pub use self::id::new_id;
pub use self::parse::parse;
pub use self::render::render;
pub use self::sanitize::sanitize;
