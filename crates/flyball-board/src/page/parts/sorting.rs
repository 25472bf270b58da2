//! Tables that are sorted by a click on the head of a column: a link, so that it works without a script, by keyboard, and
//! in an address that is passed on.

use maud::{Markup, html};

use crate::route::Request;

/// Which way a column is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Ascending,
    Descending,
}

impl Direction {
    const fn other(self) -> Direction {
        match self {
            Direction::Ascending => Direction::Descending,
            Direction::Descending => Direction::Ascending,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Direction::Ascending => "asc",
            Direction::Descending => "desc",
        }
    }

    /// What it is in HTML, and how it looks.
    const fn shown(self) -> (&'static str, &'static str) {
        match self {
            Direction::Ascending => ("ascending", "▲"),
            Direction::Descending => ("descending", "▼"),
        }
    }
}

/// A column that can be sorted by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Its name in an address.
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) class: &'static str,
    /// Which way the first click sorts: names from a to z, numbers from the greatest.
    pub(crate) first: Direction,
}

impl Column {
    /// A column of words.
    pub(crate) const fn words(key: &'static str, label: &'static str) -> Column {
        Column { key, label, class: "", first: Direction::Ascending }
    }

    /// A column of numbers.
    pub(crate) const fn number(key: &'static str, label: &'static str) -> Column {
        Column { key, label, class: "number", first: Direction::Descending }
    }

    /// A column of times.
    pub(crate) const fn time(key: &'static str, label: &'static str) -> Column {
        Column { key, label, class: "", first: Direction::Descending }
    }
}

/// How a table is sorted.
#[derive(Clone, Copy)]
pub(crate) struct Sorting<'a> {
    request: &'a Request,
    /// The column, and which way.
    by: Option<(&'static str, Direction)>,
    /// What it is if the address does not say.
    usual: (&'static str, Direction),
}

impl<'a> Sorting<'a> {
    /// The order that is asked for, among these columns; else the usual one.
    pub(crate) fn from_request(
        request: &'a Request,
        columns: &[Column],
        usual: (&'static str, Direction),
    ) -> Sorting<'a> {
        let by = request.value("sort").and_then(|text| text.rsplit_once('-')).and_then(|(key, direction)| {
            let column = columns.iter().find(|column| column.key == key)?;
            let directions = [Direction::Ascending, Direction::Descending];
            Some((column.key, directions.into_iter().find(|known| known.name() == direction)?))
        });
        Sorting { request, by, usual }
    }

    /// Whether someone asked for an order other than the usual one.
    pub(crate) fn is_chosen(&self) -> bool {
        self.by.is_some_and(|by| by != self.usual)
    }

    fn current(&self) -> (&'static str, Direction) {
        self.by.unwrap_or(self.usual)
    }

    /// Sorts rows by the value that `value` has for the current column.
    pub(crate) fn sort<T, V: Ord>(&self, rows: &mut [T], value: impl Fn(&T, &str) -> V) {
        let (key, direction) = self.current();
        rows.sort_by(|one, other| {
            let order = value(one, key).cmp(&value(other, key));
            if direction == Direction::Descending { order.reverse() } else { order }
        });
    }

    /// The head of a column.
    pub(crate) fn head(&self, column: Column) -> Markup {
        let (key, direction) = self.current();
        let is_current = key == column.key;
        let (name, mark) = direction.shown();
        let next = if is_current { direction.other() } else { column.first };
        let address = self.request.with("sort", Some(&format!("{}-{}", column.key, next.name())));
        html! {
            th class=(column.class) scope="col" aria-sort=[is_current.then_some(name)] {
                // The address leads back to the head that was clicked, so that the keyboard goes on from there.
                a.sort id={ "sort-" (column.key) } href={ (address) "#sort-" (column.key) } {
                    (column.label) span.direction aria-hidden="true" { @if is_current { (mark) } }
                }
            }
        }
    }
}

/// A value to sort by: numbers and words are never in one column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SortValue {
    Number(i128),
    Words(String),
}

impl From<u64> for SortValue {
    fn from(number: u64) -> SortValue {
        SortValue::Number(number.into())
    }
}

impl From<flyball_core::time::Time> for SortValue {
    fn from(time: flyball_core::time::Time) -> SortValue {
        SortValue::Number(time.as_micros().into())
    }
}

impl From<&str> for SortValue {
    fn from(words: &str) -> SortValue {
        SortValue::Words(words.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 2] = [Column::words("name", "Name"), Column::number("many", "How many")];

    fn sorted(query: &str) -> (Vec<&'static str>, String) {
        let request = Request::parse("/policies", Some(query)).unwrap();
        let sorting = Sorting::from_request(&request, &COLUMNS, ("many", Direction::Descending));
        let mut rows = [("b", 1_u64), ("C", 3), ("a", 3)];
        sorting.sort(&mut rows, |row, key| if key == "name" { row.0.into() } else { SortValue::from(row.1) });
        (rows.map(|row| row.0).to_vec(), sorting.head(COLUMNS[1]).into_string())
    }

    #[test]
    fn a_table_is_sorted_by_its_address_and_equal_rows_keep_their_order() {
        let cases: [(&str, [&str; 3]); 5] = [
            ("", ["C", "a", "b"]),
            ("sort=many-asc", ["b", "C", "a"]),
            ("sort=name-asc", ["a", "b", "C"]),
            ("sort=name-desc", ["C", "b", "a"]),
            ("sort=nonsense-desc", ["C", "a", "b"]),
        ];
        for (query, expected) in cases {
            assert_eq!(sorted(query).0, expected, "{query}");
        }
    }

    #[test]
    fn the_head_says_how_it_is_sorted_and_leads_to_the_other_way() {
        assert_eq!(
            sorted("range=7d").1,
            "<th class=\"number\" scope=\"col\" aria-sort=\"descending\">\
             <a class=\"sort\" id=\"sort-many\" href=\"/policies?range=7d&amp;sort=many-asc#sort-many\">\
             How many<span class=\"direction\" aria-hidden=\"true\">▼</span></a></th>"
        );
        assert!(sorted("sort=name-asc").1.contains("<th class=\"number\" scope=\"col\"><a"));
    }
}
