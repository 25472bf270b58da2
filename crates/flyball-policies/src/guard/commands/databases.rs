//! Rules about databases: literal SQL that deletes data, and the resets of frameworks.

use flyball_effects::{Command, FileAct, Redirect, RedirectKind};

use super::context::{Call, Context};
use super::disposable::{is_test_database, is_test_name, uses_test_environment};
use super::finding::Finding;
use super::listed::Listed;
use super::rule::{Check, rules};

rules! {
    "drop-data" Standard Ask "`DROP`, `TRUNCATE` and `DELETE` without `WHERE` given to a database, `dropdb`, `FLUSHALL`"
        => Check::Any(&[Check::Listed(Listed::new(
            "would delete data",
            WHY,
            "Make a copy, and let the user decide",
        ).unless(names_test_database)), Check::Programs(
            &[
                "psql", "mysql", "mariadb", "sqlite3", "sqlite", "redis-cli", "valkey-cli", "mongo",
                "mongosh", "clickhouse-client", "clickhouse", "duckdb", "cockroach", "sqlcmd", "bq", "cqlsh", "trino",
                "presto", "snowsql", "usql", "pgcli", "mycli", "litecli", "mysqlsh", "isql", "db2", "hive", "beeline",
                "spark-sql", "influx", "turso", "psql.exe", "sqlplus", "oracle", "mssql-cli", "keydb-cli",
            ],
            drop_data,
        )]);
    "reset-database" Standard Ask "`rails db:drop`, `prisma migrate reset`, `artisan migrate:fresh`, `manage.py flush` and similar"
        => Check::Programs(
            &[
                "rails", "rake", "bundle", "bin/rails", "prisma", "npx", "pnpm", "yarn", "bunx", "npm", "php", "artisan",
                "python", "python3", "uv", "poetry", "manage.py", "supabase", "mix", "sequelize", "sequelize-cli", "typeorm",
                "flyway", "alembic", "diesel", "sqlx", "sea-orm-cli", "dotnet", "doctrine", "liquibase",
            ],
            reset_database,
        );
}

const WHY: &str = "There may be no other copy";

fn names_test_database(call: &Call<'_>) -> bool {
    call.words().iter().any(|word| is_test_name(word))
}

fn drop_data(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    let found = match call.program {
        "redis-cli" | "valkey-cli" | "keydb-cli" => redis_deletion(context, call),
        "mongo" | "mongosh" => texts(context, call)
            .find(|text| {
                text.contains("dropDatabase") || text.contains(".drop(") || text.contains("deleteMany({})")
            })
            .map(|_| "a drop in its code".to_owned()),
        "bq" if call.has(&["--dry_run"]) => None,
        _ => texts(context, call)
            .find_map(destructive_sql)
            .or_else(|| file_texts(context, call).iter().find_map(|text| destructive_sql(text))),
    };
    let found = found?;
    // Last, because it may look up a path on disk.
    if is_test_database(context, call) {
        return None;
    }
    let what = format!("`{}` would delete data: {found}", call.program);
    Finding::new(what, WHY, "Check it with a `SELECT`, make a copy, and let the user decide")
}

/// The command of `redis-cli` that empties a database: `FLUSHALL`, also from its input, and `DEL` of whatever
/// another call lists.
fn redis_deletion(context: &Context<'_>, call: &Call<'_>) -> Option<String> {
    let is_flush = |word: &str| {
        let word = word.trim().to_ascii_uppercase();
        word.starts_with("FLUSHALL") || word.starts_with("FLUSHDB") || word.starts_with("SHUTDOWN")
    };
    let verb = redis_command(call);
    if let Some(verb) = verb.filter(|verb| is_flush(verb)) {
        return Some(verb.to_owned());
    }
    let is_filled = call.command.wrappers.iter().any(|wrapper| wrapper.starts_with("xargs"));
    let deletes = verb.is_some_and(|verb| ["DEL", "UNLINK"].iter().any(|it| verb.eq_ignore_ascii_case(it)));
    if is_filled && deletes {
        return verb.map(str::to_owned);
    }
    // Without a command, it runs each line of its input.
    let mut given = texts(context, call).flat_map(|text| text.split(['\n', ';'])).filter(|_| verb.is_none());
    given.find(|line| is_flush(line)).map(|line| line.trim().to_owned()).or_else(|| {
        let escaped = texts(context, call).flat_map(|text| text.split("\\n")).filter(|_| verb.is_none());
        escaped.into_iter().find(|line| is_flush(line)).map(|line| line.trim().to_owned())
    })
}

