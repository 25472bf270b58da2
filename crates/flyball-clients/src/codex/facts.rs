//! Codex: its files, variables and options. Nothing outside of this folder knows them.

use flyball_core::client::{ClientFacts, HooksOff, InstructionFiles, LoadsInstructions};

use crate::install::{Blocker, Facts, FailureRule, HookShell, OwnSandbox, Place, ReadBy, SandboxMode, Scope};

pub(super) const ID: &str = "codex";

pub(crate) static SHARED: ClientFacts = ClientFacts {
    id: ID,
    programs: &["codex"],
    home_variable: Some("CODEX_HOME"),
    project_variable: None,
    hooks_folder: Some(".codex/hooks"),
    agents_folder: Some(".codex/agents"),
    skill_folders: &[".codex/skills", ".codex/prompts", ".agents/skills"],
    secret_files: &[".codex/auth.json"],
    settings: &["~/.codex/config.toml"],
    instructions: InstructionFiles {
        shared: Some("AGENTS.md"),
        replacement: Some("AGENTS.override.md"),
        user: &["AGENTS.override.md", "AGENTS.md"],
        loads: LoadsInstructions::AtStart,
        ..InstructionFiles::NONE
    },
    rule_files: &[],
    shell_wrapper: None,
    hooks_off: HooksOff {
        features: &["hooks", "codex_hooks"],
        feature_options: &["--disable"],
        words: &["features.hooks=false", "features.codex_hooks=false"],
        ..HooksOff::UNKNOWN
    },
    unattended: &["--yolo", "--dangerously-bypass-approvals-and-sandbox", "--full-auto"],
    unattended_short: &[],
    unattended_values: &[],
    runs_alone: None,
    worker: Some("default"),
    plans: None,
    servers: None,
};

const PROJECT: Place = Place::in_project(".codex/hooks.json");
const PROJECT_CONFIG: Place = Place::in_project(".codex/config.toml");
const USER: Place = Place::in_client_home("hooks.json");
const USER_CONFIG: Place = Place::in_client_home("config.toml");
const MANAGED: Place = Place::in_system("/etc/codex/hooks.json");
const MANAGED_CONFIG: Place = Place::in_system("/etc/codex/config.toml");
const REQUIREMENTS: Place = Place::in_system("/etc/codex/requirements.toml");

pub(super) const FACTS: Facts = Facts {
    shared: &SHARED,
    session_variable: "CODEX_THREAD_ID",
    hook_session_variable: None,
    hook_mark: None,
    marks: &["CODEX_THREAD_ID", "CODEX_SANDBOX"],
    tool_marks: &["CODEX_TOOL_CALL_ID", "CODEX_THREAD_ID"],
    processes: &["codex", "/@openai/codex/"],
    home_folder: ".codex",
    settings: &[(Scope::Project, PROJECT), (Scope::User, USER), (Scope::Managed, MANAGED)],
    settings_read_by: ReadBy::ItselfOnly,
    agents: &[],
    commands: &[],
    // The config files can hold hooks too, and the user's holds which hooks are trusted.
    guarded: &[PROJECT, PROJECT_CONFIG, USER, USER_CONFIG, MANAGED, MANAGED_CONFIG, REQUIREMENTS],
    sourced: &[],
    plugins: None,
    status_line: None,
    servers: None,
    add_server: "codex mcp add",
    blockers: &[
        switched_off_in(PROJECT_CONFIG),
        switched_off_in(USER_CONFIG),
        switched_off_in(MANAGED_CONFIG),
        Blocker {
            place: REQUIREMENTS,
            key: &["allow_managed_hooks_only"],
            harmful: true,
            effect: "only managed hooks run",
        },
    ],
    traces: &[Place::in_project(".codex"), Place::in_client_home("")],
    after_install: Some(
        "Start `codex` and trust the hooks under `/hooks`: Codex silently skips hooks that nobody has reviewed",
    ),
    // The client ignores events that it does not know, so an unknown version gets all of them.
    assumed_version: None,
    ignores_events_since: None,
    exec_since: None,
    failure: FailureRule {
        refused: &["PreToolUse", "UserPromptSubmit"],
        held: &["Stop", "SubagentStop"],
        told: &["SessionStart"],
        option: None,
        shell: HookShell::Users,
    },
    own_sandbox: Some(OwnSandbox::Mode(SandboxMode {
        places: &[PROJECT_CONFIG, USER_CONFIG, MANAGED_CONFIG],
        key: "sandbox_mode",
        none: "danger-full-access",
        usual: "workspace-write",
    })),
};

const fn switched_off_in(place: Place) -> Blocker {
    Blocker { place, key: &["features", "hooks"], harmful: false, effect: "no hook runs at all" }
}
