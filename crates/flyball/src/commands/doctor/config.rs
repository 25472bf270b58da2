//! The config files, what is wrong with them, and the mode of every policy.

use flyball_core::config::{Compiled, Diagnostic, Layer, Mode, Severity, compile};
use flyball_policies::REGISTRY;
use flyball_world::config::Layers;

use super::installation::Installation;
use super::report::Section;
use crate::project_context::mode_in;
use crate::terminal::Terminal;

const FIX: &str = "fix it; until then the last good config stays in force";

pub(super) fn examine(installation: &Installation, terminal: &Terminal) -> Section {
    let mut section = Section::new("config");
    let layers = Layers::read(&installation.here.files);
    // Compiled afresh: the config in force may be the last good one from the cache, which hides the error.
    let diagnostics = match compile(&layers.texts(), REGISTRY) {
        Ok(Compiled { warnings, not_in_force, .. }) => {
            for value in not_in_force {
                let what =
                    format!("{}: `{}` is not in force: nobody has accepted it", value.place, value.key);
                section.warn(what, "read it, then run `flyball trust`");
            }
            warnings
        }
        Err(errors) => errors,
    };
    files(installation, &layers, (&diagnostics, &mut section));
    for error in layers.errors() {
        section.bad(error, FIX);
    }
    for warning in &layers.warnings {
        section.warn(warning.clone(), "");
    }
    let style = terminal.render_style();
    for diagnostic in &diagnostics {
        match diagnostic.severity {
            Severity::Error => section.bad(diagnostic.one_line(), FIX),
            Severity::Warning => section.warn(diagnostic.one_line(), ""),
        }
        section.with_excerpt(diagnostic.render(style));
    }
    modes(installation, &mut section);
    section
}

fn files(
    installation: &Installation,
    layers: &Layers,
    (diagnostics, section): (&[Diagnostic], &mut Section),
) {
    // A file with errors is listed with them, not among the good ones.
    let is_fine = |layer: Layer| diagnostics.iter().all(|found| found.layer() != layer);
    let texts = layers.texts();
    // Of a file that has changed, the accepted text counts beside the present one: it is one file all the same.
    let mut shown = std::collections::BTreeSet::new();
    for text in texts.iter().filter(|text| is_fine(text.layer) && shown.insert(text.layer.name())) {
        let path = installation.here.files.path(text.layer).map(|path| installation.site.show(path));
        section.good(format!("{} ({})", path.unwrap_or_default(), text.layer.name()));
    }
    if texts.is_empty() && layers.errors().is_empty() {
        section.note("no config file: every setting has its default");
    }
}

fn modes(installation: &Installation, section: &mut Section) {
    let config = installation.here.load_config().config;
    for mode in Mode::ALL.iter().rev() {
        let in_mode = REGISTRY.iter().filter(|policy| mode_in(&config, policy) == *mode);
        let ids: Vec<&str> = in_mode.map(|policy| policy.id.as_str()).collect();
        if !ids.is_empty() {
            section.note(format!("{}: {}", mode.name(), ids.join(", ")));
        }
    }
    let skipped = &installation.site.environment.skipped;
    if !skipped.is_empty() {
        section.warn(
            format!("FLYBALL_SKIP switches off {}", skipped.join(", ")),
            "unset it, and start the client again",
        );
    }
}
