//! Whether something exists only for tests, which recreate it for each run: by its name, by the
//! environment of the command, by its folder.

use super::context::{Call, Context};
use super::zone::Zone;

/// Variables that set the environment of a framework.
const ENVIRONMENTS: &[&str] =
    &["RAILS_ENV", "RACK_ENV", "NODE_ENV", "MIX_ENV", "APP_ENV", "DJANGO_SETTINGS_MODULE", "ENVIRONMENT"];

/// Options that set it.
const ENVIRONMENT_OPTIONS: &[&str] = &["--env", "--environment", "-e", "--settings"];

/// Whether `test` is a word of a name: `shop_test`, `test.db`, `docker-compose.test.yml`, not
/// `latest`.
pub(super) fn is_test_name(name: &str) -> bool {
    let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.any(|word| ["test", "tests", "testing"].iter().any(|test| word.eq_ignore_ascii_case(test)))
}

/// Whether a command runs in the environment of the tests.
pub(super) fn uses_test_environment(call: &Call<'_>) -> bool {
    let set = call.command.assignments.iter().map(|(name, word)| (name.as_str(), word.text.as_deref()));
    // `rake db:reset RAILS_ENV=test`
    let given = call.texts().filter_map(|text| text.split_once('=')).map(|(name, value)| (name, Some(value)));
    let is_test = |(name, value): (&str, Option<&str>)| {
        let value = value.unwrap_or_default();
        let is_environment = ENVIRONMENTS.contains(&name) || ENVIRONMENT_OPTIONS.contains(&name);
        (is_environment && is_test_name(value))
            || (name == "DATABASE_URL" && is_test_name(database_name(value)))
    };
    let mut values = call.values(ENVIRONMENT_OPTIONS).into_iter().filter_map(|word| word.text.as_deref());
    set.chain(given).any(is_test) || values.any(is_test_name)
}

/// Whether the database that a client opens is for tests, in memory or in a temporary folder.
pub(super) fn is_test_database(context: &Context<'_>, call: &Call<'_>) -> bool {
    let Some(named) = database(call) else { return false };
    // The others name a database on a server, these a file.
    if !matches!(call.program, "sqlite3" | "sqlite" | "duckdb") {
        return is_test_name(database_name(named));
    }
    let place = || {
        let word = call.command.arguments.iter().find(|word| word.is(named))?;
        context.path(word, &call.command.directory)
    };
    let name = named.rsplit('/').next().unwrap_or(named);
    let is_temporary = || {
        let path = place();
        path.is_some_and(|path| {
            !context.roots().is_in_project(&path) && context.roots().zone(&path) == Zone::Disposable
        })
    };
    named == ":memory:" || is_test_name(name) || is_temporary()
}

/// The database in an address, or the name itself.
fn database_name(named: &str) -> &str {
    let name = named.split('?').next().unwrap_or(named);
    name.rsplit('/').next().unwrap_or(name)
}

/// The database that a client uses: `-d name`, or the first operand.
fn database<'a>(call: &Call<'a>) -> Option<&'a str> {
    let (naming, valued): (&[&str], &[&str]) = match call.program {
        "psql" | "dropdb" => (
            &["-d", "--dbname"],
            &[
                "-c",
                "--command",
                "-f",
                "--file",
                "-h",
                "--host",
                "-p",
                "--port",
                "-U",
                "--username",
                "-v",
                "-P",
                "-o",
            ],
        ),
        "mysql" | "mariadb" => {
            (&["-D", "--database"], &["-e", "--execute", "-h", "--host", "-u", "--user", "-P"])
        }
        "sqlite3" | "sqlite" | "duckdb" => (&[], &["-cmd", "-c", "-init", "-separator"]),
        // The options of other clients are not known here, so no name is found and the rule applies.
        _ => return None,
    };
    let mut texts = call.texts();
    let mut first = None;
    while let Some(text) = texts.next() {
        let attached = text.split_once('=').filter(|(option, _)| naming.contains(option));
        if let Some((_, name)) = attached {
            return Some(name);
        } else if naming.contains(&text) {
            return texts.next();
        } else if valued.contains(&text) {
            texts.next();
        } else if !text.starts_with('-') {
            first = first.or(Some(text));
        }
    }
    first
}
