//! Requests to an address, and files that are sent, as `curl` sends them.

use serde_json::Value;

use super::fields::{Fields, PATH, SENT_FILE, URL, texts};
use super::files::is_path;
use super::words::{path_of, quoted};
use crate::text::Words;

const METHOD: Words = Words("method|httpmethod|verb|requestmethod");
const BODY: Words = Words("body|data|payload|json|content|form|formdata|multipart|files|fields|parts");

/// A request that sends something or is not a read.
pub(super) fn line(fields: &Fields<'_>) -> Option<String> {
    let (key, url) = fields.text(URL).filter(|(_, url)| url.starts_with("http"))?;
    let method = fields.text(METHOD).map_or("", |(_, method)| method);
    let is_look = matches!(method.to_ascii_uppercase().as_str(), "" | "GET" | "HEAD");
    let files = sent_files(fields, is_look);
    let body = fields.find(BODY).map(|(_, value)| value).filter(|_| files.is_empty());
    if is_look && body.is_none() && files.is_empty() {
        return None;
    }
    fields.mark(key);
    let method = if is_look { "POST" } else { method };
    let mut line = format!("curl -X {}", quoted(&method.to_ascii_uppercase()));
    for file in files {
        line.push_str(&format!(" --data-binary {}", quoted(&format!("@{file}"))));
    }
    match body {
        // As with curl, what begins with `@` is a file.
        Some(Value::String(text)) if is_file_mark(text) => {
            line.push_str(&format!(" --data-binary {}", quoted(text)));
        }
        Some(Value::String(text)) => line.push_str(&format!(" --data-raw {}", quoted(text))),
        Some(value) => {
            for text in marked_files(value) {
                line.push_str(&format!(" --data-binary {}", quoted(text)));
            }
            line.push_str(&format!(" --data-raw {}", quoted(&value.to_string())));
        }
        None => {}
    }
    line.push(' ');
    line.push_str(&quoted(url));
    Some(line)
}

/// The same for an object within the input, where an address alone may be a link.
pub(super) fn nested_line(fields: &Fields<'_>) -> Option<String> {
    let says_so = fields.find(METHOD).is_some() || fields.find(SENT_FILE).is_some();
    if says_so { line(fields) } else { None }
}

/// The line that sends a file somewhere.
pub(super) fn upload(path: &str) -> String {
    format!("curl --upload-file {} https://upload.example.com/", quoted(path))
}

/// The files that a request takes its body from.
fn sent_files(fields: &Fields<'_>, is_look: bool) -> Vec<String> {
    let mut found = Vec::new();
    // A read with a path stores there what it gets.
    let names = if is_look { [SENT_FILE].as_slice() } else { [SENT_FILE, PATH].as_slice() };
    for (key, value) in names.iter().flat_map(|names| fields.all(*names)) {
        let paths: Vec<&str> =
            texts(value).into_iter().filter(|text| is_path(text) && !text.starts_with("http")).collect();
        // An address may be called `uri`, and the path of an address begins with a slash.
        let is_path_of_address =
            super::fields::plain(key) == "path" && paths.iter().all(|it| it.starts_with('/'));
        if !paths.is_empty() && !is_path_of_address {
            fields.mark(key);
            found.extend(paths.into_iter().map(|path| path_of(path.trim_start_matches('@'))));
        }
    }
    found
}

fn is_file_mark(text: &str) -> bool {
    text.starts_with('@') && text.len() > 1 && !text.contains(char::is_whitespace)
}

/// Texts in a form that name files: `{"file": "@.env"}`.
fn marked_files(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) if is_file_mark(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(marked_files).collect(),
        Value::Object(map) => map.values().flat_map(marked_files).collect(),
        _ => Vec::new(),
    }
}
