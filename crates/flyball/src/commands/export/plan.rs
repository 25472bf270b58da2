//! What is sent where: the settings with all references resolved.

use std::path::PathBuf;
use std::time::Duration;

use flyball_core::config::{OtlpProtocol, OtlpSettings, OtlpSignal};
use flyball_core::encoding::percent_decoded;
use flyball_otlp::ExportSettings;
use flyball_store::outbox::Outbox;
use flyball_world::content_store::hash;

use crate::environment::{Environment, variable};
use crate::outcome::Failed;
use crate::project_context::ProjectContext;

/// Everything a sender needs.
pub(crate) struct Plan {
    pub(super) here: ProjectContext,
    pub(crate) outbox: Outbox,
    pub(super) frame: ExportSettings,
    pub(super) protocol: OtlpProtocol,
    pub(super) headers: Vec<(String, String)>,
    pub(super) timeout: Duration,
    /// The most events in one request.
    pub(super) batch: usize,
    pub(crate) targets: Vec<Target>,
}

/// One signal on its way to one address.
pub(crate) struct Target {
    pub(super) signal: OtlpSignal,
    pub(super) url: String,
    /// The part of the address that is shown; the rest may contain a key.
    pub(super) host: String,
    /// The name of its cursor.
    pub(super) name: String,
}

impl Plan {
    /// The plan of this user; nothing if nothing is sent. Project configs do not count.
    pub(crate) fn find() -> Result<Option<Plan>, Failed> {
        // A cloned project must not decide where this user's events are sent.
        let here = ProjectContext::at(PathBuf::from("/"));
        let settings = with_environment(here.load_config().config.otlp.clone(), variable);
        let environment = Environment::read();
        let Some(state) = environment.state_dir().filter(|_| settings.may_send()) else { return Ok(None) };
        let mut signals = settings.signals.clone();
        signals.sort_unstable();
        signals.dedup();
        let addresses = signals.iter().filter_map(|signal| Some((*signal, settings.address(*signal)?)));
        let targets: Vec<Target> =
            addresses.map(|(signal, url)| Target::new(signal, url)).collect::<Result<_, Failed>>()?;
        if targets.is_empty() {
            return Ok(None);
        }
        Ok(Some(Plan {
            outbox: Outbox::below(state),
            frame: ExportSettings {
                service_name: settings.service_name.clone(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                resource: settings.resource.clone(),
                content: settings.content,
            },
            protocol: settings.protocol,
            headers: headers(&settings)?,
            timeout: Duration::from_millis(settings.timeout_ms.max(1)),
            batch: usize::try_from(settings.batch.max(1)).unwrap_or(1),
            targets,
            here,
        }))
    }
}

impl Target {
    fn new(signal: OtlpSignal, url: String) -> Result<Target, Failed> {
        let Some(host) = host_of(&url) else {
            let what = format!("the address for {} is not an `http://` or `https://` URL", signal.name());
            return Err(Failed::new(what, "write `endpoint = \"http://localhost:4318\"` below `[otlp]`"));
        };
        // By the whole address, hashed because it may contain a key: another path or tenant starts anew.
        let digest = hash(url.as_bytes());
        let digest = digest.as_str();
        let name = format!("{}-{}", signal.name(), digest.get(..16).unwrap_or(digest));
        Ok(Target { signal, host: host.to_owned(), name, url })
    }

