//! What is asked about and what is struck out.

use flyball_core::engine::Registry;
use flyball_core::event::{Event, EventData, Outcome, SearchFor, Tool, ToolCall};
use flyball_core::verdict::Stance;

use crate::testing::{before, event, judged, sections, shell};

static ONLY: Registry = &[&super::POLICY];

const ON: &str = "[guard.secrets]\nmode = 'enforce'\n";

fn stance(config: &str, event: Event) -> Stance {
    judged(ONLY, &sections(config), event).merged.stance
}

fn read(path: &str) -> Event {
    before("Read", Tool::Read { path: path.to_owned() })
}

#[test]
fn it_is_off_unless_the_config_says_so() {
    assert_eq!(stance("", shell("cat .env")), Stance::Silent);
}

#[test]
fn tool_servers_that_read_are_judged_like_the_client_itself() {
    let config = format!("{ON}reads = 'deny'\n");
    let call = |tool: &str, input: &str| {
        let server = Tool::Mcp { server: "fs".to_owned(), tool: tool.to_owned() };
        let mut event = before(&format!("mcp__fs__{tool}"), server);
        if let EventData::BeforeTool(call) = &mut event.happening {
            input.clone_into(&mut call.input);
        }
        stance(&config, event)
    };
    assert_eq!(call("read_file", r#"{"path": ".env"}"#), Stance::Deny);
    assert_eq!(call("read_multiple_files", r#"{"paths": ["a.py", ".env"]}"#), Stance::Deny);
    assert_eq!(call("read_file", r#"{"path": "a.py"}"#), Stance::Silent);
}

#[test]
fn reading_a_secret_file_is_a_matter_of_the_setting() {
    for (reads, expected) in [("ask", Stance::Ask), ("deny", Stance::Deny), ("off", Stance::Silent)] {
        let config = format!("{ON}reads = '{reads}'\n");
        let search =
            Tool::Search { target: SearchFor::Content, pattern: "A".into(), path: Some(".env".into()) };
        for event in
            [shell("cat .env"), read("/home/dev/.ssh/id_rsa"), read(".env.local"), before("Grep", search)]
        {
            assert_eq!(stance(&config, event), expected, "{reads}");
        }
        assert_eq!(stance(&config, read("src/main.rs")), Stance::Silent);
    }
}

fn after(text: &str) -> Event {
    let call = ToolCall {
        id: None,
        name: "Bash".into(),
        tool: Tool::Shell { command: "run".into(), background: false },
        input: "{}".into(),
    };
    event(EventData::AfterTool { call, outcome: Outcome { text: text.to_owned(), ..Outcome::default() } })
}

#[test]
fn output_with_a_token_is_struck_out_and_other_output_is_not() {
    let strikes =
        |config: &str, text: &str| judged(ONLY, &sections(config), after(text)).merged.strikes_output;
    let token = format!("{}_{}", "ghp", "16C7e42F292c6912E7710c838347Ae178B4a");
    assert!(strikes(ON, &format!("it is {token}")));
    assert!(!strikes(&format!("{ON}output = false\n"), &token));
    assert!(!strikes("", &token));
    // The name alone does not count: the agent has to be able to edit the file that it reads.
    assert!(!strikes(ON, "password = \"test\"\ncommit 0123456789abcdef0123456789abcdef01234567"));
}
