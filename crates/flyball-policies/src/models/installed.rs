//! Which of the configured models a local server has.

use serde_json::Value;

/// The installed models to ask, in the configured order: those of that name, or of another size if
/// that one is not there. `tags` is the server's list.
pub(crate) fn choose(configured: &[String], tags: &Value) -> Vec<String> {
    let installed = listed(tags);
    let mut chosen: Vec<String> = Vec::new();
    for name in configured {
        if let Some(model) = closest(name, configured, &installed).filter(|model| !chosen.contains(model)) {
            chosen.push(model);
        }
    }
    chosen
}

struct Listed<'a> {
    name: &'a str,
    /// Whether it runs on another machine.
    is_remote: bool,
}

fn listed(tags: &Value) -> Vec<Listed<'_>> {
    let models = tags.get("models").and_then(Value::as_array).into_iter().flatten();
    let named = models.filter_map(|model| {
        let name = model.get("name").or(model.get("model"))?.as_str()?;
        // Ollama also lists models that run on its own servers: `gpt-oss:120b-cloud`.
        let is_remote = model.get("remote_host").is_some() || name.ends_with("cloud");
        Some(Listed { name, is_remote })
    });
    named.collect()
}

fn closest(name: &str, configured: &[String], installed: &[Listed<'_>]) -> Option<String> {
    let is_same = |model: &&Listed<'_>, name: &str| full(model.name) == full(name);
    let exact = installed.iter().find(|model| is_same(model, name));
    // A remote model is used only if it is named exactly.
    let related = || installed.iter().filter(|model| !model.is_remote && family(model.name) == family(name));
    let also_configured = || related().find(|model| configured.iter().any(|name| is_same(model, name)));
    exact.or_else(also_configured).or_else(|| related().next()).map(|model| model.name.to_owned())
}

fn family(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

fn full(name: &str) -> String {
    // A name without a tag means this one.
    if name.contains(':') { name.to_owned() } else { format!("{name}:latest") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::choose;

    type Names = &'static [&'static str];

    #[test]
    fn installed_models_are_chosen_in_the_configured_order() {
        let cases: [(&str, Names, Names, Names); 9] = [
            ("its name", &["b:1", "a:1"], &["a:1", "b:1"], &["b:1", "a:1"]),
            ("nothing", &["a:1"], &["b:1"], &[]),
            ("no list", &["a:1"], &[], &[]),
            ("without a tag", &["a"], &["a:latest"], &["a:latest"]),
            ("another size", &["a:14b", "b:1"], &["b:1", "a:70b"], &["a:70b", "b:1"]),
            ("a size that is configured too", &["a:14b", "a:7b"], &["a:70b", "a:7b"], &["a:7b"]),
            ("no other family", &["qwen3:8b"], &["qwen3-coder:8b", "qwen:8b"], &[]),
            ("not elsewhere", &["gpt-oss:20b"], &["gpt-oss:120b-cloud", "gpt-oss:cloud"], &[]),
            ("elsewhere if named", &["gpt-oss:120b-cloud"], &["gpt-oss:120b-cloud"], &["gpt-oss:120b-cloud"]),
        ];
        for (case, configured, installed, expected) in cases {
            let configured: Vec<String> = configured.iter().map(|&name| name.to_owned()).collect();
            let models: Vec<Value> = installed.iter().map(|name| json!({ "name": name })).collect();
            assert_eq!(choose(&configured, &json!({ "models": models })), expected, "{case}");
        }
    }

    #[test]
    fn a_model_of_another_machine_is_known_by_its_host() {
        let tags = json!({ "models": [{ "name": "a:2", "remote_host": "https://ollama.com:443" }] });
        assert_eq!(choose(&["a:1".to_owned()], &tags), Vec::<String>::new());
        assert_eq!(choose(&["a:2".to_owned()], &tags), ["a:2"]);
    }
}
