//! The users of this machine, by its user database. Without a line there, a user has no home.

use std::path::PathBuf;

use flyball_core::world::Wearer;

/// Where the database is. What a directory service knows besides is not asked.
const DATABASE: &str = "/etc/passwd";

/// The home of the user that this process runs for, if it exists.
#[must_use]
pub fn own_home() -> Option<PathBuf> {
    let number = flyball_system::real_user()?.to_string();
    // Users that only run services have a home that is not there.
    find(&database(), |user| user.number == number).filter(|home| home.is_dir())
}

/// Whose the commands in a seatbelt are: they are those of whoever runs this process.
#[must_use]
pub fn wearer() -> Wearer {
    if flyball_system::effective_user() == Some(0) { Wearer::Root } else { Wearer::User }
}

/// The folder for sockets of the user that this process runs for.
#[must_use]
pub fn runtime_folder() -> PathBuf {
    PathBuf::from(format!("/run/user/{}", flyball_system::real_user().unwrap_or_default()))
}

/// The home of a user, as `~name` means it.
pub(crate) fn home_of(name: &str) -> Option<PathBuf> {
    find(&database(), |user| user.name == name)
}

fn database() -> String {
    std::fs::read(DATABASE).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// One line: `name:password:number:group:about:home:shell`.
struct User<'a> {
    name: &'a str,
    number: &'a str,
    home: &'a str,
}

fn find(database: &str, is_wanted: impl Fn(&User<'_>) -> bool) -> Option<PathBuf> {
    let read = |line: &str| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        let user = User { name, number, home: fields.nth(2)? };
        is_wanted(&user).then(|| PathBuf::from(user.home))
    };
    // The first line counts.
    database.lines().find_map(read).filter(|home| home.is_absolute())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_are_read_from_the_database() {
        let database = "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann,,,:/srv/homes/ann:/bin/zsh\n\
                        odd:x:7:7::relative:/bin/sh\nshort:x\nann:x:9:9::/other:/bin/sh\n";
        let of = |name: &str| find(database, |user| user.name == name);
        let numbered = |number: &str| find(database, |user| user.number == number);
        assert_eq!(of("root"), Some(PathBuf::from("/root")));
        assert_eq!(of("ann"), Some(PathBuf::from("/srv/homes/ann")));
        assert_eq!(numbered("1000"), Some(PathBuf::from("/srv/homes/ann")));
        for name in ["odd", "short", "nobody-here", ""] {
            assert_eq!(of(name), None, "{name}");
        }
        assert_eq!(numbered("12345"), None);
    }
}
