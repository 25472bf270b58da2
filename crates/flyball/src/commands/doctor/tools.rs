//! The programs that flyball starts: git, linters, the client of the fixer.

use std::path::Path;

use flyball_core::config::Mode;
use flyball_core::path::AbsolutePath;
use flyball_core::workshop::{Places, ProgramQuery, Programs};
use flyball_policies::quality;
use flyball_quality::chat::KeyVariable;
use flyball_quality::finding::Level;
use flyball_quality::providers;
use flyball_quality::settings::{FixerSettings, Provider, Settings, Strength};

use super::installation::Installation;
use super::report::Section;
use crate::environment;
use crate::install::on_path;
use crate::linters::{self, LinterStatus, State};
use crate::project_context::mode_in;

/// A program, and what does not work without it.
struct Tool {
    name: &'static str,
    without: &'static str,
}

/// The programs that flyball starts in every project.
const TOOLS: &[Tool] = &[Tool { name: "git", without: "changes cannot be compared with the last commit" }];

pub(super) fn examine() -> Section {
    let mut section = Section::new("tools");
    for tool in TOOLS {
        match on_path(tool.name) {
            Some(path) => section.good(format!("{} ({})", tool.name, path.display())),
            None => {
                section.warn(
                    format!("{} is not on the search path: {}", tool.name, tool.without),
                    &format!("install {}", tool.name),
                );
            }
        }
    }
    section
}

/// Every linter that is switched on for the languages of the project, and the fixer's model.
pub(super) fn linters(installation: &Installation) -> Section {
    let mut section = Section::new("linters");
    if mode_in(&installation.here.load_config().config, &quality::POLICY) == Mode::Off {
        section.note("quality is off: nothing is checked after edits");
        return section;
    }
    let settings = linters::settings(&installation.here.files);
    for seen in linters::survey(&installation.site, &settings).linters {
        linter(&seen, installation, &mut section);
    }
    nursery(&settings, installation, &mut section);
    if settings.fixer.enabled {
        fixer(&settings.fixer, installation, &mut section);
        Strength::ALL.iter().for_each(|strength| tier(&settings.fixer, *strength, &mut section));
    }
    section
}

/// Biome's own config decides which nursery rules there are.
fn nursery(settings: &Settings, installation: &Installation, section: &mut Section) {
    let levels = settings.linters.iter().find(|linter| linter.name == "biome").map(|it| &it.entry.levels);
    let wants_errors = levels.is_some_and(|levels| {
        levels
            .iter()
            .flatten()
            .any(|(code, level)| code.starts_with("lint/nursery") && *level == Level::Error)
    });
    let root = &installation.site.root;
    let config = ["biome.json", "biome.jsonc"].map(|name| (name, std::fs::read_to_string(root.join(name))));
    let Some((name, text)) = config.into_iter().find_map(|(name, text)| Some((name, text.ok()?))) else {
        return;
    };
    let value =
        text.split_once("\"nursery\"").map(|(_, rest)| rest.trim_start_matches([':', ' ', '\n', '\t']));
    if wants_errors && value.is_none_or(|value| value.starts_with("\"off\"")) {
        section.warn(
            format!("`quality.biome.nursery` is `error`, but {name} switches no nursery rule on"),
            &format!("name the rules in `linter.rules.nursery` of {name}, or leave the setting out"),
        );
    }
}

/// What a linter is for, and what chose it.
fn linter(seen: &LinterStatus, installation: &Installation, section: &mut Section) {
    let LinterStatus { name, language, install, chosen_by, state } = seen;
    let show = |path: &str| installation.site.show(Path::new(path));
    match state {
        State::Builtin => section.good(format!("{name}, a part of flyball: {language}")),
        State::Found { program, version } => {
            let version = version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
            section.good(format!("{name}{version} ({}): {language}, chosen by {chosen_by}", show(program)));
        }
        State::Outdated { program, version, at_least } => {
            let place = show(program);
            section.warn(format!("{name} {version} ({place}): {language}, older than {at_least}"), install);
        }
        State::Broken { program, why } => {
            section.warn(format!("{name} ({}): {language}, does not run: {why}", show(program)), install);
        }
        State::Missing => {
            section.warn(format!("{name} is missing: {language}, chosen by {chosen_by}"), install);
        }
    }
}

