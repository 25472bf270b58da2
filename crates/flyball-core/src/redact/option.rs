//! Options that take a secret, of programs where their letter or name does not say so.

/// How the secret is in the option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It is the value, glued to the option or not.
    Value,
    /// It is only what is glued to the option: `mysql -p name` names a database.
    Glued,
    /// It is behind the colon: `user:password`.
    AfterColon,
    /// It is behind the percent sign: `user%password`.
    AfterPercent,
    /// It is the value of each cookie in it, if there is any: without `=` it is a file.
    Cookies,
}

/// An option of some programs that takes a secret.
struct SecretOption {
    /// One of them has to be in the command before the option.
    programs: &'static str,
    /// A word that has to be there, too.
    verb: Option<&'static str>,
    option: &'static str,
    form: Form,
}

const fn option(programs: &'static str, option: &'static str, form: Form) -> SecretOption {
    SecretOption { programs, verb: None, option, form }
}

const OPTIONS: &[SecretOption] = &[
    option("curl", "-u", Form::AfterColon),
    option("curl", "--user", Form::AfterColon),
    option("curl", "-U", Form::AfterColon),
    option("curl", "--proxy-user", Form::AfterColon),
    option("curl", "-E", Form::AfterColon),
    option("curl", "--cert", Form::AfterColon),
    option("curl", "-b", Form::Cookies),
    option("curl", "--cookie", Form::Cookies),
    option("http https xh", "-a", Form::AfterColon),
    option("http https xh", "--auth", Form::AfterColon),
    option("sshpass", "-p", Form::Value),
    SecretOption { verb: Some("login"), ..option("docker podman buildah nerdctl skopeo", "-p", Form::Value) },
    SecretOption { verb: Some("login"), ..option("az oc", "-p", Form::Value) },
    SecretOption { verb: Some("upload"), ..option("twine", "-p", Form::Value) },
    option("mysql mysqldump mysqladmin mysqlimport mysqlshow mariadb mariadb-dump", "-p", Form::Glued),
    option("mongo mongosh mongodump mongorestore mongoexport mongoimport", "-p", Form::Value),
    option("psexec impacket-psexec", "-p", Form::Value),
    option("7z 7za 7zz rar unrar", "-p", Form::Glued),
    option("redis-cli", "-a", Form::Value),
    option("openssl", "-k", Form::Value),
    option("openssl", "-K", Form::Value),
    option("ssh-keygen", "-N", Form::Value),
    option("ssh-keygen", "-P", Form::Value),
    option("zip unzip zipcloak sqlcmd bcp isql", "-P", Form::Value),
    option("ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd", "-w", Form::Value),
    option("smbclient rpcclient net", "-U", Form::AfterPercent),
    option("cadaver lftp ncftp", "-u", Form::AfterColon),
    option("ipmitool", "-P", Form::Value),
    option("snmpwalk snmpget", "-A", Form::Value),
    option("snmpwalk snmpget", "-X", Form::Value),
];

/// Whether such an option could be in the table, to look no further for all the others.
pub(super) const fn may_be_secret(letter: u8) -> bool {
    // INVARIANT: the letters of `OPTIONS` after one dash.
    matches!(letter, b'u' | b'U' | b'E' | b'b' | b'a' | b'p' | b'k' | b'K' | b'N' | b'P' | b'w' | b'A' | b'X')
}

/// How an option of the command that begins with these words takes a secret. `glued` is the option with all that is
/// glued to it.
pub(super) fn form(command: &[u8], glued: &[u8]) -> Option<Found> {
    let candidates = OPTIONS.iter().filter(|row| {
        let is_long = row.option.starts_with("--");
        if is_long { glued == row.option.as_bytes() } else { glued.starts_with(row.option.as_bytes()) }
    });
    let row = candidates.into_iter().find(|row| {
        let runs = |name: &str| words(command).any(|word| word == name.as_bytes());
        row.programs.split(' ').any(runs) && row.verb.is_none_or(runs)
    })?;
    Some(Found { form: row.form, length: row.option.len() })
}

/// An option that takes a secret.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) form: Form,
    /// How long the option is without what is glued to it.
    pub(super) length: usize,
}

/// The words of a command, each without the folders before it.
fn words(command: &[u8]) -> impl Iterator<Item = &[u8]> {
    command.split(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_found_by_its_letter() {
        for row in OPTIONS {
            let letter = row.option.as_bytes()[1];
            assert!(letter == b'-' || may_be_secret(letter), "{}", row.option);
        }
    }
}
