//! The types of a policy's section: what people write, and what is stored of it.

use std::cmp::Ordering;
use std::ops::Range;

use crate::text;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::diagnostic::Problem;
use super::layer::Sources;
use super::reader::{FormError, Reader};

/// What people write, where it is not what is stored of it: conditions that are compiled, lists
/// that are checked against each other.
pub trait Authored: DeserializeOwned + Serialize + JsonSchema + Default {
    /// What the policy reads when it runs.
    type Stored: Serialize;

    /// Checks what was written, and makes of it what is stored.
    ///
    /// # Errors
    /// All that is wrong with it, each at its place. Defaults are never wrong.
    fn compile(self, sources: &Sources<'_>) -> Result<Self::Stored, Vec<Problem>>;
}

/// A value that knows where it was written. `#[serde(flatten)]` and untagged enums lose the
/// place, so it cannot be used inside of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Located<T>(toml::Spanned<T>);

impl<T> Located<T> {
    pub fn value(&self) -> &T {
        self.0.get_ref()
    }

    /// The value, taken out.
    pub fn into_value(self) -> T {
        self.0.into_inner()
    }

    /// Where it was written, for a [`Problem`] or [`Sources`]. A string's includes its quotes.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

impl<T: Default> Default for Located<T> {
    fn default() -> Self {
        Located::from(T::default())
    }
}

/// A default value, which has no place.
impl<T> From<T> for Located<T> {
    fn from(value: T) -> Self {
        Located(toml::Spanned::new(0..0, value))
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl<T: Eq> Eq for Located<T> {}

// By the value alone, so that it can be the key of a table.
impl<T: Ord> Ord for Located<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(other.value())
    }
}

impl<T: Ord> PartialOrd for Located<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: JsonSchema> JsonSchema for Located<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A top-level array of tables, `[[rule]]`, whose entries belong to a policy. The entries of all
/// layers are put together, the strongest layer's first.
#[derive(Clone, Copy)]
pub struct Collection {
    /// The name of the array, and of the field in the type of the section that takes it.
    pub name: &'static str,
    /// Whether an entry does more than make it stricter: lets something pass, or changes what runs. Such entries are
    /// ignored where a stronger layer has locked the array, and where no person has accepted them.
    pub loosens: fn(&serde_json::Value) -> bool,
}

/// One key of a section.
#[derive(Clone, Debug)]
pub struct Setting {
    pub key: String,
    /// Its default.
    pub default: serde_json::Value,
    pub about: String,
}

/// Why a section was not accepted.
pub(super) enum Rejected {
    /// It does not match its type.
    Form(FormError),
    /// It does, but its values are invalid.
    Meaning(Vec<Problem>),
}

type Compile = for<'de> fn(Reader<'de>, &Sources<'_>) -> Result<Vec<u8>, Rejected>;

/// The type of a policy's section, as functions that the config compiler calls.
#[derive(Clone, Copy)]
pub struct SectionSpec {
    /// Reads the section from TOML and compiles it.
    pub(super) compile: Compile,
    /// Compiles the default section.
    pub default: fn() -> Vec<u8>,
    /// The default section, as it would be written.
    pub(super) written: fn() -> serde_json::Value,
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(super) collects: Option<Collection>,
    /// The keys that a text may set that nobody has accepted, and how far.
    pub(super) tightenings: &'static [(&'static str, Tightening)],
    /// Whether such a text may raise its mode.
    pub(super) raisable: bool,
}

/// Which values of a key make a policy stricter, and neither start nor send anything.
#[derive(Clone, Copy, Debug)]
pub enum Tightening {
    /// Entries that are added to the list.
    More,
    /// A word that comes later in this list than the one in force. Where none is, only the last one does.
    Later(&'static [&'static str]),
}

impl SectionSpec {
    /// The spec of a policy whose settings are a `T`. Every field of `T` has a default, unknown
    /// fields are refused, and `mode` is not among them: it is taken out before.
    #[must_use]
    pub const fn for_type<T: DeserializeOwned + Serialize + JsonSchema + Default>() -> SectionSpec {
        SectionSpec {
            compile: |source, _| Ok(to_bytes(&T::deserialize(source).map_err(Rejected::Form)?)),
            default: || to_bytes(&T::default()),
            written: || to_json(&T::default()),
            schema: |generator| T::json_schema(generator),
            collects: None,
            tightenings: &[],
            raisable: false,
        }
    }

    /// The spec of a policy that compiles what was written. The same holds for `T`.
    #[must_use]
    pub const fn compiled<T: Authored>() -> SectionSpec {
        SectionSpec {
            compile: |source, sources| {
                let written = T::deserialize(source).map_err(Rejected::Form)?;
                Ok(to_bytes(&written.compile(sources).map_err(Rejected::Meaning)?))
            },
            default: || {
                // Defaults are never wrong (`Authored::compile`), and a test of the registry checks it.
                T::default().compile(&Sources::new(&[])).map_or_else(|_| Vec::new(), |it| to_bytes(&it))
            },
            written: || to_json(&T::default()),
            schema: |generator| T::json_schema(generator),
            collects: None,
            tightenings: &[],
            raisable: false,
        }
    }

    /// The keys of the section with their defaults, as they would be written.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let mut generator = SchemaGenerator::default();
        let schema = (self.schema)(&mut generator);
        let serde_json::Value::Object(defaults) = (self.written)() else { return Vec::new() };
        let about = |key: &str| {
            let property = schema.get("properties").and_then(|properties| properties.get(key));
            let text = property.and_then(|property| property.get("description")?.as_str());
            text::one_line(text.unwrap_or_default())
        };
        defaults.into_iter().map(|(key, default)| Setting { about: about(&key), key, default }).collect()
    }

    /// The same spec, with the keys that tighten it: `paths`, or `rules.*` for every key of a table.
    #[must_use]
    pub const fn tightened_by(mut self, keys: &'static [(&'static str, Tightening)]) -> SectionSpec {
        self.tightenings = keys;
        self
    }

    /// The same spec, of a policy that anyone may make stricter: it denies, asks or tells, and does nothing else. Others
    /// run, send, write, rewrite or allow something as soon as they are switched on.
    #[must_use]
    pub const fn raised_by_anyone(mut self) -> SectionSpec {
        self.raisable = true;
        self
    }

    /// The same spec, which also takes the entries of a top-level array of tables.
    #[must_use]
    pub const fn with_collection(mut self, collection: Collection) -> SectionSpec {
        self.collects = Some(collection);
        self
    }
}

fn to_bytes<T: Serialize>(settings: &T) -> Vec<u8> {
    // Our own settings are plain data: writing them into memory cannot fail, and a section that
    // could not be read back would be reported as a bug by `parse`.
    postcard::to_stdvec(settings).unwrap_or_default()
}

fn to_json<T: Serialize>(settings: &T) -> serde_json::Value {
    let mut json = serde_json::to_value(settings).unwrap_or_default();
    // What a section is compiled to may know more than what can be written in it.
    if let serde_json::Value::Object(keys) = &mut json {
        keys.retain(|key, _| !key.starts_with('#'));
    }
    json
}
