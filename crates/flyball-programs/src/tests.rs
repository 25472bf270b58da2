//! The tables themselves; their users have tests of their own.

use super::*;

#[test]
fn programs_are_sorted_and_names_are_unique() {
    assert!(PROGRAMS.windows(2).all(|pair| pair[0].name < pair[1].name));
    assert!(PROGRAMS.iter().all(|known| program(known.name).is_some_and(|found| found.name == known.name)));
}

#[test]
fn patterns_of_configs_are_in_lower_case() {
    let all = CONFIGS.iter().map(|config| config.pattern);
    assert_eq!(
        all.filter(|pattern| **pattern != pattern.to_lowercase()).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

#[test]
fn safe_commands_are_found_by_their_first_word() {
    for safe in SAFE_COMMANDS {
        let found: Vec<&str> = safe_commands(safe.purpose, safe.first_word()).collect();
        assert!(found.contains(&safe.pattern), "{}", safe.pattern);
    }
}

#[test]
fn a_leaf_starts_nothing() {
    let starts = |program: &&Program| program.is_leaf && program.facts.wrapper.is_some();
    assert_eq!(
        PROGRAMS.iter().filter(starts).map(|program| program.name).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
}

#[test]
fn commands_of_windows_have_each_name_once() {
    let names = CMDLETS.iter().flat_map(|one| std::iter::once(one.name).chain(one.also.split(' ')));
    let mut names: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_lowercase).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    assert_eq!(cmdlet("remove-ITEM").map(|one| one.runs), Some("rm"));
    assert_eq!(cmdlet("ri").map(|one| one.name), Some("Remove-Item"));
    assert!(cmdlet("").is_none() && cmdlet("rm -rf").is_none());
}
