//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Settings of `memory.failures`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Report failed calls of edit tools and MCP tools.
    pub tools: bool,
    /// Report commands that failed because they were wrong, not because of their result.
    pub commands: bool,
    /// How often a tool or a command has to fail in the same way before it is reported, in this session or in others.
    /// A failure although a rule about it was shown is reported at once.
    pub after: u32,
    /// Report denials by a policy or the client.
    pub denials: bool,
    /// Report corrections by a person. Only English is understood.
    pub corrections: bool,
    /// Commands that are never reported; `*` matches anything: `npm run e2e*`.
    pub ignore: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            tools: true,
            commands: true,
            after: 2,
            denials: true,
            corrections: true,
            ignore: Vec::new(),
        }
    }
}

impl Settings {
    /// Whether a command line is not to be reported.
    pub(super) fn ignores(&self, command: &str) -> bool {
        self.ignore.iter().any(|pattern| fits(pattern.trim(), command.trim()))
    }
}

/// Whether a text matches a pattern with `*`.
fn fits(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    // The first place of each part leaves the most text for the next, so no match is missed.
    for part in parts {
        let Some((_, behind)) = text.split_once(part) else { return false };
        text = behind;
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_anything() {
        for (pattern, text, expected) in [
            ("npm run e2e*", "npm run e2e:ui -- a/b", true),
            ("npm run e2e*", "npm run test", false),
            ("*deploy*", "cd x && ./deploy.sh", true),
            ("make", "make", true),
            ("make", "make test", false),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1c2b", false),
            ("aa*aa", "aaa", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
