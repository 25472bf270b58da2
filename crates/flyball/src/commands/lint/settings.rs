//! The settings of `[quality]` in this project, with the overrides of the command line.

use flyball_core::config::{Authored, Compiled, Sources, compile};
use flyball_core::nearest::nearest;
use flyball_policies::REGISTRY;
use flyball_quality::catalogue;
use flyball_quality::linter::{Linter, Reach};
use flyball_quality::settings::{FILES_OF_AN_EDIT, Settings, Written};
use flyball_world::config::Layers;

use super::arguments::Arguments;
use crate::arguments::unknown;
use crate::outcome::Failed;
use crate::project_context::ProjectContext;
use crate::terminal::Terminal;

/// The section that holds the settings.
const SECTION: &str = "quality";

/// The settings in the config files. The hook falls back to the last good config; a check with other
/// settings than those in the files would be wrong.
pub(in crate::commands) fn load(here: &ProjectContext, terminal: &Terminal) -> Result<Settings, Failed> {
    let layers = Layers::read(&here.files);
    if let Some(error) = layers.errors().into_iter().next() {
        return Err(Failed::new(error, "`flyball config check` shows what is wrong"));
    }
    match compile(&layers.texts(), REGISTRY) {
        Ok(Compiled { config, .. }) => match config.sections.get(SECTION) {
            Some(section) => section
                .parse()
                .map_err(|error| Failed::new(error.to_string(), "this is a bug: please report it")),
            None => defaults(),
        },
        Err(diagnostics) => {
            let style = terminal.error_render_style();
            let shown: Vec<String> = diagnostics.iter().map(|found| found.render(style)).collect();
            let what =
                format!("the config files are broken, so nothing was checked\n\n{}\n", shown.join("\n\n"));
            Err(Failed::new(what, "fix them; `flyball config check` shows the same"))
        }
    }
}

/// The settings without a config.
pub(in crate::commands) fn defaults() -> Result<Settings, Failed> {
    Written::default().compile(&Sources::new(&[])).map_err(|problems| {
        let first = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        Failed::new(format!("the built-in linters are broken: {first}"), "this is a bug: please report it")
    })
}

/// The settings with the overrides of the command line.
pub(super) fn with_arguments(mut settings: Settings, arguments: &Arguments) -> Result<Settings, Failed> {
    for name in &arguments.linter {
        let linter = find(name, &settings)?;
        if linter.entry.reach == Some(Reach::Project) && !arguments.project {
            let what = format!("the linter `{name}` only checks whole projects");
            return Err(Failed::new(what, "add `--project`"));
        }
    }
    if !arguments.linter.is_empty() {
        settings.linters.retain(|linter| arguments.linter.contains(&linter.name));
    }
    if let Some(scope) = arguments.scope {
        settings.scope = scope.into();
    }
    Ok(settings)
}

/// The settings with time for that many files: the deadline is for one edit.
pub(super) fn with_time_for(files: usize, mut settings: Settings) -> Settings {
    let times = u32::try_from(files.div_ceil(FILES_OF_AN_EDIT).max(1)).unwrap_or(u32::MAX);
    settings.deadline_seconds = settings.deadline_seconds.saturating_mul(times);
    settings
}

fn find<'a>(name: &str, settings: &'a Settings) -> Result<&'a Linter, Failed> {
    let names = || settings.linters.iter().map(|linter| linter.name.as_str());
    if let Some(linter) = settings.linters.iter().find(|linter| linter.name == name) {
        return Ok(linter);
    }
    if catalogue::builtin().contains_key(name) {
        let fix = format!("set `quality.linters.{name}.enabled` to true, and switch its language on");
        return Err(Failed::new(format!("the linter `{name}` is disabled"), fix));
    }
    let what = format!("no linter is called `{name}`");
    Err(unknown(what, nearest(name, names()), "`flyball self-test` lists them all"))
}
