//! What is heard and shown, by real processes: players and desktops are small programs that write down their arguments.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "what fails here fails the test")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{ProcessResult, Project, mask_folder};
use serde_json::{Value, json};

const ON: &str = "[notify]\nmode = \"enforce\"\n";

/// A project in which no program is found but those that the test puts there.
fn project() -> Project {
    let project = Project::new();
    let programs = project.folder().join("programs");
    fs::create_dir(&programs).unwrap();
    project.with("PATH", programs.to_str().unwrap())
}

/// A pipe: the writer waits for the reader, so that no test has to guess how long something takes.
fn pipe(project: &Project, name: &str) -> PathBuf {
    let path = project.folder().join(name);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn program(project: &Project, name: &str, script: &str) {
    let path = project.folder().join("programs").join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A program that writes its arguments into a pipe, one per line.
fn recorder(project: &Project, name: &str) -> PathBuf {
    let heard = pipe(project, &format!("{name}.words"));
    program(project, name, &format!("printf '%s\\n' \"$@\" > '{}'", heard.display()));
    heard
}

/// The arguments of the program, once it has run.
fn recorded_arguments(heard: &Path, project: &Project) -> Vec<String> {
    let text = fs::read_to_string(heard).unwrap();
    mask_folder(&text, &project.folder()).lines().map(str::to_owned).collect()
}

/// Each in a session of its own: what comes in a burst is heard once.
fn notification(project: &Project, topic: &str, message: &str) -> ProcessResult {
    notified(project, (topic, message), &crate::support::unique())
}

fn notified(project: &Project, (topic, message): (&str, &str), session: &str) -> ProcessResult {
    let fields = json!({ "notification_type": topic, "message": message, "session_id": session });
    project.hook("Notification", fields)
}

fn stop(project: &Project) -> ProcessResult {
    project.hook("Stop", json!({ "stop_hook_active": false, "last_assistant_message": "done" }))
}

/// What the terminal is sent.
fn sequence(ran: &ProcessResult) -> Option<String> {
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{ran:?}");
    if ran.stdout.is_empty() {
        return None;
    }
    let json = ran.json();
    assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), ["terminalSequence"], "{json}");
    Some(json["terminalSequence"].as_str().unwrap().to_owned())
}

/// Status and both streams, as one text.
fn whole(ran: &ProcessResult, project: &Project) -> String {
    mask_folder(&format!("{}\n{}---\n{}", ran.status, ran.stdout, ran.stderr), &project.folder())
}

fn user_config(project: &Project) -> PathBuf {
    let folder = project.home().join(".config/flyball");
    fs::create_dir_all(&folder).unwrap();
    folder.join("config.toml")
}

#[test]
fn what_waits_for_the_user_is_heard_and_shown() {
    let project = project().with("DISPLAY", ":0");
    project.config(ON);
    let (heard, shown) = (recorder(&project, "pw-play"), recorder(&project, "notify-send"));
    let message = "May I run `git push`?\n<b>\u{1b}[1m $(id)";
    notification(&project, "permission_prompt", message).assert_silent();
    let tone = "FOLDER/home/.local/state/flyball/files/tone-100.wav";
    assert_eq!(recorded_arguments(&heard, &project), ["--volume=0.50", tone]);
    let expected =
        ["--app-name=flyball", "--", "flyball: project", "May I run `git push`? &lt;b&gt; [1m $(id)"];
    assert_eq!(recorded_arguments(&shown, &project), expected);
    assert!(fs::read(project.state().join("files/tone-100.wav")).unwrap().starts_with(b"RIFF"));
}

#[test]
fn a_follow_up_program_delays_nobody() {
    let project = project();
    project.config(&format!("{ON}desktop = false\n"));
    let (gate, done) = (pipe(&project, "gate"), pipe(&project, "done"));
    let script = format!("read word < '{}'; printf '%s' \"$word\" > '{}'", gate.display(), done.display());
    program(&project, "mpv", &script);
    // It comes back although the player waits for what is written only below.
    notification(&project, "idle_prompt", "waiting").assert_silent();
    fs::write(&gate, "still here\n").unwrap();
    assert_eq!(fs::read_to_string(&done).unwrap(), "still here");
}

