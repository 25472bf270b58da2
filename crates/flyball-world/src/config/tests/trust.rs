//! What is in force of files that nobody has accepted, and of those that change during a session.

use std::process::Command;

use flyball_core::time::Time;

use super::*;

const LOOSE: &str = "[guard.one]\nmode = 'off'\n";
const STRICT: &str = "[two]\nmode = 'enforce'\n";

/// A machine on which acceptances are recorded.
struct Person {
    machine: Machine,
    trust: Trust,
}

impl Person {
    fn new() -> Person {
        let mut machine = Machine::new();
        let trust = Trust::below(&machine.home.path().join("state"));
        machine.files.accepted = Accepted::Recorded(trust.clone());
        Person { machine, trust }
    }

    fn accept(&self, text: Option<&str>, at: u64) {
        let consent = Consent { at: Time::from_millis(at), how: "a test" };
        self.trust.accept(&self.machine.files.project, text, &consent).unwrap();
    }

    fn withdraw(&self, at: u64) -> bool {
        self.trust.withdraw(&self.machine.files.project, Time::from_millis(at)).unwrap()
    }

    /// What a session that began at this time with these texts finds.
    fn in_session(&self, began: &Loaded, at: u64) -> Loaded {
        let pin = Pin::new(Time::from_millis(at), began.in_force.clone());
        let pin = Pin::parse(&pin.to_string());
        assert!(pin.is_some());
        load(&self.machine.files.clone().with_pin(pin), &self.machine.state(), REGISTRY)
    }
}

fn modes(loaded: &Loaded) -> (Mode, Mode) {
    let mode = |id: &str| loaded.config.sections.get(id).map_or(Mode::Off, |section| section.mode);
    (mode("guard.one"), mode("two"))
}

#[test]
fn a_cloned_file_can_tighten_and_nothing_else() {
    let person = Person::new();
    person.machine.project(&format!("{LOOSE}{STRICT}"));
    let loaded = person.machine.load();
    assert_eq!(modes(&loaded), (Mode::Enforce, Mode::Enforce));
    let expected =
        "flyball.toml is not trusted; not in force: guard.one.mode; `flyball trust` shows and accepts it";
    assert_eq!(loaded.notices, [expected]);
    // The same from the cache.
    let cached = person.machine.load_cached();
    assert_eq!((modes(&cached), cached.notices), ((Mode::Enforce, Mode::Enforce), loaded.notices));
}

#[test]
fn a_file_that_only_tightens_needs_nobody() {
    let person = Person::new();
    person.machine.project(STRICT);
    assert_eq!(person.machine.load().notices, Vec::<String>::new());
}

#[test]
fn what_a_person_accepted_is_in_force_and_only_that_text() {
    let person = Person::new();
    person.machine.project(LOOSE);
    person.accept(Some(LOOSE), 1);
    let loaded = person.machine.load();
    assert_eq!((modes(&loaded), loaded.notices), ((Mode::Off, Mode::Observe), Vec::new()));
    let longer = format!("{LOOSE}limit = 5\n{STRICT}");
    person.machine.project(&longer);
    let loaded = person.machine.load();
    assert_eq!(modes(&loaded), (Mode::Off, Mode::Enforce), "the accepted text, and what tightens");
    let expected = "flyball.toml has changed and nobody has accepted that; not in force: guard.one.limit; \
                    `flyball trust` shows and accepts it";
    assert_eq!(loaded.notices, [expected]);
    assert!(person.withdraw(2));
    assert_eq!(modes(&person.machine.load()), (Mode::Enforce, Mode::Enforce));
}

#[test]
fn projects_in_a_trusted_folder_need_no_acceptance() {
    let person = Person::new();
    person.machine.project(LOOSE);
    person.machine.user(&format!("[trust]\nprojects = ['{}']\n", person.machine.home.path().display()));
    assert_eq!(modes(&person.machine.load()).0, Mode::Off);
    // The project cannot say so itself.
    person.machine.user("");
    person.machine.project(&format!("[trust]\nprojects = ['/']\n{LOOSE}"));
    assert_eq!(modes(&person.machine.load()).0, Mode::Enforce);
}

#[test]
fn a_session_stays_under_what_it_began_with() {
    let person = Person::new();
    person.machine.user(STRICT);
    let began = person.machine.load();
    person.machine.user(LOOSE);
    let loaded = person.in_session(&began, 1_000);
    assert_eq!(modes(&loaded), (Mode::Enforce, Mode::Enforce));
    let notice = loaded.notices.join("\n");
    assert!(
        notice.contains("has changed and nobody has accepted that; not in force: guard.one.mode"),
        "{notice}"
    );
    // Another session that begins now is the user's decision.
    assert_eq!(modes(&person.machine.load()).0, Mode::Off);
    // So is an acceptance during the session.
    let consent = Consent { at: Time::from_millis(2_000), how: "a test" };
    person.trust.accept(person.machine.files.user.as_ref().unwrap(), Some(LOOSE), &consent).unwrap();
    let loaded = person.in_session(&began, 1_000);
    assert_eq!(modes(&loaded).0, Mode::Off);
    assert!(
        loaded.notices.join("").contains("was accepted during the session (a test)"),
        "{:?}",
        loaded.notices
    );
}

#[test]
fn a_text_that_was_accepted_long_ago_does_not_replace_that_of_the_session() {
    let person = Person::new();
    person.accept(Some(LOOSE), 1);
    person.machine.project(STRICT);
    person.accept(Some(STRICT), 2);
    let began = person.machine.load();
    person.machine.project(LOOSE);
    assert_eq!(modes(&person.in_session(&began, 3)), (Mode::Enforce, Mode::Enforce));
    // Outside of the session it is what a person accepted.
    assert_eq!(modes(&person.machine.load()), (Mode::Off, Mode::Observe));
}

