//! What is known from the line so far: variables with a known value, the directory, functions,
//! and files that it wrote.

use std::borrow::Cow;
use std::rc::Rc;

use super::changes::PossibleChanges;
use crate::model::{Directory, Redirect, RedirectKind, Word, WrittenText};

/// More or longer values are forgotten: they would let a short line grow without bound.
const MOST_VARIABLES: usize = 32;
const MOST_VALUE_BYTES: usize = 4096;
/// Longer files that the line writes are not read when it runs them.
const MOST_FILE_BYTES: usize = 64 * 1024;
/// The list of the arguments, as `$@` names it.
pub(super) const ARGUMENTS: &str = "@";

/// The words of an array or of the arguments.
type List = (String, Rc<[String]>);

/// A function of the line.
#[derive(Clone, Debug, PartialEq)]
struct Function {
    name: String,
    body: Rc<str>,
    changes: PossibleChanges,
}

/// A file that the line wrote.
#[derive(Clone, Debug, PartialEq)]
struct WrittenFile {
    path: String,
    directory: Directory,
    text: Rc<str>,
}

/// A descriptor and where it leads.
type Output = (i32, (RedirectKind, Word));

/// A variable and some of its possible values.
type Possible = (String, Vec<String>);

/// More possible values of one variable are not kept.
const MOST_POSSIBLE: usize = 4;

/// What is known at one point of a line. Forgetting is always right, remembering may be wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    // Shared, because every branch and every subshell starts from a copy.
    variables: Rc<Vec<(String, String)>>,
    lists: Rc<Vec<List>>,
    /// Names that mean another variable.
    references: Rc<Vec<(String, String)>>,
    exported: Rc<Vec<String>>,
    functions: Rc<Vec<Function>>,
    files: Rc<Vec<WrittenFile>>,
    /// Where descriptors lead that the line opened.
    outputs: Rc<Vec<Output>>,
    /// Values that variables may have, where the branches of the line differ.
    possible: Rc<Vec<Possible>>,
    forgets_functions: bool,
    has_custom_ifs: bool,
    remembers_nothing: bool,
    cd_is_unsure: bool,
    /// Where commands run now.
    pub(super) directory: Directory,
    /// Where they run if the command just before was a `cd` and succeeded.
    arrival: Option<Directory>,
}

impl Scope {
    /// A scope that knows the directory and nothing else.
    pub(super) fn at(directory: Directory) -> Self {
        Self { directory, ..Self::default() }
    }