/// The command that `redis-cli` sends: its first word that is neither an option nor the value of one.
fn redis_command<'a>(call: &Call<'a>) -> Option<&'a str> {
    const VALUED: &[&str] = &["-h", "-p", "-s", "-a", "-u", "-n", "-r", "-i", "--user", "--pass", "-t"];
    let mut texts = call.texts();
    while let Some(text) = texts.next() {
        if VALUED.contains(&text) {
            texts.next();
        } else if !text.starts_with('-') {
            return Some(text);
        }
    }
    None
}

/// The text of the files that a client runs: `psql -f x.sql`, `mysql < x.sql`.
fn file_texts(context: &Context<'_>, call: &Call<'_>) -> Vec<String> {
    let mut readers = context.upstream(call.index);
    readers.push(call.index);
    let files = context.effects().files.iter().filter(|effect| {
        let is_read = matches!(effect.act, FileAct::Read | FileAct::Run | FileAct::Anything);
        let named = effect.target.word.text.as_deref().unwrap_or_default();
        is_read && named.ends_with(".sql") && readers.contains(&effect.command)
    });
    let places = files.flat_map(|effect| context.locate_target(&effect.target).paths().to_vec());
    places.filter_map(|path| context.text_of(&path)).collect()
}

/// What a database client is given: its arguments, and the text on its input or down its pipe.
fn texts<'a>(context: &Context<'a>, call: &Call<'a>) -> impl Iterator<Item = &'a str> {
    let is_text =
        |redirect: &&Redirect| matches!(redirect.kind, RedirectKind::HereDoc | RedirectKind::HereString);
    let written = move |command: &'a Command| {
        command.redirects.iter().filter(is_text).filter_map(|it| it.target.text.as_deref())
    };
    // What other programs print is not on the line.
    let writers = context.upstream(call.index).into_iter().filter_map(|index| context.command(index));
    let printed = writers.filter(|it| matches!(it.program_name(), Some("echo" | "printf" | "cat"))).flat_map(
        move |command| {
            command.arguments.iter().filter_map(|word| word.text.as_deref()).chain(written(command))
        },
    );
    let piped: Vec<&str> = printed.collect();
    call.texts().chain(written(call.command)).chain(piped)
}

/// The first statement of a text that deletes a table, a database or all rows.
fn destructive_sql(text: &str) -> Option<String> {
    let statements = text.split(';').map(without_comments);
    statements.into_iter().find_map(|statement| {
        let within = || named_queries(&statement).into_iter().find_map(destructive_statement);
        destructive_statement(&statement).or_else(within)
    })
}

/// The statements in the parentheses of `WITH x AS (…)`, which run too, and the one behind them.
fn named_queries(statement: &str) -> Vec<&str> {
    let first = statement
        .split_ascii_whitespace()
        .find(|word| !word.eq_ignore_ascii_case("explain") && !word.eq_ignore_ascii_case("analyze"));
    if !first.is_some_and(|word| word.eq_ignore_ascii_case("with")) {
        return Vec::new();
    }
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for (at, letter) in statement.char_indices() {
        match letter {
            '(' => open.push(at + 1),
            ')' => {
                found.extend(open.pop().and_then(|start| statement.get(start..at)));
                found.extend(statement.get(at + 1..).filter(|_| open.is_empty()));
            }
            _ => {}
        }
    }
    found
}

