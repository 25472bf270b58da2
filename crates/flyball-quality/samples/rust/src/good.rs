//! Nothing is wrong here.

pub fn add(one: u32, other: u32) -> u32 {
    one.saturating_add(other)
}
