//! The same names for systems that are no Unix, with nothing but the standard library. Where a system has no such thing (a mode, a number
//! of a user), the answer is the one that trusts nobody.

mod attributes;
mod files;
mod folder;
mod processes;
mod streams;
mod terminal;

pub use attributes::{DirBuilderExt, ExitStatusExt, MetadataExt, OpenOptionsExt, PermissionsExt};
pub use files::{
    FileExt, fchown, is_absent, is_known_absence, is_program, is_same_file, is_writable,
    open_without_waiting, path_from_bytes, set_mode, symlink,
};
pub use folder::OpenFolder;
pub use processes::{
    CommandExt, effective_user, exec, has_limit_of_file_size, has_limit_of_time, interrupt_self, is_alive,
    page_size, parent_id, real_user,
};
pub use streams::{Input, leads_nowhere, read_printed};
pub use terminal::{Keys, columns_of_stderr, columns_of_stdout, terminal_name};