fn fixer(settings: &FixerSettings, installation: &Installation, section: &mut Section) {
    let provider = match settings.provider {
        Provider::Claude => return client(settings, installation, section),
        Provider::Anthropic => &providers::ANTHROPIC,
        Provider::Openai => &providers::OPENAI,
    };
    let Some(variable) = settings.key_variable.as_deref().or(provider.key_variable) else { return };
    // The user's own server may need no key.
    let may_be_open = settings.url.is_some() && settings.key_variable.is_none();
    let key = KeyVariable {
        configured: settings.key_variable.as_deref(),
        usual: provider.key_variable,
        url: settings.url.as_deref(),
        home: provider.home,
    };
    if let Some(why) = key.belongs_elsewhere(variable).filter(|_| settings.key_variable.is_some()) {
        section.warn(format!("the fixer's model gets no key: {why}"), "change `quality.fixer.key_variable`");
    } else if environment::variable(variable).is_some() {
        section.good(format!("the fixer's model: its key is in {variable}"));
    } else if may_be_open {
        section.note(format!("the fixer's model: {variable} is not set, so no key is sent"));
    } else {
        section.warn(
            format!("the fixer's model has no key: {variable} is not set"),
            "set it where the client is started, or set `quality.fixer.enabled` to false",
        );
    }
}

/// A tier that does less, or more, than its lines in the config say.
fn tier(settings: &FixerSettings, strength: Strength, section: &mut Section) {
    let name = format!("quality.fixer.tiers.{}", strength.name());
    let others = settings.left_out_tools(strength);
    if !others.is_empty() {
        let tools = flyball_core::text::quoted(&others);
        section.warn(
            format!(
                "`{name}.tools` names {tools}, which the fixer never gets: it only edits a copy of one file"
            ),
            "leave out what is not one of `Edit`, `MultiEdit`, `Read`, `Write`, `Glob` and `Grep`",
        );
    }
    if settings.tools(strength).is_empty() {
        section.warn(format!("`{name}.tools` has no tool that edits"), "add `Edit` and `Read`");
    }
    let patterns = settings.patterns(strength);
    // No code has a blank or a comma in it.
    let matches_nothing = |pattern: &&str| {
        // In `[0-9]{1,3}` a comma is no text.
        let has_comma = pattern.contains(',') && !pattern.contains(['{', '[']);
        pattern.trim().is_empty() || pattern.contains(' ') || has_comma
    };
    if patterns.is_empty() {
        section.warn(
            format!("`{name}.patterns` is empty, so no finding goes there"),
            "name the codes it is for",
        );
    }
    for pattern in patterns.iter().copied().filter(|it| matches_nothing(it)) {
        section.warn(
            format!("`{pattern}` in `{name}.patterns` matches no code"),
            "write one pattern for each code, such as `E[0-9]+`",
        );
    }
    for pattern in patterns.iter().copied().filter(|it| matches!(*it, ".*" | ".+" | ".*.*")) {
        section.warn(
            format!("`{pattern}` in `{name}.patterns` matches every code"),
            "name the codes it is for, or set `quality.fixer.model` to use one model for all",
        );
    }
}

fn client(settings: &FixerSettings, installation: &Installation, section: &mut Section) {
    let name = settings.program.clone().unwrap_or_else(|| "claude".to_owned());
    let near = AbsolutePath::from_path(&installation.site.root);
    match linters::machine(&installation.site).find(&ProgramQuery {
        name: name.clone(),
        near,
        places: Places::SearchPath,
    }) {
        Some(program) => {
            let place = installation.site.show(Path::new(&program.path));
            section.good(format!("the fixer's model: {place}"));
        }
        None => section.warn(
            format!("the fixer's model cannot be used: `{name}` was not found"),
            "install the client, or set `quality.fixer.program`",
        ),
    }
}
