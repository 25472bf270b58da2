//! Clients that would not understand our answers: how they are recognised, and what a command line that starts one is
//! watched for. A client that gets an adapter moves from here into a folder of its own.

use flyball_core::client::ClientFacts;

use crate::evidence::Sign;

/// A client of which only its program is known.
const fn program(programs: &'static [&'static str]) -> ClientFacts {
    ClientFacts { programs, ..ClientFacts::UNKNOWN }
}

pub(crate) static GEMINI: ClientFacts = ClientFacts {
    rule_files: &["GEMINI.md"],
    unattended: &["--yolo"],
    unattended_short: &["-y"],
    ..program(&["gemini"])
};
pub(crate) static OPENCODE: ClientFacts = ClientFacts { unattended: &["--pure"], ..program(&["opencode"]) };
pub(crate) static CURSOR: ClientFacts =
    ClientFacts { rule_files: &[".cursor/rules/", ".cursorrules"], ..program(&["cursor-agent"]) };
pub(crate) static COPILOT: ClientFacts = ClientFacts {
    rule_files: &[".github/copilot-instructions.md", ".github/instructions/"],
    unattended: &["--allow-all-tools"],
    ..program(&["copilot"])
};
pub(crate) static AMP: ClientFacts = program(&["amp"]);
pub(crate) static AIDER: ClientFacts = ClientFacts { unattended: &["--yes-always"], ..program(&["aider"]) };
pub(crate) static QWEN: ClientFacts =
    ClientFacts { rule_files: &["QWEN.md"], unattended: &["--yolo"], ..program(&["qwen"]) };

pub(crate) static DROID: ClientFacts =
    ClientFacts { unattended: &["--skip-permissions-unsafe", "--settings"], ..program(&["droid"]) };
pub(crate) static HERMES: ClientFacts = ClientFacts { unattended: &["--safe-mode"], ..program(&["hermes"]) };
pub(crate) static PI: ClientFacts = ClientFacts { unattended: &["--no-extensions"], ..program(&["pi"]) };
pub(crate) static KIRO: ClientFacts = ClientFacts {
    home_variable: Some("KIRO_HOME"),
    rule_files: &[".kiro/steering/"],
    unattended: &["--trust-all-tools"],
    ..program(&["kiro-cli"])
};
pub(crate) static OPENCLAW: ClientFacts = program(&["openclaw"]);

pub(crate) const CURSOR_SIGN: Sign =
    Sign { caller: "Cursor", holds: |evidence| evidence.has("cursor_version") };

/// The payload of the client it imitates, around tools that that one does not have.
pub(crate) const VS_CODE_SIGN: Sign = Sign {
    caller: "VS Code",
    holds: |evidence| {
        let is_camel_case = || {
            evidence.payload.text("tool_name").is_some_and(|name| is_snake_case(&name))
                && evidence.payload.object("tool_input").has("filePath")
        };
        // The client it imitates always gives its hooks one of the two.
        !evidence.is_certain() && !evidence.is_marked() && is_camel_case()
    },
};

pub(crate) const COPILOT_SIGN: Sign = Sign {
    caller: "Copilot",
    holds: |evidence| evidence.has("toolName") || evidence.has("sessionId") || evidence.is_set("COPILOT_CLI"),
};

pub(crate) const GEMINI_SIGN: Sign = Sign {
    caller: "Gemini CLI",
    holds: |evidence| {
        evidence.is_set("GEMINI_SESSION_ID")
            || evidence.event.starts_with("Before")
            || evidence.event.starts_with("After")
    },
};

pub(crate) const QWEN_SIGN: Sign =
    Sign { caller: "Qwen Code", holds: |evidence| evidence.is_set("QWEN_PROJECT_DIR") };
pub(crate) const DROID_SIGN: Sign =
    Sign { caller: "Droid", holds: |evidence| evidence.is_set("FACTORY_PROJECT_DIR") };
pub(crate) const WINDSURF_SIGN: Sign =
    Sign { caller: "Windsurf", holds: |evidence| evidence.has("agent_action_name") };
pub(crate) const CLINE_SIGN: Sign =
    Sign { caller: "Cline", holds: |evidence| evidence.has("clineVersion") || evidence.has("hookName") };
pub(crate) const KIMI_SIGN: Sign = Sign {
    caller: "Kimi",
    holds: |evidence| evidence.payload.text("client_type").as_deref() == Some("kimi_code_cli"),
};
pub(crate) const GOOSE_SIGN: Sign =
    Sign { caller: "Goose", holds: |evidence| evidence.has("event") && evidence.has("matcher_context") };
pub(crate) const CRUSH_SIGN: Sign = Sign {
    caller: "Crush",
    holds: |evidence| evidence.is_nameless() && evidence.has("event") && evidence.is_set("CRUSH"),
};
pub(crate) const QODER_SIGN: Sign =
    Sign { caller: "Qoder", holds: |evidence| evidence.is_set("QODER_PROJECT_DIR") };
pub(crate) const AUGGIE_SIGN: Sign =
    Sign { caller: "Auggie", holds: |evidence| evidence.is_set("AUGMENT_PROJECT_DIR") };
pub(crate) const LETTA_SIGN: Sign =
    Sign { caller: "Letta", holds: |evidence| evidence.is_set("LETTA_HOOK_EVENT") };

/// `create_file`, `replace_string_in_file`, …
fn is_snake_case(name: &str) -> bool {
    name.contains('_')
        && !name.starts_with("mcp__")
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
