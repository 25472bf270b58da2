//! Plans: phases, their boxes and the status, in both forms that exist, and the active task of a project.

mod blocks;
mod files;
mod head;
mod parse;
mod parts;
mod phases;
mod status;
mod template;
#[cfg(test)]
mod tests;

pub use self::files::{
    Artifact, Step, absolute_path, active, all, artifacts, folder, is_plan_path, lessons_path, plan_path,
    read, read_text, sibling_path, task_name,
};
pub use self::head::with_status;
pub use self::parse::{Count, Plan};
pub use self::parts::{decisions, role_section};
pub use self::phases::Phase;
pub use self::status::Status;
pub use self::template::{new_name, template};
