//! Real files in a temporary home.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use flyball_core::config::{Config, Mode, SectionBytes, SectionSpec};
use flyball_core::engine::Registry;
use flyball_core::policy::{OnError, Policy, PolicyId};
use flyball_core::verdict::Verdict;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::*;

mod trust;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    words: Vec<String>,
    limit: u32,
}

const fn policy(id: &'static str, mode: Mode) -> Policy {
    Policy {
        id: PolicyId::new(id),
        summary: "made up for tests",
        page: "",
        listens: &[],
        on_error: OnError::Notice,
        mode,
        section: SectionSpec::for_type::<Settings>().raised_by_anyone(),
        run: |_| Ok(Verdict::silent()),
        gather: None,
        review: None,
    }
}

static ONE: Policy = policy("guard.one", Mode::Enforce);
static TWO: Policy = policy("two", Mode::Observe);
const REGISTRY: Registry = &[&ONE, &TWO];
const SMALLER: Registry = &[&ONE];

/// A machine with a home, a project and an administrator.
struct Machine {
    home: TempDir,
    files: ConfigFiles,
}

impl Machine {
    fn new() -> Machine {
        let home = TempDir::new().unwrap();
        let at = |name: &str| home.path().join(name);
        fs::create_dir(at("project")).unwrap();
        let homes = Homes { flyball_config: Some(at("config")), ..Homes::default() };
        let files =
            ConfigFiles { managed: at("managed.toml"), ..ConfigFiles::locate(&at("project"), &homes) };
        // The tests below are about files; those of trust are in `tests/trust.rs`.
        let files = files.with_accepted(Accepted::All);
        Machine { home, files }
    }

    fn project(&self, text: &str) -> &Machine {
        fs::write(&self.files.project, text).unwrap();
        self
    }

    fn user(&self, text: &str) -> &Machine {
        let file = self.files.user.as_ref().unwrap();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
        self
    }

