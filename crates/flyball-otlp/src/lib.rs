//! Records as OpenTelemetry: logs, metrics and traces as OTLP messages. Pure: `flyball export` sends them.
//!
//! Messages are written by hand, as protobuf and as JSON, from one tree ([`Message`]): three requests and a dozen messages
//! do not pay for an SDK. The official types read both back in the tests.

#![forbid(unsafe_code)]

mod export_settings;
mod id;
mod json;
mod logs;
mod message;
mod metrics;
pub mod names;
mod protobuf;
mod reply;
mod traces;
mod value;

pub use export_settings::ExportSettings;
pub use logs::logs;
pub use message::Message;
pub use metrics::{Interval, Totals, metrics};
pub use reply::{PartialSuccess, partial_success};
pub use traces::{OpenSpans, traces};

#[cfg(test)]
mod tests;
