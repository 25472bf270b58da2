//! New sections of a TOML file: where they go, and which comments stay with the sections around them.

use toml_edit::{DocumentMut, Item, Table};

use super::array::read;

/// The table of a section, with a header if it had none. `None` if it is written in braces or is not a table.
pub(super) fn open<'d>(document: &'d mut DocumentMut, section: &str) -> Option<&'d mut Table> {
    // An implicit table exists only because of a subtable; keys for it would end up below another header.
    let needs_header = find(document, section)?.is_none_or(|table| table.is_implicit() && !table.is_dotted());
    let place = needs_header.then(|| make_room(document, section));
    let table = section.split('.').try_fold(document.as_table_mut(), |table, name| {
        let new = || {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        table.entry(name).or_insert_with(new).as_table_mut()
    })?;
    if let Some(place) = place {
        table.set_implicit(false);
        table.set_position(Some(place.position));
        if !place.comments.is_empty() {
            table.decor_mut().set_prefix(format!("{}\n", place.comments));
        }
    }
    Some(table)
}

/// The table of a section, if there is one. The outer `None`: something else has its name.
fn find<'d>(document: &'d DocumentMut, section: &str) -> Option<Option<&'d Table>> {
    let mut table = document.as_table();
    for name in section.split('.') {
        let Some(item) = table.get(name) else { return Some(None) };
        table = item.as_table()?;
    }
    Some(Some(table))
}

struct Room {
    position: isize,
    /// Comments of the section before, which the parser attaches to the section after.
    comments: String,
}

/// Makes room for a header after the last section of its family, or at the end.
fn make_room(document: &mut DocumentMut, section: &str) -> Room {
    let mut headers = Vec::new();
    collect_headers(document.as_table(), "", &mut headers);
    let parents = std::iter::successors(section.rsplit_once('.'), |(above, _)| above.rsplit_once('.'));
    let last_below = |(above, _): (&str, &str)| {
        let is_family = |header: &&Header| {
            header.path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        headers.iter().filter(is_family).map(|header| header.position).max()
    };
    // Families stay together; a section without one goes to the end, where it moves nothing.
    let last = headers.iter().map(|header| header.position).max();
    let before = parents.into_iter().find_map(last_below).or(last).unwrap_or_default();
    let next = headers.iter().map(|header| header.position).filter(|position| *position > before).min();
    let mut comments = String::new();
    for_each_table(document.as_table_mut(), &mut |table| match table.position() {
        Some(position) if position > before => {
            if Some(position) == next {
                comments = detach_comments(table);
            }
            // The parser writes tables by position: a new one in the middle moves all that follow.
            table.set_position(Some(position + 1));
        }
        _ => {}
    });
    if next.is_none() {
        comments = read(document.trailing()).trim_end().to_owned();
        document.set_trailing("");
        comments.extend((!comments.is_empty()).then_some('\n'));
    }
    Room { position: before + 1, comments }
}

/// Takes the comment lines up to the first empty line: they belong to the section before.
fn detach_comments(table: &mut Table) -> String {
    let prefix = table.decor().prefix().map_or("", read);
    let lines = prefix.split_inclusive('\n');
    let length = lines.take_while(|line| !line.trim().is_empty()).map(str::len).sum();
    let (comments, rest) = prefix.split_at_checked(length).unwrap_or((prefix, ""));
    let (comments, rest) = (comments.to_owned(), if rest.is_empty() { "\n" } else { rest }.to_owned());
    table.decor_mut().set_prefix(rest);
    comments
}

struct Header {
    path: String,
    position: isize,
}

fn collect_headers(table: &Table, above: &str, headers: &mut Vec<Header>) {
    for (name, item) in table {
        let path = if above.is_empty() { name.to_owned() } else { format!("{above}.{name}") };
        let many = item.as_array_of_tables().into_iter().flatten();
        for below in item.as_table().into_iter().chain(many) {
            headers.extend(below.position().map(|position| Header { path: path.clone(), position }));
            collect_headers(below, &path, headers);
        }
    }
}

fn for_each_table(table: &mut Table, visit: &mut dyn FnMut(&mut Table)) {
    for (_, item) in table.iter_mut() {
        let tables: Vec<&mut Table> = match item {
            Item::Table(table) => vec![table],
            Item::ArrayOfTables(tables) => tables.iter_mut().collect(),
            _ => Vec::new(),
        };
        for below in tables {
            visit(below);
            for_each_table(below, visit);
        }
    }
}