    fn managed(&self, text: &str, mode: u32) -> &Machine {
        fs::write(&self.files.managed, text).unwrap();
        fs::set_permissions(&self.files.managed, fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn state(&self) -> PathBuf {
        self.home.path().join("state").join("cache")
    }

    fn load(&self) -> Loaded {
        load(&self.files, &self.state(), REGISTRY)
    }

    /// Loads until the cache answers, which it does as soon as the files are old enough.
    fn load_cached(&self) -> Loaded {
        loop {
            let loaded = self.load();
            assert_eq!(loaded.uncached, None);
            if loaded.source == Source::Cache {
                return loaded;
            }
            std::thread::yield_now();
        }
    }

    fn state_files(&self) -> Vec<String> {
        let names = fs::read_dir(self.state()).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn cache_file(&self) -> PathBuf {
        let name = self.state_files().into_iter().find(|name| name.ends_with(".bin")).unwrap();
        self.state().join(name)
    }

    fn shown(&self, path: &std::path::Path) -> String {
        path.display().to_string()
    }
}

fn one(config: &Config) -> (Mode, u32) {
    let section = &config.sections["guard.one"];
    (section.mode, section.parse::<Settings>().unwrap().limit)
}

fn same(left: &Loaded, right: &Loaded) -> bool {
    let facts = |it: &Loaded| (it.config.clone(), it.notices.clone(), it.warnings.clone(), it.status);
    facts(left) == facts(right)
}

#[test]
fn without_files_there_are_the_defaults_and_nothing_to_report() {
    let machine = Machine::new();
    let fresh = machine.load();
    assert_eq!(*fresh.config, Config::defaults(REGISTRY));
    assert_eq!((fresh.notices.len(), fresh.warnings.len()), (0, 0));
    assert_eq!((fresh.source, fresh.status), (Source::Fresh, Status::AsWritten));
    assert!(same(&machine.load_cached(), &fresh));
}

#[test]
fn the_cache_answers_until_a_file_changes() {
    let machine = Machine::new();
    machine.project("[guard.one]\nlimit = 1\n").load_cached();
    let changed = machine.project("[guard.one]\nlimit = 2\n").load();
    assert_eq!((changed.source, one(&changed.config)), (Source::Fresh, (Mode::Enforce, 2)));
    machine.load_cached();
    let more = machine.user("[guard.one]\nmode = 'observe'\n").load();
    assert_eq!((more.source, one(&more.config)), (Source::Fresh, (Mode::Observe, 2)));
    machine.load_cached();
    fs::remove_file(&machine.files.project).unwrap();
    let fewer = machine.load();
    assert_eq!((fewer.source, one(&fewer.config)), (Source::Fresh, (Mode::Observe, 0)));
}

#[test]
fn a_change_of_the_same_size_that_hides_its_time_is_seen() {
    let machine = Machine::new();
    machine.project("[guard.one]\nlimit = 1\n").load_cached();
    let before = fs::metadata(&machine.files.project).unwrap().modified().unwrap();
    machine.project("[guard.one]\nlimit = 2\n");
    fs::File::options().write(true).open(&machine.files.project).unwrap().set_modified(before).unwrap();
    assert_eq!(one(&machine.load().config), (Mode::Enforce, 2));
}

#[test]
fn changes_in_quick_succession_are_all_seen() {
    let machine = Machine::new();
    for round in 0..50 {
        let limit = round % 10;
        machine.project(&format!("[guard.one]\nlimit = {limit}\n"));
        assert_eq!(one(&machine.load().config), (Mode::Enforce, limit));
    }
}

#[test]
fn an_event_does_not_carry_what_is_off_and_commands_see_all_of_it() {
    let machine = Machine::new();
    machine.project("[guard.one]\nmode = 'off'\nlimit = 2\n");
    for loaded in [machine.load(), machine.load_cached()] {
        let section = &loaded.config.sections["guard.one"];
        assert_eq!((section.mode, section.settings.get().unwrap().len()), (Mode::Off, 0));
    }
    let whole = load_all(&machine.files, &machine.state(), REGISTRY);
    assert_eq!(one(&whole.config), (Mode::Off, 2));
    assert_eq!(machine.load().config.sections["guard.one"].settings, SectionBytes::default());
}

#[test]
fn another_registry_does_not_take_the_cache() {
    let machine = Machine::new();
    machine.load_cached();
    let smaller = load(&machine.files, &machine.state(), SMALLER);
    assert_eq!((smaller.source, smaller.config.sections.len()), (Source::Fresh, 1));
}

#[test]
fn a_broken_file_leaves_its_last_good_text_in_force() {
    let machine = Machine::new();
    machine.project("[guard.one]\nlimit = 1\n").load();
    let broken = machine.project("[guard.one]\nlimit = \n").load();
    assert_eq!((one(&broken.config), broken.status), ((Mode::Enforce, 1), Status::LastGood));
    let notice = "flyball.toml:2:9: expected a value; the last good config stays in force";
    assert_eq!(broken.notices, [notice]);
    assert!(same(&machine.load_cached(), &broken), "and it is not read again at each event");
    // The other files count as they are.
    let tightened = machine.user("[guard.one]\nmode = 'observe'\n").load();
    assert_eq!((one(&tightened.config), tightened.status), ((Mode::Observe, 1), Status::LastGood));
    let fixed = machine.project("[guard.one]\nlimit = 3\n").load();
    assert_eq!((one(&fixed.config), fixed.status), ((Mode::Observe, 3), Status::AsWritten));
    assert!(fixed.notices.is_empty());
}

#[test]
fn a_file_that_never_was_good_is_left_out() {
    let machine = Machine::new();
    machine.user("[guard.one]\nlimit = 5\n").project("[guard.oen]\n[two]\nlimit = -1\n");
    let loaded = machine.load();
    assert_eq!((one(&loaded.config), loaded.status), ((Mode::Enforce, 5), Status::Defaults));
    let notice = "flyball.toml:1:8: unknown section `guard.oen`; did you mean `guard.one`? (and 1 more); \
                  the defaults are used instead";
    assert_eq!(loaded.notices, [notice]);
}

#[test]
fn a_last_good_text_that_is_not_good_any_more_is_left_out_too() {
    let machine = Machine::new();
    machine.project("[two]\nlimit = 1\n").load();
    machine.project("[two]\nlimit = x\n");
    let loaded = load(&machine.files, &machine.state(), SMALLER);
    assert_eq!((loaded.status, &*loaded.config), (Status::Defaults, &Config::defaults(SMALLER)));
    let notices = [
        "flyball.toml:2:9: a string needs quotes; write `\"x\"`; the last good config stays in force",
        "flyball.toml: the last good config is no longer valid; the defaults are used",
    ];
    assert_eq!(loaded.notices, notices);
}

#[test]
fn a_file_that_cannot_be_read_is_explained() {
    let pipe = |path: &std::path::Path| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    type Spoil<'a> = &'a dyn Fn(&std::path::Path);
    let cases: [(&str, Spoil<'_>); 5] = [
        ("this is a folder, not a file", &|path| fs::create_dir(path).unwrap()),
        ("this is not a regular file", &pipe),
        ("line 2 is not UTF-8 text", &|path| fs::write(path, b"[two]\nlimit = \xff\n").unwrap()),
        ("the file is longer than 1 MB", &|path| fs::write(path, "#".repeat((1 << 20) + 1)).unwrap()),
        ("the file cannot be read: permission denied", &|path| {
            fs::write(path, "").unwrap();
            fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        }),
    ];
    for (words, spoil) in cases {
        let machine = Machine::new();
        machine.project("[guard.one]\nlimit = 1\n").load();
        fs::remove_file(&machine.files.project).unwrap();
        spoil(&machine.files.project);
        // Nothing is forbidden to root.
        if words.contains("denied") && fs::read(&machine.files.project).is_ok() {
            continue;
        }
        let loaded = machine.load();
        assert_eq!(loaded.notices, [format!("flyball.toml: {words}; the last good config stays in force")]);
        assert_eq!((one(&loaded.config), loaded.status), ((Mode::Enforce, 1), Status::LastGood));
        assert_eq!(Layers::read(&machine.files).errors(), [format!("flyball.toml: {words}")]);
    }
}

#[test]
fn a_link_to_nowhere_counts_as_missing() {
    let machine = Machine::new();
    symlink("nowhere", &machine.files.project).unwrap();
    assert_eq!(machine.load().notices, Vec::<String>::new());
}

#[test]
fn the_managed_file_counts_unless_others_may_write_it() {
    let machine = Machine::new();
    machine.project("[guard.one]\nmode = 'observe'\n");
    let locked = machine.managed("lock = ['guard.one']\n", 0o644).load();
    let managed = machine.shown(&machine.files.managed);
    assert_eq!(one(&locked.config), (Mode::Enforce, 0));
    let warning =
        format!("flyball.toml:2:1: `guard.one.mode = \"observe\"` is ignored: locked by {managed}:1:9");
    assert_eq!(locked.warnings, [warning]);
    assert!(same(&machine.load_cached(), &locked));
    let open = machine.managed("lock = ['guard.one']\n", 0o666).load();
    assert_eq!(one(&open.config), (Mode::Observe, 0));
    let warning =
        format!("{managed}: the file is ignored: it must be owned by root and writable only by root");
    assert_eq!(open.warnings, [warning]);
}

#[test]
fn a_damaged_cache_is_not_used_and_is_written_again() {
    let machine = Machine::new();
    let good = machine.project("[guard.one]\nlimit = 4\nwords = ['some', 'words']\n").load_cached();
    let bytes = fs::read(machine.cache_file()).unwrap();
    let damages: Vec<Vec<u8>> = (0..bytes.len())
        .step_by(7)
        .flat_map(|at| {
            let flipped =
                bytes.iter().enumerate().map(|(index, byte)| if index == at { byte ^ 0x40 } else { *byte });
            [bytes[..at].to_vec(), flipped.collect()]
        })
        .collect();
    for damage in damages {
        fs::write(machine.cache_file(), damage).unwrap();
        let fresh = machine.load();
        assert!(same(&fresh, &good));
        assert_eq!(fresh.source, Source::Fresh);
        assert_eq!(fs::read(machine.cache_file()).unwrap(), bytes);
    }
}

#[test]
fn long_settings_are_behind_the_rest_and_never_used_damaged() {
    let machine = Machine::new();
    let long = format!("[guard.one]\nlimit = 4\nwords = ['{}']\n", "w".repeat(5_000));
    let good = machine.project(&long).load_cached();
    assert_eq!(one(&good.config), (Mode::Enforce, 4));
    let mut bytes = fs::read(machine.cache_file()).unwrap();
    *bytes.last_mut().unwrap() ^= 0x40;
    fs::write(machine.cache_file(), &bytes).unwrap();
    let damaged = machine.load();
    assert_eq!(damaged.source, Source::Cache);
    assert_eq!(damaged.config.sections["guard.one"].settings.get(), None);
    // It is compiled again by the next event.
    let fresh = machine.load();
    assert_eq!(fresh.source, Source::Fresh);
    assert!(same(&fresh, &good));
}

#[test]
fn a_cache_that_cannot_be_written_costs_nothing_but_time() {
    let machine = Machine::new();
    fs::write(machine.home.path().join("state"), "a file where a folder should be").unwrap();
    let loaded = machine.project("[guard.one]\nlimit = 4\n").load();
    assert_eq!(one(&loaded.config), (Mode::Enforce, 4));
    assert!(loaded.uncached.is_some());
    assert!(loaded.notices.is_empty() && loaded.warnings.is_empty());
}

#[test]
fn many_at_once_see_whole_configs_and_leave_no_other_files() {
    let machine = Machine::new();
    machine.project("[guard.one]\nlimit = 0\n");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let (mode, limit) = one(&machine.load().config);
                    assert!(mode == Mode::Enforce && limit < 20);
                }
            });
        }
        let next = machine.files.project.with_extension("next");
        for limit in 0..20 {
            fs::write(&next, format!("[guard.one]\nlimit = {limit}\n")).unwrap();
            fs::rename(&next, &machine.files.project).unwrap();
        }
    });
    assert_eq!(one(&machine.load_cached().config), (Mode::Enforce, 19));
    let kinds: Vec<String> =
        machine.state_files().iter().map(|name| name[name.find('.').unwrap()..].to_owned()).collect();
    assert_eq!(kinds, [".bin", ".last-good.toml"]);
}

