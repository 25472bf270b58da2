//! Which files hold secrets, by their names.
//!
//! Two lists: a call is stopped or asked about only if its file certainly holds secrets; it is
//! allowed without a prompt only if its file is not even one that often does.

use flyball_core::client::Clients;
use flyball_core::text::Words;

/// File names that hold keys or tokens, whatever the folder.
pub(crate) const NAMES: Words = Words(
    "id_rsa|id_dsa|id_ecdsa|id_ed25519|.netrc|_netrc|.npmrc|.pypirc|.pgpass|.my.cnf|.git-credentials|\
     .htpasswd|.vault-token|credentials.json|service-account.json|service_account.json|\
     serviceAccountKey.json|application_default_credentials.json|kubeconfig|secrets.yml|secrets.yaml|\
     secrets.json|secrets.toml|master.key|wallet.dat|key4.db|logins.json|Login Data|Cookies|cookies.sqlite|\
     login.keychain-db|login.keychain|.boto|.s3cfg|.rclone.conf|rclone.conf|.vault_pass",
);

/// Endings of file names that hold keys.
const ENDINGS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];

/// The ends of paths that hold keys or tokens.
const PLACES: Words = Words(
    "/.aws/credentials|/.docker/config.json|/.kube/config|/.config/gh/hosts.yml|\
     /.config/gcloud/credentials.db|/.config/gcloud/access_tokens.db|/.cargo/credentials|\
     /.cargo/credentials.toml|/.gem/credentials|/.azure/accessTokens.json|/.azure/msal_token_cache.json|/.oci/config|\
     /.config/hub|/.config/gcloud|/.config/gh|/.kube|/.docker|/.azure|/.password-store|/Library/Keychains|\
     /.config/google-chrome|/.config/google-chrome/Default|/.config/chromium|/.mozilla|/.mozilla/firefox|\
     /.config/Bitwarden|/.electrum|/.bitcoin|/.ethereum|/.config/op|/.local/share/keyrings|\
     /.terraform.d/credentials.tfrc.json|/etc/shadow|/etc/gshadow|/etc/kubernetes/admin.conf|\
     /.config/pypoetry/auth.toml|/.config/glab-cli/config.yml|/.config/containers/auth.json|\
     /.config/composer/auth.json|/.composer/auth.json|/.config/doctl/config.yaml|/.fly/config.yml",
);

/// What follows `.env.` in templates.
const SAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults", "schema"];

/// What follows it in files that are not settings, or only for tests.
const HARMLESS: &[&str] = &["tpl", "test", ".md", ".ts", ".js"];

/// File names that often hold keys or tokens, beside [`NAMES`]. In lower case, as all of these.
const OFTEN_NAMES: &[&str] = &[".envrc", ".yarnrc.yml", ".dockercfg", "credentials", "credentials.toml"];

/// Endings that files with keys or tokens often have, beside [`ENDINGS`].
const OFTEN_ENDINGS: &[&str] = &[".asc", ".gpg", ".tfvars", ".tfstate"];

/// Folders whose files often hold keys or tokens, and such files.
const OFTEN_PLACES: &[&str] =
    &["/.ssh/", "/.aws/", "/.gnupg/", "/.kube/", "/.docker/", "/.config/gh/", "/.git/config/"];

/// Whether the file at a path may hold secrets, ignoring case.
pub(crate) fn may_hold_secret(clients: Clients, path: &str) -> bool {
    let lower = path.trim_end_matches('/').to_ascii_lowercase();
    let name = lower.rsplit('/').next().unwrap_or_default();
    // With slashes at both ends, a folder is also found at the start and at the end of a path.
    let whole = format!("/{lower}/");
    // Some file systems find `.env` also as `.ENV`. Here a false match only costs a prompt.
    holds_secret(clients, path)
        || holds_secret(clients, &lower)
        || name.strip_prefix(".env.").is_some_and(|rest| !SAMPLES.contains(&rest))
        || OFTEN_NAMES.contains(&name)
        || OFTEN_ENDINGS.iter().any(|ending| name.ends_with(ending))
        || OFTEN_PLACES.iter().any(|place| whole.contains(place))
}

