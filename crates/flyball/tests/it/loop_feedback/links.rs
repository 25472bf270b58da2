//! Files with more names than one, and folders that are elsewhere.

use super::trees::{edit, edit_in, run};
use super::{APPROVED, CONFIG, Session};
use crate::support::Project;
use serde_json::json;

fn python(code: &str) -> String {
    format!("python3 -c \"import os; {code}\"")
}

/// A folder beside the project, with a file.
const BESIDE: &str = "mkdir ../o && echo one > ../o/m.py";

#[test]
fn what_is_written_by_another_name_of_a_file_is_seen() {
    for (link, line) in [
        ("ln src/a.py ../x", "echo two > ../x"),
        ("mkdir docs && ln src/a.py docs/x.txt", "echo two > docs/x.txt"),
        ("cp -l src/a.py ../x", "cd .. && printf two | tee x"),
    ] {
        let session = Session::new(CONFIG);
        run(&session, link);
        run(&session, line);
        assert!(session.is_blocked(), "{link}; {line}");
    }
    let session = Session::new(CONFIG);
    run(&session, "ln src/a.py ../x");
    edit_in(&session, &session.0.folder(), "x", "two\n");
    assert!(session.is_blocked());
}

#[test]
fn what_is_behind_a_link_of_the_session_is_seen_now_and_later() {
    let by_script = python("os.symlink('../../o', 'src/pkg')");
    for link in ["ln -s ../../o src/pkg", &by_script] {
        let session = Session::new(CONFIG);
        run(&session, &format!("{BESIDE} && {link}"));
        let blocked = session.stop();
        assert!(blocked.stdout.contains("src/pkg/m.py"), "{link}: {blocked:?}");
        session.agent("reviewer", APPROVED);
        session.stop().assert_silent();
        edit_in(&session, &session.0.folder(), "o/m.py", "two\n");
        assert!(session.is_blocked(), "{link}");
        session.agent("reviewer", APPROVED);
        session.stop().assert_silent();
        run(&session, &python("open('../o/' + 'new.py', 'w').write('two')"));
        let blocked = session.stop();
        assert!(blocked.stdout.contains("src/pkg/new.py"), "{link}: {blocked:?}");
    }
}

#[test]
fn a_link_that_was_there_is_no_work_but_what_is_written_behind_it_is() {
    let before = || {
        let session = Session::new(CONFIG);
        run(&session, &format!("{BESIDE} && ln -s ../../o src/pkg && git add --all"));
        run(&session, super::trees::COMMIT);
        session.0.hook("SessionStart", json!({ "source": "clear" }));
        session.prompt();
        std::thread::sleep(std::time::Duration::from_millis(120));
        session
    };
    let session = before();
    run(&session, &python("print(1)"));
    session.stop().assert_silent();
    edit_in(&session, &session.0.folder(), "o/m.py", "two\n");
    assert!(session.is_blocked());
    let session = before();
    edit(&session, "src/pkg/m.py", "two\n");
    assert!(session.is_blocked());
}

#[test]
fn installed_things_that_are_linked_are_no_work() {
    let session = Session::on(Project::new(), &CONFIG.replace("src/**", "**/*.js"));
    run(&session, "mkdir -p ../main/node_modules/x && echo 1 > ../main/node_modules/x/i.js");
    run(&session, &format!("ln -s ../main/node_modules node_modules && {}", python("print(1)")));
    session.stop().assert_silent();
}

#[test]
fn a_link_to_a_folder_of_too_many_files_is_named() {
    let session = Session::new(CONFIG);
    for part in 0..21 {
        let folder = session.0.folder().join(format!("large/{part}"));
        std::fs::create_dir_all(&folder).unwrap();
        for file in 0..1_000 {
            std::fs::write(folder.join(format!("{file}.txt")), "").unwrap();
        }
    }
    run(&session, "ln -s ../large all");
    let told = session.stop().stdout;
    assert!(told.contains("/project/all leads to more files than flyball looks at"), "{told}");
    session.stop().assert_silent();
}

#[test]
fn the_links_of_the_project_take_no_place_from_those_of_the_session() {
    let project = Project::new();
    std::fs::create_dir(project.root().join("src")).unwrap();
    for link in 0..70 {
        std::os::unix::fs::symlink("../docs", project.root().join(format!("src/l{link}"))).unwrap();
    }
    project.file("docs/a.md", "a");
    let session = Session::on(project, CONFIG);
    run(&session, "mkdir ../o && ln -s ../../o src/pkg");
    edit_in(&session, &session.0.folder(), "o/m.py", "two\n");
    assert!(session.is_blocked());
}
