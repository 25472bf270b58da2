//! What is shown of the loop of a session.

use flyball_core::time::Time;

use serde::Serialize;

use crate::views::r#loop::Loop;

/// One session, as scripts see it.
#[derive(Serialize)]
pub(super) struct SessionOutput {
    pub(super) session: String,
    pub(super) client: String,
    pub(super) project: String,
    #[serde(rename = "loop")]
    pub(super) session_loop: Option<Loop>,
    pub(super) task: Option<Task>,
}

/// The task whose iterations are counted.
#[derive(Serialize)]
pub(super) struct Task {
    pub(super) text: String,
    pub(super) iteration: u32,
    pub(super) max: Option<u32>,
    pub(super) until: Option<String>,
    #[serde(with = "flyball_core::time::micros")]
    pub(super) began: Time,
}