/// Whether the file at a path holds secrets.
#[must_use]
pub fn holds_secret(clients: Clients, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    // Public keys are made to be shared.
    if name.ends_with(".pub") || name == "known_hosts" {
        return false;
    }
    // Asked for every word of a line, and most are no paths.
    let is_in_secret_place = || {
        PLACES.iter().any(|place| path.ends_with(place))
            || is_of_client(clients, path)
            || is_in_key_folder(path)
            || is_copy(path)
            // The environment of a process has its tokens.
            || (path.starts_with("/proc/") && name == "environ")
    };
    is_env_file(name)
        || NAMES.contains(name)
        || ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
        || (path.contains('/') && is_in_secret_place())
        || (name.starts_with("service-account") && name.ends_with(".json"))
}

/// The keys and tokens of the clients themselves.
fn is_of_client(clients: Clients, path: &str) -> bool {
    let mut files = clients.iter().flat_map(|client| client.secret_files);
    files.any(|file| path.strip_suffix(file).is_some_and(|above| above.ends_with('/')))
}

/// `.env` and `.env.production`, not `.env.example`.
pub(crate) fn is_env_file(name: &str) -> bool {
    match name.strip_prefix(".env") {
        Some("") => true,
        Some(rest) => {
            rest.starts_with('.') && !SAMPLES.iter().chain(HARMLESS).any(|sample| rest.ends_with(sample))
        }
        None if name.ends_with(".env") => !name.starts_with("example"),
        // `app.env.production`
        None => name.split_once(".env.").is_some_and(|(_, stage)| {
            matches!(stage, "production" | "prod" | "staging" | "local" | "live" | "development" | "dev")
        }),
    }
}

fn is_in_key_folder(path: &str) -> bool {
    // These files of such a folder contain no keys.
    const PLAIN: &[&str] = &["config", "authorized_keys", "known_hosts"];
    let name = path.rsplit('/').next().unwrap_or_default();
    if ["/.ssh", "/.gnupg", "/.aws"].iter().any(|folder| path.trim_end_matches('/').ends_with(folder)) {
        return true;
    }
    let folders = ["/.ssh/", "/.gnupg/private-keys", "/.aws/sso/cache/", "/.aws/cli/cache/"];
    folders.iter().any(|folder| path.contains(folder)) && !PLAIN.contains(&name)
}

/// What `flyball undo` has of other files, of those with secrets, too. A state directory may have any name.
fn is_copy(path: &str) -> bool {
    const HASH_LETTERS: usize = 64;
    let path = path.trim_end_matches('/');
    let is_hash =
        |name: &str| name.len() == HASH_LETTERS && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_content = path.split_once("/snapshots/contents/").is_some_and(|(_, name)| is_hash(name));
    is_content || path.ends_with("/flyball/snapshots") || path.contains("/flyball/snapshots/")
}

#[cfg(test)]
mod tests {
    use flyball_clients::FACTS;

    use super::{holds_secret, may_hold_secret};

    #[test]
    fn some_files_hold_secrets_and_others_only_may() {
        let cases = [
            (".env", true, true),
            ("/project/.env.production", true, true),
            ("/project/.env.example", false, false),
            ("/project/.env.test", false, true),
            ("/project/.ENV", false, true),
            ("/home/dev/.ssh/id_ed25519", true, true),
            ("/home/dev/.ssh/id_ed25519.pub", false, true),
            ("/home/dev/.ssh/config", false, true),
            ("/home/dev/.ssh", true, true),
            ("/home/dev/.aws/credentials", true, true),
            ("/home/dev/.codex/auth.json", true, true),
            ("/etc/shadow", true, true),
            ("/proc/self/environ", true, true),
            ("certs/server.pem", true, true),
            ("web.env.production", true, true),
            ("src/vite.env.ts", false, false),
            ("/home/dev/.aws/sso/cache/session.json", true, true),
            ("/home/dev/.config/containers/auth.json", true, true),
            ("infra/prod.tfvars", false, true),
            ("/project/.git/config", false, true),
            ("/project/.gitconfig", false, false),
            ("/home/dev/.local/state/flyball/snapshots", true, true),
            ("/home/dev/.local/state/flyball/snapshots/contents/*", true, true),
            ("/home/dev/.local/state/flyball/index.db", false, false),
            (
                "/srv/state/snapshots/contents/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                true,
                true,
            ),
            ("/project/tests/snapshots/contents/page.snap", false, false),
            ("src/secrets.rs", false, false),
            ("src/main.rs", false, false),
        ];
        for (path, holds, may) in cases {
            assert_eq!((holds_secret(FACTS, path), may_hold_secret(FACTS, path)), (holds, may), "{path}");
        }
    }
}
