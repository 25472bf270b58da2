//! Which items of two lists belong together.

use std::ops::Range;

/// More comparisons than this are not worth their time: everything between counts as replaced.
const MOST_STEPS: usize = 4_000_000;

/// Items of the first list that others take the place of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// Where two lists differ, by their longest common subsequence.
pub(super) fn gaps<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Gap> {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let old_middle = old_rest.get(..old_rest.len() - tail).unwrap_or_default();
    let new_middle = new_rest.get(..new_rest.len() - tail).unwrap_or_default();
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    let whole = Gap { old: head..head + old_middle.len(), new: head..head + new_middle.len() };
    if old_middle.len().saturating_mul(new_middle.len()) > MOST_STEPS {
        return vec![whole];
    }
    let mut gaps: Vec<Gap> = Vec::new();
    let mut open: Option<Gap> = None;
    let table = Table::new(old_middle, new_middle);
    let (mut i, mut j) = (0, 0);
    while i < old_middle.len() || j < new_middle.len() {
        let is_same = old_middle.get(i).zip(new_middle.get(j)).is_some_and(|(old, new)| old == new);
        if is_same {
            gaps.extend(open.take());
            i += 1;
            j += 1;
            continue;
        }
        let gap = open.get_or_insert(Gap { old: head + i..head + i, new: head + j..head + j });
        if j >= new_middle.len() || (i < old_middle.len() && table.at(i + 1, j) >= table.at(i, j + 1)) {
            i += 1;
            gap.old.end = head + i;
        } else {
            j += 1;
            gap.new.end = head + j;
        }
    }
    gaps.extend(open);
    gaps
}

/// The lengths of the longest common subsequences of all ends of both lists.
struct Table {
    width: usize,
    lengths: Vec<u32>,
}

impl Table {
    fn new<T: PartialEq>(old: &[T], new: &[T]) -> Table {
        let width = new.len() + 1;
        let mut table = Table { width, lengths: vec![0; (old.len() + 1) * width] };
        for (i, old) in old.iter().enumerate().rev() {
            for (j, new) in new.iter().enumerate().rev() {
                let length = if old == new {
                    table.at(i + 1, j + 1) + 1
                } else {
                    table.at(i + 1, j).max(table.at(i, j + 1))
                };
                if let Some(slot) = table.lengths.get_mut(i * width + j) {
                    *slot = length;
                }
            }
        }
        table
    }

    fn at(&self, i: usize, j: usize) -> u32 {
        self.lengths.get(i * self.width + j).copied().unwrap_or(0)
    }
}
