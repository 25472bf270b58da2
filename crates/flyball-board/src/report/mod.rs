//! What the rules did in a stretch of time: what `flyball report` prints, writes and shows. All times are in
//! microseconds, moments since 1970.

mod model;
mod page;
mod section;
mod tables;

use jiff::Zoned;

use crate::document::document;

pub use model::{
    Candidate, Certainty, Fired, Glance, NeverFired, Overridden, PolicyErrors, Repeated, Report, SlowEvent,
    SlowPolicy, Stretch,
};
pub use section::{Cell, Column, Row, Section};

impl Report {
    /// The tables of it, in the order in which they are read. Empty ones say why that is well.
    #[must_use]
    pub fn sections(&self) -> Vec<Section> {
        tables::all(self)
    }

    /// As a page that can be mailed: everything is inside, nothing is loaded.
    #[must_use]
    pub fn document(&self, now: &Zoned) -> String {
        document("flyball report", &page::page(self, now))
    }
}
