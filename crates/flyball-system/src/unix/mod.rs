//! Unix: the standard library's own extensions, and the kernel's calls.

mod files;
mod folder;
mod processes;
mod streams;
mod terminal;

pub use std::os::unix::fs::{
    DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown, symlink,
};
pub use std::os::unix::process::{CommandExt, ExitStatusExt, parent_id};

pub use files::{
    is_absent, is_known_absence, is_program, is_same_file, is_writable, open_without_waiting,
    path_from_bytes, set_mode,
};
pub use folder::OpenFolder;
pub use processes::{
    effective_user, exec, has_limit_of_file_size, has_limit_of_time, interrupt_self, is_alive, page_size,
    real_user,
};
pub use streams::{Input, leads_nowhere, read_printed};
pub use terminal::{Keys, columns_of_stderr, columns_of_stdout, terminal_name};
