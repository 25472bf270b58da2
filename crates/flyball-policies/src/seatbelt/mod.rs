//! What the kernel refuses to the commands of agents; `flyball run` has it refused.
//!
//! The policy says what cannot work inside, and what was refused there.

mod processes;
mod refused;
mod route;
mod settings;

use flyball_core::config::{Mode, SectionSpec};
use flyball_core::event::{EventData, EventKind, Tool};
use flyball_core::policy::{OnError, OwnFile, Policy, PolicyError, PolicyId, Situation};
use flyball_core::verdict::{Reason, Snippet, Verdict};
use flyball_core::world::Wearer;
use flyball_effects::Command;
use flyball_effects::shell::mounted_folders;

pub use self::route::{Called, Lifted, Route, calls_of_git, changes_files, route};
pub use self::settings::{Level, Net, Outside, Settings};

pub static POLICY: Policy = Policy {
    id: PolicyId::new("seatbelt"),
    summary: "the kernel keeps the commands of agents from changing what guards them",
    page: include_str!("policy.md"),
    listens: &[EventKind::BeforeTool, EventKind::AfterTool, EventKind::ToolFailed],
    on_error: OnError::Notice,
    mode: Mode::Enforce,
    section: SectionSpec::for_type::<Settings>().raised_by_anyone().tightened_by(settings::TIGHTENED_BY),
    run: judge,
    gather: None,
    review: None,
};

/// Whether a command line does what it should in the seatbelt of somebody; of nobody, there is none.
pub(crate) fn works_inside(command: &str, wearer: Option<Wearer>) -> bool {
    wearer.is_some_and(|wearer| matches!(route(command, wearer), Route::Inside(_)))
}

fn judge(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    if situation.world.seatbelt().is_none() {
        return Ok(Verdict::silent());
    }
    match &situation.event.happening {
        EventData::BeforeTool(call) if matches!(call.tool, Tool::Shell { .. }) => before(situation),
        EventData::AfterTool { call, outcome } | EventData::ToolFailed { call, outcome, .. }
            if matches!(call.tool, Tool::Shell { .. }) =>
        {
            after(situation, &outcome.text)
        }
        _ => Ok(Verdict::silent()),
    }
}

/// What cannot work inside runs outside, where nothing but the guards' reading protects anything.
fn before(situation: &Situation<'_>) -> Result<Verdict, PolicyError> {
    let settings: Settings = situation.config()?;
    let lines = situation.effective_line().zip(situation.world.seatbelt());
    let Some((line, wearer)) = lines.filter(|_| settings.outside == Outside::Ask) else {
        return Ok(Verdict::silent());
    };
    let why = "Only what can be read of the line was checked".to_owned();
    if let Route::Outside(program) = route::route_of((situation.effective_text(), line), wearer) {
        return Ok(Verdict::ask(Reason {
            instead: format!("Do it without `{program}`, or let the user decide"),
            what: format!(
                "`{program}` cannot work where the kernel protects files, so this runs without that"
            ),
            why,
        }));
    }
    Ok(match line.script.commands.iter().find_map(|command| mounted_guarded(situation, command)) {
        Some((folder, file)) => Verdict::ask(Reason {
            instead: format!("Mount it read-only (`{folder}:…:ro`) or mount a folder without `{file}`"),
            what: format!(
                "a container could write `{file}`: the kernel protects files from commands, not from containers"
            ),
            why,
        }),
        None => Verdict::silent(),
    })
}

/// A folder of this machine that a container can write although flyball's own files are in it, and one of these.
fn mounted_guarded(situation: &Situation<'_>, command: &Command) -> Option<(String, String)> {
    let world = situation.world;
    let root = world.project_root();
    mounted_folders(command).into_iter().find_map(|folder| {
        let path = world.real_path(&situation.event.cwd, &folder);
        let is_there = |own: &&OwnFile| own.path.is_in(&path) && world.stat(&own.path).is_some();
        let file = world.own_files().iter().find(is_there)?;
        Some((folder, file.path.strip_folder(root).unwrap_or(&file.path).to_owned()))
    })
}

/// Tells the agent in the guards' words why something could not be written.
fn after(situation: &Situation<'_>, printed: &str) -> Result<Verdict, PolicyError> {
    let level = situation.config::<Settings>()?.level;
    let Some(refused::Refused { name, text }) = refused::find(situation, level, printed) else {
        return Ok(Verdict::silent());
    };
    let told = Verdict::context(Snippet { key: "seatbelt".to_owned(), rank: 90, text });
    Ok(told.with_evidence("refused by the kernel", name))
}
