//! Origins, schema and reference.

use super::*;

#[test]
fn each_value_says_where_it_comes_from() {
    let layers = [
        managed("lock = ['guard.packages']\n[guard.packages]\nallow = ['ls']\n"),
        user("[[rule]]\nwhen = 'x'\nthen = 'deny'\n"),
        project("[guard.self]\ntries.max = 9\n[guard.packages]\nallow = []\n"),
    ];
    let lines: Vec<String> = origins(&layers, REGISTRY).unwrap().iter().map(Origin::one_line).collect();
    let expected = [
        "engine.context_chars = 9500  # default",
        "engine.deadline_ms = 2000  # default",
        "engine.wrappers = []  # default",
        "store.keep_days = 30  # default",
        "store.max_mb = 512  # default",
        "store.payloads = \"redacted\"  # default",
        "otlp.batch = 512  # default",
        "otlp.content = \"none\"  # default",
        "otlp.endpoint = \"\"  # default",
        "otlp.from_environment = false  # default",
        "otlp.logs_endpoint = \"\"  # default",
        "otlp.metrics_endpoint = \"\"  # default",
        "otlp.protocol = \"http/protobuf\"  # default",
        "otlp.service_name = \"flyball\"  # default",
        "otlp.signals = [\"logs\",\"metrics\",\"traces\"]  # default",
        "otlp.timeout_ms = 10000  # default",
        "otlp.traces_endpoint = \"\"  # default",
        "trust.projects = []  # default",
        "guard.self.files = [\"flyball.toml\"]  # default",
        "guard.self.mode = \"enforce\"  # default",
        "guard.self.tries.max = 9  # flyball.toml:2:7",
        "guard.self.tries.tell = true  # default",
        "guard.packages.allow = [\"ls\"]  # /etc/flyball/managed.toml:3:1",
        "guard.packages.mode = \"observe\"  # default",
        "# guard.packages.python is not set",
        "rules.mode = \"enforce\"  # default",
        "rules.patience = 0  # default",
        "rule[0] = {\"then\":\"deny\",\"when\":\"x\"}  # ~/config.toml:1:1",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn an_origin_is_json_too() {
    let found = origins(&[project("[rules]\npatience = 5\n")], REGISTRY).unwrap();
    let patience = found.iter().find(|origin| origin.key == "rules.patience").unwrap();
    let expected = serde_json::json!({
        "key": "rules.patience",
        "value": 5,
        "place": { "layer": "project", "file": "flyball.toml", "line": 2, "column": 1 },
    });
    assert_eq!(serde_json::to_value(patience).unwrap(), expected);
}

#[test]
fn a_section_in_the_schema_has_its_mode_its_keys_and_nothing_else() {
    let schema = schema(REGISTRY);
    let expected = serde_json::json!({
        "type": "object",
        "description": "made up for tests",
        "additionalProperties": false,
        "properties": {
            "mode": { "$ref": "#/$defs/Mode", "default": "enforce", "description": "Whether its verdicts count." },
            "patience": {
                "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255, "default": 0,
                "description": "How many may be broken before it is reported.",
            },
        },
    });
    assert_eq!(schema["properties"]["rules"], expected);
    let rule = serde_json::json!({
        "type": "array", "items": { "$ref": "#/$defs/WrittenRule" }, "default": [], "description": "The user's own rules.",
    });
    assert_eq!(schema["properties"]["rule"], rule);
    let names: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["engine", "guard", "lock", "otlp", "rule", "rules", "store", "trust"]);
    let guards: Vec<&String> =
        schema["properties"]["guard"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(guards, ["packages", "self"]);
}

static ABOVE: crate::policy::Policy = policy("guard", Mode::Off, SectionSpec::for_type::<Tries>());

#[test]
fn a_section_may_be_above_others() {
    const ABOVE_LAST: Registry = &[&SELF, &ABOVE];
    const ABOVE_FIRST: Registry = &[&ABOVE, &SELF];
    for registry in [ABOVE_FIRST, ABOVE_LAST] {
        let text = "[guard]\nmode = 'observe'\nmax = 7\n[guard.self]\nmode = 'off'\n";
        let config = compile(&[project(text)], registry).unwrap().config;
        assert_eq!(config.sections["guard"].mode, Mode::Observe);
        assert_eq!(config.sections["guard"].parse::<Tries>().unwrap(), Tries { max: 7, tell: true });
        assert_eq!(config.sections["guard.self"].mode, Mode::Off);
        let schema = schema(registry);
        let keys: Vec<&String> =
            schema["properties"]["guard"]["properties"].as_object().unwrap().keys().collect();
        assert_eq!(keys, ["max", "mode", "self", "tell"]);
    }
}

#[test]
fn the_reference_has_every_section_and_key() {
    const TWO: Registry = &[&SELF, &RULES];
    let page = reference(TWO);
    let own = page.split_once("## `[guard.self]`").map(|(_, rest)| rest);
    let expected = r#"

made up for tests

| key | type | default | meaning |
|---|---|---|---|
| `mode` | `"off"`, `"observe"`, `"enforce"` | `"enforce"` | Whether its verdicts count. |
| `files` | array of string | `["flyball.toml"]` | More files that only people may change. |
| `tries` | table | `{"max":3,"tell":true}` | How often it may be tried. |
| `tries.max` | whole number | `3` | The most. |
| `tries.tell` | boolean | `true` | Whether to report it. |

## `[rules]`

made up for tests

| key | type | default | meaning |
|---|---|---|---|
| `mode` | `"off"`, `"observe"`, `"enforce"` | `"enforce"` | Whether its verdicts count. |
| `patience` | whole number | `0` | How many may be broken before it is reported. |

## `[[rule]]`

The user's own rules.

| key | type | default | meaning |
|---|---|---|---|
| `then` | `"allow"`, `"deny"` | – | What then. |
| `when` | string | – | When it applies. |

## `lock`

A key at the top of the user's or the administrator's file.

| key | type | default | meaning |
|---|---|---|---|
| `lock` | array of string | `[]` | Sections and keys that weaker layers may only make stricter. Not allowed in a project's file. |
"#;
    assert_eq!(own, Some(expected));
}

#[test]
fn the_same_registry_gives_the_same_bytes() {
    assert_eq!(schema(REGISTRY).to_string(), schema(REGISTRY).to_string());
    assert_eq!(reference(REGISTRY), reference(REGISTRY));
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Lax {
    mode: u8,
}

impl Default for Lax {
    fn default() -> Self {
        Lax { mode: 1 }
    }
}

static LAX: crate::policy::Policy = policy(
    "lax",
    Mode::Off,
    SectionSpec::for_type::<Lax>().with_collection(Collection { name: "lack", loosens: |_| false }),
);

#[test]
fn a_section_that_breaks_the_laws_is_reported() {
    assert_eq!(broken_laws(REGISTRY), Vec::<String>::new());
    let expected = [
        "lax: a misspelt key would pass: add `deny_unknown_fields`",
        "lax: a key has no default: add `serde(default)` to the section",
        "lax: `mode` is every policy's key and cannot be one of its own",
        "lax: the array it collects is not a field of its type",
        "lax: an empty section is not the same as none",
    ];
    const LAXEST: Registry = &[&LAX];
    assert_eq!(broken_laws(LAXEST), expected);
}
