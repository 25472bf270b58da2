//! `[quality.fixer]`: a model that fixes what formatters cannot.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::providers::{CLAUDE_HAIKU, CLAUDE_OPUS, CLAUDE_SONNET};

/// `[quality.fixer]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FixerSettings {
    /// Whether a model is asked. It costs money and time, so it is off.
    pub enabled: bool,
    /// Who is asked: `claude` starts the Claude Code client, `anthropic` and `openai` speak to a server of that kind.
    pub provider: Provider,
    /// The client's program, if it is not on the search path.
    pub program: Option<String>,
    /// A settings file for the client, instead of one that disables all hooks. It must disable them too.
    pub settings_file: Option<String>,
    /// The server's address, if it is not the provider's own: a proxy, or a local model.
    pub url: Option<String>,
    /// The environment variable with the server's key. The provider's usual one (`ANTHROPIC_API_KEY`, `OPENAI_API_KEY`)
    /// is sent to the provider only: for another address (`url`), name the variable here.
    pub key_variable: Option<String>,
    /// One model for everything, whatever the tiers say.
    pub model: Option<String>,
    /// A limit of turns for every tier.
    pub max_turns: Option<u32>,
    /// A limit of time for every tier, in seconds.
    pub timeout_seconds: Option<u32>,
    /// More findings than this go to the strongest tier.
    pub volume: usize,
    /// A patch that changes more lines than this is rejected.
    pub most_lines: usize,
    /// Which model fixes what.
    pub tiers: Tiers,
}

impl Default for FixerSettings {
    fn default() -> FixerSettings {
        FixerSettings {
            enabled: false,
            provider: Provider::Claude,
            program: None,
            settings_file: None,
            url: None,
            key_variable: None,
            model: None,
            max_turns: None,
            timeout_seconds: None,
            volume: 5,
            most_lines: 80,
            tiers: Tiers::default(),
        }
    }
}

/// Who is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// `claude -p`.
    #[default]
    Claude,
    /// A server that speaks Anthropic's Messages API.
    Anthropic,
    /// A server that speaks OpenAI's Chat Completions API; Ollama and many others do.
    Openai,
}

/// Which model fixes what, from the cheapest to the strongest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tiers {
    /// Simple findings, and those that no tier names.
    pub haiku: Tier,
    /// Findings that need thought.
    pub sonnet: Tier,
    /// Findings that need an overview, and many at once.
    pub opus: Tier,
}

/// One tier. What is not set has the tier's own default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Tier {
    /// The model, by the name its provider knows.
    pub model: Option<String>,
    /// The codes it is for: patterns that the whole code must match.
    pub patterns: Option<Vec<Pattern>>,
    /// The tools that the client may use, of those that read and edit files: `Edit`, `MultiEdit`, `Read`, `Write`,
    /// `Glob`, `Grep`. It edits a copy of the one file and reaches nothing else; other tools are left out.
    pub tools: Option<Vec<String>>,
    /// How many turns it may take.
    pub max_turns: Option<u32>,
    /// How long it may take, in seconds.
    pub timeout_seconds: Option<u32>,
}

/// A regular expression that is checked when the config is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Pattern(String);

impl Pattern {
    /// The expression as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        // Compiled as it is used: after a comment at the end of a pattern, `)$` would be part of the comment.
        match regex_lite::Regex::new(&format!("^(?:{text})$")) {
            Ok(_) => Ok(Pattern(text)),
            Err(cause) => Err(format!("`{text}` is not a valid regular expression: {cause}")),
        }
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> String {
        pattern.0
    }
}

/// The tools that a model needs to edit one file. Shells, helpers and tool servers would reach more.
const FILE_TOOLS: &[&str] = &["Edit", "MultiEdit", "Read", "Write", "Glob", "Grep"];

/// How strong a tier is. The greatest is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    Haiku,
    Sonnet,
    Opus,
}

/// The defaults of a tier.
struct Defaults {
    name: &'static str,
    anthropic: &'static str,
    patterns: &'static [&'static str],
    tools: &'static [&'static str],
    max_turns: u32,
    timeout_seconds: u32,
}