#[test]
fn without_programs_the_terminal_rings_and_shows() {
    let project = project().with("TERM", "xterm-256color");
    project.config(ON);
    let ran = notification(&project, "permission_prompt", "May I?");
    assert_eq!(sequence(&ran).as_deref(), Some("\u{1b}]9;flyball: project: May I?\u{7}\u{7}"));
    let project = project.with("VTE_VERSION", "7600");
    let ran = notification(&project, "permission_prompt", "May I?");
    assert_eq!(sequence(&ran).as_deref(), Some("\u{1b}]777;notify;flyball: project;May I?\u{7}\u{7}"));
}

#[test]
fn through_ssh_only_the_terminal_reaches_the_user() {
    let project = project().with("SSH_CONNECTION", "1 2 3 4").with("DISPLAY", ":0");
    project.config(ON);
    for name in ["pw-play", "notify-send"] {
        program(&project, name, "exit 0");
    }
    let ran = notification(&project, "permission_prompt", "May I?");
    assert_eq!(sequence(&ran).as_deref(), Some("\u{1b}]9;flyball: project: May I?\u{7}\u{7}"));
}

#[test]
fn a_desktop_program_without_a_desktop_is_not_used() {
    let project = project();
    project.config(&format!("{ON}sound = false\n"));
    program(&project, "notify-send", "exit 1");
    let ran = notification(&project, "permission_prompt", "May I?");
    assert_eq!(sequence(&ran).as_deref(), Some("\u{1b}]9;flyball: project: May I?\u{7}"));
}

#[test]
fn nothing_is_played_or_shown_unless_configured() {
    let shown = Some("\u{1b}]9;flyball: project: May I?\u{7}");
    let rung = Some("\u{7}");
    let cases = [
        ("", None),
        ("[notify]\nmode = \"off\"\n", None),
        ("[notify]\nmode = \"observe\"\n", None),
        ("[notify]\nmode = \"enforce\"\nsound = false\ndesktop = false\n", None),
        ("[notify]\nmode = \"enforce\"\nsound = false\n", shown),
        ("[notify]\nmode = \"enforce\"\nvolume = 0\n", shown),
        ("[notify]\nmode = \"enforce\"\nquiet = [\"00:00-24:00\"]\n", shown),
        ("[notify]\nmode = \"enforce\"\ndesktop = false\n", rung),
        ("[notify]\nmode = \"enforce\"\n[[notify.rule]]\non = \"notification\"\nsound = false\n", shown),
        ("[notify]\nmode = \"enforce\"\n[[notify.rule]]\non = \"notification\"\ntopic = \"idle*\"\n", None),
        ("[notify]\nmode = \"enforce\"\n[[notify.rule]]\non = \"stop\"\n", None),
        (
            "[notify]\nmode = \"enforce\"\nsound = false\n[[notify.rule]]\non = \"notification\"\ntext = \"May I?\"\n[[notify.rule]]\non = \"notification\"\ntext = \"second\"\n",
            shown,
        ),
    ];
    for (config, expected) in cases {
        let project = project();
        project.config(config);
        assert_eq!(
            sequence(&notification(&project, "permission_prompt", "May I?")).as_deref(),
            expected,
            "{config}"
        );
    }
}

#[test]
fn only_what_waits_for_the_user_is_notified_by_default() {
    let project = project();
    project.config(ON);
    for topic in ["auth_success", "agent_completed", "elicitation_complete"] {
        notification(&project, topic, "done").assert_silent();
    }
    stop(&project).assert_silent();
}

#[test]
fn the_end_of_a_turn_is_notified_if_it_is_one() {
    let project = project();
    project.config(&format!("{ON}desktop = false\n[[notify.rule]]\non = \"stop\"\n"));
    assert_eq!(sequence(&stop(&project)).as_deref(), Some("\u{7}"));
    let task = json!({ "id": "b1", "type": "subagent", "status": "running", "description": "x" });
    let fields =
        json!({ "stop_hook_active": false, "last_assistant_message": "", "background_tasks": [task] });
    project.hook("Stop", fields).assert_silent();
}

#[test]
fn a_denial_is_still_one_when_it_is_heard() {
    let project = project();
    project.config(&format!("{ON}desktop = false\n[[notify.rule]]\non = \"denied\"\n"));
    let input = json!({ "file_path": project.root().join("flyball.toml"), "content": "" });
    let ran = project.before("Write", input);
    ran.assert_denied_by("guard.self");
    assert_eq!(ran.json()["terminalSequence"], json!("\u{7}"));
    project.shell("ls").assert_silent();
}

