//! Defaults of settings that name files in a client's folder, or the agents that come with a client. They are in
//! the form of flyball.toml, because people see and replace them; what is not a default comes from the
//! [facts](flyball_core::client::ClientFacts).

pub(crate) const SKILLS: &str = ".claude/skills";

/// Programs for the agent.
pub(crate) const TOOLS: &str = ".claude/tools/**";

/// The limits of an orchestration.
pub(crate) const LIMITS: &str = ".claude/config/orchestration-limits.yaml";

/// Where agents' documents belong, besides folders of the project.
pub(crate) const DOCUMENTS: [&str; 3] = [
    ".claude/.output/**",
    ".claude/{docs,skills,skill-library,agents,agent-library}/**",
    // What a client reads from there, and the memory of its agents.
    ".claude/{commands,rules,output-styles,plans,agent-memory,agent-memory-local}/**",
];

/// The folder for documents that is named to an agent.
pub(crate) const SUGGESTED: &str = ".claude/.output/agents/{date}-{slug}/";

/// Files from which clients read instructions, in any folder.
pub(crate) const INSTRUCTIONS: &str = "**/{CLAUDE,CLAUDE.local,AGENTS,GEMINI,SKILL}.md";

/// The agent that answers questions about its client.
pub(crate) const GUIDE: &str = "claude-code-guide";

/// Agents that come with a client to look things up or to set it up.
pub(crate) const HELPERS: [&str; 3] = ["Explore", GUIDE, "statusline-setup"];

/// All agents that come with a client.
pub(crate) const BUILT_IN: [&str; 6] =
    ["Explore", "Plan", "Bash", "general-purpose", GUIDE, "statusline-setup"];
