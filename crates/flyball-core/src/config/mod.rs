//! The configuration in force: typed sections, one per policy, from up to three files.
//!
//! - [`compile`] makes a [`Config`] of the layers' texts, or reports all that is wrong with them.
//! - [`origins`] lists where each value comes from; [`schema`] and [`reference`](reference())
//!   describe what may be written.
//! - [`broken_laws`] is for the test that walks the registry.
//! - [`SectionSpec`] describes the section of a policy. [`Authored`], [`Located`]
//!   and [`Problem`] are for those that check more than form.

mod active;
mod check;
mod compile;
mod diagnostic;
mod document;
mod laws;
mod layer;
mod literal;
mod lock;
mod merge;
mod messages;
mod origin;
mod otlp;
mod reader;
mod reference;
mod schema;
mod section;
mod settings;
mod slot;
mod spec;
mod tighten;

pub use active::Config;
pub use compile::{Compiled, broken_layers, compile, trusted_folders};
pub use diagnostic::{Diagnostic, Problem, RenderStyle, Severity};
pub use laws::broken_laws;
pub use layer::{Layer, LayerText, Place, Sources, Standing};
pub use merge::NotInForce;
pub use origin::{Origin, origins};
pub use otlp::{OtlpContent, OtlpProtocol, OtlpSettings, OtlpSignal};
pub use reader::read_toml;
pub use reference::reference;
pub use schema::schema;
pub use section::{LazyBytes, Mode, Section, SectionBytes};
pub use settings::{EngineSettings, Payloads, StoreSettings};
pub use spec::{Authored, Collection, Located, SectionSpec, Setting, Tightening};

#[cfg(test)]
mod tests;
