//! Posts bytes to a receiver. The headers are secret: no error shows more than the host.

use std::io::Read;
use std::time::Duration;

use ureq::http::Uri;
use ureq::{Agent, Error, Proxy};

/// Longer answers are cut.
const MOST_BYTES: u64 = 64 * 1024;

#[derive(Clone, Copy)]
pub struct Upload<'a> {
    pub url: &'a str,
    pub headers: &'a [(String, String)],
    pub body: &'a [u8],
    /// How long it may take.
    pub wait: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// `Retry-After`, as it came.
    pub retry_after: Option<String>,
    /// The beginning of the rest.
    pub body: Vec<u8>,
}

/// Why there was no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadError {
    /// What went wrong, in one line.
    pub what: String,
    /// Whether trying again may help.
    pub is_temporary: bool,
}

/// Posts a request and waits for all of its answer.
///
/// # Errors
/// When the server does not answer, or not with HTTP.
pub fn post(upload: &Upload<'_>) -> Result<Reply, UploadError> {
    let uri: Option<Uri> = upload.url.parse().ok();
    let Some(host) = uri.as_ref().and_then(Uri::host) else {
        return Err(UploadError { what: "invalid URL".to_owned(), is_temporary: false });
    };
    send(upload, host).map_err(|cause| explain(host, upload.wait, &cause))
}

fn send(upload: &Upload<'_>, host: &str) -> Result<Reply, Error> {
    let call = agent(host, upload.wait).post(upload.url);
    let call = upload.headers.iter().fold(call, |call, (name, value)| call.header(name, value));
    let answer = call.send(upload.body)?;
    let status = answer.status().as_u16();
    let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let retry_after = retry_after.map(str::to_owned);
    let mut body = Vec::new();
    // The status is what counts; a body that breaks off changes nothing.
    _ = answer.into_body().into_reader().take(MOST_BYTES).read_to_end(&mut body);
    Ok(Reply { status, retry_after, body })
}

/// What sends a request to a host.
pub(crate) fn agent(host: &str, wait: Duration) -> Agent {
    // A proxy knows another machine by these names.
    let is_here = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    Agent::config_builder()
        .proxy(if is_here { None } else { Proxy::try_from_env() })
        .timeout_global(Some(wait))
        // The caller needs the status and `Retry-After` of a refusal.
        .http_status_as_error(false)
        // The headers hold a key, which is for this host and no other.
        .max_redirects(0)
        .build()
        .into()
}

/// Why there is no answer, in one line.
pub(crate) fn describe(host: &str, wait: Duration, cause: &Error) -> String {
    match cause {
        Error::Timeout(_) => format!("`{host}` did not answer within {} ms", wait.as_millis()),
        // The text of these may quote what was sent.
        Error::Http(_) | Error::BadUri(_) => {
            format!("`{host}` was not contacted: its address or a header has characters that are not allowed")
        }
        cause => format!("`{host}` did not answer: {cause}"),
    }
}

fn explain(host: &str, wait: Duration, cause: &Error) -> UploadError {
    let is_temporary = !matches!(cause, Error::Http(_) | Error::BadUri(_));
    UploadError { what: describe(host, wait, cause), is_temporary }
}