fn destructive_statement(statement: &str) -> Option<String> {
    let tokens: Vec<String> = statement.split_ascii_whitespace().map(str::to_ascii_uppercase).collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    // Only the beginning of a statement counts: in a string, these words delete nothing.
    let is_destructive = match tokens.as_slice() {
        ["DROP", "DATABASE", "IF", "EXISTS", name, ..] | ["DROP", "DATABASE", name, ..]
            if is_test_name(name) =>
        {
            false
        }
        [
            "DROP",
            "DATABASE" | "SCHEMA" | "TABLE" | "KEYSPACE" | "OWNED" | "BUCKET" | "MEASUREMENT" | "TABLESPACE"
            | "COLLECTION",
            ..,
        ]
        | ["TRUNCATE", ..] => true,
        ["DELETE", "FROM", rest @ ..] => !rest.is_empty() && !rest.contains(&"WHERE"),
        ["UPDATE", _, "SET", rest @ ..] => !rest.is_empty() && !rest.contains(&"WHERE"),
        ["ALTER", "TABLE", rest @ ..] => rest.windows(2).any(|pair| pair == ["DROP", "COLUMN"]),
        ["COPY", rest @ ..] => {
            rest.windows(2).any(|pair| pair == ["TO", "PROGRAM"] || pair == ["FROM", "PROGRAM"])
        }
        _ => false,
    };
    is_destructive.then(|| tokens.iter().take(4).copied().collect::<Vec<_>>().join(" "))
}

fn without_comments(statement: &str) -> String {
    let lines = statement.lines().map(|line| line.split("--").next().unwrap_or(line));
    let mut text = lines.collect::<Vec<_>>().join(" ");
    while let Some((before, rest)) = text.split_once("/*") {
        let behind = rest.split_once("*/").map_or("", |(_, behind)| behind);
        text = format!("{before} {behind}");
    }
    text
}

fn reset_database(context: &Context<'_>, call: &Call<'_>) -> Option<Finding> {
    // The tool may be started by another program (`npx prisma`, `uv run manage.py`): all words are searched.
    let words: Vec<&str> = std::iter::once(call.program).chain(call.words()).collect();
    let has = |name: &str| words.iter().any(|word| word.rsplit('/').next() == Some(name));
    let pair = |first: &str, second: &str| words.windows(2).any(|it| it == [first, second]);
    let applies = (words.iter().any(|word| is_rails_reset(word)) && (has("rails") || has("rake")))
        || (has("prisma")
            && (pair("migrate", "reset") || (pair("db", "push") && call.has(&["--force-reset"]))))
        || (has("artisan") && words.iter().any(|word| is_artisan_reset(word)))
        || (has("manage.py") && words.iter().any(|word| matches!(*word, "flush" | "reset_db")))
        || (has("supabase") && pair("db", "reset"))
        || words.iter().any(|word| matches!(*word, "ecto.drop" | "ecto.reset" | "db:drop" | "schema:drop"))
        || (has("typeorm") && has("schema:drop"))
        || (has("flyway") && has("clean"))
        || (has("alembic") && pair("downgrade", "base"))
        || (has("diesel") && pair("database", "reset"))
        || (has("sqlx") && (pair("database", "drop") || pair("database", "reset")))
        || (has("liquibase") && (has("drop-all") || has("dropAll")))
        || (pair("database", "drop") && has("ef"));
    // The variable may be set for the program that starts this one: `NODE_ENV=test npx …`. Last, because it looks at
    // all commands of the line.
    if !applies || call.is_dry_run() || context.calls().any(|call| uses_test_environment(&call)) {
        return None;
    }
    Finding::new(
        format!("`{}` would empty the database", call.display_text()),
        WHY,
        "Apply the missing migrations instead, or let the user decide",
    )
}

fn is_rails_reset(word: &str) -> bool {
    // Rake takes arguments in brackets, and with several databases there is a task for each:
    // `db:drop:primary`.
    let task = word.split('[').next().unwrap_or(word);
    task.starts_with("db:drop")
        || task.starts_with("db:reset")
        || task == "db:migrate:reset"
        || task == "db:purge"
}

fn is_artisan_reset(word: &str) -> bool {
    matches!(word, "migrate:fresh" | "migrate:reset" | "migrate:refresh" | "db:wipe")
}
