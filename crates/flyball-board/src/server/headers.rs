//! Sets headers.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Sets a header; a value that cannot be one is left out.
pub(super) fn set(answer: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        answer.headers_mut().insert(name, value);
    }
}
