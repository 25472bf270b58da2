//! Sends a request to a server. What it carries is secret: no error shows more than the host.

use std::io::Read;
use std::time::Duration;

use flyball_core::policy::PolicyError;
use flyball_core::workshop::{Request, Response};
use ureq::Error;
use ureq::http::Uri;

use crate::upload::{agent, describe};

/// Longer answers are cut.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Sends a request and waits for the whole response.
pub(super) fn post(request: &Request) -> Result<Response, PolicyError> {
    let uri: Option<Uri> = request.url.parse().ok();
    let Some(host) = uri.as_ref().and_then(Uri::host) else {
        return Err(PolicyError::World {
            what: "the address of a server is not a valid URL".to_owned(),
            fix: "write it as `https://host/path` in the configuration".to_owned(),
        });
    };
    send(request, host).map_err(|cause| explain(host, request, &cause))
}

fn send(request: &Request, host: &str) -> Result<Response, Error> {
    let agent = agent(host, request.timeout);
    let answer = match &request.body {
        Some(body) => {
            let call = agent.post(&request.url);
            request
                .headers
                .iter()
                .fold(call, |call, (name, value)| call.header(name, value))
                .send(body.as_bytes())?
        }
        None => {
            let call = agent.get(&request.url);
            request.headers.iter().fold(call, |call, (name, value)| call.header(name, value)).call()?
        }
    };
    let status = answer.status().as_u16();
    let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
    let retry_after = retry_after.map(Duration::from_secs);
    let mut body = Vec::new();
    answer.into_body().into_reader().take(MOST_BYTES).read_to_end(&mut body)?;
    Ok(Response { status, retry_after, body: String::from_utf8_lossy(&body).into_owned() })
}

fn explain(host: &str, request: &Request, cause: &Error) -> PolicyError {
    let fix = match cause {
        Error::Timeout(_) => "try again later or give it more time in the configuration",
        Error::Http(_) | Error::BadUri(_) => "check the address and the key in the configuration",
        _ => "check the network, the proxy variables and the address in the configuration",
    };
    PolicyError::World { what: describe(host, request.timeout, cause), fix: fix.to_owned() }
}
