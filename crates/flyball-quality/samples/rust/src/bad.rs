//! Something is wrong here.

/// Says whether a list is empty.
pub fn is_empty(list: &[u32]) -> bool {
      return list.len() == 0
}
