//! `flyball allow`: a person lets agents edit a file, or sets a rule aside, for a while.

use std::path::Path;
use std::time::Duration;

use clap::Args;
use flyball_core::error::PolicyError;
use flyball_core::event::SessionId;
use flyball_core::grant::{Grant, Granted, LONGEST, NEVER_GRANTED};
use flyball_core::nearest::nearest;
use flyball_core::outcome::DenialCounts;
use flyball_core::path::AbsolutePath;
use flyball_core::shell_word::path_word;
use flyball_core::time::Time;
use flyball_policies::REGISTRY;
use flyball_policies::guard::commands;
use flyball_store::{SessionFilter, SessionSummary};
use flyball_world::grants::Grants;
use flyball_world::machine::real_path;
use jiff::Zoned;

use super::note::{note, now};
use crate::environment::{self, Environment};
use crate::outcome::{Done, Failed};
use crate::own_files::{obeyed_files, own_files};
use crate::person::{require_no_agent, require_person};
use crate::project_context::{Origins, ProjectContext};
use crate::show::time;
use crate::show::visible::visible;
use crate::terminal::{Style, Terminal};

/// How long to wait for the hooks of a session before the decision is recorded.
const JOURNAL_WAIT: Duration = Duration::from_secs(10);

/// Arguments of `flyball allow`.
#[derive(Args)]
#[command(
    after_help = "Only a person at a terminal can allow something: it is refused (exit code 3) if an agent started it or if \
                  there is no terminal. It holds in this project and ends by itself. Changes made to the file \
                  during that time are approved. flyball's own files and guard.self cannot be allowed: change them yourself.

  flyball allow ruff.toml                 agents may edit the file for 30 minutes
  flyball allow guard.packages --for 2h   a policy neither denies nor asks
  flyball allow force-push --for 5m       the same for one rule; `flyball explain` shows its id
  flyball allow --end ruff.toml           ends it now"
)]
pub(crate) struct Arguments {
    /// A file of the project, or the id of a policy or of a rule
    #[arg(value_name = "FILE|RULE")]
    what: Option<String>,
    /// For how long: `90s`, `30m`, `2h`; at most 24h
    #[arg(long = "for", value_name = "TIME", default_value = "30m", value_parser = parse_duration)]
    duration: Duration,
    /// End what was allowed, now
    #[arg(long, conflicts_with_all = ["list", "duration"])]
    end: bool,
    /// Show what is allowed in this project; changes nothing
    #[arg(long, conflicts_with = "what")]
    list: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let here = ProjectContext::find()?;
    let Some(state) = here.state_dir() else {
        return Err(Failed::new(
            "no home directory, so nothing can be recorded",
            "set HOME or FLYBALL_STATE_DIR",
        ));
    };
    let grants = Grants::for_project(state, &here.root);
    match &arguments.what {
        Some(what) if arguments.end => end(what, &Place { here: &here, grants }, terminal),
        Some(what) => allow((what, arguments.duration), &Place { here: &here, grants }, terminal),
        None if arguments.list => list(&grants, terminal),
        None => Err(Failed::new(
            "nothing to allow",
            "name a file, or the id of a policy or rule (`flyball allow ruff.toml --for 30m`); `--list` shows what is allowed",
        )),
    }
}

/// The project in which something is allowed.
struct Place<'a> {
    here: &'a ProjectContext,
    grants: Grants,
}

fn allow((what, duration): (&str, Duration), place: &Place<'_>, terminal: &Terminal) -> Result<Done, Failed> {
    let proof = require_person("flyball allow", terminal)?;
    let granted = resolve(what, place.here)?;
    let name = name_of(&granted, place.here);
    let from = now();
    let grant = Grant {
        granted,
        name: name.clone(),
        from,
        until: from + duration,
        confirmed_by: proof.name().to_owned(),
    };
    let effect = describe(&grant);
    // Recorded first: nothing is allowed that is not on record.
    record(&proof.noted(&format!("allow {name} for {}", shown(duration))), place.here)?;
    let until = time::clock(grant.until, &Zoned::now());
    place.grants.add(grant)?;
    terminal.line(&format!("{} {} until {until}", terminal.paint(Style::Good, "✓"), visible(&effect)));
    terminal.line(&format!("To end it now: `flyball allow --end {}`", visible(&path_word(&name))));
    Ok(Done::Success)
}

fn end(what: &str, place: &Place<'_>, terminal: &Terminal) -> Result<Done, Failed> {
    require_no_agent("flyball allow --end")?;
    let granted = resolve(what, place.here)?;
    let name = name_of(&granted, place.here);
    if !place.grants.active(now())?.iter().any(|grant| grant.granted == granted) {
        return Err(Failed::new(
            format!("`{name}` is not allowed now"),
            "`flyball allow --list` shows what is",
        ));
    }
    record(&format!("allow --end {name}"), place.here)?;
    place.grants.end(&granted, now())?;
    terminal.line(&format!("{} `{}` is no longer allowed", terminal.paint(Style::Good, "✓"), visible(&name)));
    Ok(Done::Success)
}

fn list(grants: &Grants, terminal: &Terminal) -> Result<Done, Failed> {
    let active = grants.active(now())?;
    if active.is_empty() {
        terminal.line("nothing is allowed beyond the rules in this project");
    }
    terminal.lines(active.iter().map(|grant| line(grant, &Zoned::now())));
    Ok(Done::Success)
}

/// What is allowed and until when, in a line: `agents may edit `ruff.toml` until 14:30:00`.
pub(in crate::commands) fn line(grant: &Grant, now: &Zoned) -> String {
    visible(&format!("{} until {}", describe(grant), time::clock(grant.until, now))).into_owned()
}

