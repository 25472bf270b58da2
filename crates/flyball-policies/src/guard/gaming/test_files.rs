//! Which files and folders contain tests, by their names.

use flyball_effects::lex::Language;

/// Whether a file holds tests, by its name and its folder.
pub(crate) fn is_test_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    if !matches!(
        Language::from_path(name),
        Some(
            Language::Python
                | Language::Script
                | Language::Component
                | Language::Rust
                | Language::Go
                | Language::Shell
                | Language::Ruby
                | Language::Jvm
                | Language::C
                | Language::CSharp
                | Language::Swift
                | Language::Php
        )
    ) {
        return false;
    }
    is_test_name(stem, extension) || is_in_test_folder(path)
}

fn is_test_name(stem: &str, extension: &str) -> bool {
    match extension {
        "py" => stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || stem == "tests",
        "go" => stem.ends_with("_test"),
        "rs" => stem == "tests" || stem.ends_with("_test") || stem.ends_with("_tests"),
        "rb" => stem.ends_with("_spec") || stem.ends_with("_test") || stem.starts_with("test_"),
        "bats" => true,
        "java" | "kt" | "scala" | "groovy" | "cs" | "swift" | "php" => {
            ["Test", "Tests", "IT", "Spec"].iter().any(|end| stem.ends_with(end))
        }
        "c" | "cc" | "cpp" | "cxx" => stem.ends_with("_test") || stem.starts_with("test_"),
        "sh" | "bash" => false,
        _ => [".test", ".spec", ".cy", ".e2e"].iter().any(|end| stem.ends_with(end)),
    }
}

/// The names of folders that hold tests.
const TEST_FOLDERS: &[&str] = &["tests", "test", "__tests__", "spec", "specs", "e2e"];

fn is_in_test_folder(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(is_test_folder)
}

/// Whether a folder of this name holds tests.
pub(super) fn is_test_folder(name: &str) -> bool {
    TEST_FOLDERS.contains(&name)
}
