//! Reads the type of a section from parsed TOML.
//!
//! The crate `toml` has a reader too, but every type would be compiled for it several times over: once for a table, once
//! for a value with its place, once for a date. Settings are most of the code that policies have, so here each type is compiled for
//! one kind of value, one kind of table and one kind of array.

use std::fmt;
use std::ops::Range;

use serde::de::{
    DeserializeOwned, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// How [`toml::Spanned`] asks for a value and its place, whatever it is read by.
const SPANNED: &str = "$__serde_spanned_private_Spanned";
const SPANNED_START: &str = "$__serde_spanned_private_start";
const SPANNED_END: &str = "$__serde_spanned_private_end";
const SPANNED_VALUE: &str = "$__serde_spanned_private_value";
/// The key of the table that a date is shown as.
const DATE: &str = "$__toml_private_datetime";

/// Why a value does not have the form of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormError {
    message: String,
    span: Option<Range<usize>>,
}

impl FormError {
    fn at(message: impl Into<String>, span: Range<usize>) -> FormError {
        FormError { message: message.into(), span: Some(span) }
    }

    /// The innermost place that is known.
    fn or_at(mut self, span: Range<usize>) -> FormError {
        // Errors pass outwards, so the first place that is set is the innermost.
        self.span.get_or_insert(span);
        self
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for FormError {}

impl serde::de::Error for FormError {
    fn custom<T: fmt::Display>(message: T) -> FormError {
        FormError { message: message.to_string(), span: None }
    }
}

/// Reads a type from a text in TOML that is not a section of the config.
///
/// # Errors
/// What is wrong with it first, in one line.
pub fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let root = DeTable::parse(text).map_err(|error| error.message().to_owned())?;
    let root = Spanned::new(root.span(), DeValue::Table(root.into_inner()));
    T::deserialize(Reader::from(root)).map_err(|error| error.message)
}

/// A value on its way into a type.
pub(super) struct Reader<'de> {
    input: Input<'de>,
    span: Range<usize>,
}

enum Input<'de> {
    Value(DeValue<'de>),
    Key(DeString<'de>),
    /// One end of a place.
    Offset(usize),
}

impl<'de> From<Spanned<DeValue<'de>>> for Reader<'de> {
    fn from(value: Spanned<DeValue<'de>>) -> Reader<'de> {
        let span = value.span();
        Reader { input: Input::Value(value.into_inner()), span }
    }
}

impl<'de> Reader<'de> {
    fn key(key: Spanned<DeString<'de>>) -> Reader<'de> {
        let span = key.span();
        Reader { input: Input::Key(key.into_inner()), span }
    }

    /// The three things that a value with its place is made of.
    fn with_place(self) -> Entries<'de> {
        let span = self.span.clone();
        let part = |name: &'static str, input| {
            let key = Reader { input: Input::Key(DeString::Borrowed(name)), span: span.clone() };
            (key, Reader { input, span: span.clone() })
        };
        let start = part(SPANNED_START, Input::Offset(span.start));
        let end = part(SPANNED_END, Input::Offset(span.end));
        let value = part(SPANNED_VALUE, self.input);
        Entries::from(vec![start, end, value])
    }

    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.input {
            Input::Key(DeString::Borrowed(text))
            | Input::Value(DeValue::String(DeString::Borrowed(text))) => visitor.visit_borrowed_str(text),
            Input::Key(DeString::Owned(text)) | Input::Value(DeValue::String(DeString::Owned(text))) => {
                visitor.visit_string(text)
            }
            Input::Offset(offset) => visitor.visit_u64(offset as u64),
            Input::Value(DeValue::Integer(number)) => match Integer::read(number.as_str(), number.radix()) {
                Some(Integer::Signed(number)) => visitor.visit_i64(number),
                Some(Integer::Unsigned(number)) => visitor.visit_u64(number),
                Some(Integer::Wide(number)) => visitor.visit_i128(number),
                None => Err(FormError::custom("integer number overflowed")),
            },
            Input::Value(DeValue::Float(number)) => match read_float(number.as_str()) {
                Some(number) => visitor.visit_f64(number),
                None => Err(FormError::custom("floating-point number overflowed")),
            },
            Input::Value(DeValue::Boolean(value)) => visitor.visit_bool(value),
            // As the `toml` crate shows a date to serde, so that its own types can be read.
            Input::Value(DeValue::Datetime(date)) => {
                let key = Reader { input: Input::Key(DeString::Borrowed(DATE)), span: self.span.clone() };
                let text = DeValue::String(DeString::Owned(date.to_string()));
                visitor.visit_map(Entries::from(vec![(
                    key,
                    Reader { input: Input::Value(text), span: self.span },
                )]))
            }
            Input::Value(DeValue::Array(values)) => {
                let values: Vec<Reader<'de>> = values.into_iter().map(Reader::from).collect();
                visitor.visit_seq(Values { rest: values.into_iter() })
            }
            Input::Value(DeValue::Table(table)) => visitor.visit_map(Entries::from(table)),
        }
    }

    /// A variant takes its own keys only, whatever its type says about others.
    fn reject_other_keys(&self, own: &[&str]) -> Result<(), FormError> {
        let Input::Value(DeValue::Table(table)) = &self.input else { return Ok(()) };
        let other: Vec<_> = table.keys().filter(|key| !own.contains(&key.get_ref().as_ref())).collect();
        let Some(first) = other.first() else { return Ok(()) };
        let names: Vec<&str> = other.iter().map(|key| key.get_ref().as_ref()).collect();
        let message =
            format!("unexpected keys in table: {}, available keys: {}", names.join(", "), own.join(", "));
        Err(FormError::at(message, first.span()))
    }

    /// The variant that is named here: a string, or a table of one key.
    fn variant(self) -> Result<Variant<'de>, FormError> {
        let table = match self.input {
            Input::Value(DeValue::Table(table)) => table,
            Input::Key(_) | Input::Value(DeValue::String(_)) => {
                return Ok(Variant { name: self, content: None });
            }
            Input::Value(_) | Input::Offset(_) => {
                return Err(FormError::at("wanted string or table", self.span));
            }
        };
        let mut entries = Entries::from(table).rest;
        match (entries.next(), entries.next()) {
            (Some((name, content)), None) => Ok(Variant { name, content: Some(content) }),
            (None, _) => Err(FormError::at("wanted exactly 1 element, found 0 elements", self.span)),
            (Some(_), Some(_)) => {
                Err(FormError::at("wanted exactly 1 element, more than 1 element", self.span))
            }
        }
    }
}