/// What is allowed in the project now, for commands that show it.
pub(in crate::commands) fn active(here: &ProjectContext) -> Result<Vec<Grant>, PolicyError> {
    here.state_dir().map_or(Ok(Vec::new()), |state| Grants::for_project(state, &here.root).active(now()))
}

fn describe(grant: &Grant) -> String {
    match &grant.granted {
        Granted::File(_) => format!("agents may edit `{}`", grant.name),
        Granted::Rule(_) => format!("`{}` neither denies nor asks", grant.name),
    }
}

/// What the person means: the id of a policy or a rule, else a file.
fn resolve(what: &str, here: &ProjectContext) -> Result<Granted, Failed> {
    if what == NEVER_GRANTED {
        return Err(Failed::new(
            format!("`{NEVER_GRANTED}` cannot be allowed: it keeps agents from switching flyball off"),
            "do what you need in your own terminal, or edit the config and run `flyball trust`",
        ));
    }
    let is_policy = REGISTRY.iter().any(|policy| policy.id.as_str() == what);
    let is_rule =
        || commands::rule_ids().any(|id| id == what) || Origins::read(&here.files).rule(what).is_some();
    if is_policy || is_rule() { Ok(Granted::Rule(what.to_owned())) } else { file(what, here) }
}

fn file(what: &str, here: &ProjectContext) -> Result<Granted, Failed> {
    let folder = environment::working_directory().unwrap_or_else(|| here.root.clone());
    let path = real_path(&folder.join(what));
    let root = real_path(&here.root);
    if path.is_dir() {
        return Err(Failed::new(
            format!("`{what}` is a folder"),
            "name the files in it that agents may edit",
        ));
    }
    let ids = REGISTRY.iter().map(|policy| policy.id.as_str()).chain(commands::rule_ids());
    let near = nearest(what, ids).filter(|_| !what.contains('/'));
    // A file that is not there yet may be allowed, but a name that is nearly an id is a mistake.
    if !path.exists() && (near.is_some() || !what.contains(['/', '.'])) {
        let meant = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let fix = format!(
            "{meant}`flyball policies` lists the policies; `flyball explain` shows the rule of a denial"
        );
        return Err(Failed::new(format!("`{what}` is not a file, a policy or a rule"), fix));
    }
    if !path.starts_with(&root) {
        return Err(Failed::new(
            format!("`{what}` is not in this project ({})", root.display()),
            "run this in the project that the file belongs to",
        ));
    }
    let path = AbsolutePath::from_path(&path);
    let mut files = own_files(&Environment::read(), &root);
    files.extend(obeyed_files(&here.peek_config().config, &root));
    if let Some(own) =
        files.iter().find(|own| path.is_in(&AbsolutePath::from_path(&real_path(Path::new(&own.path)))))
    {
        return Err(Failed::new(
            format!("`{what}` cannot be allowed: it is {}", own.what),
            "edit it yourself; `flyball trust` puts a changed config in force",
        ));
    }
    Ok(Granted::File(path))
}

/// The name of what is allowed: of a file, from the project's root.
fn name_of(granted: &Granted, here: &ProjectContext) -> String {
    match granted {
        Granted::Rule(id) => id.clone(),
        Granted::File(path) => {
            let below = Path::new(path).strip_prefix(real_path(&here.root)).ok();
            below.map_or_else(|| path.to_string(), |name| name.to_string_lossy().into_owned())
        }
    }
}

/// Records the decision in the newest session of the project that goes on, or in a journal for what people decide
/// between sessions.
fn record(text: &str, here: &ProjectContext) -> Result<(), Failed> {
    let archive = here.archive()?;
    let project = here.root.to_string_lossy().into_owned();
    let filter = SessionFilter { project: Some(project.clone()), ..SessionFilter::default() };
    let running = archive.index.sessions(&filter)?.into_iter().find(|session| !session.has_ended);
    let session = running.unwrap_or_else(|| between_sessions(project));
    let mut record = note(&session, ("flyball allow", text));
    archive.store().session(&session.client, &session.session, JOURNAL_WAIT).commit(&mut record)?;
    Ok(())
}

fn between_sessions(project: String) -> SessionSummary {
    SessionSummary {
        client: "flyball".to_owned(),
        session: SessionId::new("people"),
        project,
        first_at: Time::default(),
        last_at: Time::default(),
        events: 0,
        denials: 0,
        denied: DenialCounts::default(),
        last_kind: String::new(),
        has_ended: false,
    }
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let forms = "write `90s`, `30m` or `2h`; at most 24h";
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return Err(forms.to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| forms.to_owned())?;
    let duration = Duration::from_secs(number.saturating_mul(seconds));
    if duration.is_zero() || duration > LONGEST { Err(forms.to_owned()) } else { Ok(duration) }
}

/// `30m`, as it is typed.
fn shown(duration: Duration) -> String {
    match duration.as_secs() {
        seconds if seconds % 3_600 == 0 => format!("{}h", seconds / 3_600),
        seconds if seconds % 60 == 0 => format!("{}m", seconds / 60),
        seconds => format!("{seconds}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit_and_a_limit() {
        for (text, seconds) in [("1s", 1), ("90s", 90), ("30m", 1_800), ("2h", 7_200), ("24h", 86_400)] {
            let duration = parse_duration(text).unwrap();
            assert_eq!(duration.as_secs(), seconds, "{text}");
            assert_eq!(parse_duration(&shown(duration)), Ok(duration), "{text}");
        }
        for text in ["", "m", "30", "0m", "-1m", "25h", "1d", "1.5h", "99999999999999999999h", "5µ"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
