//! Asks the Claude Code client: it edits a copy, in a folder that contains nothing else.
//!
//! Its permission checks stay on. In the mode `acceptEdits` it edits what is below its folder and
//! is refused what is elsewhere, unless a rule allows the tool by name: so none is ever given.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flyball_core::path::AbsolutePath;
use flyball_core::policy::World;
use flyball_core::text;
use flyball_core::workshop::{Ending, Inherit, Job, JobResult, Limits, Places, ProgramQuery, Workshop};
use serde::Deserialize;
use serde_json::Value;

use super::request::{FixRequest, IN_FIXER, failed, seconds};
use crate::chat::shown;
use crate::report::FixOutcome;

/// All tools that a client may have; `--tools` excludes newer ones.
const ALL_TOOLS: &[&str] = &[
    "Edit",
    "Read",
    "Write",
    "Bash",
    "Glob",
    "Grep",
    "WebFetch",
    "WebSearch",
    "NotebookEdit",
    "Task",
    "Agent",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
];

/// What the outer client sets for programs that it starts: the inner one is a session of its own.
const UNSET: &[&str] = &[
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_PROJECT_DIR",
    "AI_AGENT",
];

/// What the client needs of our environment: where things are, how to reach its provider, and its own key. Keys of
/// others are none of its business.
const INHERITED: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "XDG_*",
    "LD_LIBRARY_PATH",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "API_TIMEOUT_MS",
    "ANTHROPIC_*",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_*",
];

/// Clouds that the client may reach its models through: the variable that chooses one, and what it needs then.
const CLOUDS: &[(&str, &[&str])] = &[
    ("CLAUDE_CODE_USE_BEDROCK", &["AWS_*"]),
    ("CLAUDE_CODE_USE_VERTEX", &["GOOGLE_*", "GCLOUD_*", "CLOUDSDK_*", "CLOUD_ML_REGION", "VERTEX_REGION_*"]),
    ("CLAUDE_CODE_USE_FOUNDRY", &["AZURE_*"]),
];

/// The settings of the client.
const HOOKS_OFF: &str = r#"{"disableAllHooks":true}"#;

