//! Something is wrong here.

/// Says whether a list is empty.
pub fn is_empty(list: &[u32]) -> bool {
      let unused = 1;
      return list.len() == 0
}
