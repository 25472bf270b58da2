//! `[guard.packages]` as people write it.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::tool::{Ecosystem, Tool};

/// `[guard.packages]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Settings {
    /// The package manager for Python. `auto` follows the project's lock file. A manager alone denies the others, with
    /// `:warn` they pass with a hint to the model, with `:rewrite` they are replaced.
    pub(super) python: Choice<Python>,
    /// The package manager for JavaScript, with the same values.
    pub(super) javascript: Choice<JavaScript>,
    /// Whether conda, mamba and micromamba are governed too.
    pub(super) conda: bool,
    /// Subcommands that are allowed, by manager. A list replaces the default list of its manager.
    pub(super) allow: Allow,
}

/// Subcommands that are allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Allow {
    /// Of pip.
    pip: Vec<String>,
    /// Of poetry.
    poetry: Vec<String>,
    /// Of pipenv.
    pipenv: Vec<String>,
    /// Of uv.
    uv: Vec<String>,
    /// Of conda, mamba and micromamba.
    conda: Vec<String>,
    /// Of npm.
    npm: Vec<String>,
    /// Of npx, bunx and pnpx: the programs they start.
    npx: Vec<String>,
    /// Of yarn.
    yarn: Vec<String>,
    /// Of pnpm.
    pnpm: Vec<String>,
    /// Of bun.
    bun: Vec<String>,
}

impl Default for Allow {
    fn default() -> Allow {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Allow {
            pip: list(&["download"]),
            poetry: Vec::new(),
            pipenv: Vec::new(),
            uv: Vec::new(),
            conda: Vec::new(),
            npm: list(&["audit", "view", "pack", "publish", "whoami", "login"]),
            npx: Vec::new(),
            yarn: list(&["audit", "info"]),
            pnpm: list(&["audit", "info"]),
            bun: Vec::new(),
        }
    }
}

impl Allow {
    /// Whether a subcommand is allowed by one of its names.
    pub(super) fn allows(&self, key: AllowKey, names: &[String]) -> bool {
        self.list(key).iter().any(|allowed| names.contains(allowed))
    }

    fn list(&self, key: AllowKey) -> &[String] {
        match key {
            AllowKey::Runner => &self.npx,
            AllowKey::Tool(tool) => match tool {
                Tool::Pip => &self.pip,
                Tool::Poetry => &self.poetry,
                Tool::Pipenv => &self.pipenv,
                Tool::Uv => &self.uv,
                Tool::Conda => &self.conda,
                Tool::Npm => &self.npm,
                Tool::Yarn => &self.yarn,
                Tool::Pnpm => &self.pnpm,
                Tool::Bun => &self.bun,
            },
        }
    }
}

/// The list of allowed subcommands that a command is looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AllowKey {
    Tool(Tool),
    /// The programs that npx and the like start.
    Runner,
}

impl AllowKey {
    /// The key in the config.
    pub(super) const fn name(self) -> &'static str {
        match self {
            AllowKey::Tool(tool) => tool.name(),
            AllowKey::Runner => "npx",
        }
    }
}

/// What is done about a command of another package manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Enforcement {
    #[default]
    Block,
    /// It passes, with a hint to the model.
    Warn,
    /// It is replaced.
    Rewrite,
}

/// The package manager of an ecosystem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Selection {
    /// The one whose lock file the project has.
    #[default]
    Auto,
    /// Any.
    Off,
    Tool(Tool),
}

/// The values of the key of one ecosystem.
pub(super) trait Values {
    const WRITTEN: &'static [&'static str];
    /// The name of the type in the schema.
    const SCHEMA: &'static str;
}

macro_rules! values {
    ($marker:ident $schema:literal: $($name:literal)+) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(super) struct $marker;

        impl Values for $marker {
            const WRITTEN: &'static [&'static str] =
                &["off", $($name, concat!($name, ":warn"), concat!($name, ":rewrite"),)+];
            const SCHEMA: &'static str = $schema;
        }
    };
}

values! { Python "PythonPackages": "auto" "uv" "pip" "poetry" "pipenv" "conda" }
values! { JavaScript "JavaScriptPackages": "auto" "npm" "yarn" "pnpm" "bun" }

/// The package manager of an ecosystem, and what is done about the others: `uv:warn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<N> {
    pub(super) selection: Selection,
    pub(super) enforcement: Enforcement,
    names: PhantomData<N>,
}

impl<N> Default for Choice<N> {
    fn default() -> Choice<N> {
        Choice { selection: Selection::Auto, enforcement: Enforcement::Block, names: PhantomData }
    }
}

impl<N> Choice<N> {
    const fn of_any(&self) -> Choice<()> {
        Choice { selection: self.selection, enforcement: self.enforcement, names: PhantomData }
    }
}

impl<N: Values> Serialize for Choice<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = match self.selection {
            Selection::Auto => "auto",
            Selection::Off => "off",
            Selection::Tool(tool) => tool.name(),
        };
        let suffix = match self.enforcement {
            Enforcement::Block => "",
            Enforcement::Warn => ":warn",
            Enforcement::Rewrite => ":rewrite",
        };
        serializer.serialize_str(&format!("{name}{suffix}"))
    }
}

impl<'de, N: Values> Deserialize<'de> for Choice<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Choice<N>, D::Error> {
        let text = String::deserialize(deserializer)?;
        if !N::WRITTEN.contains(&text.as_str()) {
            return Err(serde::de::Error::unknown_variant(&text, N::WRITTEN));
        }
        let (name, suffix) = text.split_once(':').unwrap_or((&text, ""));
        let selection = match name {
            "off" => Selection::Off,
            // Checked above, so what is not a manager is `auto`.
            name => Tool::from_name(name).map_or(Selection::Auto, Selection::Tool),
        };
        let enforcement = match suffix {
            "warn" => Enforcement::Warn,
            "rewrite" => Enforcement::Rewrite,
            _ => Enforcement::Block,
        };
        Ok(Choice { selection, enforcement, names: PhantomData })
    }
}

impl<N: Values> JsonSchema for Choice<N> {
    fn schema_name() -> Cow<'static, str> {
        N::SCHEMA.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": N::WRITTEN })
    }
}

impl Settings {
    pub(super) fn choice(&self, ecosystem: Ecosystem) -> Choice<()> {
        match ecosystem {
            Ecosystem::Python => self.python.of_any(),
            Ecosystem::JavaScript => self.javascript.of_any(),
        }
    }
}
