//! What many files were, with few processes: a project has thousands of files.

use std::collections::{BTreeMap, BTreeSet};

use flyball_core::path::AbsolutePath;
use flyball_core::workshop::Job;

use super::{Git, LIST_BYTES, names, succeeded};
use crate::pipeline::context::Context;
use crate::pipeline::select::Target;
use crate::report::LARGEST_FILE;
use crate::scope::Before;

/// How long the line before the content of an object is at most.
const MOST_HEAD: u64 = 256;

impl Git<'_, '_> {
    /// Sets what files were that git says are as they were, or which it does not know.
    pub(super) fn set_known(&self, pending: &mut [&mut Target<'_>]) {
        let Some((tree, changed)) = self.context.request.base.questions() else { return };
        let question = |words: &[String]| {
            self.job(self.context.root, &words.iter().map(String::as_str).collect::<Vec<_>>())
        };
        let results = self.run(&[question(&tree), question(&changed)], LIST_BYTES);
        let lists: Vec<Option<BTreeSet<String>>> = results.iter().map(names).collect();
        let [Some(known), Some(changed)] = lists.as_slice() else { return };
        let mut folders = OwnFolders { context: self.context, known, seen: BTreeMap::new() };
        for target in pending.iter_mut() {
            match (known.contains(target.file.as_str()), changed.contains(target.file.as_str())) {
                (true, true) => {}
                (true, false) => target.base = Some(Before::Text(target.content.clone())),
                (false, _) if folders.is_own(&target.path.folder()) => target.base = Some(Before::New),
                (false, _) => {}
            }
        }
    }

    /// Sets what files were by one process for all of them.
    pub(super) fn set_from_batch(&self, pending: &mut [&mut Target<'_>]) {
        let mut asked: Vec<&mut &mut Target<'_>> = Vec::new();
        let mut input = String::new();
        let mut bytes = 0;
        for target in pending.iter_mut().filter(|target| target.base.is_none()) {
            // Each name is a line of the input.
            let object = self.context.request.base.object(&target.file).filter(|it| !it.contains('\n'));
            let Some(object) = object else { continue };
            input.push_str(&object);
            input.push('\n');
            bytes += LARGEST_FILE.min(target.content.len() as u64 * 2 + MOST_HEAD);
            asked.push(target);
        }
        let stdin = Some(input.into_bytes());
        let job = Job { stdin, ..self.job(self.context.root, &["cat-file", "--batch"]) };
        let results = self.run(&[job], bytes.max(LIST_BYTES));
        let Some(ran) = results.into_iter().next().filter(succeeded) else { return };
        let mut rest = ran.stdout.as_slice();
        for target in asked {
            match next_object(&mut rest) {
                Some(Some(content)) => {
                    let text = String::from_utf8(content.to_vec()).ok().map(Before::Text);
                    target.base = text.map(|before| before.with_line_ends_of(&target.content));
                }
                // It may be in another repository inside of this one.
                Some(None) => {}
                None => return,
            }
        }
    }
}

/// Which folders belong to the repository of the project, and not to another one inside of it.
struct OwnFolders<'g, 'c> {
    context: &'g Context<'c>,
    known: &'g BTreeSet<String>,
    seen: BTreeMap<AbsolutePath, bool>,
}

impl OwnFolders<'_, '_> {
    fn is_own(&mut self, folder: &AbsolutePath) -> bool {
        let Some(file) = folder.strip_folder(self.context.root) else { return folder == self.context.root };
        if let Some(known) = self.seen.get(folder) {
            return *known;
        }
        let is_own = !self.known.contains(file)
            && self.context.workshop.stat(&folder.join(".git")).is_none()
            && self.is_own(&folder.folder());
        self.seen.insert(folder.clone(), is_own);
        is_own
    }
}

/// The next object that git printed: `HASH blob BYTES`, its content and a line end, or one line if there is none. `None`
/// at the end, or if that is not what it printed.
fn next_object<'o>(rest: &mut &'o [u8]) -> Option<Option<&'o [u8]>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let (head, behind) = rest.split_at_checked(end)?;
    let behind = behind.get(1..)?;
    let words: Vec<&[u8]> = head.rsplitn(3, |byte| *byte == b' ').collect();
    let [length, kind, _] = words.as_slice() else {
        *rest = behind;
        return Some(None);
    };
    let Some(length) = std::str::from_utf8(length).ok().and_then(|it| it.parse::<usize>().ok()) else {
        *rest = behind;
        return Some(None);
    };
    let (content, behind) = behind.split_at_checked(length)?;
    *rest = behind.get(1..)?;
    Some(Some(content).filter(|_| *kind == b"blob" && length as u64 <= LARGEST_FILE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_read_one_after_the_other() {
        let text =
            b"0a blob 4\na\nb\n\nHEAD:./no such file missing\n0b tree 2\nxx\n0c blob 0\n\n0d blob 9\ncut";
        let mut rest = &text[..];
        let expected = [Some(Some(&b"a\nb\n"[..])), Some(None), Some(None), Some(Some(&b""[..])), None];
        for expected in expected {
            assert_eq!(next_object(&mut rest), expected);
        }
    }
}
