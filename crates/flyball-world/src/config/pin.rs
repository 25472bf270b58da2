//! What a session began with: the texts that stay in force until a person accepts others.

use std::fmt;

use flyball_core::config::Layer;
use flyball_core::policy::ContentHash;
use flyball_core::time::Time;

/// What stands for a file that was not there.
const NONE: &str = "-";

/// The config texts that were in force when a session began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub(super) at: Time,
    pub(super) texts: PinnedTexts,
}

/// The texts of the layers that an agent could change. The administrator's file is not among them: who can change that
/// one can change flyball.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PinnedTexts {
    pub(super) user: Option<ContentHash>,
    pub(super) project: Option<ContentHash>,
}

impl PinnedTexts {
    /// The text of a layer; nothing for the administrator's.
    pub(super) fn of(&self, layer: Layer) -> Option<&ContentHash> {
        match layer {
            Layer::Managed => None,
            Layer::User => self.user.as_ref(),
            Layer::Project => self.project.as_ref(),
        }
    }

    pub(super) fn set(&mut self, layer: Layer, content: Option<ContentHash>) {
        match layer {
            Layer::Managed => {}
            Layer::User => self.user = content,
            Layer::Project => self.project = content,
        }
    }
}

impl Pin {
    /// What a session begins with.
    #[must_use]
    pub fn new(at: Time, texts: PinnedTexts) -> Pin {
        Pin { at, texts }
    }

    /// As a session stores it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Pin> {
        let mut words = text.split(' ');
        let at = Time::from_millis(words.next()?.parse().ok()?);
        let mut content = || {
            let word = words.next()?;
            Some((word != NONE).then(|| ContentHash::new(word.to_owned())))
        };
        Some(Pin { at, texts: PinnedTexts { user: content()?, project: content()? } })
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word =
            |content: &Option<ContentHash>| content.as_ref().map_or(NONE, ContentHash::as_str).to_owned();
        write!(out, "{} {} {}", self.at.as_millis(), word(&self.texts.user), word(&self.texts.project))
    }
}
