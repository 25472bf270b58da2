//! `flyball demo`: a recorded session through the real hook.

use crate::support::Project;

#[test]
fn the_demo_shows_each_decision_and_leaves_nothing_behind() {
    let project = Project::new();
    let temporary = project.folder().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let project = project.with("TMPDIR", &temporary.to_string_lossy());
    let ran = project.run(&["demo"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let decisions: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| ["deny", "ask", "allow", "silent"].contains(word))
        .collect();
    let expected = "silent silent silent allow deny silent silent silent deny ask deny deny deny ask silent deny deny deny \
         deny silent silent deny silent silent deny silent silent silent deny silent silent";
    assert_eq!(decisions.join(" "), expected);
    assert!(ran.stdout.contains("$ flyball explain "), "{}", ran.stdout);
    assert!(ran.stdout.contains("Use it in your project"), "{}", ran.stdout);
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn the_rules_of_the_demo_pass_their_own_cases() {
    let project = Project::new();
    project.config(include_str!("../../src/commands/demo/flyball.toml"));
    let ran = project.run(&["test"]);
    assert_eq!((ran.status, ran.stdout.lines().last()), (0, Some("2 passed, 0 failed")), "{ran:?}");
}
