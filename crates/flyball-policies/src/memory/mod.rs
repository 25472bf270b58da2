//! The right knowledge at the right edit: shows rules before an edit, and records failures for people to review.

pub mod agents;
pub mod context;
pub mod failures;
pub mod instructions;
mod loaded;
mod relevance;
pub mod session;
pub mod stop;

#[cfg(test)]
mod tests {
    use crate::test_project::TestProject;
    use crate::testing::shell;

    #[test]
    fn nothing_is_added_in_a_project_without_rules() {
        let stage =
            TestProject::new("[memory.context]\nmode = \"enforce\"\n[memory.failures]\nmode = \"enforce\"\n");
        stage.write("a.py", "");
        assert_eq!(stage.injected_context(shell("ls")), "");
        assert_eq!(stage.read("a.py"), "");
        assert!(stage.path("a.py").ends_with("/project/a.py"));
    }
}
