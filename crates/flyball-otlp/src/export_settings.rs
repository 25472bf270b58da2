//! The settings of all messages: the resource, and how much content may be sent.

use std::collections::BTreeMap;

use flyball_core::config::OtlpContent;
use flyball_core::record::{Record, RecordedRuling};
use flyball_core::redact::redact;
use flyball_core::time::Time;
use flyball_core::verdict::Stance;

use crate::message::{Message, Wire};
use crate::names;
use crate::value::{Attributes, texts};

/// The resource that telemetry belongs to, and how much content may be sent.
#[derive(Clone, Debug)]
pub struct ExportSettings {
    /// `service.name`.
    pub service_name: String,
    /// `service.version`.
    pub version: String,
    /// More attributes of the resource.
    pub resource: BTreeMap<String, String>,
    /// How much is attributes.
    pub content: OtlpContent,
}

impl ExportSettings {
    /// A request: the resource, the scope, and the items below it. `holders` are the names of what holds the scopes and
    /// of what holds the items; the item's field in the scope is always 2.
    pub(crate) fn request(
        &self,
        holders: (&'static str, &'static str, &'static str),
        items: Vec<Message>,
    ) -> Message {
        // Nothing to send: the caller sees it by the empty message and makes no request.
        if items.is_empty() {
            return Message::default();
        }
        let (resources, scopes, name) = holders;
        let scope = Message::default().text(1, "name", "flyball").text(2, "version", &self.version);
        let scoped = Message::default().with(1, "scope", Wire::One(scope)).with(2, name, Wire::Many(items));
        let own =
            [(names::SERVICE_NAME, self.service_name.as_str()), (names::SERVICE_VERSION, &self.version)];
        let more = self.resource.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        // Keys must be unique in a resource; ours are settings of their own.
        let more = more.filter(|(name, _)| own.iter().all(|(own, _)| own != name));
        let resource = Message::default().with(1, "attributes", texts(own.into_iter().chain(more)).wire());
        let whole = Message::default().with(1, "resource", Wire::One(resource)).with(
            2,
            scopes,
            Wire::Many(vec![scoped]),
        );
        Message::default().with(1, resources, Wire::Many(vec![whole]))
    }

    /// A text that may be sent at this level, without secrets. What was recorded is redacted already; a pattern that is
    /// known only since then is not.
    pub(crate) fn allowed_text(&self, level: OtlpContent, text: &str) -> String {
        if self.content >= level { redact(text).into_owned() } else { String::new() }
    }

    /// The attributes of an event, the same in all signals.
    pub(crate) fn event_attributes(&self, record: &Record) -> Attributes {
        let mut attributes = Attributes::default();
        attributes.text(names::SESSION_ID, record.session.as_str());
        attributes.text(names::CLIENT, &record.client);
        // A hash: the path itself is content, and is sent from `subjects` on.
        attributes.text(names::PROJECT_ID, &format!("{:016x}", crate::id::hash(&record.project)));
        attributes.text(names::PROJECT, &self.allowed_text(OtlpContent::Subjects, &record.project));
        attributes.text(names::ANSWER_ID, record.id.as_str());
        attributes.text(names::EVENT_KIND, record.kind.name());
        attributes.text(names::EVENT_NATIVE, &record.native);
        attributes.text(names::TOOL, record.tool.map_or("", |tool| tool.name()));
        attributes.text(names::STANCE, record.stance.name());
        if let Some(agent) = &record.agent {
            attributes.text(names::AGENT_ID, &agent.id);
            attributes.text(names::AGENT_ROLE, &agent.role);
        }
        attributes.texts(
            names::POLICIES,
            record.rulings.iter().filter(|it| has_opinion(it)).map(|it| it.policy.clone()),
        );
        attributes.flag(names::REWRITTEN, record.rewritten);
        attributes.int(names::CONTEXT_SIZE, record.context_chars as u64);
        attributes.text(names::SUBJECT, &self.allowed_text(OtlpContent::Subjects, &record.subject));
        attributes.text(names::TEXTS, &self.allowed_text(OtlpContent::Full, &record.said));
        let notices = record.notices.iter().map(|notice| self.allowed_text(OtlpContent::Full, notice));
        attributes.texts(names::NOTICES, notices.filter(|notice| !notice.is_empty()));
        attributes
    }
}

/// Whether a policy was not silent.
pub(crate) fn has_opinion(ruling: &RecordedRuling) -> bool {
    ruling.stance != Stance::Silent || !ruling.reasons.is_empty() || ruling.error.is_some()
}

/// Nanoseconds since 1970.
pub(crate) fn nanos(time: Time) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or_default().saturating_mul(1_000)
}
