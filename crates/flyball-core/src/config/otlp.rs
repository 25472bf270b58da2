//! `[otlp]`: where what is recorded is sent to, as OpenTelemetry. Off unless an endpoint is named.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `[otlp]`: where what is recorded is sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OtlpSettings {
    /// The address of an OTLP/HTTP receiver, e.g. `http://localhost:4318`; `/v1/logs`, `/v1/metrics` and
    /// `/v1/traces` are appended. Empty: nothing is sent.
    pub endpoint: String,
    /// The whole address for logs, where it differs.
    pub logs_endpoint: String,
    /// The whole address for metrics, where it differs.
    pub metrics_endpoint: String,
    /// The whole address for traces, where it differs.
    pub traces_endpoint: String,
    /// How messages are written.
    pub protocol: OtlpProtocol,
    /// Headers of every request, e.g. a key. In a value `${env:NAME}` is replaced by a variable and `${file:/path}` by what
    /// a file holds, so that no secret has to be written here. Never shown.
    pub headers: BTreeMap<String, String>,
    /// What is sent.
    pub signals: Vec<OtlpSignal>,
    /// How much of what happened leaves this machine.
    pub content: OtlpContent,
    /// The `service.name` of all that is sent.
    pub service_name: String,
    /// More attributes of the resource, e.g. `deployment.environment.name`.
    pub resource: BTreeMap<String, String>,
    /// How long one request may take, in milliseconds.
    pub timeout_ms: u64,
    /// The most events in one request.
    pub batch: u32,
    /// Whether `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_EXPORTER_OTLP_PROTOCOL` count where
    /// nothing is written here. Then the variables of the client decide where the record is sent.
    pub from_environment: bool,
}

impl Default for OtlpSettings {
    fn default() -> Self {
        OtlpSettings {
            endpoint: String::new(),
            logs_endpoint: String::new(),
            metrics_endpoint: String::new(),
            traces_endpoint: String::new(),
            protocol: OtlpProtocol::Protobuf,
            headers: BTreeMap::new(),
            signals: OtlpSignal::ALL.to_vec(),
            content: OtlpContent::None,
            service_name: "flyball".to_owned(),
            resource: BTreeMap::new(),
            timeout_ms: 10_000,
            batch: 512,
            from_environment: false,
        }
    }
}

impl OtlpSettings {
    /// Whether anything may have to be sent: all that an event has to know.
    #[must_use]
    pub fn may_send(&self) -> bool {
        let named = [&self.endpoint, &self.logs_endpoint, &self.metrics_endpoint, &self.traces_endpoint];
        (self.from_environment || named.iter().any(|endpoint| !endpoint.is_empty()))
            && !self.signals.is_empty()
    }

    /// The whole address for a signal; nothing if none is named.
    #[must_use]
    pub fn address(&self, signal: OtlpSignal) -> Option<String> {
        let own = match signal {
            OtlpSignal::Logs => &self.logs_endpoint,
            OtlpSignal::Metrics => &self.metrics_endpoint,
            OtlpSignal::Traces => &self.traces_endpoint,
        };
        if !own.is_empty() {
            return Some(own.clone());
        }
        let base = self.endpoint.trim_end_matches('/');
        (!base.is_empty()).then(|| format!("{base}/v1/{}", signal.name()))
    }
}

/// How messages are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OtlpProtocol {
    /// Binary, which every receiver understands.
    #[serde(rename = "http/protobuf")]
    Protobuf,
    /// JSON.
    #[serde(rename = "http/json")]
    Json,
}

/// One of the three kinds of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OtlpSignal {
    /// One record per event.
    Logs,
    /// Counts and times.
    Metrics,
    /// Sessions, turns, tool calls, agents, hooks and policies as spans.
    Traces,
}

impl OtlpSignal {
    pub const ALL: &'static [OtlpSignal] = &[OtlpSignal::Logs, OtlpSignal::Metrics, OtlpSignal::Traces];

    /// Its name, in the config and in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OtlpSignal::Logs => "logs",
            OtlpSignal::Metrics => "metrics",
            OtlpSignal::Traces => "traces",
        }
    }
}

/// How much of what happened leaves this machine. Secrets are removed at every level; payloads never leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OtlpContent {
    /// Ids, kinds, policies, stances, sizes and times: no command, no file name, no text.
    None,
    /// Also what each event was about, in one line, and the path of the project.
    Subjects,
    /// Also texts: reasons, notices, evidence, errors.
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_goes_to_its_own_address_or_below_the_common_one() {
        let settings = OtlpSettings {
            endpoint: "https://host/otlp/".to_owned(),
            traces_endpoint: "https://other/spans".to_owned(),
            ..OtlpSettings::default()
        };
        let addresses: Vec<Option<String>> =
            OtlpSignal::ALL.iter().map(|signal| settings.address(*signal)).collect();
        let expected = ["https://host/otlp/v1/logs", "https://host/otlp/v1/metrics", "https://other/spans"];
        assert_eq!(addresses, expected.map(|address| Some(address.to_owned())));
        assert!(settings.may_send());
    }

    #[test]
    fn nothing_is_sent_unless_configured() {
        let nothing = OtlpSettings::default();
        assert!(!nothing.may_send());
        assert_eq!(nothing.address(OtlpSignal::Logs), None);
        assert!(OtlpSettings { from_environment: true, ..nothing.clone() }.may_send());
        let no_signal = OtlpSettings { endpoint: "http://h".to_owned(), signals: Vec::new(), ..nothing };
        assert!(!no_signal.may_send());
    }
}
