//! What the line itself has said so far: variables with a known value, the directory, functions.

use std::rc::Rc;

use super::effects::Effects;
use super::model::Directory;

/// More or longer values are forgotten: they would let a short line grow without bound.
const MOST_VARIABLES: usize = 32;
const MOST_VALUE_BYTES: usize = 4096;

/// What is known at one point of a line. Forgetting is always right, remembering may be wrong.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    // Shared, because every branch and every subshell starts from a copy.
    variables: Rc<Vec<(String, String)>>,
    functions: Rc<Vec<(String, Effects)>>,
    forgets_functions: bool,
    splits_elsewhere: bool,
    remembers_nothing: bool,
    cd_is_unsure: bool,
    /// Where commands run now.
    pub(super) directory: Directory,
    /// Where they run if the command just before was a `cd` and went well.
    arrival: Option<Directory>,
}

impl Scope {
    /// A scope that knows the directory and nothing else.
    pub(super) fn at(directory: Directory) -> Self {
        Self { directory, ..Self::default() }
    }

    /// The value of a variable, if the line set it and nothing can have changed it since.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether unquoted values are split at other characters than white space.
    pub(super) fn splits_elsewhere(&self) -> bool {
        self.splits_elsewhere
    }

    /// Remembers `name=value`; an unknown value forgets the name.
    pub(super) fn set(&mut self, name: &str, value: Option<String>) {
        self.forget(name);
        self.splits_elsewhere |= name == "IFS";
        self.cd_is_unsure |= matches!(name, "CDPATH" | "HOME" | "PWD" | "OLDPWD");
        if let Some(value) = value
            && !self.remembers_nothing
            && value.len() <= MOST_VALUE_BYTES
            && self.variables.len() < MOST_VARIABLES
        {
            Rc::make_mut(&mut self.variables).push((name.to_owned(), value));
        }
    }

    pub(super) fn forget(&mut self, name: &str) {
        self.keep(|known| known != name);
    }

    pub(super) fn forget_variables(&mut self) {
        self.keep(|_| false);
    }

    /// From here on a variable may have another name (`declare -n`), so none can be trusted.
    pub(super) fn trust_no_variable(&mut self) {
        self.forget_variables();
        self.remembers_nothing = true;
    }

    fn keep(&mut self, stays: impl Fn(&str) -> bool) {
        if !self.variables.iter().all(|(name, _)| stays(name)) {
            Rc::make_mut(&mut self.variables).retain(|(name, _)| stays(name));
        }
    }

    /// Remembers a function, so that a call of it can be taken into account.
    pub(super) fn define(&mut self, name: &str, body: &str) {
        let functions = Rc::make_mut(&mut self.functions);
        functions.retain(|(known, _)| known != name);
        if functions.len() < MOST_VARIABLES && body.len() <= MOST_VALUE_BYTES {
            functions.push((name.to_owned(), Effects::of(body)));
        } else {
            self.forgets_functions = true;
        }
    }

    /// Takes into account that `program` may be a function of this line.
    pub(super) fn call(&mut self, program: &str) {
        if self.forgets_functions {
            self.run_unseen();
        }
        let functions = Rc::clone(&self.functions);
        if let Some((_, effects)) = functions.iter().find(|(name, _)| name == program) {
            self.suffer(effects);
        }
    }

    /// Takes into account that `text` runs in this shell, at some time or several times.
    pub(super) fn run_text(&mut self, text: &str) {
        self.suffer(&Effects::of(text));
    }

    fn suffer(&mut self, effects: &Effects) {
        self.keep(|name| !effects.may_write(name));
        if effects.moves {
            self.leave_for(None);
        }
    }

    /// Takes into account that something unseen runs in this shell.
    pub(super) fn run_unseen(&mut self) {
        self.forget_variables();
        self.leave_for(None);
    }

    /// Takes `cd target` into account; `None` is a target that cannot be known.
    pub(super) fn leave_for(&mut self, target: Option<&str>) {
        let target = target.filter(|_| !self.cd_is_unsure);
        self.arrival = target.map(|target| self.directory.join(target));
        let before = std::mem::take(&mut self.directory);
        self.directory = self.arrival.as_ref().map_or(Directory::Unknown, |arrival| before.or(arrival));
    }

    /// Another command ran: whether the `cd` before it went well can no longer be seen.
    pub(super) fn pass_command(&mut self) {
        self.arrival = None;
    }

    /// What follows runs only if the command before went well.
    pub(super) fn assume_success(&mut self) {
        if let Some(arrival) = self.arrival.take() {
            self.directory = arrival;
        }
    }

    /// Either this scope or `other`: keeps what both agree on.
    pub(super) fn or(&mut self, other: Self) {
        if self.variables != other.variables {
            Rc::make_mut(&mut self.variables).retain(|known| other.variables.contains(known));
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
        self.splits_elsewhere |= other.splits_elsewhere;
        self.remembers_nothing |= other.remembers_nothing;
        self.cd_is_unsure |= other.cd_is_unsure;
        self.directory = std::mem::take(&mut self.directory).or(&other.directory);
        self.arrival = None;
    }
}
