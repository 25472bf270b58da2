//! Asks a model's server for edits, and makes them.

use std::time::Duration;

use flyball_core::redact::redact;
use flyball_core::workshop::{Request, Response, Workshop};
use serde_json::Value;

use super::edits::{self, Edit};
use super::request::{FixRequest, failed};
use crate::chat::{
    End, Endpoint, KeyVariable, Question, Reply, Tool, host, is_unencrypted, parse_response, send, shown,
};
use crate::providers;
use crate::report::FixOutcome;
use crate::settings::Provider;

/// How long to wait for a busy server that does not say how long.
const BUSY: Duration = Duration::from_secs(2);

/// Asks for edits, and returns the file with them made.
pub(super) fn propose(fix: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
    let provider = match fix.settings.provider {
        Provider::Openai => &providers::OPENAI,
        Provider::Anthropic | Provider::Claude => &providers::ANTHROPIC,
    };
    if redact(fix.before) != fix.before {
        return Err(failed("the file seems to contain a secret, so it was not sent".to_owned()));
    }
    let key = key(fix, provider, workshop)?;
    let base = fix.settings.url.as_deref().unwrap_or(provider.home);
    if key.is_some() && is_unencrypted(base) {
        let why = "the key would be sent unencrypted: `quality.fixer.url` must begin with `https://`";
        return Err(failed(why.to_owned()));
    }
    let tool = Tool { name: edits::NAME, description: edits::DESCRIPTION, schema: edits::schema() };
    let text = format!(
        "{}\nAnswer by calling the tool `{}`. If you do not have it, answer only with the JSON of its arguments \
         in a fenced block. {}\n\nThe file `{}`:\n{}",
        fix.task,
        edits::NAME,
        edits::DESCRIPTION,
        fix.path,
        fix.before
    );
    let question = Question { model: fix.model, text: &text, most_tokens: None, tool: Some(&tool) };
    let endpoint = Endpoint { base, key: key.as_deref() };
    let request = provider.protocol.request(endpoint, &question, fix.timeout);
    let response = send_with_retry(&request, endpoint.key, workshop)?;
    let reply = parse_response(&response, endpoint.key)
        .map_err(|error| failed(format!("{}: {error}", host(&request.url))))?;
    let edits = read_edits(&Reply::read(provider.protocol, &reply))?;
    edits::apply(fix.before, &edits).map_err(failed)
}

/// The server's response. A busy server is asked once more, if time is left.
fn send_with_retry(
    request: &Request,
    key: Option<&str>,
    workshop: &dyn Workshop,
) -> Result<Response, FixOutcome> {
    let send = |request: &Request| send(workshop, request, key).map_err(|error| failed(error.text));
    let began = workshop.elapsed();
    let response = send(request)?;
    // 529 is Anthropic's status for overload.
    let is_busy = matches!(response.status, 429 | 503 | 529);
    let wait = response.retry_after.unwrap_or(BUSY);
    let gone = workshop.elapsed().saturating_sub(began);
    // The wait counts: the time limit is for both tries together.
    let left = request.timeout.saturating_sub(gone).saturating_sub(wait);
    if !is_busy || left.is_zero() {
        return Ok(response);
    }
    workshop.pause(wait);
    send(&Request { timeout: left, ..request.clone() })
}

fn key(
    fix: &FixRequest<'_>,
    provider: &providers::Provider,
    workshop: &dyn Workshop,
) -> Result<Option<String>, FixOutcome> {
    let variable = KeyVariable {
        configured: fix.settings.key_variable.as_deref(),
        usual: provider.key_variable,
        url: fix.settings.url.as_deref(),
        home: provider.home,
    };
    match variable.missing(workshop) {
        Some(why) => Err(failed(why)),
        None => variable.read(workshop).map_err(failed),
    }
}

fn read_edits(reply: &Reply) -> Result<Vec<Edit>, FixOutcome> {
    match &reply.end {
        End::Complete => {}
        End::CutOff => return Err(failed("the model's reply is cut off".to_owned())),
        End::Refused(why) => {
            let why = why.as_ref().map_or_else(String::new, |why| format!(": {}", shown(why, None)));
            return Err(failed(format!("the model refused{why}")));
        }
    }
    // By the standard, arguments are JSON in a string; some servers send the object itself.
    let called = reply.calls.iter().find_map(|call| match call {
        Value::String(text) => edits::from_text(text),
        value => edits::from_value(value),
    });
    // Some servers ignore tools and answer in text.
    called.or_else(|| reply.texts.iter().find_map(|text| edits::from_text(text))).ok_or_else(|| {
        let text = reply.texts.first().map_or_else(String::new, |text| format!(": {}", shown(text, None)));
        failed(format!("the model's reply has no edits{text}"))
    })
}