/// A longer file is not read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Lets the client edit a copy of the file, and returns what it made of it.
pub(super) fn propose(fix: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
    let program = program(fix, workshop)?;
    let settings = settings(fix, workshop)?;
    let name = copy_name(fix.path);
    let scratch = workshop
        .scratch(&[(name, fix.before.as_bytes())])
        .map_err(|error| failed(format!("cannot copy the file: {error}")))?;
    let job = Job { inherit: inherited(workshop), ..job(fix, program, settings, scratch.path()) };
    let limits = Limits { timeout: fix.timeout, at_a_time: 1, ..Limits::default() };
    let ran = workshop.run(std::slice::from_ref(&job), limits).into_iter().next();
    let ran = ran.ok_or_else(|| failed("the client was not started".to_owned()))?;
    let copy = scratch.path().join(name);
    check_ending(&ran, fix.timeout)?;
    let output = ClientOutput::read(&ran.stdout);
    // Before the reply is looked at: an attempt to edit elsewhere is refused even if the client failed.
    let others = other_files(&output, &copy, scratch.path(), workshop);
    if !others.is_empty() {
        let named = text::quoted(others.iter().take(3));
        return Err(FixOutcome::Refused(vec![format!("it edits another file, or tries to: {named}")]));
    }
    check_reply(output, &ran)?;
    let bytes = workshop.read(&copy, MOST_BYTES).map_err(|error| failed(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| FixOutcome::Refused(vec!["it deletes the file".to_owned()]))?;
    String::from_utf8(bytes).map_err(|_| FixOutcome::Refused(vec!["it leaves invalid UTF-8".to_owned()]))
}

/// The path of the copy in its folder: as in the project, so that the model sees what it is.
fn copy_name(path: &str) -> &str {
    // A path that leads out of the folder must not be created; its name alone is enough then.
    let is_below = !path.starts_with('/') && !path.split('/').any(|part| matches!(part, "" | "." | ".."));
    if is_below { path } else { path.rsplit('/').next().unwrap_or(path) }
}

fn program(fix: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<AbsolutePath, FixOutcome> {
    let mut names: Vec<String> = Vec::new();
    if let Some(program) = &fix.settings.program {
        names.push(program.clone());
    } else {
        names.push("claude".to_owned());
        if let Some(home) = workshop.variable("HOME") {
            names.push(format!("{home}/.local/bin/claude"));
            names.push(format!("{home}/.npm-global/bin/claude"));
        }
        names.push("/usr/local/bin/claude".to_owned());
    }
    // Not from the project's own folders: a repository must not bring its own client.
    let look = |name: String| {
        workshop.find(&ProgramQuery { name, near: fix.root.to_owned(), places: Places::SearchPath })
    };
    let found = names.into_iter().find_map(look);
    found.map(|program| program.path).ok_or_else(|| {
        let named = fix.settings.program.as_deref().unwrap_or("claude");
        failed(format!("`{named}` was not found: install the client, or set `quality.fixer.program`"))
    })
}

/// Our own settings, or the user's file if it disables hooks and allows nothing more.
fn settings(fix: &FixRequest<'_>, workshop: &dyn Workshop) -> Result<String, FixOutcome> {
    let Some(file) = &fix.settings.settings_file else { return Ok(HOOKS_OFF.to_owned()) };
    let path = workshop.real_path(fix.root, file);
    let wrong = |why: &str| failed(format!("`{file}` (`quality.fixer.settings_file`) {why}"));
    let text = workshop.read(&path, MOST_BYTES).ok().flatten().ok_or_else(|| wrong("cannot be read"))?;
    let value: Value = serde_json::from_slice(&text).map_err(|_| wrong("is not valid JSON"))?;
    if value.get("disableAllHooks") != Some(&Value::Bool(true)) {
        return Err(wrong(
            "does not set `disableAllHooks` to true, so the model's edits would be checked by \
                          the hook that waits for them",
        ));
    }
    for key in ["/permissions/allow", "/permissions/additionalDirectories"] {
        if value.pointer(key).and_then(Value::as_array).is_some_and(|list| !list.is_empty()) {
            let key = key.trim_start_matches('/').replace('/', ".");
            return Err(wrong(&format!("sets `{key}`, so the model could edit more than the one file")));
        }
    }
    Ok(path.into())
}

fn inherited(workshop: &dyn Workshop) -> Inherit {
    let is_used = |(switch, _): &&(&str, &[&str])| workshop.variable(switch).is_some();
    let clouds = CLOUDS.iter().filter(is_used).flat_map(|(_, names)| names.iter());
    Inherit::Only(INHERITED.iter().chain(clouds).copied().collect())
}

fn job(fix: &FixRequest<'_>, program: AbsolutePath, settings: String, folder: &AbsolutePath) -> Job {
    let tools = fix.settings.tools(fix.strength);
    let others: Vec<&str> = ALL_TOOLS.iter().copied().filter(|tool| !tools.contains(tool)).collect();
    let turns = fix.settings.turns(fix.strength).to_string();
    let mut arguments: Vec<String> = [
        "-p",
        "--permission-mode",
        "acceptEdits",
        "--tools",
        &tools.join(","),
        // No settings of the user or the project: a rule in them could allow a tool by name.
        "--setting-sources",
        "",
        "--settings",
        &settings,
        "--strict-mcp-config",
        "--no-session-persistence",
        "--output-format",
        "stream-json",
        "--verbose",
        "--max-turns",
        &turns,
        "--model",
        fix.model,
    ]
    .map(str::to_owned)
    .to_vec();
    if !others.is_empty() {
        arguments.extend(["--disallowedTools".to_owned(), others.join(",")]);
    }
    Job {
        program,
        arguments,
        folder: folder.to_owned(),
        // Not as an argument: its length is not limited here, and it is not shown in process lists.
        stdin: Some(fix.task.clone().into_bytes()),
        set: BTreeMap::from([
            // Whatever the client starts must not ask a model again.
            (IN_FIXER.to_owned(), "1".to_owned()),
            ("DISABLE_AUTOUPDATER".to_owned(), "1".to_owned()),
            // The user waits, and a second try rarely helps.
            ("CLAUDE_CODE_MAX_RETRIES".to_owned(), "1".to_owned()),
        ]),
        unset: UNSET.iter().map(|name| (*name).to_owned()).collect(),
        timeout: Some(fix.timeout),
        ..Job::default()
    }
}

/// Fails if the client did not exit by itself.
fn check_ending(ran: &JobResult, timeout: Duration) -> Result<(), FixOutcome> {
    match &ran.ending {
        Ending::TimedOut | Ending::OverLimit(_) => {
            Err(failed(format!("no answer within {}", seconds(timeout))))
        }
        Ending::NotStarted(why) => Err(failed(format!("the client did not start: {why}"))),
        Ending::Killed(signal) => Err(failed(format!("the client was killed by signal {signal}"))),
        Ending::Exited(_) if ran.cut => Err(failed("the client printed too much".to_owned())),
        Ending::Exited(_) => Ok(()),
    }
}

/// The files besides the copy that the client edited or tried to edit: relative to its folder, where they are in it.
fn other_files(
    output: &ClientOutput,
    copy: &AbsolutePath,
    folder: &AbsolutePath,
    workshop: &dyn Workshop,
) -> BTreeSet<String> {
    let edited = output.edited.iter().map(|path| workshop.real_path(folder, path));
    // Also what is on disk: a tool that is not known as an editing one may have written it.
    let others = edited.chain(files_below(workshop, folder)).filter(|path| path != copy);
    others.map(|path| path.strip_folder(folder).unwrap_or(&path).to_owned()).collect()
}

/// Fails if the client does not report success.
fn check_reply(output: ClientOutput, ran: &JobResult) -> Result<(), FixOutcome> {
    match (output.end, &ran.ending) {
        // What it did until its turns ran out is checked like everything else.
        (Some(end), _) if !end.is_error || end.subtype == "error_max_turns" => Ok(()),
        (Some(end), _) => {
            Err(failed(format!("the client failed: {}", plain(&end.result.unwrap_or(end.subtype)))))
        }
        (None, Ending::Exited(code)) => {
            let stderr = String::from_utf8_lossy(&ran.stderr);
            Err(failed(format!("the client exited with code {code}: {}", plain(&stderr))))
        }
        (None, Ending::Killed(_) | Ending::TimedOut | Ending::OverLimit(_) | Ending::NotStarted(_)) => {
            Err(failed("the client did not end".to_owned()))
        }
    }
}

fn plain(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() { "no reason given".to_owned() } else { shown(text, None) }
}

/// All files in a folder and below it.
fn files_below(world: &dyn Workshop, folder: &AbsolutePath) -> Vec<AbsolutePath> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for name in world.list(&folder) {
            let path = folder.join(&name);
            match is_folder(world, &path) {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files
}

/// Whether it is a folder itself: a link to one is a file that does not belong there.
fn is_folder(world: &dyn World, path: &AbsolutePath) -> bool {
    world.stat(path).is_some_and(|stat| stat.is_folder) && world.real_path(path, ".") == *path
}

/// What the client printed, as far as it matters here.
#[derive(Debug, Default)]
struct ClientOutput {
    /// The files that it edited or tried to edit.
    edited: Vec<String>,
    end: Option<End>,
}

/// One line of the client's output.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line {
    Assistant {
        message: Message,
    },
    Result(End),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Vec<Value>,
}

/// How the client reports its end.
#[derive(Debug, Deserialize)]
struct End {
    #[serde(default)]
    subtype: String,
    #[serde(default)]
    is_error: bool,
    #[serde(default)]
    result: Option<String>,
}

impl ClientOutput {
    fn read(stdout: &[u8]) -> ClientOutput {
        let mut output = ClientOutput::default();
        for line in String::from_utf8_lossy(stdout).lines() {
            match serde_json::from_str(line) {
                Ok(Line::Assistant { message }) => {
                    output.edited.extend(message.content.iter().filter_map(edited_file));
                }
                Ok(Line::Result(end)) => output.end = Some(end),
                // New kinds of lines come with new versions of the client.
                Ok(Line::Other) | Err(_) => {}
            }
        }
        output
    }
}

/// The file that a call edits.
fn edited_file(block: &Value) -> Option<String> {
    let name = block.get("name").filter(|_| block.get("type") == Some(&"tool_use".into()))?.as_str()?;
    let key = match name {
        "Edit" | "Write" | "MultiEdit" => "file_path",
        "NotebookEdit" => "notebook_path",
        _ => return None,
    };
    Some(block.get("input")?.get(key)?.as_str()?.to_owned())
}
