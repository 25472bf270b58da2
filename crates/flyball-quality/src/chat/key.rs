//! The environment variable with the key of a server.

use flyball_core::workshop::Workshop;

use super::address::{host, is_localhost};
use crate::providers;

/// How variables begin that hold secrets of services without models.
const OTHER_SECRETS: &[&str] = &[
    "AWS_",
    "AZURE_CLIENT_",
    "BITBUCKET_",
    "CARGO_REGISTRY",
    "CI_JOB_TOKEN",
    "CLOUDFLARE_",
    "DATABASE_",
    "DB_",
    "DIGITALOCEAN_",
    "DOCKER_",
    "FLYBALL_",
    "GH_",
    "GITHUB_",
    "GITLAB_",
    "GOOGLE_APPLICATION_",
    "HEROKU_",
    "KUBE",
    "MYSQL_",
    "NETLIFY_",
    "NODE_AUTH_",
    "NPM_",
    "PG",
    "POSTGRES",
    "PYPI_",
    "SENTRY_",
    "SLACK_",
    "SSH_",
    "STRIPE_",
    "TWILIO_",
    "TWINE_",
    "UV_PUBLISH_",
    "VAULT_",
    "VERCEL_",
];

/// The variable with the key.
#[derive(Clone, Copy, Debug)]
pub struct KeyVariable<'a> {
    /// The one that the config names.
    pub configured: Option<&'a str>,
    /// The provider's usual one.
    pub usual: Option<&'static str>,
    /// The address that the config names instead of the provider's.
    pub url: Option<&'a str>,
    /// The provider's own address.
    pub home: &'static str,
}

impl KeyVariable<'_> {
    /// Why no request can be sent to the server.
    #[must_use]
    pub fn missing(&self, workshop: &dyn Workshop) -> Option<String> {
        // The user's own server may need none, unless the config names a variable.
        let required = self.configured.or_else(|| self.own())?;
        workshop.variable(required).is_none().then(|| format!("no key: `{required}` is not set"))
    }

    /// The key; `None` if the variable is not set. The provider's usual key goes to the provider only: another server
    /// gets the one that the config names for it.
    ///
    /// # Errors
    /// When the variable does not contain a valid key.
    pub fn read(&self, workshop: &dyn Workshop) -> Result<Option<String>, String> {
        let Some(variable) = self.configured.or_else(|| self.own()) else { return Ok(None) };
        if let Some(why) = self.belongs_elsewhere(variable) {
            return Err(why);
        }
        let Some(key) = workshop.variable(variable) else { return Ok(None) };
        // Variables that are read from files often end with a newline.
        let key = key.trim().to_owned();
        if is_key(&key) { Ok(Some(key)) } else { Err(format!("`{variable}` does not contain a valid key")) }
    }

    /// Why the value of a variable is not sent to the server: it is the key of another provider, or no key of a provider at
    /// all. What the user runs on this machine may pass it on.
    #[must_use]
    pub fn belongs_elsewhere(&self, variable: &str) -> Option<String> {
        let server = host(self.url.unwrap_or(self.home));
        let way_out = "put the key of this server into a variable of its own";
        if let Some(owner) = providers::ALL.iter().find(|provider| provider.key_variable == Some(variable)) {
            let is_owner = server == host(owner.home) || self.url.is_some_and(is_localhost);
            return (!is_owner).then(|| {
                format!("`{variable}` is a key of {}, and `{server}` is not: {way_out}", owner.name)
            });
        }
        let is_secret = OTHER_SECRETS.iter().any(|start| variable.starts_with(start));
        is_secret.then(|| format!("`{variable}` holds a secret of something else than `{server}`: {way_out}"))
    }

    /// The usual variable, if the request goes to the provider itself.
    fn own(&self) -> Option<&'static str> {
        self.usual.filter(|_| self.url.is_none_or(|url| host(url) == host(self.home)))
    }
}

/// Whether a text can be a key: one word that can be sent in a header.
#[must_use]
pub fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}
