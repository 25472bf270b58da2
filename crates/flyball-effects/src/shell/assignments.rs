//! Assignments: the new values of variables and the items of arrays.

use shuck_ast::{ArrayElem, Assignment, AssignmentValue, Word as Tree};

use super::reader::Reader;
use crate::model::{Place, Word};

impl Reader<'_> {
    /// Remembers an assignment at once: the next one on the line may use it.
    pub(super) fn assign(&mut self, assignment: &Assignment, place: Place) -> (String, Word) {
        let mut items = Vec::new();
        let (name, mut value) = self.assignment(assignment, place, &mut items);
        if let Some(text) = self.appended(assignment, &name, place) {
            value.text = Some(text);
        }
        let list = self.with_items(assignment, &name, &items, &value);
        self.scope.set(&name, value.text.clone());
        if let Some(list) = list {
            self.scope.set_list(&name, &list);
            return (name, value);
        }
        let is_whole = !assignment.append && assignment.target.subscript.is_none();
        if is_whole && matches!(assignment.value, AssignmentValue::Compound(_)) {
            self.scope.set_list(&name, &items);
        }
        self.remember_keys(assignment, &name, place);
        (name, value)
    }

    /// Remembers items by their keys: `a=([x]=1)`, `a[x]=1`.
    fn remember_keys(&mut self, assignment: &Assignment, name: &str, place: Place) {
        let mut found: Vec<(String, &Tree)> = Vec::new();
        match (&assignment.value, &assignment.target.subscript) {
            (AssignmentValue::Compound(array), None) => {
                for element in &array.elements {
                    if let ArrayElem::Keyed { key, value } = element {
                        let value: &Tree = value;
                        found.push((key.syntax_text(self.source).to_owned(), value));
                    }
                }
            }
            (AssignmentValue::Scalar(word), Some(key)) if !assignment.append => {
                found.push((key.syntax_text(self.source).to_owned(), word));
            }
            _ => {}
        }
        for (key, value) in found {
            let key = key.trim_matches(['"', '\'']).to_owned();
            // Read for its commands already; twice would show them twice.
            let is_plain = !value.span.slice(self.source).contains(['(', '`']);
            let text = if is_plain { self.word(value, place).text } else { None };
            // A name with brackets is no variable, so that nothing else is called so.
            self.scope.set_item(name, &key, text.filter(|_| !key.contains(['$', '`', '\\'])));
        }
    }

    /// The name and the new value; that of an array or an addition is unknown.
    fn assignment(&mut self, assignment: &Assignment, place: Place, items: &mut Vec<Word>) -> (String, Word) {
        self.covered.add(assignment.span);
        self.variable(&assignment.target, place);
        let name = assignment.target.name.to_string();
        let value = match &assignment.value {
            AssignmentValue::Scalar(word) => self.word(word, place),
            AssignmentValue::Compound(array) => {
                for element in &array.elements {
                    self.element(element, place, items);
                }
                Word::unknown(array.span.slice(self.source))
            }
        };
        // `a+=x` and `a[1]=x` depend on what was there before.
        let is_whole = !assignment.append && assignment.target.subscript.is_none();
        (name, if is_whole { value } else { Word::unknown(value.raw) })
    }

    /// One element; where a key says its place, the list is not known.
    fn element(&mut self, element: &ArrayElem, place: Place, items: &mut Vec<Word>) {
        match element {
            ArrayElem::Sequential(value) => self.words(value, place, items),
            ArrayElem::Keyed { key, value } | ArrayElem::KeyedAppend { key, value } => {
                match key.word_ast() {
                    Some(word) => self.visit(word, place),
                    None => self.flag_expansions(key.syntax_text(self.source)),
                }
                self.check(value, place);
                // One unknown word makes `set_list` forget the whole list.
                items.push(Word::unknown(""));
            }
        }
    }
}
