//! Whether the kernel protects what it should from the commands of agents.

use std::path::Path;

use flyball_clients::install::{OwnSandbox, SandboxMode};
use flyball_policies::seatbelt::{Level, Net};

use super::installation::Installation;
use super::report::Section;
use crate::commands::companions::{own_sandbox, wrapper};
use crate::install::{DetectedClient, Snapshot};
use crate::seatbelt::{self, Cover, LINK, Means};

pub(super) fn examine(installation: &Installation) -> Section {
    let mut section = Section::new("seatbelt");
    examine_means(installation, &mut section);
    for detected in installation.relevant_clients() {
        let title = detected.client.title();
        if let Some(OwnSandbox::Mode(mode)) = &detected.client.facts().own_sandbox {
            examine_mode((installation, detected), mode, &mut section);
            continue;
        }
        if detected.client.facts().shared.shell_wrapper.is_none() {
            section.good(format!("{title} starts its commands itself, in its own sandbox if it has one"));
            continue;
        }
        if let Some(file) = own_sandbox::switched_on_in(detected.client, &installation.site.places()) {
            examine_own((installation, detected), &installation.site.show(&file), &mut section);
            continue;
        }
        let site = &installation.site;
        let found = installation.files_of(detected).find_map(|registered| {
            let file = Snapshot::read(&registered.file.path).ok()?;
            Some((site.show(&registered.file.path), wrapper::find(file.text(), detected.client)?))
        });
        let ours = site.state().map(|state| state.join(LINK));
        match found {
            None => section.note(format!(
                "{title} starts its commands without it; `flyball init --seatbelt` has them started in it"
            )),
            Some((file, path)) if Some(path.as_ref()) != ours.as_deref() => {
                section.note(format!("{title} starts its commands through {path} ({file}); remove that, then run `flyball init --seatbelt`"));
            }
            Some((file, path)) if !crate::install::is_executable(path.as_ref()) => {
                section.bad(
                    format!("{title} cannot start any command: {path} is gone ({file})"),
                    "run `flyball init --seatbelt`",
                );
            }
            Some((file, _)) => section.good(format!("{title} starts its commands in it ({file})")),
        }
    }
    section
}

/// Whether it holds, and by what.
fn examine_means(installation: &Installation, section: &mut Section) {
    let cover = Cover::find(None, &installation.site.root).ok().flatten();
    let level = cover.as_ref().map_or(Level::Protect, Cover::level);
    let means = seatbelt::holds_at(level, &installation.program.path);
    match &means {
        Ok(Means::Namespaces | Means::SandboxExec) => section.good("the kernel refuses what it should (tried just now)"),
        Ok(Means::Landlock) => section.note(
            "the kernel allows no namespaces, but its Landlock refuses writing outside of the project (tried just now); in the \
             project nothing is protected, and modes and owners can be changed everywhere: `flyball run --show`"
                .to_owned(),
        ),
        Err(why) => section.note(format!("does not hold here: {}; {}", why.what, why.fix)),
    }
    let is_off = cover.is_some_and(|cover| cover.net() == Net::Off);
    if is_off && !matches!(means, Ok(Means::Namespaces | Means::SandboxExec)) {
        section.note(format!("`net = \"off\"`: {}", seatbelt::network_that_is_off(means.ok())));
    }
}

/// A client whose own sandbox is on: flyball does not put another one around it.
fn examine_own(
    (installation, detected): (&Installation, &DetectedClient),
    file: &str,
    section: &mut Section,
) {
    let title = detected.client.title();
    let text = |path: &Path| Snapshot::read(path).map(|file| file.text().to_owned()).unwrap_or_default();
    let mut files = installation.files_of(detected).map(|registered| text(&registered.file.path));
    let shown_by = match &detected.client.facts().own_sandbox {
        Some(OwnSandbox::Settings(keys)) => keys.shown_by,
        _ => "it",
    };
    section.good(format!(
        "{title} runs commands in its own sandbox ({file}), so flyball puts none around them; whether it works `{shown_by}` says there"
    ));
    if files.any(|text| own_sandbox::keeps_ours(&text, detected.client)) {
        section.good("flyball's files are among what it keeps from being written");
    } else {
        section.note("flyball's files are not in it: `flyball init --seatbelt` adds them".to_owned());
    }
}

/// A client whose own sandbox is on unless a word in its config switches it off.
fn examine_mode(
    (installation, detected): (&Installation, &DetectedClient),
    mode: &SandboxMode,
    section: &mut Section,
) {
    let (title, site) = (detected.client.title(), &installation.site);
    let found = mode.places.iter().find_map(|place| {
        let path = detected.client.facts().locate(place, &site.places());
        let file = Snapshot::read(&path).ok()?;
        Some((word_at_top(file.text(), mode.key)?, site.show(&path)))
    });
    match found {
        None => section.good(format!("{title} runs commands in its own sandbox: `{}` is not set", mode.key)),
        Some((word, file)) if word == mode.none => section.warn(
            format!(
                "{title} runs commands without its own sandbox (`{} = \"{word}\"` in {file}): nothing but what flyball reads of a command protects there",
                mode.key
            ),
            &format!("set it to \"{}\"", mode.usual),
        ),
        Some((word, file)) => section.good(format!("{title} runs commands in its own sandbox: `{} = \"{word}\"` ({file})", mode.key)),
    }
}

/// The text of a key before the first table of a TOML file, whose rest may be newer than any parser of ours.
fn word_at_top(text: &str, key: &str) -> Option<String> {
    let top = text.lines().map(str::trim).take_while(|line| !line.starts_with('['));
    let values = top.filter_map(|line| line.split_once('=')).filter(|(name, _)| name.trim() == key);
    let value = values.last()?.1.trim();
    let quote = value.chars().next().filter(|first| ['"', '\''].contains(first))?;
    value.get(1..)?.split(quote).next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_read_before_the_first_table_only() {
        for (text, expected) in [
            ("sandbox_mode = \"read-only\" # x\n", Some("read-only")),
            (
                "model = 'x'\nsandbox_mode='danger-full-access'\n[a]\nsandbox_mode = \"b\"\n",
                Some("danger-full-access"),
            ),
            ("[profiles.x]\nsandbox_mode = \"read-only\"\n", None),
            ("# sandbox_mode = \"x\"\n", None),
        ] {
            assert_eq!(word_at_top(text, "sandbox_mode").as_deref(), expected, "{text}");
        }
    }
}
