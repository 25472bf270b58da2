//! What a piece of shell text may change in the shell that runs it, judged by its words alone.
//!
//! Loops and functions run at other times than they are written. Instead of simulating them,
//! everything they could change is forgotten.

/// What a text may change. The text itself is stored, because most lines have few variables to
/// look up and many words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PossibleChanges {
    /// Without what hides a word: `c\d` and `'c'd` are `cd`.
    bare: String,
    /// Whether it may change the directory.
    pub(super) changes_directory: bool,
}

impl PossibleChanges {
    pub(super) fn from_text(text: &str) -> Self {
        let bare = if text.contains(HIDING) {
            // A line continuation goes as a whole, or `c\⏎d` would leave the newline between the halves.
            text.replace("\\\n", "").replace(HIDING, "")
        } else {
            text.to_owned()
        };
        let changes_directory = DIRECTORY_CHANGERS.iter().any(|name| may_write(&bare, name));
        Self { bare, changes_directory }
    }

    /// Whether the text uses a name for anything but reading it.
    pub(super) fn may_write(&self, name: &str) -> bool {
        may_write(&self.bare, name)
    }
}

const HIDING: [char; 3] = ['\\', '\'', '"'];

// `eval` is here because its text may only be known at run time.
const DIRECTORY_CHANGERS: [&str; 5] = ["cd", "pushd", "popd", "chdir", "eval"];

/// Whether `name` is a word of `text` that is not only read: `$name`, `${name}`.
fn may_write(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(start, _)| {
        let end = start + name.len();
        let before = text.get(..start).and_then(|before| before.chars().next_back());
        let after = text.get(end..).and_then(|after| after.chars().next());
        let is_word = !before.is_some_and(is_name_letter) && !after.is_some_and(is_name_letter);
        is_word && is_written(text, start, end)
    })
}

fn is_written(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let is_read = before.ends_with('$') || before.ends_with("${");
    // `${x:=y}` and `${x=y}` assign although they begin like a plain reading.
    !is_read || after.starts_with(":=") || after.starts_with('=')
}

fn is_name_letter(letter: char) -> bool {
    letter == '_' || letter.is_ascii_alphanumeric()
}
