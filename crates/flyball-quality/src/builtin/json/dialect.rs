//! Which files may contain comments and trailing commas.

/// What is allowed in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Standard JSON.
    Strict,
    /// With comments and trailing commas.
    Commented,
}

/// Files whose own programs read comments.
const NAMES: &[&str] = &[
    ".babelrc",
    ".babelrc.json",
    ".devcontainer.json",
    ".eslintrc.json",
    ".hintrc",
    ".jshintrc",
    ".luarc.json",
    ".markdownlint.json",
    ".oxlintrc.json",
    ".swcrc",
    "angular.json",
    "api-extractor.json",
    "babel.config.json",
    "biome.json",
    "deno.json",
    "devcontainer.json",
    "knip.json",
    "language-configuration.json",
    "pyrightconfig.json",
    "tslint.json",
    "turbo.json",
    "typedoc.json",
    "wrangler.json",
];

/// What such files end with.
const ENDINGS: &[&str] = &[".jsonc", ".code-workspace", ".code-snippets"];

/// Folders of editors that read comments in all their files.
const FOLDERS: &[&str] = &[".vscode", ".zed"];

impl Dialect {
    /// What is allowed in the file of this path.
    pub(super) fn for_file(file: &str) -> Dialect {
        let mut parts = file.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let is_compiled = ["tsconfig", "jsconfig"].iter().any(|start| {
            let rest = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(".json"));
            // `tsconfig.build.json` and `tsconfig-base.json`, but not a file like `tsconfigs.json`.
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-', '_']))
        });
        let is_commented = is_compiled
            || NAMES.contains(&name)
            || ENDINGS.iter().any(|ending| name.ends_with(ending))
            || parts.any(|folder| FOLDERS.contains(&folder));
        if is_commented { Dialect::Commented } else { Dialect::Strict }
    }
}
