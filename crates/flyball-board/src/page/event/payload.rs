//! What the client sent, folded up, laid out and cut.

use flyball_core::record::Record;
use maud::{Markup, html};
use serde_json::Value;

use crate::page::parts;

/// How much of it is shown.
const MOST_LINES: usize = 400;
const MOST_CHARS: usize = 40_000;

/// The payload, or why there is none.
pub(super) fn payload(record: &Record) -> Markup {
    let Some(payload) = &record.payload else {
        return html! {
            section.card { h2 { "Payload" } p.muted { "Not stored (" code { "store.payloads" } ")." } }
        };
    };
    let (shown, is_whole) = laid_out(payload);
    html! {
        section.card {
            details id="payload" {
                summary { "Payload, " (parts::size(u64::try_from(payload.len()).unwrap_or(u64::MAX))) }
                (parts::scroll("Payload", &html! { pre { (shown) } }))
                @if !is_whole {
                    p.muted { "Truncated. To see all of it: " code { "flyball explain --full " (record.id.as_str()) } }
                }
            }
        }
    }
}

/// The payload over several lines, and whether that is all of it. Text that is not JSON is shown as it is.
fn laid_out(payload: &str) -> (String, bool) {
    let parsed: Option<Value> = serde_json::from_str(payload).ok();
    let pretty = parsed.and_then(|value| serde_json::to_string_pretty(&value).ok());
    let text = parts::block(pretty.as_deref().unwrap_or(payload));
    let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let mut shown = lines.join("\n");
    let is_cut = text.lines().nth(MOST_LINES).is_some();
    // One line can be megabytes long, so lines alone are no limit.
    match shown.char_indices().nth(MOST_CHARS) {
        Some((at, _)) => {
            shown.truncate(at);
            (shown, false)
        }
        None => (shown, !is_cut),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_is_laid_out_and_cut_at_a_bound() {
        assert_eq!(laid_out(r#"{"a":"\u001b[1m"}"#), ("{\n  \"a\": \"\\u001b[1m\"\n}".to_owned(), true));
        assert_eq!(laid_out("no json\u{1b}"), ("no json\u{fffd}".to_owned(), true));
        let many: Vec<usize> = (0..1_000).collect();
        let (shown, is_whole) = laid_out(&serde_json::to_string(&many).unwrap());
        assert_eq!((shown.lines().count(), is_whole), (MOST_LINES, false));
        let (shown, is_whole) = laid_out(&"x".repeat(MOST_CHARS + 1));
        assert_eq!((shown.len(), is_whole), (MOST_CHARS, false));
    }
}
