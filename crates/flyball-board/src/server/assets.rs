//! The files that pages load. They are in the program, hold nothing about anyone, and are open to all.

use std::hash::{DefaultHasher, Hash, Hasher};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;

use super::headers::set;
use crate::document::STYLES;

/// For ever: an address with the hash of the content never means another content.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// Cached, but revalidated each time.
const ASK_AGAIN: &str = "no-cache";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asset {
    media_type: &'static str,
    content: &'static str,
}

impl Asset {
    /// The file at an address.
    pub(super) fn at(path: &str) -> Option<Asset> {
        let (media_type, content) = match path {
            "/assets/board.css" => ("text/css; charset=utf-8", STYLES),
            "/assets/board.js" => ("text/javascript; charset=utf-8", include_str!("../../assets/board.js")),
            "/assets/theme.js" => ("text/javascript; charset=utf-8", include_str!("../../assets/theme.js")),
            "/assets/icon.svg" | "/favicon.ico" => ("image/svg+xml", include_str!("../../assets/icon.svg")),
            _ => return None,
        };
        Some(Asset { media_type, content })
    }

    /// The answer with it, or that the browser has it already.
    pub(super) fn answer(self, query: Option<&str>, headers: &HeaderMap) -> Response {
        let hash = self.hash();
        let tag = format!("\"{hash}\"");
        let is_known = headers
            .get(header::IF_NONE_MATCH)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|tags| tags.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
        // Only the address with the right hash: an old page must not store a new file under its old name.
        let caching = if query == Some(format!("v={hash}").as_str()) { FOR_EVER } else { ASK_AGAIN };
        let body = if is_known { Body::empty() } else { Body::from(self.content) };
        let mut answer = Response::new(body);
        if is_known {
            *answer.status_mut() = StatusCode::NOT_MODIFIED;
        }
        set(&mut answer, header::CONTENT_TYPE, self.media_type);
        set(&mut answer, header::ETAG, &tag);
        set(&mut answer, header::CACHE_CONTROL, caching);
        answer
    }

    fn hash(self) -> String {
        let mut hasher = DefaultHasher::new();
        (self.media_type, self.content).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }
}

/// The address of a file with the hash of its content, which browsers cache for ever.
#[must_use]
pub fn asset(name: &str) -> String {
    let path = format!("/assets/{name}");
    match Asset::at(&path) {
        Some(asset) => format!("{path}?v={}", asset.hash()),
        None => path,
    }
}
