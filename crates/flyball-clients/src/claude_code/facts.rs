//! Claude Code: its files, variables and options. Nothing outside of this folder knows them.

use flyball_core::client::{
    ClientFacts, Fallback, HooksOff, InstructionFiles, LoadsInstructions, PlanFolder, ToolServers,
};

use crate::install::{
    Blocker, Facts, FailureOption, FailureRule, HookShell, OwnSandbox, Place, Plugins, ReadBy,
    SandboxSettings, Scope, ServersFile, Version,
};

pub(super) const ID: &str = "claude-code";
/// In its settings, on its command line, and as what prevents our hooks from running.
const DISABLE_HOOKS: &str = "disableAllHooks";
pub(super) const SESSION: &str = "CLAUDE_CODE_SESSION_ID";
pub(super) const MARK: &str = "CLAUDECODE";
/// How it was started: `sdk-cli` is `-p`.
const ENTRYPOINT: &str = "CLAUDE_CODE_ENTRYPOINT";
pub(super) const PROJECT_VARIABLE: &str = "CLAUDE_PROJECT_DIR";

pub(crate) static SHARED: ClientFacts = ClientFacts {
    id: ID,
    programs: &["claude"],
    home_variable: Some("CLAUDE_CONFIG_DIR"),
    project_variable: Some(PROJECT_VARIABLE),
    hooks_folder: Some(".claude/hooks"),
    agents_folder: Some(".claude/agents"),
    skill_folders: &[".claude/skills", ".claude/commands"],
    secret_files: &[".claude/.credentials.json"],
    settings: &[
        MANAGED_SETTINGS,
        ".claude/settings.local.json",
        ".claude/settings.json",
        "~/.claude/settings.json",
    ],
    instructions: InstructionFiles {
        shared: Some("CLAUDE.md"),
        hidden: Some(".claude/CLAUDE.md"),
        personal: Some("CLAUDE.local.md"),
        rules_folder: Some(".claude/rules"),
        user_folder: Some(".claude"),
        user: &["CLAUDE.md"],
        user_rules: Some("rules"),
        excludes: Some("claudeMdExcludes"),
        loads: LoadsInstructions::AtStartAndOnRead,
        // 2.1.197 does not; which version was the first is not known.
        fallback: Some(Fallback {
            file: "AGENTS.md",
            variable: "AI_AGENT",
            prefix: "claude-code_",
            since: [2, 1, 325],
        }),
        ..InstructionFiles::NONE
    },
    rule_files: &[],
    hooks_off: HooksOff {
        settings: &[DISABLE_HOOKS],
        settings_options: &["--settings"],
        // Without any source of settings, none of them registers a hook.
        empty_options: &["--setting-sources"],
        ..HooksOff::UNKNOWN
    },
    shell_wrapper: Some(SHELL_WRAPPER),
    unattended: &[
        "--dangerously-skip-permissions",
        "--allow-dangerously-skip-permissions",
        "--settings",
        "--setting-sources",
        "--bare",
        "--safe-mode",
    ],
    unattended_short: &[],
    unattended_values: &["bypassPermissions"],
    runs_alone: Some((ENTRYPOINT, "sdk-cli")),
    worker: Some("general-purpose"),
    plans: Some(PlanFolder {
        usual: "~/.claude/plans",
        setting: "plansDirectory",
        accepted_by: ("ExitPlanMode", "planFilePath"),
    }),
    servers: Some(ToolServers { file: SERVERS.path, key: SERVERS.key, tool: "mcp__{server}__{tool}" }),
};

pub(super) const SHELL_WRAPPER: &str = "CLAUDE_CODE_SHELL_PREFIX";

const SERVERS: ServersFile = ServersFile { path: ".mcp.json", key: "mcpServers" };

const MANAGED_SETTINGS: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

