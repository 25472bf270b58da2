//! What a test file is called, where the config does not say otherwise.

/// Globs of test files, relative to the project.
pub(crate) const TEST_FILES: [&str; 11] = [
    "**/*.test.*",
    "**/*.spec.*",
    "**/*_test.go",
    "**/*_test.py",
    "**/test_*.py",
    "**/conftest.py",
    "**/*_test.rs",
    "**/*_spec.rb",
    "**/tests/**",
    "**/__tests__/**",
    "**/testdata/**",
];
