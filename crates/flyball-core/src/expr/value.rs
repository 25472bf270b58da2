//! The values a program computes with. Every one is cheap to clone: text and lists of the event
//! are borrowed, and what an evaluation makes itself is shared.
//!
//! Where they come from is what the caller implements: [`Scope`], [`Sequence`] and [`Map`] are asked
//! late, a field when a program reads it, an item when a program looks at it. Implementations that
//! compute something costly keep it (a `OnceCell`), because a program may ask more than once.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::rc::Rc;

use super::kind::Kind;
use super::literal::write_quoted;

/// A value, borrowed from the event wherever it can be.
#[derive(Clone)]
pub enum Value<'a> {
    /// `true` or `false`.
    Bool(bool),
    Int(i64),
    String(Text<'a>),
    List(List<'a>),
    /// A map from strings.
    Map(&'a (dyn Map + 'a)),
    /// A record, whose fields are asked for when they are read.
    Record(&'a (dyn Scope + 'a)),
}

/// A record: the event itself, a record inside it, or an item of a list of records.
pub trait Scope {
    /// The field of this name, or nothing if this event has no such field; a condition then
    /// reads the empty value of the field's type. The kind must be the one in the schema.
    fn field(&self, name: &str) -> Option<Value<'_>>;
}

/// What can be an item of a list or a value of a map.
pub trait Element {
    fn value(&self) -> Value<'_>;
}

/// A list that hands out its items one by one.
pub trait Sequence {
    /// How many items there are.
    fn count(&self) -> usize;
    /// The item at an index below the count.
    fn get(&self, index: usize) -> Option<Value<'_>>;
}

/// A map from strings to values.
pub trait Map {
    /// How many keys there are.
    fn count(&self) -> usize;
    /// The value of a key.
    fn get(&self, key: &str) -> Option<Value<'_>>;
}

/// A record that the event does not have: none of its fields is there.
struct Absent;

impl Scope for Absent {
    fn field(&self, _name: &str) -> Option<Value<'_>> {
        None
    }
}

/// A map that the event does not have.
impl Map for Absent {
    fn count(&self) -> usize {
        0
    }

    fn get(&self, _key: &str) -> Option<Value<'_>> {
        None
    }
}

impl<'a> Value<'a> {
    /// A list of the event, whose items are looked at only where a program does.
    pub fn list(items: &'a (dyn Sequence + 'a)) -> Self {
        Self::List(List(Items::Lazy(items)))
    }

    /// Which kind of value this is.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::String(_) => Kind::String,
            Self::List(_) => Kind::List,
            Self::Map(_) => Kind::Map,
            Self::Record(_) => Kind::Record,
        }
    }

    /// Whether there is something in it. Numbers, bools and records cannot be empty.
    pub(super) fn is_filled(&self) -> bool {
        match self {
            Self::Bool(_) | Self::Int(_) | Self::Record(_) => true,
            Self::String(text) => !text.is_empty(),
            Self::List(list) => list.count() > 0,
            Self::Map(map) => map.count() > 0,
        }
    }
}

impl Kind {
    /// What a field reads as when the event does not have it.
    pub(super) fn empty<'a>(self) -> Value<'a> {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Int => Value::Int(0),
            Self::String => Value::from(""),
            Self::List => Value::from(Vec::new()),
            Self::Map => Value::Map(&Absent),
            Self::Record => Value::Record(&Absent),
        }
    }
}

/// Text of the event, or text that an evaluation made.
#[derive(Clone)]
pub enum Text<'a> {
    /// Part of the event or of the program.
    Borrowed(&'a str),
    /// Made by an evaluation. Shared, because a loop variable is cloned wherever it is read.
    Shared(Rc<str>),
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Shared(text) => text,
        }
    }
}

/// A list of the event, or one that an evaluation made.
#[derive(Clone)]
pub struct List<'a>(Items<'a>);

#[derive(Clone)]
enum Items<'a> {
    Lazy(&'a (dyn Sequence + 'a)),
    Made(Rc<[Value<'a>]>),
}

impl<'a> List<'a> {
    /// How many items there are.
    pub fn count(&self) -> usize {
        match &self.0 {
            Items::Lazy(items) => items.count(),
            Items::Made(items) => items.len(),
        }
    }

    /// The item at an index.
    pub fn get(&self, index: usize) -> Option<Value<'a>> {
        match &self.0 {
            Items::Lazy(items) => items.get(index),
            Items::Made(items) => items.get(index).cloned(),
        }
    }

    /// The items, in order.
    pub fn iter(&self) -> impl Iterator<Item = Value<'a>> + '_ {
        (0..self.count()).map_while(|index| self.get(index))
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::String(Text::Borrowed(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::String(Text::Shared(text.into()))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::from(text),
            Cow::Owned(text) => Self::from(text),
        }
    }
}

impl<'a> From<Vec<Self>> for Value<'a> {
    fn from(items: Vec<Self>) -> Self {
        Self::List(List(Items::Made(items.into())))
    }
}

/// As the language writes it: `"text"`, `[1, 2]`. Maps and records have no literal.
impl fmt::Display for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            Self::String(text) => write_quoted(formatter, text),
            Self::List(list) => write_list(formatter, list),
            Self::Map(_) => formatter.write_str("{…}"),
            Self::Record(_) => formatter.write_str("record"),
        }
    }
}

fn write_list(formatter: &mut fmt::Formatter<'_>, list: &List<'_>) -> fmt::Result {
    formatter.write_str("[")?;
    for (index, item) in list.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        write!(formatter, "{separator}{item}")?;
    }
    formatter.write_str("]")
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The equality of the language. Maps and records are equal to nothing: no source that compares
/// them is accepted.
impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Int(left), Self::Int(right)) => left == right,
            (Self::String(left), Self::String(right)) => **left == **right,
            (Self::List(left), Self::List(right)) => {
                // The counts first: items of a list may be costly to make.
                left.count() == right.count() && left.iter().eq(right.iter())
            }
            (
                Self::Bool(_)
                | Self::Int(_)
                | Self::String(_)
                | Self::List(_)
                | Self::Map(_)
                | Self::Record(_),
                _,
            ) => false,
        }
    }
}
