//! What the functions of each language do.

pub(super) mod javascript;
pub(super) mod lua;
pub(super) mod perl;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;
