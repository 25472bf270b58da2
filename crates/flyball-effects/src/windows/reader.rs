//! Goes through a text letter by letter.

/// Constructs that are nested deeper are not read.
pub(super) const MOST_LEVELS: usize = 40;
/// A line of sh that may do anything.
pub(super) const UNKNOWN_LINE: &str = "eval \"$unread\"";

/// Reads a text from its beginning to its end.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) source: &'a str,
    pub(super) at: usize,
    pub(super) level: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn peek_at(&self, distance: usize) -> Option<char> {
        self.rest().chars().nth(distance)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.at = (self.at + count).min(self.source.len());
        while !self.source.is_char_boundary(self.at) {
            self.at += 1;
        }
    }

    /// A reader of a text that is in this one.
    pub(super) fn inside<'b>(&self, text: &'b str) -> Reader<'b> {
        Reader { source: text, at: 0, level: self.level + 1 }
    }

    /// `[ … ]` behind a value.
    pub(super) fn skip_index(&mut self) {
        let rest = self.rest();
        self.skip_bytes(rest.find(']').map_or(rest.len(), |end| end + 1));
    }

    pub(super) fn identifier(&mut self) -> String {
        let mut name = String::new();
        while let Some(letter) = self.peek().filter(|letter| *letter == '_' || letter.is_alphanumeric()) {
            self.next();
            name.push(letter);
        }
        name
    }
}
