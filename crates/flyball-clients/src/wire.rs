//! Reads JSON without building it: one pass per object, values stay slices of the payload.
//!
//! A payload can be megabytes of file content, of which an event needs a few short fields. Every
//! reader is tolerant: a value of another type than expected counts as absent, so that the events
//! of newer clients are not lost.

use flyball_core::path::AbsolutePath;

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// The members of an object, in order, unparsed.
#[derive(Default)]
pub(crate) struct Object<'a> {
    members: Vec<(Text<'a>, &'a RawValue)>,
}

impl<'a> Object<'a> {
    /// Reads one object and nothing behind it.
    pub(crate) fn read(text: &'a str) -> Result<Object<'a>, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The object in a raw value; an empty one for anything else.
    pub(crate) fn from_value(value: Option<&'a RawValue>) -> Object<'a> {
        value.and_then(|value| Object::read(value.get()).ok()).unwrap_or_default()
    }

    /// The value of a key. Of two the last counts, as for the clients themselves.
    pub(crate) fn raw(&self, key: &str) -> Option<&'a RawValue> {
        self.members.iter().rev().find(|(name, _)| name.0 == key).map(|(_, value)| *value)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.raw(key).is_some()
    }

    pub(crate) fn text(&self, key: &str) -> Option<Cow<'a, str>> {
        text(self.raw(key)?)
    }

    /// A text that may be missing: empty then.
    pub(crate) fn string(&self, key: &str) -> String {
        self.text(key).map(Cow::into_owned).unwrap_or_default()
    }

    /// A text; an empty one counts as absent.
    pub(crate) fn non_empty(&self, key: &str) -> Option<String> {
        self.text(key).filter(|text| !text.is_empty()).map(Cow::into_owned)
    }

    /// A path, if it is absolute.
    pub(crate) fn path(&self, key: &str) -> Option<AbsolutePath> {
        self.text(key).and_then(AbsolutePath::new)
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        // The raw JSON of a flag is exactly what Rust parses.
        self.raw(key)?.get().parse().ok()
    }

    pub(crate) fn number(&self, key: &str) -> Option<u64> {
        let digits = self.raw(key)?.get();
        // Some clients measure in fractions; the whole part will do.
        digits.split('.').next().and_then(|whole| whole.parse().ok())
    }

    pub(crate) fn object(&self, key: &str) -> Object<'a> {
        Object::from_value(self.raw(key))
    }

    /// All members as values.
    pub(crate) fn values(&self) -> serde_json::Map<String, serde_json::Value> {
        let value = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or_default();
        self.members.iter().map(|(key, raw)| (key.0.to_string(), value(raw))).collect()
    }

    pub(crate) fn list(&self, key: &str) -> Vec<&'a RawValue> {
        self.raw(key).map(list).unwrap_or_default()
    }
}

/// The text in a raw value, if it is one.
pub(crate) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(value.get()).ok().map(|text| text.0)
}

/// The elements of a raw value; none if it is not a list.
pub(crate) fn list(value: &RawValue) -> Vec<&RawValue> {
    serde_json::from_str(value.get()).unwrap_or_default()
}

/// The same object with one text replaced; all other values keep their bytes.
pub(crate) fn with_text(object: &str, key: &str, text: &str) -> Option<Box<RawValue>> {
    let object = Object::read(object).ok()?;
    serde_json::value::to_raw_value(&Replaced { object: &object, key, text }).ok()
}

struct Replaced<'a> {
    object: &'a Object<'a>,
    key: &'a str,
    text: &'a str,
}

impl Serialize for Replaced<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut is_written = false;
        for (key, value) in &self.object.members {
            if key.0 != self.key {
                map.serialize_entry(&key.0, value)?;
            // Written once, even if the key occurs twice: the old text must not come back as the second.
            } else if !is_written {
                map.serialize_entry(self.key, self.text)?;
                is_written = true;
            }
        }
        if !is_written {
            map.serialize_entry(self.key, self.text)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<'de>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut members = Vec::with_capacity(16);
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Object { members })
    }
}

/// A JSON text. Read as bytes, because JavaScript clients send halves of surrogate pairs where
/// they cut a text, and a command must not become invisible by one broken emoji in it.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text<'de>, D::Error> {
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a text")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Text<'de>, E> {
        Ok(Text(String::from_utf8_lossy(bytes)))
    }

    // For texts with escapes, which cannot be slices of the payload.
    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text<'de>, E> {
        Ok(Text(Cow::Owned(String::from_utf8_lossy(bytes).into_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Object, with_text};

    #[test]
    fn a_value_of_another_type_counts_as_absent() {
        let text = r#"{"text":"a","flag":true,"number":12,"part":1.9,"less":-1,"list":["a",1],"none":null,"object":{"a":"b"}}"#;
        let object = Object::read(text).unwrap();
        let keys = ["text", "flag", "number", "part", "less", "list", "none", "object", "absent"];
        let with = |has: &dyn Fn(&str) -> bool| keys.into_iter().filter(|key| has(key)).collect::<Vec<_>>();
        assert_eq!(with(&|key| object.text(key).is_some()), ["text"]);
        assert_eq!(with(&|key| object.flag(key).is_some()), ["flag"]);
        assert_eq!(with(&|key| object.number(key).is_some()), ["number", "part"]);
        assert_eq!(with(&|key| !object.list(key).is_empty()), ["list"]);
        assert_eq!(with(&|key| object.object(key).has("a")), ["object"]);
    }

    #[test]
    fn of_two_values_the_last_counts() {
        assert_eq!(Object::read(r#"{"a":"1","b":"2","a":"3"}"#).unwrap().string("a"), "3");
    }

    #[test]
    fn a_replaced_text_leaves_the_bytes_of_other_values() {
        let text = |object: &str| with_text(object, "c", "\"new\"").map(|json| json.get().to_owned());
        let replaced = text(r#"{ "a" : 1.50e3, "c":"old","b":{"x": [1, 2]}, "c":"older" }"#);
        assert_eq!(replaced.as_deref(), Some(r#"{"a":1.50e3,"c":"\"new\"","b":{"x": [1, 2]}}"#));
        assert_eq!(text("{}").as_deref(), Some(r#"{"c":"\"new\""}"#));
        assert_eq!(text("[]"), None);
    }
}
