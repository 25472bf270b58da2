//! The environment variable with the key of a server.

use flyball_core::workshop::Workshop;

use super::address::host;

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
        let Some(key) = workshop.variable(variable) else { return Ok(None) };
        // Variables that are read from files often end with a newline.
        let key = key.trim().to_owned();
        if is_key(&key) { Ok(Some(key)) } else { Err(format!("`{variable}` does not contain a valid key")) }
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
