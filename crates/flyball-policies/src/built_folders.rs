//! What folders are called that builds, caches and package managers make.

use flyball_core::text::Words;

const BUILT: Words = Words(
    "target|node_modules|bower_components|dist|build|out|coverage|htmlcov|.venv|venv|.tox|.nox|\
     __pycache__|.pytest_cache|.mypy_cache|.ruff_cache|.cache|.next|.nuxt|.output|.svelte-kit|.turbo|\
     .parcel-cache|.gradle|.eggs|.terraform|DerivedData|.build|_build|.nyc_output|storybook-static|\
     test-results|playwright-report",
);

/// Names that also folders of hand-written files have.
const MAYBE_BUILT: Words = Words(
    "obj|bin|site|_site|env|.env|deps|gen|tmp|temp|log|logs|report|reports|output|outputs|artifacts|release|debug|\
     Release|Debug|buck-out",
);

/// Whether a build creates folders of this name.
pub(crate) fn is_build_folder(name: &str) -> bool {
    BUILT.contains(name) || name.ends_with(".egg-info") || name.starts_with("cmake-build-")
}

/// Whether a build may have created a folder of this name, if nobody committed anything in it.
pub(crate) fn may_be_build_folder(name: &str) -> bool {
    MAYBE_BUILT.contains(name) || name.starts_with("bazel-")
}
