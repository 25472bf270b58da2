//! What stronger layers lock, and for whom.

use std::ops::Range;

use toml::Spanned;

use super::check::MODE;
use super::diagnostic::Problem;
use super::layer::Layer;
use super::messages;
use super::schema::section_keys;
use super::slot::Slots;

/// One entry of a `lock` list.
pub(super) struct Lock {
    layer: Layer,
    path: Vec<String>,
    /// Where it is written.
    pub(super) span: Range<usize>,
}

/// All locks of all layers.
#[derive(Default)]
pub(super) struct Locks(Vec<Lock>);

impl Locks {
    /// Adds what a layer locks; a name that nothing has is a problem.
    pub(super) fn add(&mut self, layer: Layer, names: Vec<Spanned<String>>, slots: &Slots) -> Vec<Problem> {
        let mut problems = Vec::new();
        for name in names {
            let span = name.span();
            problems.extend(unknown(&name, slots));
            let path = name.get_ref().split('.').map(str::to_owned).collect();
            self.0.push(Lock { layer, path, span });
        }
        problems
    }

    /// The lock that prevents a layer from changing the value at a path.
    pub(super) fn on(&self, path: &[String], layer: Layer) -> Option<&Lock> {
        self.stronger(layer).find(|lock| path.starts_with(&lock.path))
    }

    /// The lock on something below a path.
    pub(super) fn below(&self, path: &[String], layer: Layer) -> Option<&Lock> {
        self.stronger(layer).find(|lock| lock.path.len() > path.len() && lock.path.starts_with(path))
    }

    fn stronger(&self, layer: Layer) -> impl Iterator<Item = &Lock> {
        self.0.iter().filter(move |lock| lock.layer < layer)
    }
}

/// A lock on nothing would be taken for one on something.
fn unknown(name: &Spanned<String>, slots: &Slots) -> Option<Problem> {
    let text = name.get_ref().as_str();
    if slots.is_at_or_above(text) || slots.find_collection(text).is_some() {
        return None;
    }
    let problem = Problem::new(name.span(), format!("unknown section or key `{text}`"));
    let key_in = |id: &str| text.strip_prefix(id)?.strip_prefix('.');
    // The longest, because one section may be inside of another.
    let section = slots.iter().filter(|slot| key_in(slot.id).is_some()).max_by_key(|slot| slot.id.len());
    let Some((slot, key)) = section.and_then(|slot| Some((slot, key_in(slot.id)?))) else {
        let ids: Vec<&str> = slots.iter().map(|slot| slot.id).collect();
        return Some(messages::unknown_name(problem, text, &ids, "sections are"));
    };
    let keys: Vec<String> =
        slot.mode.map(|_| MODE.to_owned()).into_iter().chain(section_keys(slot)).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    // Of a key of a table inside of the section, only the first part is looked up.
    let first = key.split('.').next().unwrap_or(key);
    if keys.contains(&first) {
        return None;
    }
    Some(messages::unknown_name(problem, first, &keys, "keys of this section are"))
}