#[test]
fn a_sound_of_ones_own_is_played_and_one_that_is_gone_is_not() {
    let project = project();
    let file = project.home().join("ding.wav");
    fs::write(&file, "RIFF").unwrap();
    let rule = "[[notify.rule]]\non = \"notification\"\ntopic = \"idle_prompt\"\nfile = \"/nowhere/a.wav\"\n[[notify.rule]]\non = \"notification\"\n";
    project.config(&format!("{ON}desktop = false\nvolume = 0.25\nfile = \"~/ding.wav\"\n{rule}"));
    let heard = recorder(&project, "aplay");
    notification(&project, "permission_prompt", "May I?").assert_silent();
    assert_eq!(recorded_arguments(&heard, &project), ["-q", "FOLDER/home/ding.wav"]);
    notification(&project, "idle_prompt", "waiting").assert_silent();
    let tone = "FOLDER/home/.local/state/flyball/files/tone-25.wav";
    assert_eq!(
        recorded_arguments(&heard, &project),
        ["-q", tone],
        "at the configured volume, for a player without that option"
    );
}

#[test]
fn a_burst_is_shown_and_heard_once() {
    let project = project();
    project.config(ON);
    let rung = |session: &str| {
        let ran = notified(&project, ("permission_prompt", "May I?"), session);
        sequence(&ran).unwrap().ends_with("\u{7}\u{7}")
    };
    assert_eq!([rung("s1"), rung("s1"), rung("s2"), rung("s2")], [true, false, true, false]);
}

#[test]
fn a_player_that_is_gone_or_fails_is_ignored() {
    let project = project();
    project.config(&format!("{ON}desktop = false\n"));
    program(&project, "afplay", "exit 1");
    notification(&project, "permission_prompt", "May I?").assert_silent();
    let path = project.folder().join("programs/afplay");
    fs::write(&path, "#!/nowhere/interpreter\n").unwrap();
    notification(&project, "permission_prompt", "May I?").assert_silent();
}

#[test]
fn it_is_switched_on_and_set_and_comments_stay() {
    let project = project();
    let config = user_config(&project);
    let before =
        "# mine\n[notify]\nquiet = [\"02:00-02:01\"] # when I sleep\n\n[guard.self]\nmode = \"enforce\"\n";
    fs::write(&config, before).unwrap();
    program(&project, "mpv", "exit 0");
    let on = project.run(&["sound", "on"]);
    let expected = "\
0
changed ~/.config/flyball/config.toml

sound is on
  mode     enforce (FOLDER/home/.config/flyball/config.toml:4)
  sound    on (FOLDER/home/.config/flyball/config.toml:5)
  desktop  on (the default)
  volume   50% (the default)
  file     the built-in tone (the default)
  quiet    02:00-02:01 (FOLDER/home/.config/flyball/config.toml:3)
  player   mpv (FOLDER/programs/mpv)
  notices  the client's terminal
---
";
    // At two in the morning a line more is right.
    let output = whole(&on, &project).replace("  these are quiet hours: no sound is played now\n", "");
    assert_eq!(output, expected);
    let sound = project.home().join("ding.ogg");
    fs::write(&sound, "OggS").unwrap();
    for arguments in
        [&["sound", "volume", "7%"][..], &["sound", "file", "../home/ding.ogg"], &["sound", "off"]]
    {
        assert_eq!(project.run(arguments).status, 0, "{arguments:?}");
    }
    let after = format!(
        "# mine\n[notify]\nquiet = [\"02:00-02:01\"] # when I sleep\nmode = \"enforce\"\nsound = false\nvolume = 0.07\nfile = \"{}\"\n\n[guard.self]\nmode = \"enforce\"\n",
        project.root().join("../home/ding.ogg").display()
    );
    assert_eq!(fs::read_to_string(&config).unwrap(), after);
}

#[test]
fn defect_28_off_is_off() {
    let project = project();
    assert_eq!(project.run(&["sound", "on"]).status, 0);
    let ran = notification(&project, "permission_prompt", "May I?");
    assert!(sequence(&ran).unwrap().ends_with("\u{7}\u{7}"), "a notice, and the bell");
    let off = project.run(&["sound", "off"]);
    assert_eq!(off.status, 0);
    assert!(off.stdout.contains("\nsound is off\n"), "{}", off.stdout);
    let ran = notification(&project, "permission_prompt", "May I?");
    assert_eq!(sequence(&ran).as_deref(), Some("\u{1b}]9;flyball: project: May I?\u{7}"), "shown, not heard");
    let again = project.run(&["sound", "off"]);
    assert!(
        again.stdout.starts_with("~/.config/flyball/config.toml has this setting already\n"),
        "{}",
        again.stdout
    );
}

