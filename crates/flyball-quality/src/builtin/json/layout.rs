//! Puts blanks and line breaks between tokens, and changes nothing else.
//!
//! What was on one line stays there if it fits; anything else gets a line for each member. The
//! decisions depend only on what the output preserves, so a second run changes nothing.

use super::token::{Kind, Shape, Token};

/// The length that a line may have.
const WIDTH: usize = 80;

/// Each level is one more indent on every line below it, so there must be a limit.
const DEEPEST: usize = 200;

struct Frame {
    shape: Shape,
    /// It stays on one line.
    flat: bool,
    /// It was on one line that was too long: each of its members gets a line.
    one_per_line: bool,
    /// Whether what came last in it is neither an object nor an array.
    after_scalar: bool,
}

struct Page<'a> {
    tokens: &'a [Token<'a>],
    out: String,
    /// How many characters the last line has.
    column: usize,
    indent: &'a str,
    newline: &'static str,
    open: Vec<Frame>,
}

/// What comes before a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Blank,
    Line,
    EmptyLine,
}

/// The text of these tokens with their lines and blanks in order.
pub(super) fn lay_out(content: &str, tokens: &[Token<'_>]) -> Result<String, String> {
    // Line ends, a byte order mark and a missing newline at the end stay as they are: only blanks are ours.
    let newline = if content.contains("\r\n") { "\r\n" } else { "\n" };
    let out = if content.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let mut page = Page {
        tokens,
        out: String::with_capacity(content.len() + content.len() / 4) + out,
        column: 0,
        indent: indent(content, tokens),
        newline,
        open: Vec::new(),
    };
    for (index, token) in tokens.iter().enumerate() {
        page.put(index, token)?;
    }
    if content.ends_with('\n') {
        page.out.push_str(newline);
    }
    Ok(page.out)
}

/// The file's own indent: the blanks before the first member of the outermost value.
fn indent<'a>(content: &'a str, tokens: &[Token<'a>]) -> &'a str {
    let mut depth = 0_usize;
    let mut line = 0;
    for token in tokens {
        let closes = matches!(token.kind, Kind::Close(_));
        if depth == 1 && token.line != line && !closes {
            let before = content.get(..token.start).unwrap_or_default();
            let blank = before.rsplit('\n').next().unwrap_or_default();
            // A mix of tabs and blanks is not an indent that could be repeated.
            let alike = ["\t", " "].iter().any(|one| blank.replace(one, "").is_empty());
            if alike && (1..=8).contains(&blank.len()) {
                return blank;
            }
            return "  ";
        }
        depth = match token.kind {
            Kind::Open(_) => depth + 1,
            Kind::Close(_) => depth.saturating_sub(1),
            _ => depth,
        };
        line = token.end_line;
    }
    "  "
}

impl<'a> Page<'a> {
    fn put(&mut self, index: usize, token: &Token<'a>) -> Result<(), String> {
        let before = index.checked_sub(1).and_then(|last| self.tokens.get(last));
        let gap = before.map_or(Gap::None, |before| self.gap(before, token));
        // Before the space: a closing bracket is indented like the line that opened it.
        if matches!(token.kind, Kind::Close(_)) {
            self.open.pop();
        }
        self.space(gap);
        match token.kind {
            Kind::Open(shape) if self.open.len() < DEEPEST => self.begin(index, shape),
            Kind::Open(_) => return Err(format!("it is more than {DEEPEST} levels deep")),
            Kind::Text | Kind::Word => self.mark(true),
            Kind::Close(_) => self.mark(false),
            Kind::Colon | Kind::Comma | Kind::LineComment | Kind::BlockComment => {}
        }
        self.out.push_str(token.text);
        let last_line = token.text.rsplit('\n').next().unwrap_or_default().chars().count();
        self.column = if token.end_line == token.line { self.column + last_line } else { last_line };
        Ok(())
    }

    fn mark(&mut self, scalar: bool) {
        if let Some(frame) = self.open.last_mut() {
            frame.after_scalar = scalar;
        }
    }

    fn space(&mut self, gap: Gap) {
        match gap {
            Gap::None => {}
            Gap::Blank => {
                self.out.push(' ');
                self.column += 1;
            }
            Gap::Line | Gap::EmptyLine => {
                let lines = if gap == Gap::EmptyLine { 2 } else { 1 };
                self.out.push_str(&self.newline.repeat(lines));
                self.out.push_str(&self.indent.repeat(self.open.len()));
                self.column = self.indent.chars().count() * self.open.len();
            }
        }
    }

    /// Opens an object or an array, on one line if it was on one and fits.
    fn begin(&mut self, index: usize, shape: Shape) {
        let in_flat = self.open.last().is_some_and(|frame| frame.flat);
        // What is inside something that fits on one line was measured with it.
        let (was_flat, fits) = if in_flat { (true, true) } else { self.measure(index) };
        let flat = was_flat && fits;
        self.open.push(Frame { shape, flat, one_per_line: was_flat && !fits, after_scalar: false });
    }

    /// Whether what begins here was on one line, and whether it fits on this one.
    fn measure(&self, index: usize) -> (bool, bool) {
        let tokens = self.tokens.get(index..).unwrap_or_default();
        let line = tokens.first().map(|token| token.line);
        let (mut depth, mut width, mut fits) = (0_usize, self.column, true);
        let mut shapes = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            if Some(token.end_line) != line {
                return (false, fits);
            }
            let before = place.checked_sub(1).and_then(|last| tokens.get(last));
            let shape = shapes.last().copied().unwrap_or(Shape::Array);
            let gap = before.map_or(Gap::None, |before| flat_gap(before, token, shape));
            width += usize::from(gap == Gap::Blank) + token.text.chars().count();
            match token.kind {
                Kind::Open(shape) => (depth, _) = (depth + 1, shapes.push(shape)),
                Kind::Close(_) => (depth, _) = (depth.saturating_sub(1), shapes.pop()),
                _ => {}
            }
            // A comma or nothing comes after it; the comma counts.
            let comma = depth == 0 && tokens.get(place + 1).is_some_and(|next| next.kind == Kind::Comma);
            fits &= width + usize::from(comma) <= WIDTH;
            if depth == 0 {
                return (true, fits);
            }
            if !fits {
                return (self.ends_on_its_line(index), false);
            }
        }
        (false, fits)
    }

    /// Whether what begins here ends on the same line.
    fn ends_on_its_line(&self, index: usize) -> bool {
        let tokens = self.tokens.get(index..).unwrap_or_default();
        let Some(first) = tokens.first() else { return false };
        let mut depth = 0_usize;
        for token in tokens.iter().take_while(|token| token.end_line == first.line) {
            match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return true;
            }
        }
        false
    }

    fn gap(&self, before: &Token<'_>, token: &Token<'_>) -> Gap {
        let lines = token.line.saturating_sub(before.end_line);
        // One empty line between members stays; at the beginning of an object it goes.
        let line =
            if lines > 1 && !matches!(before.kind, Kind::Open(_)) { Gap::EmptyLine } else { Gap::Line };
        let Some(frame) = self.open.last() else {
            // Around the outermost value there are only comments.
            return if lines == 0 { Gap::Blank } else { line };
        };
        // Whatever follows on the same line would become part of the comment.
        if before.kind == Kind::LineComment {
            return if matches!(token.kind, Kind::Close(_)) { Gap::Line } else { line };
        }
        if frame.flat {
            return flat_gap(before, token, frame.shape);
        }
        match (before.kind, token.kind) {
            (_, Kind::LineComment | Kind::BlockComment) if lines == 0 => Gap::Blank,
            (_, Kind::LineComment | Kind::BlockComment) => line,
            (_, Kind::Colon | Kind::Comma) => Gap::None,
            (Kind::Open(shape), Kind::Close(other)) if shape == other => Gap::None,
            (_, Kind::Close(_)) => Gap::Line,
            (Kind::Colon, _) => Gap::Blank,
            (Kind::BlockComment, _) if lines == 0 => Gap::Blank,
            // Rows of numbers that a person laid out stay rows.
            (Kind::Comma, Kind::Text | Kind::Word) if frame.keeps_lines() && lines == 0 => Gap::Blank,
            _ => line,
        }
    }
}

impl Frame {
    /// Whether several of its members may be on one line.
    fn keeps_lines(&self) -> bool {
        self.shape == Shape::Array && self.after_scalar && !self.one_per_line
    }
}

/// What comes before a token in what stays on one line.
fn flat_gap(before: &Token<'_>, token: &Token<'_>, shape: Shape) -> Gap {
    match (before.kind, token.kind) {
        (_, Kind::Colon | Kind::Comma) | (Kind::Open(Shape::Array), _) => Gap::None,
        (Kind::Open(Shape::Object), Kind::Close(_)) => Gap::None,
        (_, Kind::Close(_)) if shape == Shape::Array => Gap::None,
        _ => Gap::Blank,
    }
}
