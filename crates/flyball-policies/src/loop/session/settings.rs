//! `[loop.session]`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::below_root::BelowRoot;
use crate::literal;

/// A reminder has to be shorter: it comes with every prompt.
const REMINDER_TOKENS: usize = 100;
const LETTERS_PER_TOKEN: usize = 4;

/// `[loop.session]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Files and skills whose text is added when a session starts, in this order.
    pub(super) inject: Vec<Inject>,
    /// The folders of skills: each skill is a folder with a `SKILL.md`.
    pub(super) skills: Vec<BelowRoot>,
    /// How much of one file is added, in characters.
    pub(super) file_chars: usize,
    /// How much of all files is added. `engine.context_chars` limits the context of all policies together.
    pub(super) total_chars: usize,
    /// A text that is added to each prompt of a person: less than 100 tokens.
    pub(super) reminder: Reminder,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            inject: Vec::new(),
            skills: vec![BelowRoot(crate::client_defaults::SKILLS.to_owned())],
            file_chars: 4_000,
            total_chars: 8_000,
            reminder: Reminder::default(),
        }
    }
}

/// A text that is added: of a file or of a skill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, try_from = "Written")]
#[schemars(!try_from)]
pub(super) struct Inject {
    /// The file: inside the project.
    pub(super) file: Option<BelowRoot>,
    /// The name of the skill, instead of a file.
    pub(super) skill: Option<SkillName>,
    /// The kinds of start at which it is added; not `resume` and `fork`, where it was added before.
    #[serde(default = "fresh")]
    pub(super) on: Vec<Source>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    file: Option<BelowRoot>,
    #[serde(default)]
    skill: Option<SkillName>,
    #[serde(default = "fresh")]
    on: Vec<Source>,
}

fn fresh() -> Vec<Source> {
    vec![Source::Startup, Source::Clear, Source::Compact]
}

#[derive(Debug, thiserror::Error)]
#[error("name either a `file` or a `skill`")]
pub(super) struct FileOrSkillError;

impl TryFrom<Written> for Inject {
    type Error = FileOrSkillError;

    fn try_from(Written { file, skill, on }: Written) -> Result<Inject, FileOrSkillError> {
        if file.is_some() == skill.is_some() { Err(FileOrSkillError) } else { Ok(Inject { file, skill, on }) }
    }
}

/// How a session starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Source {
    /// For the first time.
    Startup,
    /// Again, with its earlier context.
    Resume,
    /// Anew, on request.
    Clear,
    /// After a compaction.
    Compact,
    /// As a copy of another one.
    Fork,
}

impl Source {
    /// The source of that name.
    pub(super) fn from_name(name: &str) -> Option<Source> {
        Some(match name {
            "startup" => Source::Startup,
            "resume" => Source::Resume,
            "clear" => Source::Clear,
            "compact" => Source::Compact,
            "fork" => Source::Fork,
            _ => return None,
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct SkillName(String);

impl SkillName {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, thiserror::Error)]
#[error("invalid skill name `{0}`: write the name of the skill's folder")]
pub(super) struct InvalidSkillName(String);

impl TryFrom<String> for SkillName {
    type Error = InvalidSkillName;

    fn try_from(name: String) -> Result<SkillName, InvalidSkillName> {
        let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
        if is_name { Ok(SkillName(name)) } else { Err(InvalidSkillName(name)) }
    }
}

impl<'de> Deserialize<'de> for SkillName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SkillName, D::Error> {
        literal::read(deserializer)
    }
}

/// A text that comes with every prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub(super) struct Reminder(String);

impl Reminder {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, thiserror::Error)]
#[error(
    "the reminder has about {tokens} tokens and comes with every prompt; write less than {REMINDER_TOKENS}"
)]
pub(super) struct TooLong {
    tokens: usize,
}

impl TryFrom<String> for Reminder {
    type Error = TooLong;

    fn try_from(text: String) -> Result<Reminder, TooLong> {
        let text = text.trim();
        let tokens = text.chars().count().div_ceil(LETTERS_PER_TOKEN);
        if tokens < REMINDER_TOKENS { Ok(Reminder(text.to_owned())) } else { Err(TooLong { tokens }) }
    }
}

impl<'de> Deserialize<'de> for Reminder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Reminder, D::Error> {
        literal::read(deserializer)
    }
}
