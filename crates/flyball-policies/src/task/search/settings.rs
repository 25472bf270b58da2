//! What can be set.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::below_root::BelowRoot;
use crate::literal;

/// Names that always mean this machine.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// `[task.search]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The tools that keep a semantic index of the project.
    pub tool: Vec<Tool>,
}

impl Default for Settings {
    fn default() -> Settings {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let files = |files: &[&str]| files.iter().map(|file| BelowRoot((*file).to_owned())).collect();
        Settings {
            tool: vec![Tool {
                name: "grepai".to_owned(),
                marker: BelowRoot(".grepai".to_owned()),
                index: BelowRoot(".grepai/index.gob".to_owned()),
                service: Some(Service("http://localhost:11434/api/tags".to_owned())),
                watch: words(&["grepai", "watch", "--background", "--log-dir", ".grepai/logs"]),
                watch_pid: files(&[".grepai/watch.pid", ".grepai/logs/grepai-watch.pid"]),
                server_pid: Vec::new(),
                command: words(&["grepai", "search"]),
                server_tool: "grepai_search".to_owned(),
                reminder: String::new(),
                throttle_seconds: throttle(),
                auto_start: true,
            }],
        }
    }
}

/// A tool that keeps an index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The folder that shows that the project uses it.
    pub marker: BelowRoot,
    /// The file of the index.
    pub index: BelowRoot,
    /// The address of the service it needs, on this machine: asked once when a session starts, for at most 40 ms.
    #[serde(default)]
    pub service: Option<Service>,
    /// The command that keeps the index fresh, word by word. No shell reads it.
    #[serde(default)]
    pub watch: Vec<String>,
    /// Where that leaves the number of its process: the first file that names a living one counts.
    #[serde(default)]
    pub watch_pid: Vec<BelowRoot>,
    /// Where the server that agents ask leaves its number, if it does.
    #[serde(default)]
    pub server_pid: Vec<BelowRoot>,
    /// The command that searches, word by word; the question follows. It is named to subagents if it is installed.
    #[serde(default)]
    pub command: Vec<String>,
    /// The tool that searches, of a tool server that runs the program of `command`, or one named `name`. It is named to
    /// subagents if the project has such a server.
    #[serde(default)]
    pub server_tool: String,
    /// The reminder for an agent that searches by text; empty for the default.
    #[serde(default)]
    pub reminder: String,
    /// How soon an agent is reminded again.
    #[serde(default = "throttle")]
    pub throttle_seconds: u32,
    /// Whether `watch` is started when it is not running.
    #[serde(default)]
    pub auto_start: bool,
}

impl Tool {
    /// The reminder for an agent.
    pub(super) fn reminder_text(&self) -> String {
        if !self.reminder.is_empty() {
            return self.reminder.clone();
        }
        format!(
            "Search with {0} first for questions like \"where is this done\": its index of this project finds code by \
             meaning, a text search does not.",
            self.name
        )
    }
}

const fn throttle() -> u32 {
    60
}

/// The address of a service on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Service(String);

impl Service {
    pub(super) fn url(&self) -> &str {
        &self.0
    }

    /// Host and port, for people.
    pub(super) fn place(&self) -> &str {
        authority(&self.0).unwrap_or(&self.0)
    }
}

/// The address is not on this machine.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not an address on this machine; write `http://localhost:PORT/…`")]
pub struct Elsewhere(String);

impl TryFrom<String> for Service {
    type Error = Elsewhere;

    fn try_from(url: String) -> Result<Service, Elsewhere> {
        let is_here = authority(&url).is_some_and(|place| {
            LOCAL_HOSTS.iter().any(|host| {
                // Only a port may follow: `localhost.example.com` begins with a local name, too.
                let port = place.strip_prefix(host).map(|rest| rest.strip_prefix(':').unwrap_or(rest));
                port.is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
            })
        });
        if is_here { Ok(Service(url)) } else { Err(Elsewhere(url)) }
    }
}

impl<'de> Deserialize<'de> for Service {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Service, D::Error> {
        literal::read(deserializer)
    }
}

fn authority(url: &str) -> Option<&str> {
    url.strip_prefix("http://")?.split(['/', '?', '#']).next()
}
