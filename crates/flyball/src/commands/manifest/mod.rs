//! `flyball manifest`: the manifest of an orchestration workflow, and its agents. For people and agents.

mod find;
mod output;
mod page;
mod sessions;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_policies::r#loop::manifest::{self, Manifest, ManifestError};
use flyball_policies::r#loop::workflow::{self, Trail};
use flyball_world::machine::real_path;
use jiff::Zoned;

use self::output::{CheckedManifest, Output, Session};
use self::sessions::Sessions;
use super::note::{note, now};
use crate::outcome::{Done, Failed};
use crate::project_context::{ProjectContext, mode_in};
use crate::show::record::short_session;
use crate::terminal::{Style, Terminal};
use crate::{environment, session};

/// Arguments of `flyball manifest`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Show a manifest, and the agents and documents of its session
    Show(Show),
    /// Make a file the manifest of a session: while it is in a phase, its workflow is active
    Use(Use),
}

/// Arguments of `flyball manifest show`.
#[derive(Args)]
#[command(
    after_help = "Without a PATH: the manifest of this project's latest session that has one, else the one of this \
                  project that was changed last."
)]
struct Show {
    /// The manifest, or the folder it is in
    path: Option<PathBuf>,
    /// Of this session: its id, or the beginning of it
    #[arg(long, value_name = "ID", conflicts_with = "path")]
    session: Option<String>,
    /// Print JSON: `path`, `manifest` (its known keys; `artifacts` each with `exists`), `session` (`id`, `client`) and
    /// its `trail`: `agents` (`id`, `role`, `started`, `ended`, `result`, `background`), `artifacts` (`path`, `by`,
    /// `at`), times in milliseconds since 1970, and how many older ones were `dropped`
    #[arg(long)]
    json: bool,
}

/// Arguments of `flyball manifest use`.
#[derive(Args)]
#[command(
    after_help = "For people and agents. It replaces the manifest that loop.workflow has found, and is recorded in `flyball log`. \
                  `flyball policies loop.workflow` explains how long a workflow is active, and `flyball policies \
                  loop.feedback` what that means for the loop of review and tests."
)]
struct Use {
    /// The manifest, or the folder it is in
    path: PathBuf,
    /// The session, or the beginning of its id [default: the one that this runs in, else the newest of this project]
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    match &arguments.action {
        Action::Show(arguments) => show(arguments, terminal),
        Action::Use(arguments) => choose(arguments, terminal),
    }
}

fn show(arguments: &Show, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let shown = collect(arguments, &here)?;
    if arguments.json {
        terminal.raw(&serde_json::to_string_pretty(&with_existence(&shown)).unwrap_or_default());
    } else {
        terminal.lines(page::lines(&shown, &here.root, &Zoned::now(), terminal));
    }
    Ok(Done::Success)
}

fn collect(arguments: &Show, here: &ProjectContext) -> Result<Output, Failed> {
    let archive = here.archive()?;
    let sessions = Sessions::find(here, arguments.session.as_deref(), &archive)?;
    let (path, others) = match &arguments.path {
        Some(path) => (Some(resolve_path(path)?), Vec::new()),
        None => match sessions.manifest() {
            Some(path) => (Some(path), Vec::new()),
            // For a session without a manifest none is shown: another one would be taken for its own.
            None if arguments.session.is_some() => (None, Vec::new()),
            None => find::latest(here),
        },
    };
    let session = sessions.latest_with(path.as_deref());
    let (session, trail) = match session {
        Some((summary, memory)) => (Some(Session::from_summary(summary)), workflow::trail(memory)),
        None => (None, Trail::default()),
    };
    if path.is_none() && trail == Trail::default() {
        return Err(Failed::new(
            "no manifest was found in this project or its sessions",
            "`flyball manifest show PATH` shows one, and `flyball policies loop.workflow` says which files are manifests",
        ));
    }
    let manifest = path
        .as_deref()
        .map(|path| read(path).map(|it| CheckedManifest::check(it, path, here)))
        .transpose()?;
    Ok(Output { path, manifest, session, trail, others })
}

/// The JSON, in which each artifact has `exists`.
fn with_existence(shown: &Output) -> serde_json::Value {
    let mut json = serde_json::to_value(shown).unwrap_or_default();
    let exists = shown.manifest.iter().flat_map(|checked| &checked.exists);
    let artifacts = json.pointer_mut("/manifest/artifacts").and_then(|it| it.as_array_mut());
    for (artifact, exists) in artifacts.into_iter().flatten().zip(exists) {
        if let Some(artifact) = artifact.as_object_mut() {
            artifact.insert("exists".to_owned(), (*exists).into());
        }
    }
    json
}

fn choose(arguments: &Use, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let path = resolve_path(&arguments.path)?;
    // Read before it is chosen: a broken manifest must not become that of a session.
    let manifest = read(&path)?;
    let archive = here.archive()?;
    let session = session::find_running(arguments.session.as_deref(), &here, &archive)?;
    let name = page::name_of(&path, &here.root);
    let mut record = note(&session, ("flyball manifest", &format!("manifest use {name}")));
    archive.change(&session, (workflow::POLICY.id.as_str(), &mut record), |memory| {
        Ok(workflow::register(memory.as_deref(), AbsolutePath::from_path(&path), now()))
    })?;
    let phase = match manifest.current_phase.as_str() {
        "" => "it is in no phase yet".to_owned(),
        phase => format!("phase {}", crate::show::text::one_line(phase)),
    };
    let id = short_session(session.session.as_str());
    terminal.line(&format!("{name} is now the manifest of session {id} ({}): {phase}", session.client));
    if mode_in(&here.load_config().config, &workflow::POLICY) == Mode::Off {
        let note = "this has no effect, because loop.workflow is off here. To switch it on: `[loop.workflow] mode = \"enforce\"` in flyball.toml";
        terminal.line(&terminal.paint(Style::Warning, note));
    }
    Ok(Done::Success)
}

/// The file of the manifest, without symlinks.
fn resolve_path(path: &Path) -> Result<PathBuf, Failed> {
    let base = environment::working_directory().unwrap_or_default();
    let file = real_path(&base.join(path));
    let file = if file.is_dir() { file.join("MANIFEST.yaml") } else { file };
    if file.is_file() {
        return Ok(file);
    }
    let fix = "`flyball manifest show` finds those of this project";
    Err(Failed::new(format!("there is no manifest at `{}`", file.display()), fix))
}

fn read(path: &Path) -> Result<Manifest, Failed> {
    let failed = |what: String, fix: &str| Failed::new(what, fix);
    let bytes = std::fs::metadata(path).map_or(0, |data| data.len());
    if bytes > manifest::MOST_BYTES {
        return Err(failed(format!("`{}`: {}", path.display(), ManifestError::TooLong), "name a manifest"));
    }
    let text = std::fs::read_to_string(path).map_err(|cause| {
        failed(
            format!("`{}` cannot be read: {cause}", path.display()),
            "check that it is text and that you may read it",
        )
    })?;
    manifest::read(&text).map_err(|why| {
        let what = match why {
            // As terminals and editors open it.
            ManifestError::InvalidYaml { line, column, why } => {
                format!("{}:{line}:{column}: {why}", path.display())
            }
            ManifestError::NotAMap | ManifestError::TooLong => format!("`{}`: {why}", path.display()),
        };
        failed(what, "a manifest is YAML with keys such as `feature_name`, `current_phase` and `status`")
    })
}
