//! The sections there are: flyball's own, then one per policy.

use super::otlp::OtlpSettings;
use super::section::Mode;
use super::settings::{EngineSettings, StoreSettings, TrustSettings};
use super::spec::{Collection, SectionSpec};
use crate::engine::Registry;

/// The name of `[engine]`.
pub(super) const ENGINE: &str = "engine";
/// The name of `[store]`.
pub(super) const STORE: &str = "store";
/// The name of `[otlp]`.
pub(super) const OTLP: &str = "otlp";

/// The name of `[trust]`.
pub(super) const TRUST: &str = "trust";

/// A place in the file where a section may be.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    /// Its name; the dots are tables within tables.
    pub(super) id: &'static str,
    pub(super) spec: SectionSpec,
    /// The mode that a policy is in by default. Flyball's own sections have none.
    pub(super) mode: Option<Mode>,
    pub(super) summary: &'static str,
    /// Who may write it.
    pub(super) writers: Writers,
    /// The key whose values are never shown.
    pub(super) conceals: Option<&'static str>,
}

/// Who may write a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writers {
    All,
    /// The user and the administrator: what a project's file sets is ignored.
    NoProject,
}

/// All slots: what may be in a file.
#[derive(Clone)]
pub(super) struct Slots(Vec<Slot>);

impl Slots {
    pub(super) fn from_registry(registry: Registry) -> Slots {
        let own = [
            (ENGINE, SectionSpec::for_type::<EngineSettings>(), "how an event is judged"),
            (STORE, SectionSpec::for_type::<StoreSettings>(), "what is kept of the events, and for how long"),
        ];
        let own = own.into_iter().map(|(id, spec, summary)| Slot {
            id,
            spec,
            mode: None,
            summary,
            writers: Writers::All,
            conceals: None,
        });
        let otlp = Slot {
            id: OTLP,
            spec: SectionSpec::for_type::<OtlpSettings>(),
            mode: None,
            summary: "where what is recorded is sent to, as OpenTelemetry; only in the user's or the administrator's file",
            // A cloned repository must not choose where the record of the user's sessions is sent.
            writers: Writers::NoProject,
            conceals: Some("headers"),
        };
        let trust = Slot {
            id: TRUST,
            spec: SectionSpec::for_type::<TrustSettings>(),
            mode: None,
            summary: "which projects may say anything; only in the user's or the administrator's file",
            writers: Writers::NoProject,
            conceals: None,
        };
        let policies = registry.iter().map(|policy| Slot {
            id: policy.id.as_str(),
            spec: policy.section,
            mode: Some(policy.mode),
            summary: policy.summary,
            writers: Writers::All,
            conceals: None,
        });
        Slots(own.chain([otlp, trust]).chain(policies).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.0.iter()
    }

    pub(super) fn get(&self, id: &str) -> Option<&Slot> {
        self.iter().find(|slot| slot.id == id)
    }

    /// Whether sections are below this name: `guard` of `guard.self`.
    pub(super) fn is_prefix(&self, name: &str) -> bool {
        self.below(name).next().is_some()
    }

    /// Whether a section has this name, or one that begins with it.
    pub(super) fn is_at_or_above(&self, name: &str) -> bool {
        self.get(name).is_some() || self.is_prefix(name)
    }

    /// The sections below this name.
    pub(super) fn below<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Slot> {
        // Whole parts only: `guard.selfish` is not below `guard.self`.
        let is_below = move |id: &str| id.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        self.iter().filter(move |slot| is_below(slot.id))
    }

    /// The slot that collects the top-level array of this name.
    pub(super) fn find_collection(&self, name: &str) -> Option<(&Slot, Collection)> {
        let collections = self.iter().filter_map(|slot| Some((slot, slot.spec.collects?)));
        collections.into_iter().find(|(_, collection)| collection.name == name)
    }
}