#[test]
fn an_override_in_another_file_is_reported() {
    let project = project();
    project.config(&format!("{ON}sound = true\n"));
    let off = project.run(&["sound", "off"]);
    let last = off.stdout.lines().last().unwrap();
    assert_eq!((off.status, last), (1, "the change has no effect: `notify.sound` is set in flyball.toml:3"));
}

#[test]
fn defect_29_nothing_is_installed_and_what_is_missing_is_reported() {
    let project = project();
    let missing = "none of afplay, pw-play, paplay, aplay, ffplay, mpv, play is installed";
    let status = project.run(&["sound", "status"]);
    assert_eq!((status.status, status.stderr.as_str()), (0, ""));
    assert!(status.stdout.starts_with("sound is off\n  mode     off (the default)\n"), "{}", status.stdout);
    assert!(
        status.stdout.contains(&format!("\n  player   the terminal's bell: {missing}\n")),
        "{}",
        status.stdout
    );
    let test = project.run(&["sound", "test"]);
    let expected = format!(
        "1\nno player for sounds was found, so the terminal's bell rings: {missing}\nthe sound of notices is off: `flyball sound on` turns it on\n---\n"
    );
    assert_eq!(whole(&test, &project), expected);
    assert_eq!(fs::read_dir(project.folder().join("programs")).unwrap().count(), 0);
}

#[test]
fn a_test_shows_who_played_or_why_nobody_could() {
    let project = project();
    project.run(&["sound", "on"]);
    let heard = project.folder().join("heard");
    program(&project, "paplay", &format!("printf '%s ' \"$@\" > '{}'", heard.display()));
    let test = whole(&project.run(&["sound", "test"]), &project);
    assert_eq!(test, "0\nplayed with paplay (FOLDER/programs/paplay)\n---\n");
    let played = mask_folder(&fs::read_to_string(&heard).unwrap(), &project.folder());
    assert_eq!(played, "--volume=32768 FOLDER/home/.local/state/flyball/files/tone-100.wav ");
    program(&project, "paplay", "echo 'no device' >&2; exit 1");
    let test = whole(&project.run(&["sound", "test"]), &project);
    let expected = "1\npaplay (FOLDER/programs/paplay) could not play it: it exited with 1: no device\n---\n";
    assert_eq!(test, expected);
    project.run(&["sound", "volume", "0"]);
    let test = project.run(&["sound", "test"]);
    assert_eq!(test.status, 1);
    assert!(test.stdout.starts_with("the volume is 0;"), "{}", test.stdout);
}

#[test]
fn invalid_arguments_change_nothing() {
    let project = project();
    for arguments in [
        &["sound", "volume", "50"][..],
        &["sound", "volume", "101%"],
        &["sound", "volume", "loud"],
        &["sound", "file", "nowhere.wav"],
        &["sound", "louder"],
    ] {
        assert_eq!(project.run(arguments).status, 2, "{arguments:?}");
    }
    assert!(!project.home().join(".config").exists());
    fs::write(user_config(&project), "[notify\n").unwrap();
    let on = project.run(&["sound", "on"]);
    assert_eq!((on.status, on.stdout.as_str()), (2, ""));
    assert!(
        on.stderr.contains("write this yourself:\n\n[notify]\nmode = \"enforce\"\nsound = true\n"),
        "{}",
        on.stderr
    );
    assert_eq!(fs::read_to_string(user_config(&project)).unwrap(), "[notify\n");
}

#[test]
fn secrets_are_not_shown_on_a_screen() {
    let project = project();
    project.config(&format!("{ON}sound = false\n"));
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    let ran = notification(&project, "permission_prompt", &format!("run with {secret}?"));
    let sent: Value = ran.json();
    assert!(!sent.to_string().contains(&secret), "{sent}");
}

#[test]
fn without_a_word_the_sound_is_shown_and_toggle_turns_it_round() {
    let project = project();
    let shown = project.run(&["sound"]);
    assert_eq!(whole(&shown, &project), whole(&project.run(&["sound", "status"]), &project));
    assert!(shown.stdout.starts_with("sound is off\n"), "{}", shown.stdout);
    for expected in ["on", "off", "on"] {
        let ran = project.run(&["sound", "toggle"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(ran.stdout.contains(&format!("\nsound is {expected}\n")), "{}", ran.stdout);
    }
}
