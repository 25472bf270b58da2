//! What the rules did in a period: what `flyball report` prints and writes.

mod model;
mod page;
mod tables;

use jiff::Zoned;

use crate::document::document;
use crate::table::Section;

pub use model::{
    Candidate, Certainty, Fired, Glance, NeverFired, Overridden, PolicyErrors, Repeated, Report, SlowEvent,
    SlowPolicy, Stretch,
};

impl Report {
    /// The tables of it, in the order in which they are read.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        tables::all(self)
    }

    /// A page that can be mailed: it loads nothing.
    #[must_use]
    pub fn document(&self, now: &Zoned) -> String {
        document("flyball report", &page::page(self, now))
    }
}
