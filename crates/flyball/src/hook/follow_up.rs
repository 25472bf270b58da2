//! Starts programs that nobody waits for: not the client, not this process.

use std::process::{Command, Stdio};

use flyball_core::verdict::FollowUp;
use flyball_system::CommandExt;

/// Starts each of them, once the answer is written.
pub(super) fn start_all(follow_ups: &[FollowUp]) {
    for follow_up in follow_ups {
        let mut command = Command::new(&follow_up.program);
        // A program that outlives the session must not keep its folder busy.
        command.args(&follow_up.arguments).current_dir("/");
        detach(command);
    }
}

/// Starts a program in a group of its own, with nothing on its streams: the client reads ours to their
/// end. A program that cannot be started is ignored: nobody waits for it.
pub(super) fn detach(mut command: Command) {
    // In a group of its own, a signal to the hook's group (Ctrl-C in the client, a timeout) does not reach
    // it.
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    drop(command.spawn());
}