/// A whole number, in the smallest form that holds it.
enum Integer {
    Signed(i64),
    Unsigned(u64),
    Wide(i128),
}

impl Integer {
    fn read(text: &str, radix: u32) -> Option<Integer> {
        let signed = i64::from_str_radix(text, radix).map(Integer::Signed);
        let unsigned = || u64::from_str_radix(text, radix).map(Integer::Unsigned);
        signed.or_else(|_| unsigned()).or_else(|_| i128::from_str_radix(text, radix).map(Integer::Wide)).ok()
    }
}

/// A number that overflows to infinity is too large; `inf` itself is allowed.
fn read_float(text: &str) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite() || !text.contains(|it: char| it.is_ascii_digit()))
}

impl<'de> serde::Deserializer<'de> for Reader<'de> {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        let span = self.span.clone();
        self.visit(visitor).map_err(|error| error.or_at(span))
    }

    // A missing key is `None`, so a value that is there is always `Some`.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        let span = self.span.clone();
        visitor.visit_some(self).map_err(|error| error.or_at(span))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, FormError> {
        let span = self.span.clone();
        visitor.visit_newtype_struct(self).map_err(|error| error.or_at(span))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        // The private contract between `toml::Spanned` and a reader; see the constants.
        if name == SPANNED { visitor.visit_map(self.with_place()) } else { self.deserialize_any(visitor) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        let span = self.span.clone();
        self.variant().and_then(|variant| visitor.visit_enum(variant)).map_err(|error| error.or_at(span))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

/// The entries of a table.
struct Entries<'de> {
    rest: std::vec::IntoIter<(Reader<'de>, Reader<'de>)>,
    value: Option<Reader<'de>>,
}

impl<'de> From<Vec<(Reader<'de>, Reader<'de>)>> for Entries<'de> {
    fn from(entries: Vec<(Reader<'de>, Reader<'de>)>) -> Entries<'de> {
        Entries { rest: entries.into_iter(), value: None }
    }
}

impl<'de> From<DeTable<'de>> for Entries<'de> {
    fn from(table: DeTable<'de>) -> Entries<'de> {
        let entries = table.into_iter().map(|(key, value)| (Reader::key(key), Reader::from(value)));
        Entries::from(entries.collect::<Vec<_>>())
    }
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = FormError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FormError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        self.value = Some(value);
        let span = key.span.clone();
        seed.deserialize(key).map(Some).map_err(|error| error.or_at(span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FormError> {
        let value = self.value.take().ok_or_else(|| FormError::custom("a value was read before its key"))?;
        let span = value.span.clone();
        seed.deserialize(value).map_err(|error| error.or_at(span))
    }
}

/// The values of an array.
struct Values<'de> {
    rest: std::vec::IntoIter<Reader<'de>>,
}

impl<'de> SeqAccess<'de> for Values<'de> {
    type Error = FormError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, FormError> {
        self.rest.next().map(|value| seed.deserialize(value)).transpose()
    }
}

/// A variant of an enum.
struct Variant<'de> {
    name: Reader<'de>,
    /// The value after its name, if it is the key of a table.
    content: Option<Reader<'de>>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = FormError;
    type Variant = Content<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'de>), FormError> {
        let span = self.name.span.clone();
        let name = seed.deserialize(self.name).map_err(|error| error.or_at(span))?;
        Ok((name, Content(self.content)))
    }
}

/// What a variant holds.
struct Content<'de>(Option<Reader<'de>>);

impl<'de> Content<'de> {
    fn expected(self, what: &'static str) -> Result<Reader<'de>, FormError> {
        self.0.ok_or_else(|| FormError::invalid_type(Unexpected::UnitVariant, &what))
    }
}

impl<'de> VariantAccess<'de> for Content<'de> {
    type Error = FormError;

    fn unit_variant(self) -> Result<(), FormError> {
        let Some(Reader { input, span }) = self.0 else { return Ok(()) };
        match input {
            // Empty content counts as none, as in the `toml` crate.
            Input::Value(DeValue::Array(values)) if values.is_empty() => Ok(()),
            Input::Value(DeValue::Table(table)) if table.is_empty() => Ok(()),
            Input::Value(DeValue::Array(_)) => Err(FormError::at("expected empty array", span)),
            Input::Value(DeValue::Table(_)) => Err(FormError::at("expected empty table", span)),
            Input::Value(other) => {
                Err(FormError::at(format!("expected table, found {}", other.type_str()), span))
            }
            Input::Key(_) | Input::Offset(_) => Err(FormError::at("expected table", span)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, FormError> {
        seed.deserialize(self.expected("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FormError> {
        serde::Deserializer::deserialize_any(self.expected("tuple variant")?, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        let content = self.expected("struct variant")?;
        content.reject_other_keys(fields)?;
        serde::Deserializer::deserialize_struct(content, "", fields, visitor)
    }
}

#[cfg(test)]
mod tests;
