//! What the client sends on standard input. A missing value or one of another type is unknown.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use serde_json::Value;

/// No client sends more.
const LARGEST: u64 = 1 << 20;

/// The input from the client.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Input {
    pub(super) session: Option<String>,
    /// The folder that the client was started in, or else where it is.
    pub(super) folder: Option<PathBuf>,
    /// How full the context is, in percent.
    pub(super) context: Option<u64>,
}

impl Input {
    /// Reads standard input, unless it is a terminal.
    pub(super) fn read() -> Input {
        let mut stdin = std::io::stdin().lock();
        // A person who tries the command would otherwise wait for input that never ends.
        if stdin.is_terminal() {
            return Input::default();
        }
        let mut bytes = Vec::new();
        // After an error, the bytes are not valid JSON, and everything is unknown.
        drop((&mut stdin).take(LARGEST).read_to_end(&mut bytes));
        Input::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Input {
        let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let text = |path: &str| value.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty());
        let folder = text("/workspace/project_dir").or_else(|| text("/cwd")).map(PathBuf::from);
        Input {
            session: text("/session_id").map(str::to_owned),
            folder: folder.filter(|folder| folder.is_absolute()),
            context: value.get("context_window").and_then(context),
        }
    }
}

/// The client's own figure; else what the last call to the model had in its context.
fn context(window: &Value) -> Option<u64> {
    if let Some(percent) = window.get("used_percentage").and_then(Value::as_f64) {
        return whole(percent);
    }
    let size = window.get("context_window_size").and_then(Value::as_f64).filter(|size| *size > 0.0)?;
    let usage = window.get("current_usage").and_then(Value::as_object)?;
    // Without the output: the client computes its own percentage from the input alone.
    let parts = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let used: f64 = parts.iter().filter_map(|part| usage.get(*part).and_then(Value::as_f64)).sum();
    whole(used / size * 100.0)
}

fn whole(percent: f64) -> Option<u64> {
    // Outside of these bounds it is not a percentage.
    let is_share = percent.is_finite() && (0.0..=1_000.0).contains(&percent);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 1000")]
    is_share.then(|| percent.round() as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_context_is_the_clients_figure_or_computed() {
        let usage = json!({ "input_tokens": 10, "output_tokens": 900, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 50 });
        let cases = [
            (
                json!({ "used_percentage": 41.4, "context_window_size": 100, "current_usage": usage }),
                Some(41),
            ),
            (
                json!({ "used_percentage": null, "context_window_size": 200, "current_usage": usage }),
                Some(40),
            ),
            (json!({ "used_percentage": null, "context_window_size": 200, "current_usage": null }), None),
            (json!({ "used_percentage": "41", "context_window_size": 0, "current_usage": usage }), None),
            (json!({ "used_percentage": -3 }), None),
            (json!({ "used_percentage": 1e300 }), None),
            (json!([]), None),
        ];
        for (window, expected) in cases {
            assert_eq!(context(&window), expected, "{window}");
        }
    }

    #[test]
    fn invalid_input_is_unknown() {
        for text in
            ["", "{", "[]", "null", "{\"session_id\":7,\"cwd\":[],\"workspace\":3}", "{\"cwd\":\"relative\"}"]
        {
            assert_eq!(Input::parse(text.as_bytes()), Input::default(), "{text}");
        }
        assert_eq!(Input::parse(b"\xff\xfe"), Input::default());
    }
}
