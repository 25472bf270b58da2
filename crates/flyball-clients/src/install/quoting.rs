//! Words of a shell line.

use std::borrow::Cow;

/// A path as one word of a shell line.
pub(crate) fn quote(path: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:@%,=".contains(&byte);
    if !path.is_empty() && path.bytes().all(is_plain) {
        return Cow::Borrowed(path);
    }
    if cfg!(windows) {
        return Cow::Owned(format!("\"{path}\""));
    }
    // Ends the quote, adds an escaped one, and opens it again.
    Cow::Owned(format!("'{}'", path.replace('\'', r"'\''")))
}
