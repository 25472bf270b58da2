//! Words of the command lines that are written here.

use crate::shell_word;

/// A text as one word of a command line.
pub(super) fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._/-@+=:,%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    // The home folder is only one outside of quotes.
    match text.strip_prefix("~/") {
        Some(rest) => format!("~/{}", quoted(rest)),
        None => shell_word::quoted(text),
    }
}

/// Several words.
pub(super) fn joined<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// A path below a folder, if it is not absolute.
pub(super) fn below(folder: Option<&str>, path: &str) -> String {
    match folder {
        Some(folder) if !path.starts_with(['/', '~']) && folder != "." && !folder.is_empty() => {
            format!("{}/{path}", folder.trim_end_matches('/'))
        }
        _ => path.to_owned(),
    }
}

/// The path in an address of a file: `file:///a%20b`.
pub(super) fn path_of(text: &str) -> String {
    match text.strip_prefix("file://") {
        Some(rest) => percent_decoded(rest.strip_prefix("localhost").unwrap_or(rest)),
        None => text.to_owned(),
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let coded = (first == b'%')
            .then(|| after.get(..2))
            .flatten()
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(coded.unwrap_or(first));
        rest = if coded.is_some() { after.get(2..).unwrap_or_default() } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