    /// The value of a variable, if the line set it and nothing can have changed it since.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        if let Ok(position) = name.parse::<usize>()
            // `$0` is not one of the arguments and is stored like a variable.
            && let Some(before) = position.checked_sub(1)
        {
            return self.list(ARGUMENTS)?.get(before).map(String::as_str);
        }
        let name = self.referred(name);
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Values that a variable may have, where it is not known which.
    pub(super) fn possible_values(&self, name: &str) -> &[String] {
        let name = self.referred(name);
        self.possible
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, values)| values.as_slice())
            .unwrap_or(&[])
    }

    /// Whether any variable has possible values.
    pub(super) fn has_possible(&self) -> bool {
        !self.possible.is_empty()
    }

    /// The variables that have several possible values and are used in a text.
    pub(super) fn possible_in(&self, text: &str) -> Vec<Possible> {
        let is_used = |name: &str| {
            text.match_indices(name).any(|(at, _)| {
                let before = text.get(..at).unwrap_or_default();
                let next = text.get(at + name.len()..).and_then(|rest| rest.chars().next());
                let ends = next.is_none_or(|letter| letter != '_' && !letter.is_ascii_alphanumeric());
                ends && (before.ends_with('$') || before.ends_with("${"))
            })
        };
        self.possible.iter().filter(|(name, _)| is_used(name)).cloned().collect()
    }

    /// Remembers values that a variable may have. An empty one is left out: it would turn `rm -rf "$x/"` of every
    /// script that sets `x` later into the root.
    fn add_possible(&mut self, name: &str, values: &[String]) {
        let possible = Rc::make_mut(&mut self.possible);
        let at = possible.iter().position(|(known, _)| known == name);
        if at.is_none() && possible.len() >= MOST_VARIABLES {
            return;
        }
        let mut all = at.map(|at| possible.swap_remove(at).1).unwrap_or_default();
        for value in values.iter().filter(|value| !value.trim().is_empty()) {
            if all.len() < MOST_POSSIBLE && !all.contains(value) {
                all.push(value.clone());
            }
        }
        if !all.is_empty() {
            possible.push((name.to_owned(), all));
        }
    }

    /// What either branch leaves in the variables in which they differ.
    fn add_differences(&mut self, other: &Self) {
        if self.variables == other.variables && self.possible == other.possible {
            return;
        }
        // Names with brackets or spaces are no variables.
        let is_plain = |name: &str| !name.contains(['[', ' ']);
        let only = |these: &Self, those: &Self| -> Vec<(String, String)> {
            let known =
                these.variables.iter().filter(|one| is_plain(&one.0) && !those.variables.contains(one));
            known.cloned().collect()
        };
        for (name, value) in only(self, other).into_iter().chain(only(other, self)) {
            self.add_possible(&name, &[value]);
        }
        for (name, values) in other.possible.iter() {
            self.add_possible(name, values);
        }
    }

    /// From here on, a descriptor leads where a redirection says.
    pub(super) fn open_output(&mut self, number: i32, redirect: &Redirect) {
        let outputs = Rc::make_mut(&mut self.outputs);
        outputs.retain(|(known, _)| *known != number);
        if outputs.len() < MOST_VARIABLES {
            outputs.push((number, (redirect.kind, redirect.target.clone())));
        }
    }

    /// Where a descriptor leads that the line opened.
    pub(super) fn output(&self, number: i32) -> Option<(RedirectKind, Word)> {
        self.outputs.iter().find(|(known, _)| *known == number).map(|(_, output)| output.clone())
    }

    /// The variable that a name means.
    fn referred<'s>(&'s self, name: &'s str) -> &'s str {
        self.references.iter().find(|(known, _)| known == name).map_or(name, |(_, other)| other.as_str())
    }

    /// From here on, a name means another variable.
    pub(super) fn refer(&mut self, name: &str, other: String) {
        if self.references.len() < MOST_VARIABLES && name != other {
            let references = Rc::make_mut(&mut self.references);
            references.retain(|(known, _)| known != name);
            references.push((name.to_owned(), other));
        } else {
            self.trust_no_variable();
        }
    }

    /// The words of an array that the line set.
    pub(super) fn list(&self, name: &str) -> Option<&[String]> {
        let name = self.referred(name);
        self.lists.iter().find(|(known, _)| known == name).map(|(_, words)| &**words)
    }

    /// Remembers an array, or the arguments; one that is not all known is forgotten.
    pub(super) fn set_list(&mut self, name: &str, words: &[Word]) {
        self.forget(name);
        let texts: Option<Vec<String>> =
            words.iter().map(|word| word.text.clone().filter(|_| !word.glob)).collect();
        let Some(texts) = texts else { return };
        let is_short = texts.iter().map(String::len).sum::<usize>() <= MOST_VALUE_BYTES;
        if !self.remembers_nothing
            && is_short
            && texts.len() <= MOST_VARIABLES
            && self.lists.len() < MOST_VARIABLES
        {
            Rc::make_mut(&mut self.lists).push((name.to_owned(), texts.into()));
        }
    }

    /// From here on, shells that the line starts inherit this variable.
    pub(super) fn export(&mut self, name: &str) {
        // One name too many is dropped: then an inner shell only knows less.
        if self.exported.len() < MOST_VARIABLES && !self.exported.iter().any(|known| known == name) {
            Rc::make_mut(&mut self.exported).push(name.to_owned());
        }
    }

    /// The scope of another shell that this one starts in a directory.
    pub(super) fn inherited(&self, directory: Directory) -> Self {
        let mut inner = Self { exported: Rc::clone(&self.exported), ..Self::at(directory) };
        for name in self.exported.iter() {
            inner.set(name, self.value(name).map(str::to_owned));
        }
        inner.files = Rc::clone(&self.files);
        inner
    }

    /// Remembers the text of a file that the line wrote; `None` if it is not known.
    pub(super) fn store(&mut self, path: &str, directory: &Directory, text: Option<String>) {
        if self.files.is_empty() && text.is_none() {
            return;
        }
        let path = plain_path(path);
        let files = Rc::make_mut(&mut self.files);
        // Whatever the directory: a file of the same name elsewhere is forgotten too, which is always safe.
        files.retain(|file| file.path != path);
        if let Some(text) = text.filter(|text| text.len() <= MOST_FILE_BYTES)
            && files.len() < MOST_VARIABLES
        {
            files.push(WrittenFile {
                path: path.into_owned(),
                directory: directory.clone(),
                text: text.into(),
            });
        }
    }

    /// Files stay written, whatever shell wrote them.
    pub(super) fn adopt_files(&mut self, inner: &Self) {
        self.files = Rc::clone(&inner.files);
    }

    /// The files that the line wrote and whose text is known. What a process substitution prints is no file.
    pub(super) fn written_texts(&self) -> Vec<WrittenText> {
        let is_file = |path: &str| !path.starts_with("<(") && !path.starts_with("/dev/fd/");
        let written = self.files.iter().filter(|file| is_file(&file.path));
        let text = |file: &WrittenFile| WrittenText {
            path: file.path.clone(),
            directory: file.directory.clone(),
            text: file.text.to_string(),
        };
        written.map(text).collect()
    }

    /// Whether the line wrote any file whose text is known.
    pub(super) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// The text of a file, if the line wrote it.
    pub(super) fn stored(&self, path: &str, directory: &Directory) -> Option<Rc<str>> {
        let path = plain_path(path);
        let is_file = |file: &&WrittenFile| {
            // A relative path means the same file only from the same directory.
            file.path == path && (path.starts_with(['/', '~']) || file.directory == *directory)
        };
        self.files.iter().find(is_file).map(|file| Rc::clone(&file.text))
    }

    /// Whether unquoted values are split at other characters than white space.
    pub(super) fn has_custom_ifs(&self) -> bool {
        self.has_custom_ifs
    }

    /// From here on, values are split at white space.
    pub(super) fn split_plainly(&mut self) {
        self.has_custom_ifs = false;
    }

    /// Whether the variables that every session has still mean what they meant at the start.
    pub(super) fn trusts_session(&self) -> bool {
        !self.cd_is_unsure && !self.remembers_nothing
    }

    /// Remembers `name=value`; an unknown value forgets the name.
    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        let referred = self.referred(name).to_owned();
        let name = referred.as_str();
        self.forget(name);
        self.has_custom_ifs |= name == "IFS";
        // `cd` looks for its target in CDPATH, and `~` and `-` follow the others.
        self.cd_is_unsure |= matches!(name, "CDPATH" | "HOME" | "PWD" | "OLDPWD");
        if let Some(value) = value
            && !self.remembers_nothing
            && value.len() <= MOST_VALUE_BYTES
            && self.variables.len() < MOST_VARIABLES
        {
            Rc::make_mut(&mut self.variables).push((name.to_owned(), value));
        }
    }

    /// Remembers an item of an array by its key.
    pub(super) fn set_item(&mut self, name: &str, key: &str, value: Option<String>) {
        let item = format!("{}[{key}]", self.referred(name));
        self.retain_names(|known| known != item);
        if let Some(value) = value
            && !self.remembers_nothing
            && value.len() <= MOST_VALUE_BYTES
            && self.variables.len() < MOST_VARIABLES
        {
            Rc::make_mut(&mut self.variables).push((item, value));
        }
    }

    pub(super) fn forget(&mut self, name: &str) {
        // With the items that are remembered by their keys.
        self.retain_names(|known| known.split('[').next() != Some(name));
    }

    pub(super) fn forget_variables(&mut self) {
        self.retain_names(|_| false);
    }

    /// From here on a variable may have another name (`declare -n`), so none can be trusted.
    pub(super) fn trust_no_variable(&mut self) {
        self.forget_variables();
        self.remembers_nothing = true;
    }

    fn retain_names(&mut self, keep: impl Fn(&str) -> bool) {
        if !self.variables.iter().all(|(name, _)| keep(name)) {
            Rc::make_mut(&mut self.variables).retain(|(name, _)| keep(name));
        }
        if !self.possible.iter().all(|(name, _)| keep(name)) {
            Rc::make_mut(&mut self.possible).retain(|(name, _)| keep(name));
        }
        if !self.lists.iter().all(|(name, _)| keep(name)) {
            Rc::make_mut(&mut self.lists).retain(|(name, _)| keep(name));
        }
    }

    /// Remembers a function, so that a call of it can be taken into account.
    pub(super) fn define(&mut self, name: &str, body: &str) {
        let functions = Rc::make_mut(&mut self.functions);
        functions.retain(|known| known.name != name);
        if functions.len() < MOST_VARIABLES && body.len() <= MOST_VALUE_BYTES {
            functions.push(Function {
                name: name.to_owned(),
                body: body.into(),
                changes: PossibleChanges::from_text(body),
            });
        } else {
            // From here on, any command may be the function that was not remembered.
            self.forgets_functions = true;
        }
    }

    /// The body of a function, and what is known in it when it is called with these arguments.
    pub(super) fn function_scope(&self, name: &str, arguments: &[Word]) -> Option<(Rc<str>, Self)> {
        let function = self.functions.iter().find(|known| known.name == name)?;
        let mut inner = self.clone();
        // A function that calls itself is read once.
        Rc::make_mut(&mut inner.functions).retain(|known| known.name != name);
        inner.set_list(ARGUMENTS, arguments);
        Some((Rc::clone(&function.body), inner))
    }

    /// Takes into account that `program` may be a function of this line.
    pub(super) fn call(&mut self, program: &str) {
        if self.forgets_functions {
            self.run_unseen();
        }
        let functions = Rc::clone(&self.functions);
        if let Some(function) = functions.iter().find(|known| known.name == program) {
            self.apply_changes(&function.changes);
        }
    }

    /// Takes into account that `text` runs in this shell, at some time or several times.
    pub(super) fn run_text(&mut self, text: &str) {
        self.apply_changes(&PossibleChanges::from_text(text));
    }

    fn apply_changes(&mut self, changes: &PossibleChanges) {
        let may_write = |name: &str| match name {
            ARGUMENTS => changes.may_write("set") || changes.may_write("shift"),
            _ => changes.may_write(name.split('[').next().unwrap_or(name)),
        };
        // What may be written may also stay as it is.
        let kept: Vec<Possible> = self
            .variables
            .iter()
            .filter(|(name, _)| may_write(name) && !name.contains(['[', ' ']))
            .map(|(name, value)| (name.clone(), vec![value.clone()]))
            .chain(self.possible.iter().cloned())
            .collect();
        self.retain_names(|name| !may_write(name));
        kept.iter().for_each(|(name, values)| self.add_possible(name, values));
        if changes.changes_directory {
            self.change_directory(None);
        }
    }

    /// Takes into account that something unseen runs in this shell.
    pub(super) fn run_unseen(&mut self) {
        self.forget_variables();
        self.change_directory(None);
    }

    /// Takes `cd target` into account; `None` is a target that cannot be known.
    pub(super) fn change_directory(&mut self, target: Option<&str>) {
        let target = target.filter(|_| !self.cd_is_unsure);
        self.arrival = target.map(|target| self.directory.join(target));
        // A `cd` may fail, so afterwards both places are possible; only behind `&&` is the new one certain.
        let before = std::mem::take(&mut self.directory);
        self.directory = self.arrival.as_ref().map_or(Directory::Unknown, |arrival| before.or(arrival));
    }

    /// Another command ran: whether the `cd` before it succeeded can no longer be seen.
    pub(super) fn clear_arrival(&mut self) {
        self.arrival = None;
    }

    /// What follows runs only if the command before succeeded.
    pub(super) fn assume_success(&mut self) {
        if let Some(arrival) = self.arrival.take() {
            self.directory = arrival;
        }
    }

    /// Either this scope or `other`: keeps what both agree on.
    pub(super) fn or(&mut self, other: Self) {
        self.add_differences(&other);
        if self.variables != other.variables {
            // A value that only one branch set must not be taken for the value after both.
            Rc::make_mut(&mut self.variables).retain(|known| other.variables.contains(known));
        }
        if self.references != other.references {
            // A name that means another variable in one branch only means any.
            self.trust_no_variable();
        }
        if self.lists != other.lists {
            Rc::make_mut(&mut self.lists).retain(|known| other.lists.contains(known));
        }
        if self.files != other.files {
            // A file that may have been written may be run.
            let known = Rc::make_mut(&mut self.files);
            let new: Vec<_> = other.files.iter().filter(|one| !known.contains(one)).cloned().collect();
            known.extend(new);
            known.truncate(MOST_VARIABLES);
        }
        if self.functions != other.functions {
            let known = Rc::make_mut(&mut self.functions);
            let new: Vec<_> = other.functions.iter().filter(|one| !known.contains(one)).cloned().collect();
            known.extend(new);
            if known.len() > MOST_VARIABLES {
                known.clear();
                self.forgets_functions = true;
            }
        }
        self.forgets_functions |= other.forgets_functions;
        self.has_custom_ifs |= other.has_custom_ifs;
        self.remembers_nothing |= other.remembers_nothing;
        self.cd_is_unsure |= other.cd_is_unsure;
        self.directory = std::mem::take(&mut self.directory).or(&other.directory);
        self.arrival = None;
    }
}

fn plain_path(path: &str) -> Cow<'_, str> {
    let descriptor = ["/proc/self/fd/", "/proc/thread-self/fd/", "/proc/$$/fd/"].iter();
    match descriptor.into_iter().find_map(|place| path.strip_prefix(place)) {
        Some(number) => Cow::Owned(format!("/dev/fd/{number}")),
        None => Cow::Borrowed(path.strip_prefix("./").unwrap_or(path)),
    }
}