#[test]
fn projects_do_not_share_a_cache() {
    let machine = Machine::new();
    let other = ConfigFiles { project: machine.home.path().join("flyball.toml"), ..machine.files.clone() };
    machine.project("[guard.one]\nlimit = 1\n");
    fs::write(&other.project, "[guard.one]\nlimit = 2\n").unwrap();
    let load_other = || load(&other, &machine.state(), REGISTRY);
    load_other();
    assert_eq!(one(&machine.load_cached().config).1, 1);
    assert_eq!(one(&load_other().config).1, 2);
    assert_eq!(machine.load().source, Source::Cache);
}

#[test]
fn the_users_file_is_where_the_environment_says() {
    let path = |text: &str| Some(PathBuf::from(text));
    let cases = [
        ((path("/f"), path("/x"), path("/h")), path("/f/config.toml")),
        ((None, path("/x"), path("/h")), path("/x/flyball/config.toml")),
        ((None, path("relative"), path("/h")), path("/h/.config/flyball/config.toml")),
        ((path(""), path(""), path("/h")), path("/h/.config/flyball/config.toml")),
        ((None, None, None), None),
    ];
    for ((flyball_config, xdg_config, home), expected) in cases {
        let homes = Homes { flyball_config, xdg_config, home };
        let files = ConfigFiles::locate(std::path::Path::new("/p"), &homes);
        let managed = PathBuf::from(MANAGED_FILE);
        assert_eq!((files.managed, files.user), (managed, expected));
        assert_eq!(files.project, PathBuf::from("/p/flyball.toml"));
    }
}

fn any_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        (0u32..4).prop_map(|limit| format!("guard.one.limit = {limit}")),
        Just("guard.one.mode = 'off'".to_owned()),
        Just("two.words = ['a']".to_owned()),
        Just("lock = ['two']".to_owned()),
        Just("two.wrods = []".to_owned()),
        Just("broken = ".to_owned()),
    ];
    proptest::collection::vec(line, 0..3).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn the_cache_has_what_the_files_have(user in any_text(), texts in proptest::collection::vec(any_text(), 1..3)) {
        let machine = Machine::new();
        machine.user(&user);
        let mut fresh = machine.load();
        for text in &texts {
            fresh = machine.project(text).load();
        }
        prop_assert!(same(&machine.load_cached(), &fresh));
    }
}
