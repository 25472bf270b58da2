//! Reads a value that is written as one string. It is checked while the string is read and not
//! after, as `#[serde(try_from)]` would, so that an error points at it and not at the list around it.

use std::fmt::{Display, Formatter, Result as Written};
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// Reads a value from a string.
pub(crate) fn read<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<String, Error: Display>,
{
    deserializer.deserialize_string(Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: TryFrom<String, Error: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> Written {
        formatter.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.visit_string(text.to_owned())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<T, E> {
        T::try_from(text).map_err(E::custom)
    }
}
