//! The folders that known tools write, and those in which secrets are.

use std::path::{Path, PathBuf};

/// The empty folder in the state directory over which the seatbelt is built.
pub(super) fn cover_in(state: &Path) -> PathBuf {
    state.join("seatbelt")
}

/// Caches and installations below the home folder.
pub(super) const CACHES: [&str; 42] = [
    ".cache",
    ".npm",
    ".npm-global",
    ".yarn",
    ".pnpm-store",
    ".local/share/pnpm",
    ".local/share/uv",
    ".local/share/virtualenvs",
    ".local/share/pipx",
    ".local/bin",
    ".bun",
    ".deno",
    ".cargo",
    ".rustup",
    "go",
    ".gradle",
    ".m2",
    ".ivy2",
    ".sbt",
    ".coursier",
    ".nuget",
    ".dotnet",
    ".gem",
    ".bundle",
    ".rbenv",
    ".pyenv",
    ".nvm",
    ".volta",
    ".composer",
    ".hex",
    ".mix",
    ".cabal",
    ".stack",
    ".ghcup",
    ".opam",
    ".conan2",
    ".vcpkg",
    ".cpan",
    ".julia",
    ".android",
    ".expo",
    ".ccache",
];

/// Those of them that a tool makes when it is first used, by the tool. Where the rest of the home is read-only, it could not.
pub(super) const MADE_BY: [(&str, &str); 22] = [
    ("npm", ".npm"),
    ("yarn", ".yarn"),
    ("pnpm", ".local/share/pnpm"),
    ("uv", ".local/share/uv"),
    ("pipx", ".local/share/pipx"),
    ("bun", ".bun"),
    ("deno", ".deno"),
    ("cargo", ".cargo"),
    ("rustup", ".rustup"),
    ("go", "go"),
    ("gradle", ".gradle"),
    ("java", ".m2"),
    ("java", ".gradle"),
    ("sbt", ".sbt"),
    ("sbt", ".ivy2"),
    ("dotnet", ".nuget"),
    ("dotnet", ".dotnet"),
    ("gem", ".gem"),
    ("bundle", ".bundle"),
    ("composer", ".composer"),
    ("mix", ".mix"),
    ("ccache", ".ccache"),
];

/// Temporary folders.
pub(super) const TEMPORARY: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/run/lock"];

/// A file or folder with secrets below the home folder, and the programs that need it.
pub(super) struct Secret {
    pub(super) path: &'static str,
    pub(super) needed_by: &'static [&'static str],
}

const fn secret(path: &'static str, needed_by: &'static [&'static str]) -> Secret {
    Secret { path, needed_by }
}

const GIT: &[&str] = &["git", "ssh", "scp", "sftp", "rsync", "gh", "glab", "git-lfs"];

pub(super) const SECRETS: [Secret; 26] = [
    secret(".ssh", GIT),
    secret(".gnupg", &["git", "gpg", "gpg2"]),
    secret(".git-credentials", GIT),
    secret(".netrc", GIT),
    secret(".config/git/credentials", GIT),
    secret(".config/gh", &["gh", "git"]),
    secret(".config/glab-cli", &["glab", "git"]),
    secret(".aws", &[]),
    secret(".azure", &[]),
    secret(".config/gcloud", &[]),
    secret(".config/doctl", &[]),
    secret(".kube", &[]),
    secret(".docker/config.json", &["docker"]),
    secret(".npmrc", &["npm", "pnpm", "yarn", "npx"]),
    secret(".yarnrc.yml", &["yarn"]),
    secret(".pypirc", &["twine"]),
    secret(".cargo/credentials.toml", &["cargo"]),
    secret(".gem/credentials", &["gem"]),
    secret(".config/op", &[]),
    secret(".password-store", &["pass"]),
    secret(".local/share/keyrings", &[]),
    secret(".terraform.d/credentials.tfrc.json", &["terraform", "tofu"]),
    secret(".config/hub", &["hub"]),
    secret(".pgpass", &["psql", "pg_dump"]),
    secret(".my.cnf", &["mysql"]),
    secret(".vault-token", &["vault"]),
];
