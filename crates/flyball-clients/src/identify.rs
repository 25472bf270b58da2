//! Who is calling? Several clients execute the settings of others, each with its own payload and
//! its own reading of answers, so that what the registration says is believed only if nothing
//! contradicts it.

use crate::claude_code::ClaudeCode;
use crate::client::{Client, Surroundings, find};
use crate::codex::Codex;
use crate::wire::Object;

/// Who called.
#[derive(Clone, Copy)]
pub enum Caller {
    /// A client that we can talk to.
    Known(&'static dyn Client),
    /// A client that would not understand our answers.
    Foreign {
        /// Its name.
        name: &'static str,
    },
    /// Nobody we know.
    Unknown,
}

/// Who called, by the payload's keys and the environment, and only then by the registration.
#[must_use]
pub fn identify(payload: &str, surroundings: &Surroundings) -> Caller {
    // A payload that cannot be read has no keys; its client is told so by the one that is declared.
    let sight = Sight::new(Object::read(payload).unwrap_or_default(), surroundings);
    let seen = SIGNS.iter().find(|sign| (sign.holds)(&sight)).map(|sign| sign.caller);
    if let Some(client) = seen.or(surroundings.declared_client).and_then(find) {
        return Caller::Known(client);
    }
    seen.map_or(Caller::Unknown, |name| Caller::Foreign { name })
}

/// By what a caller is recognised.
struct Sign {
    caller: &'static str,
    holds: fn(&Sight) -> bool,
}

/// The first that holds counts.
static SIGNS: &[Sign] = &[
    Sign { caller: "Cursor", holds: |sight| sight.has("cursor_version") },
    Sign { caller: "VS Code", holds: |sight| sight.is_vs_code() },
    Sign {
        caller: "Copilot",
        holds: |sight| sight.has("toolName") || sight.has("sessionId") || sight.is_set("COPILOT_CLI"),
    },
    Sign { caller: Codex::ID, holds: |sight| sight.is_codex() },
    Sign {
        caller: "Gemini CLI",
        holds: |sight| {
            sight.is_set("GEMINI_SESSION_ID")
                || sight.event.starts_with("Before")
                || sight.event.starts_with("After")
        },
    },
    Sign { caller: "Qwen Code", holds: |sight| sight.is_set("QWEN_PROJECT_DIR") },
    Sign { caller: "Droid", holds: |sight| sight.is_set("FACTORY_PROJECT_DIR") },
    Sign { caller: "Windsurf", holds: |sight| sight.has("agent_action_name") },
    Sign { caller: "Cline", holds: |sight| sight.has("clineVersion") || sight.has("hookName") },
    Sign {
        caller: "Kimi",
        holds: |sight| sight.payload.text("client_type").as_deref() == Some("kimi_code_cli"),
    },
    Sign { caller: "Goose", holds: |sight| sight.has("event") && sight.has("matcher_context") },
    Sign {
        caller: "Crush",
        holds: |sight| sight.is_nameless() && sight.has("event") && sight.is_set("CRUSH"),
    },
    Sign { caller: "Qoder", holds: |sight| sight.is_set("QODER_PROJECT_DIR") },
    Sign { caller: "Auggie", holds: |sight| sight.is_set("AUGMENT_PROJECT_DIR") },
    Sign { caller: "Letta", holds: |sight| sight.is_set("LETTA_HOOK_EVENT") },
    Sign {
        caller: ClaudeCode::ID,
        holds: |sight| sight.is_in_claude_session || (!sight.is_nameless() && sight.is_set("CLAUDECODE")),
    },
];

/// What there is to be seen of a caller.
struct Sight<'a> {
    payload: Object<'a>,
    event: String,
    surroundings: &'a Surroundings<'a>,
    /// Claude Code tells its hooks the session in the environment, and it is the payload's.
    is_in_claude_session: bool,
}

impl<'a> Sight<'a> {
    fn new(payload: Object<'a>, surroundings: &'a Surroundings<'a>) -> Sight<'a> {
        let event = payload.string("hook_event_name");
        let session = payload.filled("session_id");
        let is_in_claude_session =
            session.is_some() && session == (surroundings.variable)("CLAUDE_CODE_SESSION_ID");
        Sight { payload, event, surroundings, is_in_claude_session }
    }

    fn has(&self, key: &str) -> bool {
        self.payload.has(key)
    }

    fn is_nameless(&self) -> bool {
        self.event.is_empty()
    }

    /// Whether a variable marks its client. A client that was started in another's terminal has
    /// inherited that one's marks: they count for nothing where the caller is certain, or where
    /// the registration is one that only its own client executes.
    fn is_set(&self, variable: &str) -> bool {
        let may_be_inherited =
            self.is_in_claude_session || self.surroundings.declared_client == Some(Codex::ID);
        !may_be_inherited && self.variable(variable).is_some()
    }

    fn variable(&self, name: &str) -> Option<String> {
        (self.surroundings.variable)(name).filter(|value| !value.is_empty())
    }

    /// Claude Code's payload around tools that it does not have.
    fn is_vs_code(&self) -> bool {
        let is_camel_case = || {
            self.payload.text("tool_name").is_some_and(|name| is_snake_case(&name))
                && self.payload.object("tool_input").has("filePath")
        };
        !self.is_in_claude_session && self.variable("CLAUDECODE").is_none() && is_camel_case()
    }

    fn is_codex(&self) -> bool {
        let is_declared = self.surroundings.declared_client == Some(Codex::ID);
        self.has("turn_id") && (is_declared || self.variable("CLAUDE_PROJECT_DIR").is_none())
    }
}

/// `create_file`, `replace_string_in_file`, …
fn is_snake_case(name: &str) -> bool {
    name.contains('_')
        && !name.starts_with("mcp__")
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests;
