//! Projects that know nothing, and projects that know more than any does: nodes, reports and lessons.

use std::path::Path;
use std::process::{Command, Stdio};

use flyball_core::time::Time;

use flyball_knowledge::layout;
use flyball_knowledge::lock::{self, Holder, Lock, Locks};
use flyball_world::project::Project;

use flyball_core::path::ProjectPath;

use super::scratch::Scratch;
use flyball::outcome::Failed;
use flyball::progress::Progress;

/// The packs under measurement.
const CONFIG: &str = "\
[memory.context]\nmode = \"enforce\"\n[memory.agents]\nmode = \"enforce\"\n[memory.failures]\nmode = \"enforce\"\n\
[task.stop]\nmode = \"enforce\"\n[task.agents]\nmode = \"enforce\"\n";
/// The folder of the task.
const TASK: &str = ".claude/tasks/20260101-000000_greeting_task";
const PLAN: &str = "status: in progress\n\n# Greeting\n\n<!-- ALL -->\nNo new dependencies.\n<!-- /ALL -->\n\n\
                    ## Phase 1: Names\n\n- [ ] any length\n\n## Phase 2: Tests\n\n- [ ] test it\n";

/// How much a project knows.
#[derive(Clone, Copy)]
pub(super) struct Knowledge {
    pub(super) nodes: usize,
    pub(super) reports: usize,
    pub(super) lessons: usize,
}

impl Knowledge {
    pub(super) const NONE: Knowledge = Knowledge { nodes: 0, reports: 0, lessons: 0 };
    /// What the limits are about.
    pub(super) const MUCH: Knowledge = Knowledge { nodes: 5_000, reports: 10_000, lessons: 100_000 };
    /// Enough to see whether something is badly wrong.
    pub(super) const SOME: Knowledge = Knowledge { nodes: 200, reports: 500, lessons: 5_000 };
}

/// Makes a project that knows this much.
pub(super) fn project(
    scratch: &Scratch,
    name: &str,
    (knowledge, progress): (Knowledge, &Progress),
) -> Result<(), Failed> {
    progress.set_text(&format!("writing a project that knows {} things", knowledge.lessons));
    scratch.project(name, CONFIG)?;
    scratch.write(&format!("{name}/{}/.gitkeep", layout::PENDING), "")?;
    for number in 0..knowledge.nodes {
        // The file that is edited is covered by the root and by one more.
        let folder = match number {
            0 => String::new(),
            1 => "src/".to_owned(),
            _ => format!("part-{}/sub-{number}/", number % 100),
        };
        scratch.write(&format!("{name}/{folder}AGENTS.md"), &node(number))?;
    }
    for number in 0..knowledge.reports {
        let path = format!("{name}/{}/PITFALL-2026-01-01-{number:06}-1.md", layout::PENDING);
        scratch.write(&path, &report(number))?;
    }
    let lessons: String = (0..knowledge.lessons).map(lesson).collect();
    scratch.write(&format!("{name}/{TASK}/{}", layout::LESSONS), &lessons)?;
    scratch.write(&format!("{name}/{TASK}/{}", layout::PLAN), PLAN)?;
    scratch.write(&format!("{name}/{}", layout::ACTIVE_TASK), &format!("{TASK}/{}\n", layout::PLAN))?;
    Ok(())
}

/// Indexes the reports, which the first session of a project starts.
pub(super) fn index(program: &Path, (state, project): (&Path, &Path)) -> Result<(), Failed> {
    let mut command = Command::new(program);
    command.args(["memory", "index"]).current_dir(project).env("FLYBALL_STATE_DIR", state);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => {
            Err(Failed::new(format!("the reports could not be counted: {status}"), "this is a bug"))
        }
        Err(cause) => Err(Failed::new(format!("flyball could not be run: {cause}"), "name a build of it")),
    }
}

/// Binds the project's task to a session.
pub(super) fn bind(state: &Path, project: &Path, (client, session): (&str, &str)) -> Result<(), Failed> {
    let holder = Holder {
        client: client.to_owned(),
        session: session.to_owned(),
        bound_at: Time::from_millis(1),
        // So that it does not become an orphan during the measurement.
        heard_at: Time::MAX,
        has_ended: false,
    };
    let lock = Lock { started_at: Time::from_millis(1), holder: Some(holder), paused: None };
    let locks =
        Locks(ProjectPath::new(TASK).map(|task| (task.join(layout::PLAN), lock)).into_iter().collect());
    let text = serde_json::to_string(&locks).unwrap_or_default();
    let noted = Project::at(state, project).change_note(lock::NOTE, &mut |_| Ok(Some(text.clone())));
    noted.map_err(Failed::from)
}

fn node(number: usize) -> String {
    let rule = "A name may contain anything, so it is never part of a path or of a query.";
    let pitfalls = (0..5).map(|pitfall| format!("\n### Pitfall {pitfall} of part {number}\n\n{rule}\n"));
    let pitfalls: String = pitfalls.collect();
    format!("# Part {number}\n\n## Checks\n\n- [ ] run the tests of part {number}\n\n## Pitfalls\n{pitfalls}")
}

fn report(number: usize) -> String {
    format!(
        "## Learning Report\n\n**ID**: PITFALL-2026-01-01-{number:06}-1\n**Type**: pitfall\n\
         **Timestamp**: 2026-01-01T00:00:00Z\n**Directory**: part-{}/sub-{number}\n**Operation**: Edit on a.py\n\n\
         ### What Went Wrong\n\nThe edit number {number} failed.\n",
        number % 100
    )
}

fn lesson(number: usize) -> String {
    let kind = ["❌", "✅", "ℹ️"].get(number % 3).copied().unwrap_or("❌");
    let text = format!(
        "Lesson {number}: the table of part {} is read once and kept, because it is large.",
        number % 100
    );
    serde_json::json!({ "ts": "2026-01-01T00:00:00.000Z", "t": kind, "txt": text, "src": "developer" })
        .to_string()
}
