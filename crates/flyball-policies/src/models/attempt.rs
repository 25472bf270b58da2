//! Asks the models of one provider until one replies, up to a deadline.

use std::time::Duration;

use flyball_core::workshop::{Request, Response, Workshop};
use flyball_quality::chat::{
    End, Endpoint, Question, Reply as ModelReply, ServerError, parse_response, send,
};
use flyball_quality::providers::Provider;

use super::settings::Server;
use super::{answer, installed};

/// How long a list of models may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(2);

/// A server that asks for a longer pause is not waited for.
const MOST_WAIT: Duration = Duration::from_secs(5);

/// The pause after a server error without a `Retry-After`.
const FAILED_WAIT: Duration = Duration::from_secs(1);

/// The longest reply, with the model's thinking before it.
const MOST_TOKENS: u32 = 8_000;

/// How much is shown of a model's name.
const MOST_NAME_CHARS: usize = 100;

pub(crate) struct Attempt<'a> {
    pub(crate) provider: &'static Provider,
    pub(crate) server: &'a Server,
    /// The models to ask if the settings name none.
    pub(crate) default_models: &'static [&'static str],
    pub(crate) key: Option<String>,
    pub(crate) workshop: &'a dyn Workshop,
    /// On the workshop's clock.
    pub(crate) deadline: Duration,
    /// A provider is waited for only once.
    pub(crate) has_waited: bool,
}

pub(crate) struct Reply {
    pub(crate) text: String,
    /// The provider and the model.
    pub(crate) source: String,
}

impl Attempt<'_> {
    /// The first reply of a model. Each model that does not reply adds an error.
    pub(crate) fn ask(
        &mut self,
        question: &str,
        most_chars: usize,
        errors: &mut Vec<String>,
    ) -> Option<Reply> {
        let name = self.provider.name;
        let models = self.models().map_err(|why| errors.push(format!("{name}: {why}"))).ok()?;
        for model in models {
            let source = answer::clean(&format!("{name} {model}"), MOST_NAME_CHARS);
            match self.ask_model(&model, question, most_chars) {
                Ok(text) => return Some(Reply { text, source }),
                Err(error) if error.is_about_model => errors.push(format!("{source}: {error}")),
                // Without a network or with a wrong key, the provider's other models fail in the same way.
                Err(error) => {
                    errors.push(format!("{name}: {error}"));
                    return None;
                }
            }
        }
        None
    }

    fn endpoint(&self) -> Endpoint<'_> {
        let base = self.server.url.as_deref().unwrap_or(self.provider.home);
        Endpoint { base, key: self.key.as_deref() }
    }

    /// The models to ask. A server that lists its models is asked only for those.
    fn models(&self) -> Result<Vec<String>, String> {
        let defaults = || self.default_models.iter().map(|&model| model.to_owned()).collect();
        let configured = if self.server.models.is_empty() { defaults() } else { self.server.models.clone() };
        let timeout = LIST_TIMEOUT.min(self.left());
        let Some(request) = self.provider.protocol.list_request(self.endpoint(), timeout) else {
            return Ok(configured);
        };
        let list = self.send(&request).and_then(|response| parse_response(&response, self.key.as_deref()));
        let found = installed::choose(&configured, &list.map_err(|error| error.text)?);
        if found.is_empty() {
            return Err(format!("none of these models is installed: {}", configured.join(", ")));
        }
        Ok(found)
    }

    fn ask_model(&mut self, model: &str, text: &str, most_chars: usize) -> Result<String, ServerError> {
        let question = Question { model, text, most_tokens: Some(MOST_TOKENS), tool: None };
        let request = self.provider.protocol.request(self.endpoint(), &question, self.left());
        let response = self.send_with_retry(&request)?;
        let reply = parse_response(&response, self.key.as_deref())?;
        let reply = ModelReply::read(self.provider.protocol, &reply);
        let unusable = |text: &str| ServerError { text: text.to_owned(), is_about_model: true };
        if let End::Refused(_) = reply.end {
            return Err(unusable("the model refused"));
        }
        // A server may repeat the key in its reply.
        let text = answer::clean(&self.without_key(&reply.texts.concat()), most_chars);
        if text.is_empty() { Err(unusable("the reply has no text")) } else { Ok(text) }
    }

    /// Sends a request, and once more if the server is busy or failed and there is time.
    fn send_with_retry(&mut self, request: &Request) -> Result<Response, ServerError> {
        let response = self.send(request)?;
        let Some(wait) = self.retry_wait(&response) else { return Ok(response) };
        self.workshop.pause(wait);
        self.has_waited = true;
        // The first try and the pause have used some of the time.
        self.send(&Request { timeout: self.left(), ..request.clone() })
    }

    /// How long to wait before the next try.
    fn retry_wait(&self, response: &Response) -> Option<Duration> {
        let wait = match response.status {
            429 => response.retry_after?,
            500..=599 => response.retry_after.unwrap_or(FAILED_WAIT),
            _ => return None,
        };
        (!self.has_waited && wait <= MOST_WAIT && wait < self.left()).then_some(wait)
    }

    fn send(&self, request: &Request) -> Result<Response, ServerError> {
        if request.timeout.is_zero() {
            return Err(ServerError { text: "no time was left".to_owned(), is_about_model: false });
        }
        send(self.workshop, request, self.key.as_deref())
    }

    fn without_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| text.replace(key.as_str(), "[redacted]"))
    }

    /// How much time is left.
    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.workshop.elapsed())
    }
}
