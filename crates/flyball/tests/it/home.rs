//! Without `HOME`, the home is what the user database says. Each case is a real process. The command lines are only
//! data, and the state is kept in a folder of the test.

use std::path::{Path, PathBuf};

use crate::support::{ProcessResult, Project, run};
use serde_json::json;

/// The home of the user that runs the tests, if the machine has a database with it.
fn own_home() -> Option<PathBuf> {
    flyball_world::users::own_home()
}

/// A command line judged by a hook that has this `HOME`, or none.
fn shell_with_home(project: &Project, home: Option<&str>, line: &str) -> ProcessResult {
    let mut command = project.hook_command("PreToolUse");
    command.env("FLYBALL_STATE_DIR", project.state());
    match home {
        Some(home) => command.env("HOME", home),
        None => command.env_remove("HOME"),
    };
    let fields = json!({ "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": "t" });
    run(command, project.payload("PreToolUse", fields).to_string().as_bytes())
}

/// The home folder is recognised, and the user is not told that there is none.
#[track_caller]
fn assert_denied(ran: &ProcessResult, home: &Path, line: &str) {
    assert_eq!((ran.decision().as_deref(), ran.notice().as_str()), (Some("deny"), ""), "{line}: {ran:?}");
    let expected = format!("would delete the home folder or one of its main folders: {}", home.display());
    assert!(ran.reason().contains(&expected), "{line}: {}", ran.reason());
}

#[test]
fn without_home_the_user_database_says_where_it_is() {
    let Some(home) = own_home() else { return };
    for variable in [None, Some(""), Some("relative/home")] {
        let project = Project::new();
        for line in ["rm -rf ~", "rm -rf ~/", "rm -rf $HOME"].map(str::to_owned) {
            assert_denied(&shell_with_home(&project, variable, &line), &home, &line);
        }
        let named = format!("rm -rf {}", home.display());
        assert_denied(&shell_with_home(&project, variable, &named), &home, &named);
        shell_with_home(&project, variable, "ls").assert_silent();
        // Nothing is lost: what was denied is recorded.
        let denied = project.log().iter().filter(|record| record.to_string().contains("rm -rf")).count();
        assert_eq!(denied, 4, "{variable:?}");
    }
}

#[test]
fn the_home_of_another_user_is_what_the_database_says() {
    let project = Project::new();
    for line in ["rm -rf ~root/.ssh", "cat ~root/.ssh/id_rsa", "echo x >> ~root/.ssh/authorized_keys"] {
        let ran = project.shell(line);
        assert!(matches!(ran.decision().as_deref(), Some("ask" | "deny")), "{line}: {ran:?}");
        let named = ["~root", "root/.ssh"].iter().any(|name| ran.reason().contains(name));
        assert!(named, "{line}: {}", ran.reason());
    }
}