const PROJECT: Place = Place::in_project(".claude/settings.json");
const LOCAL: Place = Place::in_project(".claude/settings.local.json");
const USER: Place = Place::in_client_home("settings.json");
const MANAGED: Place = Place::in_system(MANAGED_SETTINGS);

/// Where our plugin is once it is installed, and which plugins are.
const PLUGIN: Place = Place::in_client_home("plugins/cache/flyball");
const PLUGIN_SOURCE: Place = Place::in_client_home("plugins/marketplaces/flyball");
const PLUGINS: Place = Place::in_client_home("plugins/installed_plugins.json");

/// The user's functions and aliases, and what hooks want to be set.
const SNAPSHOTS: Place = Place::in_client_home("shell-snapshots");
const SESSION_VARIABLES: Place = Place::in_client_home("session-env");

const AGENTS: Place = Place::in_project(".claude/agents");
const COMMANDS: Place = Place::in_project(".claude/commands");
const USER_AGENTS: Place = Place::in_client_home("agents");
const USER_COMMANDS: Place = Place::in_client_home("commands");

pub(super) const FACTS: Facts = Facts {
    shared: &SHARED,
    session_variable: SESSION,
    hook_session_variable: Some(SESSION),
    hook_mark: Some(MARK),
    marks: &[MARK, SESSION, ENTRYPOINT],
    tool_marks: &["CLAUDE_CODE_EXECPATH"],
    processes: &["claude", "/@anthropic-ai/claude-code/"],
    home_folder: ".claude",
    settings: &[
        (Scope::Project, PROJECT),
        (Scope::Local, LOCAL),
        (Scope::User, USER),
        (Scope::Managed, MANAGED),
    ],
    settings_read_by: ReadBy::OthersToo,
    agents: &[(Scope::Project, AGENTS), (Scope::Local, AGENTS), (Scope::User, USER_AGENTS)],
    commands: &[(Scope::Project, COMMANDS), (Scope::Local, COMMANDS), (Scope::User, USER_COMMANDS)],
    guarded: &[PROJECT, LOCAL, USER, MANAGED, PLUGIN, PLUGIN_SOURCE, PLUGINS],
    sourced: &[SNAPSHOTS, SESSION_VARIABLES],
    plugins: Some(Plugins { enabled_key: "enabledPlugins", oldest: Version::new(2, 1, 197) }),
    status_line: Some("statusLine"),
    servers: Some(SERVERS),
    add_server: "claude mcp add",
    blockers: &[
        disabled_in(PROJECT),
        disabled_in(LOCAL),
        disabled_in(USER),
        disabled_in(MANAGED),
        Blocker {
            place: MANAGED,
            key: &["allowManagedHooksOnly"],
            harmful: true,
            effect: "only hooks in the managed settings run",
        },
    ],
    traces: &[Place::in_project(".claude"), Place::in_project("CLAUDE.md"), Place::in_client_home("")],
    after_install: None,
    // How a handler is written depends on it. Older ones are hardly in use, for the client updates itself.
    assumed_version: Some(Version::new(2, 1, 119)),
    ignores_events_since: Some(Version::new(2, 1, 101)),
    exec_since: Some(Version::new(2, 1, 139)),
    failure: FailureRule {
        refused: &["PreToolUse", "UserPromptSubmit", "UserPromptExpansion", "PreModelSwitch", "ConfigChange"],
        held: &["Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"],
        told: &["SessionStart"],
        option: Some(FailureOption { key: "onFailure", value: "block", since: Version::new(2, 1, 325) }),
        shell: HookShell::Posix,
    },
    own_sandbox: Some(OwnSandbox::Settings(SandboxSettings {
        key: "sandbox",
        enabled: "enabled",
        files: "filesystem",
        denied: "denyWrite",
        files_off: "disabled",
        shown_by: "/sandbox",
    })),
};

const fn disabled_in(place: Place) -> Blocker {
    Blocker { place, key: &[DISABLE_HOOKS], harmful: true, effect: "no hook runs at all" }
}