#[test]
fn a_file_that_is_deleted_during_a_session_stays_in_force() {
    let person = Person::new();
    person.machine.project(STRICT);
    person.accept(Some(STRICT), 1);
    let began = person.machine.load();
    fs::remove_file(&person.machine.files.project).unwrap();
    let loaded = person.in_session(&began, 2);
    assert_eq!(modes(&loaded), (Mode::Enforce, Mode::Enforce));
    assert!(loaded.notices.join("").contains("was deleted during the session"), "{:?}", loaded.notices);
    person.accept(None, 3);
    assert_eq!(modes(&person.in_session(&began, 2)), (Mode::Enforce, Mode::Observe));
}

#[test]
fn a_broken_text_that_nobody_accepted_changes_nothing() {
    let person = Person::new();
    person.machine.project(STRICT);
    person.accept(Some(STRICT), 1);
    person.machine.project("[two]\nmode = 'made up'\n");
    let loaded = person.machine.load();
    assert_eq!(modes(&loaded), (Mode::Enforce, Mode::Enforce));
    assert!(loaded.notices.join("").contains("what was accepted stays in force"), "{:?}", loaded.notices);
}

#[test]
fn a_ledger_that_is_damaged_accepts_nothing_and_is_reported() {
    let person = Person::new();
    person.machine.project(LOOSE);
    person.accept(Some(LOOSE), 1);
    fs::write(person.machine.home.path().join("state/trust.json"), "{").unwrap();
    let loaded = person.machine.load();
    assert_eq!(modes(&loaded).0, Mode::Enforce);
    assert!(loaded.warnings.join("").contains("cannot be read"), "{:?}", loaded.warnings);
}

#[test]
fn worktrees_share_the_rules_and_what_was_accepted() {
    let person = Person::new();
    let main = person.machine.home.path().join("project");
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]).args(arguments);
        assert!(command.current_dir(&main).output().unwrap().status.success(), "git {arguments:?}");
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "x"]);
    git(&["worktree", "add", "--quiet", "../other"]);
    person.machine.project(LOOSE);
    person.accept(Some(LOOSE), 1);
    let other = person.machine.home.path().join("other");
    // A worktree without a file of its own is under the main worktree's.
    let files = ConfigFiles::locate(&other, &Homes::default());
    assert_eq!(files.project, main.join("flyball.toml"));
    // With one, what was accepted in one of them counts in all.
    fs::write(other.join("flyball.toml"), LOOSE).unwrap();
    let files =
        ConfigFiles::locate(&other, &Homes::default()).with_accepted(person.machine.files.accepted.clone());
    assert_eq!(files.project, other.join("flyball.toml"));
    assert_eq!(modes(&load(&files, &person.machine.state(), REGISTRY)).0, Mode::Off);
    // A folder that only claims to be a worktree is none.
    let fake = person.machine.home.path().join("fake");
    fs::create_dir(&fake).unwrap();
    fs::copy(other.join(".git"), fake.join(".git")).unwrap();
    fs::write(fake.join("flyball.toml"), LOOSE).unwrap();
    let files =
        ConfigFiles::locate(&fake, &Homes::default()).with_accepted(person.machine.files.accepted.clone());
    assert_eq!(modes(&load(&files, &person.machine.state(), REGISTRY)).0, Mode::Enforce);
}

#[test]
fn what_is_withdrawn_ends_in_running_sessions_too() {
    let person = Person::new();
    let accepted = format!("{LOOSE}{STRICT}");
    person.machine.project(&accepted);
    person.accept(Some(&accepted), 1);
    let began = person.machine.load();
    assert_eq!(modes(&began), (Mode::Off, Mode::Enforce));
    assert!(person.withdraw(20));
    let running = person.in_session(&began, 10);
    assert_eq!(modes(&running), (Mode::Enforce, Mode::Enforce), "only what tightens");
    assert!(running.notices[0].starts_with("flyball.toml is not trusted; not in force: guard.one.mode"));
    assert!(!running.is_project_trusted);
    // What tightened the session stays when the file is changed, deleted or made unreadable.
    person.machine.project(LOOSE);
    assert_eq!(modes(&person.in_session(&began, 10)), (Mode::Enforce, Mode::Enforce));
    std::fs::remove_file(&person.machine.files.project).unwrap();
    assert_eq!(modes(&person.in_session(&began, 10)), (Mode::Enforce, Mode::Enforce));
    std::fs::create_dir(&person.machine.files.project).unwrap();
    assert_eq!(modes(&person.in_session(&began, 10)), (Mode::Enforce, Mode::Enforce));
    assert_eq!(modes(&person.machine.load()).0, Mode::Enforce, "not even as the last good text");
    std::fs::remove_dir(&person.machine.files.project).unwrap();
    // What is accepted after that counts.
    person.machine.project(LOOSE);
    person.accept(Some(LOOSE), 30);
    assert_eq!(modes(&person.in_session(&began, 10)).0, Mode::Off);
}

#[test]
fn a_withdrawal_before_a_session_says_nothing_about_it() {
    let person = Person::new();
    person.machine.project(LOOSE);
    person.accept(Some(LOOSE), 1);
    person.withdraw(2);
    person.accept(Some(LOOSE), 3);
    let began = person.machine.load();
    assert_eq!(modes(&person.in_session(&began, 10)).0, Mode::Off);
}
