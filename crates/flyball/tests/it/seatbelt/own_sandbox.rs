//! Clients that have a sandbox of their own.

use super::*;

const SETTINGS: &str = "{\n  \"sandbox\": {\n    \"enabled\": true,\n    \"filesystem\": {\n      \"denyWrite\": [\n        \"~/mine\"\n      ]\n    }\n  }\n}\n";

#[test]
fn where_the_clients_own_sandbox_is_on_it_gets_flyballs_files_and_no_seatbelt_is_put_around() {
    // Nothing of the kernel is needed for it.
    let project = Project::new();
    project.file(".claude/settings.local.json", SETTINGS);
    let init = ["init", "--yes", "--client", "claude-code", "--seatbelt"];
    let ran = project.run(&init);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let file = project.root().join(".claude/settings.local.json");
    let text = fs::read_to_string(&file).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = [
        PathBuf::from("~/mine"),
        project.state(),
        PathBuf::from(env!("CARGO_BIN_EXE_flyball")).canonicalize().unwrap(),
        project.root().join("flyball.toml"),
    ];
    assert_eq!(settings["sandbox"]["filesystem"]["denyWrite"], json!(expected));
    assert_eq!(settings.get("env"), None);
    assert_eq!(project.run(&init).status, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "once is enough");
    let doctor = project.run(&["doctor"]).stdout;
    assert!(doctor.contains("runs commands in its own sandbox (.claude/settings.local.json)"), "{doctor}");
    assert!(doctor.contains("flyball's files are among what it keeps"), "{doctor}");
    let ran = project.run(&["uninstall", "--yes"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), SETTINGS);
}

#[test]
fn a_sandbox_that_leaves_files_alone_protects_none() {
    let project = Project::new();
    let text = "{ \"sandbox\": { \"enabled\": true, \"filesystem\": { \"disabled\": true } } }\n";
    project.file(".claude/settings.local.json", text);
    let ran = project.run(&["init", "--yes", "--client", "claude-code", "--seatbelt"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert_eq!(fs::read_to_string(project.root().join(".claude/settings.local.json")).unwrap(), text);
}

#[test]
fn doctor_says_where_a_client_has_switched_its_sandbox_off() {
    let project = Project::new();
    fs::create_dir_all(project.home().join(".codex")).unwrap();
    let says = |text: &str, expected: &str| {
        fs::write(project.home().join(".codex/config.toml"), text).unwrap();
        let doctor = project.run(&["doctor"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(doctor.contains(expected), "{doctor}");
    };
    says("", "Codex runs commands in its own sandbox: `sandbox_mode` is not set");
    says(
        "sandbox_mode = \"workspace-write\"\n",
        "own sandbox: `sandbox_mode = \"workspace-write\"` (~/.codex",
    );
    says("sandbox_mode = \"danger-full-access\"\n", "→ set it to \"workspace-write\"");
}
