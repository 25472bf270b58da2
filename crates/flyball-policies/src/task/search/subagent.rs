//! Names the index to subagents, which know only their prompt: with the tool or the command that asks it.

use flyball_core::client::ToolServers;
use flyball_core::policy::{PolicyError, Situation};
use flyball_core::verdict::{Rewrite, Verdict};
use flyball_core::workshop::{Places, ProgramQuery, Workshop};
use serde_json::Value;

use super::settings::{Settings, Tool};
use super::survey::is_usable;

/// A longer list of servers is not read.
const MOST_BYTES: u64 = 256 * 1024;

/// What a subagent is told, a line for each tool that can be asked.
pub(super) struct Usable(Vec<String>);

/// The tools that can be asked now, and how.
pub(super) fn usable(situation: &Situation<'_>, workshop: &dyn Workshop) -> Result<Usable, PolicyError> {
    let settings: Settings = situation.config()?;
    let line = |tool: &Tool| {
        let ways = ways(situation, tool, workshop);
        // A text of the user's own may say how it is asked, and so may what the agent knows of the tool. What is said to ask
        // it must be there. The service is asked last, because that takes longest.
        let is_silent = tool.command.is_empty() && tool.server_tool.is_empty();
        let is_known = !ways.is_empty() || !tool.reminder.is_empty() || is_silent;
        (is_known && is_usable(tool, workshop)).then(|| sentence(tool, &ways))
    };
    Ok(Usable(settings.tool.iter().filter_map(line).collect()))
}

/// Puts the lines before the prompt of a subagent. It does not allow the call.
pub(super) fn name_tools(situation: &Situation<'_>, prompt: &str) -> Verdict {
    let Some(Usable(lines)) = situation.gathered::<Usable>() else { return Verdict::silent() };
    let new: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !prompt.contains(line)).collect();
    if new.is_empty() {
        return Verdict::silent();
    }
    Verdict { rewrites: vec![Rewrite::Prepend(format!("{}\n\n", new.join("\n")))], ..Verdict::default() }
        .with_evidence("index", new.len().to_string())
}

fn sentence(tool: &Tool, ways: &[String]) -> String {
    let how = if ways.is_empty() { format!("ask {}", tool.name) } else { ways.join(" or ") };
    if ways.is_empty() && !tool.reminder.is_empty() {
        tool.reminder.clone()
    } else if tool.reminder.is_empty() {
        format!(
            "This project has an index that finds code by meaning ({}): to find where something is done, {how} before you \
             search by text.",
            tool.name
        )
    } else {
        format!("{} To ask {}, {how}.", tool.reminder, tool.name)
    }
}

/// How the tool is asked: by a tool server of the project, and by a command.
fn ways(situation: &Situation<'_>, tool: &Tool, workshop: &dyn Workshop) -> Vec<String> {
    let client = workshop.clients().iter().find(|client| client.id == situation.event.client);
    // Without a command, its program has its name.
    let program = tool.command.first().unwrap_or(&tool.name);
    let by_server = client.and_then(|client| client.servers).and_then(|servers| {
        let name = server_name(&servers, program, workshop)?;
        Some(match tool.server_tool.as_str() {
            "" => format!("call a tool of the server `{name}`"),
            called => format!("call `{}`", servers.tool.replace("{server}", &name).replace("{tool}", called)),
        })
    });
    let by_command = tool.command.first().and_then(|name| {
        let near = workshop.project_root().clone();
        workshop.find(&ProgramQuery { name: name.clone(), near, places: Places::SearchPath })
    });
    let by_command = by_command.map(|_| format!("run `{} \"QUESTION\"`", tool.command.join(" ")));
    by_server.into_iter().chain(by_command).collect()
}

/// The name of the project's tool server that runs a program.
fn server_name(servers: &ToolServers, program: &str, workshop: &dyn Workshop) -> Option<String> {
    let path = workshop.real_path(workshop.project_root(), servers.file);
    let bytes = workshop.read(&path, MOST_BYTES).ok()??;
    let file: Value = serde_json::from_slice(&bytes).ok()?;
    let base = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let runs = |server: &Value| {
        let arguments = server.get("args").and_then(Value::as_array).into_iter().flatten();
        let mut words = server.get("command").into_iter().chain(arguments).filter_map(Value::as_str);
        words.any(|word| base(word) == base(program))
    };
    let named = file.get(servers.key)?.as_object()?;
    named.iter().find(|(_, server)| runs(server)).map(|(name, _)| name.clone())
}
