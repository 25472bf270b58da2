//! The types of the language, and the fields that a condition may read.

use std::fmt;

use super::kind::Kind;

/// A type of the language.
///
/// A type is a leaf inside any number of lists. That keeps it `Copy` and `const`, although the
/// checker meets lists that no schema names, such as `[[1], [2]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    leaf: Leaf,
    lists: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Bool,
    Int,
    String,
    Map(&'static Type),
    Record(&'static Schema),
    /// The items of `[]`: fits every type.
    Unknown,
}

/// A type with its outermost layer taken off.
pub(super) enum Shape {
    List(Type),
    Leaf(Leaf),
}

impl Type {
    /// `true` or `false`.
    pub const BOOL: Self = Self::leaf(Leaf::Bool);
    /// A whole number of 64 bits.
    pub const INT: Self = Self::leaf(Leaf::Int);
    pub const STRING: Self = Self::leaf(Leaf::String);
    pub(super) const UNKNOWN: Self = Self::leaf(Leaf::Unknown);

    const fn leaf(leaf: Leaf) -> Self {
        Self { leaf, lists: 0 }
    }

    /// A list whose items have this type.
    pub const fn list(self) -> Self {
        Self { leaf: self.leaf, lists: self.lists.saturating_add(1) }
    }

    /// A map from strings to values of one type.
    pub const fn map(values: &'static Self) -> Self {
        Self::leaf(Leaf::Map(values))
    }

    /// A record with the fields of a schema.
    pub const fn record(schema: &'static Schema) -> Self {
        Self::leaf(Leaf::Record(schema))
    }

    pub(super) fn shape(self) -> Shape {
        match self.lists.checked_sub(1) {
            Some(lists) => Shape::List(Self { lists, ..self }),
            None => Shape::Leaf(self.leaf),
        }
    }

    /// The type that fits both, if there is one: they differ at most in what `[]` leaves open.
    pub(super) fn unify(self, other: Self) -> Option<Self> {
        // `[]` may stand for a list of lists, so the open one may have fewer layers, never more.
        let open = |narrow: Self, wide: Self| narrow.leaf == Leaf::Unknown && wide.lists >= narrow.lists;
        if self == other || open(other, self) { Some(self) } else { open(self, other).then_some(other) }
    }

    /// Whether `==` and `in` make sense: records and maps have no equality.
    pub(super) fn is_comparable(self) -> bool {
        match self.leaf {
            Leaf::Bool | Leaf::Int | Leaf::String | Leaf::Unknown => true,
            Leaf::Map(_) | Leaf::Record(_) => false,
        }
    }

    pub(super) fn is_map(self) -> bool {
        matches!(self.shape(), Shape::Leaf(Leaf::Map(_)))
    }

    pub(super) fn kind(self) -> Kind {
        match self.shape() {
            Shape::List(_) => Kind::List,
            Shape::Leaf(Leaf::Bool | Leaf::Unknown) => Kind::Bool,
            Shape::Leaf(Leaf::Int) => Kind::Int,
            Shape::Leaf(Leaf::String) => Kind::String,
            Shape::Leaf(Leaf::Map(_)) => Kind::Map,
            Shape::Leaf(Leaf::Record(_)) => Kind::Record,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape() {
            Shape::List(Self { leaf: Leaf::Unknown, lists: 0 }) => formatter.write_str("list"),
            Shape::List(item) => write!(formatter, "list of {item}"),
            Shape::Leaf(Leaf::Bool) => formatter.write_str("bool"),
            Shape::Leaf(Leaf::Int) => formatter.write_str("int"),
            Shape::Leaf(Leaf::String) => formatter.write_str("string"),
            Shape::Leaf(Leaf::Map(values)) => write!(formatter, "map of {values}"),
            Shape::Leaf(Leaf::Record(_)) => formatter.write_str("record"),
            Shape::Leaf(Leaf::Unknown) => formatter.write_str("item of `[]`"),
        }
    }
}

/// The fields of a record, and of the whole event. A schema must not contain itself.
#[derive(Debug)]
pub struct Schema {
    fields: &'static [Field],
}

/// One field: how conditions name it, what it holds, and what the reference says about it.
#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, as conditions write it.
    pub name: &'static str,
    pub ty: Type,
    /// One line for the reference.
    pub doc: &'static str,
}

/// A line of the reference: a field with the whole path to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldEntry {
    /// Names joined by dots, `[]` behind a list of records: `shell.commands[].program`.
    pub path: String,
    pub ty: Type,
    /// One line about it.
    pub doc: &'static str,
}

impl Schema {
    /// A schema with these fields.
    pub const fn new(fields: &'static [Field]) -> Self {
        Self { fields }
    }

    /// The fields of this record, in the order in which they were given.
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// Every field, those inside of records after the record: the reference, line by line.
    pub fn entries(&self) -> Vec<FieldEntry> {
        let mut entries = Vec::new();
        self.collect_entries("", &mut entries);
        entries
    }

    fn collect_entries(&self, prefix: &str, entries: &mut Vec<FieldEntry>) {
        for Field { name, ty, doc } in self.fields {
            let path = format!("{prefix}{name}");
            entries.push(FieldEntry { path: path.clone(), ty: *ty, doc });
            if let Leaf::Record(inner) = ty.leaf {
                let lists = "[]".repeat(ty.lists.into());
                inner.collect_entries(&format!("{path}{lists}."), entries);
            }
        }
    }

    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

// By content, because a constant that is used twice may have two addresses.
impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.fields, other.fields) || self.fields == other.fields
    }
}

impl Eq for Schema {}
