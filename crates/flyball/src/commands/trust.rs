//! `flyball trust`: a person accepts a config file, so that all of it is in force.

use std::path::Path;

use clap::Args;
use flyball_clients::registration::unified_diff;
use flyball_core::config::{Layer, compile};
use flyball_core::time::Time;
use flyball_policies::REGISTRY;
use flyball_world::config::{Accepted, Consent, Layers, Trust, TrustLedger, content_of};

use crate::outcome::{Done, Failed};
use crate::person::{Proof, require_person};
use crate::project_context::ProjectContext;
use crate::show::diff;
use crate::show::visible::visible;
use crate::terminal::{Style, Terminal};

/// Arguments of `flyball trust`.
#[derive(Args)]
#[command(
    after_help = "Until a person accepts it, only what makes flyball stricter counts of a project's flyball.toml: \
                  a cloned repository must not switch guards off or choose programs that flyball runs. Nor are its \
                  own programs and the code of its linter configs run after an edit; a project without a flyball.toml \
                  can be trusted, too. The same \
                  holds for any config file that changes during a session. To trust all projects in a folder, \
                  write `projects = [\"~/work\"]` below `[trust]` in your own config file."
)]
pub(crate) struct Arguments {
    /// Your own config file instead of the project's: after a change during a session
    #[arg(long)]
    user: bool,
    /// Show how it differs from what was accepted, and what is not in force; changes nothing
    #[arg(long)]
    diff: bool,
    /// Forget all that was accepted of the file, also for the sessions that are running
    #[arg(long, conflicts_with = "diff")]
    withdraw: bool,
}

/// Shows the difference and asks.
pub(crate) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let proof = if arguments.diff { None } else { Some(require_person("flyball trust", terminal)?) };
    let how = proof.map_or("", Proof::name);
    let here = ProjectContext::find()?;
    let Accepted::Recorded(trust) = &here.files.accepted else {
        return Err(Failed::new(
            "no home directory, so nothing can be recorded",
            "set HOME or FLYBALL_STATE_DIR",
        ));
    };
    let layer = if arguments.user { Layer::User } else { Layer::Project };
    let Some(file) = here.files.path(layer) else {
        return Err(Failed::new("there is no place for a config file", "set HOME or FLYBALL_CONFIG_DIR"));
    };
    if arguments.withdraw {
        return withdraw(trust, file, terminal);
    }
    let name = file.display();
    let present = match std::fs::read_to_string(file) {
        Ok(text) => Some(text),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => None,
        Err(cause) => {
            return Err(Failed::new(format!("`{name}` cannot be read: {cause}"), "nothing was accepted"));
        }
    };
    let ledger = trust.read()?;
    if is_newest(&ledger, file, present.as_deref()) {
        // Once more, for sessions that began with another text after it was accepted.
        if proof.is_some() {
            trust.accept(file, present.as_deref(), &Consent { at: Time::now(), how })?;
        }
        terminal.line(&format!("{name} is trusted as it is"));
        return Ok(Done::Success);
    }
    show(&ledger, &Shown { trust, file, present: present.as_deref() }, terminal);
    list_not_in_force(&here, terminal);
    if arguments.diff {
        return Ok(Done::Success);
    }
    let what = match (present.is_some(), ledger.newest(file).is_some()) {
        (true, _) => "Trust this file as it is now?",
        (false, true) => "Accept that the file is gone?",
        (false, false) => "Trust this project?",
    };
    // Anything but a clear yes, also the end of input, accepts nothing.
    let answer = terminal.ask(&format!("{what} [y/N]")).unwrap_or_default().to_lowercase();
    if answer != "y" && answer != "yes" {
        terminal.line("nothing was accepted");
        return Ok(Done::Success);
    }
    // If it changed after it was shown, the new text is not what the person accepted.
    trust.accept(file, present.as_deref(), &Consent { at: Time::now(), how })?;
    let what = if present.is_none() { file.parent().unwrap_or(file) } else { file }.display();
    terminal.line(&terminal.paint(Style::Good, &format!("✓ {what} is trusted")));
    Ok(Done::Success)
}

fn withdraw(trust: &Trust, file: &Path, terminal: &Terminal) -> Result<Done, Failed> {
    let was_known = trust.withdraw(file, Time::now())?;
    let what = if was_known { "is no longer trusted" } else { "was not trusted" };
    terminal
        .line(&format!("{} {what}; in running sessions only what tightens counts of it now", file.display()));
    Ok(Done::Success)
}

fn is_newest(ledger: &TrustLedger, file: &Path, present: Option<&str>) -> bool {
    let content = present.map(content_of);
    ledger.newest(file).is_some_and(|newest| newest.content == content)
}

/// What is shown of a file.
struct Shown<'a> {
    trust: &'a Trust,
    file: &'a Path,
    present: Option<&'a str>,
}

fn show(ledger: &TrustLedger, shown: &Shown<'_>, terminal: &Terminal) {
    let accepted = ledger.newest(shown.file).and_then(|newest| shown.trust.text(newest.content.as_ref()?));
    let name = shown.file.display().to_string();
    let heading = match (&accepted, shown.present) {
        (None, None) if ledger.newest(shown.file).is_none() => {
            let folder = shown.file.parent().unwrap_or(shown.file).display();
            terminal.line(&terminal.paint(Style::Strong, &format!("{folder} has no flyball.toml")));
            terminal.line(
                "If you trust it, linters that run code of it may be run, and so may its own programs.",
            );
            return;
        }
        (_, None) => format!("{name} was deleted"),
        (None, Some(_)) => format!("{name} was never accepted"),
        (Some(_), Some(_)) => format!("{name} differs from what was accepted"),
    };
    terminal.line(&terminal.paint(Style::Strong, &visible(&heading)));
    let difference =
        unified_diff(accepted.as_deref().unwrap_or_default(), shown.present.unwrap_or_default(), &name);
    diff::print(&difference, terminal);
}

/// What would come into force.
fn list_not_in_force(here: &ProjectContext, terminal: &Terminal) {
    let layers = Layers::read(&here.files);
    let compiled = match compile(&layers.texts(), REGISTRY) {
        Ok(compiled) => compiled,
        Err(errors) => {
            terminal.lines(errors.iter().map(|error| visible(&error.one_line()).into_owned()));
            return;
        }
    };
    for value in &compiled.not_in_force {
        terminal.line(&visible(&format!("not in force until then: {} ({})", value.key, value.place)));
    }
}