const HAIKU: Defaults = Defaults {
    name: "haiku",
    anthropic: CLAUDE_HAIKU,
    patterns: &[
        "(E|W|F|B|S|T|N|UP|YTT|ANN|BLE|FBT|A|COM|DTZ|EM|EXE|ISC|ICN|G|INP|PIE|PYI|PT|Q|RSE|RET|SLF|SIM|TID|TCH\
         |INT|ARG|PTH|TD|FIX|ERA|PD|PGH|PLC|PLE|PLW|TRY|FLY|NPY|AIR|PERF|FURB|LOG|RUF|SC|DL|I)[0-9]+",
        "lint/.*",
    ],
    tools: &["Edit", "Read"],
    max_turns: 10,
    timeout_seconds: 120,
};

const SONNET: Defaults = Defaults {
    name: "sonnet",
    anthropic: CLAUDE_SONNET,
    patterns: &[
        "C901|PLR[0-9]+|PYD[0-9]+|FAST[0-9]+|ASYNC[0-9]+|unresolved-import|MD[0-9]+(/.*)?|D[0-9]+",
        "lint/complexity/.*",
        "(lint/[a-z]+/)?(useExhaustiveDependencies|noFloatingPromises|noMisusedPromises|useAwaitThenable)",
    ],
    tools: &["Edit", "Read"],
    max_turns: 10,
    timeout_seconds: 300,
};

const OPUS: Defaults = Defaults {
    name: "opus",
    anthropic: CLAUDE_OPUS,
    patterns: &["unresolved-attribute|type-assertion"],
    tools: &["Edit", "Read", "Write"],
    max_turns: 15,
    timeout_seconds: 600,
};

impl Strength {
    /// All, from the cheapest.
    pub const ALL: [Strength; 3] = [Strength::Haiku, Strength::Sonnet, Strength::Opus];

    /// Its name in the config.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.defaults().name
    }

    const fn defaults(self) -> &'static Defaults {
        match self {
            Strength::Haiku => &HAIKU,
            Strength::Sonnet => &SONNET,
            Strength::Opus => &OPUS,
        }
    }
}

impl FixerSettings {
    /// The model of a tier. `None` if the provider has no default model.
    #[must_use]
    pub fn model(&self, strength: Strength) -> Option<String> {
        let own = || match self.provider {
            // The client knows these short names and chooses the newest model of each.
            Provider::Claude => Some(strength.name().to_owned()),
            Provider::Anthropic => Some(strength.defaults().anthropic.to_owned()),
            Provider::Openai => None,
        };
        self.model.clone().or_else(|| self.tier(strength).model.clone()).or_else(own)
    }

    /// The patterns of a tier.
    #[must_use]
    pub fn patterns(&self, strength: Strength) -> Vec<&str> {
        let own = || strength.defaults().patterns.to_vec();
        let set = self.tier(strength).patterns.as_ref();
        set.map_or_else(own, |patterns| patterns.iter().map(Pattern::as_str).collect())
    }

    /// The tools that a tier's client may use.
    #[must_use]
    pub fn tools(&self, strength: Strength) -> Vec<&str> {
        let own = || strength.defaults().tools.to_vec();
        let set = self.tier(strength).tools.as_ref();
        let known = |tools: &'_ Vec<String>| {
            FILE_TOOLS.iter().copied().filter(|tool| tools.iter().any(|it| it == tool)).collect()
        };
        set.map_or_else(own, known)
    }

    /// The tools that the config names for a tier and that no tier gets.
    #[must_use]
    pub fn left_out_tools(&self, strength: Strength) -> Vec<&str> {
        let set = self.tier(strength).tools.iter().flatten().map(String::as_str);
        set.filter(|tool| !FILE_TOOLS.contains(tool)).collect()
    }

    /// How many turns a tier may take.
    #[must_use]
    pub fn turns(&self, strength: Strength) -> u32 {
        let own = strength.defaults().max_turns;
        self.max_turns.or(self.tier(strength).max_turns).unwrap_or(own)
    }

    /// How long a tier may take, in seconds.
    #[must_use]
    pub fn seconds(&self, strength: Strength) -> u32 {
        let own = strength.defaults().timeout_seconds;
        self.timeout_seconds.or(self.tier(strength).timeout_seconds).unwrap_or(own)
    }

    const fn tier(&self, strength: Strength) -> &Tier {
        match strength {
            Strength::Haiku => &self.tiers.haiku,
            Strength::Sonnet => &self.tiers.sonnet,
            Strength::Opus => &self.tiers.opus,
        }
    }
}
