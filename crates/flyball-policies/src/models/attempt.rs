//! The turn of one provider: its models are asked until one answers, and never for longer than the turn lasts.

use flyball_core::workshop::{Request, Response, Workshop};
use flyball_quality::chat::{error_message, host, truncate};
use serde_json::Value;

use super::api::Api;
use super::settings::Server;
use super::{answer, installed};

/// How long it may take to say which models there are.
const PROBE_MILLIS: u64 = 2_000;

/// A server that asks to be left alone for longer is not waited for.
const MOST_WAIT_SECONDS: u64 = 5;

/// How long a server is left alone that failed and does not say how long.
const FAILED_SECONDS: u64 = 1;

/// How much is shown of a model's name, and of what a server says about a refusal.
const MOST_NAME_CHARS: usize = 100;
const MOST_REFUSAL_CHARS: usize = 300;

pub(crate) struct Attempt<'a> {
    pub(crate) api: &'static Api,
    pub(crate) server: &'a Server,
    /// The models to ask if the settings name none.
    pub(crate) default_models: &'static [&'static str],
    pub(crate) key: Option<String>,
    pub(crate) workshop: &'a dyn Workshop,
    /// When it is over: microseconds on the world's clock.
    pub(crate) deadline: u64,
    /// Whether it was waited for already; once is enough.
    pub(crate) has_waited: bool,
}

/// A text, and whose it is.
pub(crate) struct Reply {
    pub(crate) text: String,
    pub(crate) source: String,
}

/// Why there is no answer.
enum Skip {
    /// Another model may answer.
    Model(String),
    Provider(String),
}

impl Attempt<'_> {
    /// The first answer of a model. Each that does not answer is a trouble.
    pub(crate) fn ask(
        &mut self,
        question: &str,
        most_chars: usize,
        troubles: &mut Vec<String>,
    ) -> Option<Reply> {
        let name = self.api.provider.name;
        let models = self.models().map_err(|why| troubles.push(format!("{name}: {why}"))).ok()?;
        for model in models {
            let by = answer::clean(&format!("{name} {model}"), MOST_NAME_CHARS);
            match self.ask_model(&model, question, most_chars) {
                Ok(text) => return Some(Reply { text, source: by }),
                Err(Skip::Model(why)) => troubles.push(format!("{by}: {why}")),
                Err(Skip::Provider(why)) => {
                    troubles.push(format!("{name}: {why}"));
                    return None;
                }
            }
        }
        None
    }

    fn base(&self) -> &str {
        self.server.url.as_deref().unwrap_or(self.api.provider.home)
    }

    /// The models to ask. One that lists its own is not asked for others.
    fn models(&self) -> Result<Vec<String>, String> {
        let usual = || self.default_models.iter().map(|&model| model.to_owned()).collect();
        let wanted = if self.server.models.is_empty() { usual() } else { self.server.models.clone() };
        if !self.api.lists {
            return Ok(wanted);
        }
        let request = Request {
            url: super::api::ollama_address(self.base(), "/api/tags"),
            headers: (self.api.headers)(self.key.as_deref()),
            body: None,
            millis: PROBE_MILLIS.min(self.left()),
        };
        let tags = self.post(&request).and_then(|response| self.parse_response(&response));
        let tags = tags.map_err(|(Skip::Model(why) | Skip::Provider(why))| why)?;
        let found = installed::choose(&wanted, &tags);
        if found.is_empty() {
            return Err(format!("none of its models is installed: {}", wanted.join(", ")));
        }
        Ok(found)
    }

    fn ask_model(&mut self, model: &str, question: &str, most_chars: usize) -> Result<String, Skip> {
        let request = Request {
            url: (self.api.address)(self.base(), model),
            headers: (self.api.headers)(self.key.as_deref()),
            body: Some((self.api.body)(model, question).to_string()),
            millis: self.left(),
        };
        let response = self.send(&request)?;
        let said = self.parse_response(&response)?;
        let text = (self.api.read)(&said).map_err(|why| Skip::Model(why.to_owned()))?;
        let text = answer::clean(&self.without_key(&text), most_chars);
        if text.is_empty() { Err(Skip::Model("the answer holds no text".to_owned())) } else { Ok(text) }
    }

    /// The answer of the server. One that is busy or failed is asked once more in a turn, if there is time.
    fn send(&mut self, request: &Request) -> Result<Response, Skip> {
        let response = self.post(request)?;
        let Some(wait) = self.wait_for(&response) else { return Ok(response) };
        self.workshop.pause(wait);
        self.has_waited = true;
        self.post(&Request { millis: self.left(), ..request.clone() })
    }

    /// How long to wait before the server is asked again, in milliseconds.
    fn wait_for(&self, response: &Response) -> Option<u64> {
        let seconds = match response.status {
            429 => response.retry_after?,
            500..=599 => response.retry_after.unwrap_or(FAILED_SECONDS),
            _ => return None,
        };
        let millis = seconds.saturating_mul(1000);
        (!self.has_waited && seconds <= MOST_WAIT_SECONDS && millis < self.left()).then_some(millis)
    }

    fn post(&self, request: &Request) -> Result<Response, Skip> {
        if request.millis == 0 {
            return Err(Skip::Provider("no time was left".to_owned()));
        }
        self.workshop.post(request).map_err(|error| {
            let why = self.without_key(&truncate(&error.to_string()));
            Skip::Provider(format!("no answer from {}: {why}", host(&request.url)))
        })
    }

    /// What an answer says, if it is one.
    fn parse_response(&self, response: &Response) -> Result<Value, Skip> {
        let (status, body) = (response.status, response.body.as_str());
        let said = error_message(body).map_or_else(String::new, |said| {
            format!(": {}", answer::clean(&self.without_key(&said), MOST_REFUSAL_CHARS))
        });
        match status {
            200..=299 => serde_json::from_str(body)
                .map_err(|_| Skip::Provider("it answered what nobody can read".to_owned())),
            // What servers say about a key quotes it.
            400 | 401 | 403 if is_about_key(status, body) => {
                let what = if self.key.is_some() { "the key was refused" } else { "it asks for a key" };
                Err(Skip::Provider(format!("{what} ({status})")))
            }
            404 => Err(Skip::Model(format!("the model or the address is not known there (404){said}"))),
            400 | 403 | 422 => Err(Skip::Model(format!("the request was refused ({status}){said}"))),
            429 if body.contains("PerModel") => {
                Err(Skip::Model("the model has had too many requests (429)".to_owned()))
            }
            429 => Err(Skip::Provider(format!("it has had too many requests (429){said}"))),
            500..=599 => Err(Skip::Model(format!("the server failed ({status}){said}"))),
            _ => Err(Skip::Provider(format!("the request was refused ({status}){said}"))),
        }
    }

    fn without_key(&self, text: &str) -> String {
        self.key.as_ref().map_or_else(|| text.to_owned(), |key| text.replace(key.as_str(), "[redacted]"))
    }

    /// How much of the turn is left, in milliseconds.
    fn left(&self) -> u64 {
        self.deadline.saturating_sub(self.workshop.micros()) / 1000
    }
}

/// Whether a refusal is about the key. Some say so with a 400; some say 403 of a model that the key is not good for.
fn is_about_key(status: u16, body: &str) -> bool {
    let names_key = || body.contains("API_KEY_INVALID") || body.contains("Incorrect API key");
    match status {
        401 => true,
        403 => !body.contains("model_not_found"),
        _ => names_key(),
    }
}
