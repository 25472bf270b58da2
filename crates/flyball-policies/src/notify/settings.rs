//! The settings of notifications: how loud, when not, and for what.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

use crate::globs::Glob;
use crate::literal;

/// The notices for which a client waits for its user.
const WAITING: &str = "{permission_prompt,worker_permission_prompt,idle_prompt,agent_needs_input,elicitation_dialog,elicitation_url_dialog}";

/// `[notify]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// `false` switches all sounds off, whatever a rule says.
    pub sound: bool,
    /// Whether anything is shown on the desktop, whatever a rule says.
    pub desktop: bool,
    /// How loud, from 0 to 1.
    pub volume: Volume,
    /// The sound that is played: an absolute path, or one that begins with `~/`. Without one, a short tone.
    pub file: Option<SoundFile>,
    /// When no sounds are played, in local time: `"22:00-07:00"`. Notifications are still shown.
    pub quiet: Vec<Hours>,
    /// For what. The first rule that matches decides.
    pub rule: Vec<Rule>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            sound: true,
            desktop: true,
            volume: Volume { percent: 50 },
            file: None,
            quiet: Vec::new(),
            rule: vec![
                Rule { topic: Some(Glob::builtin(WAITING)), ..Rule::on(Occasion::Notification) },
                Rule::on(Occasion::Escalation),
            ],
        }
    }
}

impl Settings {
    /// Whether this minute of the day is one of the quiet ones.
    #[must_use]
    pub fn is_quiet(&self, minute: u32) -> bool {
        self.quiet.iter().any(|hours| hours.contain(minute))
    }
}

/// What a notice is for, and what it is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What has to happen.
    pub on: Occasion,
    /// For `notification`: a glob of the client's name for it, such as `permission_prompt`; without one, any.
    #[serde(default)]
    pub topic: Option<Glob>,
    /// Whether a sound is played.
    #[serde(default = "yes")]
    pub sound: bool,
    /// Whether it is shown.
    #[serde(default = "yes")]
    pub desktop: bool,
    /// A sound of its own.
    #[serde(default)]
    pub file: Option<SoundFile>,
    /// A text of its own.
    #[serde(default)]
    pub text: Option<String>,
}

impl Rule {
    fn on(on: Occasion) -> Rule {
        Rule { on, topic: None, sound: true, desktop: true, file: None, text: None }
    }
}

const fn yes() -> bool {
    true
}

/// Something that can be worth a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// The client notifies its user.
    Notification,
    /// The agent ended its turn, and no subagent is running.
    Stop,
    /// A policy blocked an agent from stopping.
    Held,
    /// A limit was reached, and a person has to decide.
    Escalation,
    /// A policy denied a call.
    Denied,
    /// A subagent finished.
    AgentStop,
}

impl Occasion {
    /// The name in `flyball.toml`.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Occasion::Notification => "notification",
            Occasion::Stop => "stop",
            Occasion::Held => "held",
            Occasion::Escalation => "escalation",
            Occasion::Denied => "denied",
            Occasion::AgentStop => "agent_stop",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Volume {
    percent: u8,
}

impl Volume {
    #[must_use]
    pub const fn percent(self) -> u8 {
        self.percent
    }

    /// The volume of this many percent; `None` if it is more than 100.
    #[must_use]
    pub const fn from_percent(percent: u8) -> Option<Volume> {
        if percent <= 100 { Some(Volume { percent }) } else { None }
    }
}

/// The number is not a volume.
#[derive(Debug, thiserror::Error)]
#[error("invalid volume `{0}`; write a number from 0 (silent) to 1 (full)")]
pub struct VolumeError(f64);

impl TryFrom<f64> for Volume {
    type Error = VolumeError;

    fn try_from(share: f64) -> Result<Volume, VolumeError> {
        // The nearest percent; NaN is near none.
        let near = |percent: &u8| (f64::from(*percent) - share * 100.0).abs() <= 0.5;
        let percent = if (0.0..=1.0).contains(&share) { (0..=100).find(near) } else { None };
        percent.map(|percent| Volume { percent }).ok_or(VolumeError(share))
    }
}

impl From<Volume> for f64 {
    fn from(volume: Volume) -> f64 {
        f64::from(volume.percent) / 100.0
    }
}

impl JsonSchema for Volume {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Volume".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// A sound on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct SoundFile(String);

/// The path is relative.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is a relative path; write an absolute path, or one that begins with `~/`")]
pub struct SoundFileError(String);

impl TryFrom<String> for SoundFile {
    type Error = SoundFileError;

    fn try_from(path: String) -> Result<SoundFile, SoundFileError> {
        let is_placed = path.starts_with('/') || path.starts_with("~/");
        if is_placed && !path.contains(char::is_control) {
            Ok(SoundFile(path))
        } else {
            Err(SoundFileError(path))
        }
    }
}

impl<'de> Deserialize<'de> for SoundFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SoundFile, D::Error> {
        literal::read(deserializer)
    }
}

impl SoundFile {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A part of each day: `22:00-07:00`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Hours {
    #[schemars(regex(pattern = r"^[0-9]{1,2}:[0-9]{2}-[0-9]{1,2}:[0-9]{2}$"))]
    text: String,
    #[serde(skip)]
    span: (u32, u32),
}

/// The text is not a part of a day.
#[derive(Debug, thiserror::Error)]
#[error("invalid hours `{0}`; write them as `22:00-07:00`")]
pub struct HoursError(String);

impl TryFrom<String> for Hours {
    type Error = HoursError;

    fn try_from(text: String) -> Result<Hours, HoursError> {
        let span = text.split_once('-').and_then(|(from, to)| Some((minute(from)?, minute(to)?)));
        match span.filter(|(from, to)| from != to) {
            Some(span) => Ok(Hours { text, span }),
            None => Err(HoursError(text)),
        }
    }
}

/// The minute of the day of `07:30`; 24:00 is the end of it.
fn minute(text: &str) -> Option<u32> {
    let (hours, minutes) = text.trim().split_once(':')?;
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes): (u32, u32) = (digits(hours) && digits(minutes) && minutes.len() == 2)
        .then(|| Some((hours.parse().ok()?, minutes.parse().ok()?)))??;
    let whole = hours.checked_mul(60)?.checked_add(minutes)?;
    (minutes < 60 && whole <= 24 * 60).then_some(whole)
}

impl<'de> Deserialize<'de> for Hours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hours, D::Error> {
        literal::read(deserializer)
    }
}

impl fmt::Display for Hours {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Hours {
    fn contain(&self, minute: u32) -> bool {
        let (from, to) = self.span;
        // `22:00-07:00` goes over midnight.
        if from < to { (from..to).contains(&minute) } else { minute >= from || minute < to }
    }
}