    /// Whether anyone on the network could read what is sent.
    pub(crate) fn is_exposed(&self) -> bool {
        let name = self.host.rsplit_once(':').map_or(self.host.as_str(), |(name, _)| name);
        let is_here = name == "localhost" || name.starts_with("127.") || self.host.starts_with("[::1]");
        self.url.starts_with("http://") && !is_here
    }
}

/// Host and port of an address.
fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // A name and password before the `@` are not shown.
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

/// The settings, with the standard variables for what the config leaves out, if `from_environment` is on.
fn with_environment(mut settings: OtlpSettings, variable: impl Fn(&str) -> Option<String>) -> OtlpSettings {
    if !settings.from_environment {
        return settings;
    }
    if settings.endpoint.is_empty() {
        settings.endpoint = variable("OTEL_EXPORTER_OTLP_ENDPOINT").unwrap_or_default();
    }
    if variable("OTEL_EXPORTER_OTLP_PROTOCOL").as_deref() == Some("http/json") {
        settings.protocol = OtlpProtocol::Json;
    }
    if settings.headers.is_empty() {
        let text = variable("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
        let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
        // A variable is taken literally; it does not refer to another one.
        let decoded = |value: &str| String::from_utf8_lossy(&percent_decoded(value)).replace("${", "$ {");
        let pairs = pairs.map(|(name, value)| (name.trim().to_owned(), decoded(value.trim())));
        settings.headers = pairs.collect();
    }
    settings
}

fn headers(settings: &OtlpSettings) -> Result<Vec<(String, String)>, Failed> {
    let kind = match settings.protocol {
        OtlpProtocol::Protobuf => "application/x-protobuf",
        OtlpProtocol::Json => "application/json",
    };
    let mut all = vec![
        ("content-type".to_owned(), kind.to_owned()),
        ("user-agent".to_owned(), format!("flyball/{}", env!("CARGO_PKG_VERSION"))),
    ];
    for (name, value) in &settings.headers {
        all.push((name.clone(), filled(name, value)?));
    }
    Ok(all)
}

/// A header's value with `${env:NAME}` and `${file:/path}` filled in.
fn filled(name: &str, value: &str) -> Result<String, Failed> {
    let mut text = String::new();
    let mut rest = value;
    while let Some((before, after)) = rest.split_once("${") {
        // A `${` without its end is part of the value.
        let Some((inner, behind)) = after.split_once('}') else { break };
        text.push_str(before);
        text.push_str(&looked_up(name, inner)?);
        rest = behind;
    }
    Ok(text + rest)
}

fn looked_up(header: &str, place: &str) -> Result<String, Failed> {
    const FIX: &str = "set the variable, or correct `headers` in `[otlp]`";
    let failed = |why: String| {
        Failed::new(format!("the header `{header}` of `[otlp]` cannot be filled in: {why}"), FIX)
    };
    if let Some(name) = place.strip_prefix("env:") {
        return variable(name).ok_or_else(|| failed(format!("the variable `{name}` is not set")));
    }
    if let Some(path) = place.strip_prefix("file:") {
        let text = std::fs::read_to_string(path).map_err(|error| failed(format!("`{path}`: {error}")))?;
        // Editors end a file with a line feed, which a header cannot contain.
        return Ok(text.trim().to_owned());
    }
    Err(failed("`${…}` takes `env:NAME` or `file:/path`".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_host_of_an_address_is_shown() {
        let cases = [
            ("http://localhost:4318/v1/logs", Some("localhost:4318")),
            ("https://user:key@host/x?token=1", Some("host")),
            ("https://[::1]:4318", Some("[::1]:4318")),
            ("ftp://host", None),
            ("http://", None),
            ("localhost:4318", None),
        ];
        for (url, expected) in cases {
            assert_eq!(host_of(url), expected, "{url}");
        }
    }

    #[test]
    fn an_unencrypted_address_is_reported() {
        let cases = [
            ("http://localhost:4318/v1/logs", false),
            ("http://127.0.0.1/v1/logs", false),
            ("http://[::1]:4318/v1/logs", false),
            ("http://[::1]/v1/logs", false),
            ("https://collector.example/v1/logs", false),
            ("http://collector.example/v1/logs", true),
            ("http://localhost.example/v1/logs", true),
        ];
        for (url, expected) in cases {
            let target = Target::new(OtlpSignal::Logs, url.to_owned()).unwrap();
            assert_eq!(target.is_exposed(), expected, "{url}");
        }
    }

    #[test]
    fn variables_count_only_where_they_are_allowed() {
        let variable = |name: &str| match name {
            "OTEL_EXPORTER_OTLP_ENDPOINT" => Some("http://else:4318".to_owned()),
            "OTEL_EXPORTER_OTLP_HEADERS" => Some("a=b%20c, d=e".to_owned()),
            "OTEL_EXPORTER_OTLP_PROTOCOL" => Some("http/json".to_owned()),
            _ => None,
        };
        let off = OtlpSettings::default();
        assert_eq!(with_environment(off.clone(), variable), off);
        let on = OtlpSettings { from_environment: true, ..off.clone() };
        let expected = OtlpSettings {
            from_environment: true,
            endpoint: "http://else:4318".to_owned(),
            protocol: OtlpProtocol::Json,
            headers: [("a", "b c"), ("d", "e")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..off
        };
        assert_eq!(with_environment(on, variable), expected);
    }

    #[test]
    fn headers_may_come_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "k3y\n").unwrap();
        let value = format!("Bearer ${{file:{}}}!", file.display());
        assert_eq!(filled("authorization", &value).unwrap(), "Bearer k3y!");
        assert_eq!(filled("x", "plain ${").unwrap(), "plain ${");
        let error = filled("x", "${env:FLYBALL_NO_SUCH_VARIABLE}").unwrap_err().what;
        let expected = "the header `x` of `[otlp]` cannot be filled in: the variable `FLYBALL_NO_SUCH_VARIABLE` is not set";
        assert_eq!(error, expected);
    }
}
