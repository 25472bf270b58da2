//! How a person changes the mode of a policy, tried on the config as it is.

use flyball_core::config::{Layer, LayerText, Mode, Standing, compile};
use flyball_policies::REGISTRY;
use flyball_world::config::Layers;

use crate::config_edit::addition::Additions;
use crate::config_edit::merge;
use crate::project_context::{line_of, tilde};
use crate::views::project::Project;

/// What to write to give a policy a mode, and where; or why that does not help.
pub(super) fn describe_change(project: &Project, policy: &str, mode: Mode) -> String {
    let file = tilde(&project.here.files.project.to_string_lossy());
    match tried(project, policy, mode) {
        Tried::InForce => {}
        Tried::Locked(by) => return format!("not in {file}: `{policy}` is locked by {by}"),
        Tried::Broken => {
            return format!("fix {file} first: `flyball config check` shows what is wrong with it");
        }
    }
    let line = format!("`mode = \"{}\"`", mode.name());
    let key = format!("{policy}.mode");
    let own = |key: &str| project.origins.place(key).filter(|place| place.layer == Layer::Project);
    if let Some(place) = own(&key) {
        return format!("{line} instead of {}", line_of(place));
    }
    let has_section = project.origins.written(policy).any(|origin| own(&origin.key).is_some());
    let article = if has_section { "the" } else { "a new" };
    format!("{line} below {article} `[{policy}]` in {file}")
}

enum Tried {
    InForce,
    /// By the line of a file.
    Locked(String),
    /// The files cannot be compiled, with it or without it.
    Broken,
}

/// Whether the mode would be in force if the project's file set it.
fn tried(project: &Project, policy: &str, mode: Mode) -> Tried {
    let layers = Layers::read(&project.here.files);
    let texts = layers.texts();
    let own = texts.iter().find(|text| text.layer == Layer::Project);
    let mut additions = Additions::default();
    additions.replace(policy, "mode", mode.name());
    let Ok(changed) = merge(own.map_or("", |text| text.text), &additions) else { return Tried::Broken };
    let mut texts: Vec<LayerText<'_>> =
        texts.iter().copied().filter(|text| text.layer != Layer::Project).collect();
    texts.push(LayerText {
        layer: Layer::Project,
        standing: Standing::Accepted,
        path: "flyball.toml",
        text: &changed,
    });
    // Tried and not guessed: a file of the administrator may lock the setting.
    let Ok(compiled) = compile(&texts, REGISTRY) else { return Tried::Broken };
    if compiled.config.sections.get(policy).is_some_and(|section| section.mode == mode) {
        return Tried::InForce;
    }
    let locked =
        compiled.warnings.iter().map(flyball_core::config::Diagnostic::one_line).find_map(|warning| {
            // The text of the compiler's warning; if it changes, the fallback below is shown.
            let (what, by) = warning.split_once("is ignored: locked by ")?;
            what.contains(&format!("{policy}.mode")).then(|| by.to_owned())
        });
    Tried::Locked(locked.unwrap_or_else(|| "another file".to_owned()))
}
