//! The configuration in force, or the same with another preset.

use std::sync::Arc;

use flyball_core::config::{Config, Layer, LayerText, Standing, compile};
use flyball_policies::REGISTRY;
use flyball_world::config::Layers;

use crate::outcome::Failed;
use crate::project_context::ProjectContext;

/// The configuration, and what is wrong with its files.
pub(super) fn config(
    here: &ProjectContext,
    preset: Option<&str>,
) -> Result<(Arc<Config>, Vec<String>), Failed> {
    let loaded = here.peek_config();
    let Some(preset) = preset else { return Ok((Arc::new(Config::clone(&loaded.config)), loaded.notices)) };
    let layers = Layers::read(&here.files);
    let texts = layers.texts();
    // What a person asks for here counts, but what nobody accepted of the files still does not.
    let mut written: Vec<(LayerText<'_>, String)> =
        texts.iter().map(|it| (*it, with_preset(it.text, preset))).collect();
    if written.is_empty() {
        let none = LayerText { layer: Layer::User, standing: Standing::Accepted, path: "--preset", text: "" };
        written.push((none, with_preset("", preset)));
    }
    let texts: Vec<LayerText<'_>> =
        written.iter().map(|(layer, text)| LayerText { text, ..*layer }).collect();
    let failed = |_| Failed::new("the configuration has errors", "`flyball config check` shows them");
    let compiled = compile(&texts, REGISTRY).map_err(failed)?;
    Ok((Arc::new(compiled.config), loaded.notices))
}

/// A config with this preset of `guard.commands`.
fn with_preset(text: &str, preset: &str) -> String {
    let Ok(mut table) = toml::from_str::<toml::Table>(text) else { return text.to_owned() };
    let mut place = &mut table;
    for name in ["guard", "commands"] {
        let entry = place.entry(name).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        let Some(inner) = entry.as_table_mut() else { return text.to_owned() };
        place = inner;
    }
    place.insert("preset".to_owned(), toml::Value::String(preset.to_owned()));
    toml::to_string(&table).unwrap_or_else(|_| text.to_owned())
}
