//! The well-known kinds of tool servers: by which words they are recognised, and which program does the same.

use crate::text::Words;

/// How the fields of a server become the words of its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Its commands are those of the program: `kubectl`, `terraform`.
    Program,
    Git,
    /// A host of repositories.
    Host,
    Docker,
    Cluster,
    /// SQL behind these words.
    Sql(&'static [&'static str]),
    Mongo,
    Redis,
    /// A manager of packages: `install` and names.
    Packages,
    /// A terminal: what is typed into it is a command line.
    Terminal,
}

#[derive(Debug)]
pub(super) struct Kind {
    /// Words of the name of the server or of its tool.
    names: Words,
    pub(super) program: &'static str,
    pub(super) style: Style,
    /// First words of what it is given that are commands of the program and not programs themselves.
    pub(super) commands: Words,
}

const fn kind(names: &'static str, program: &'static str, style: Style, commands: &'static str) -> Kind {
    Kind { names: Words(names), program, style, commands: Words(commands) }
}

const GIT: &str = "add|apply|am|bisect|blame|branch|checkout|cherry-pick|clean|clone|commit|config|describe|diff|fetch|\
                   filter-branch|gc|grep|init|log|ls-files|merge|mv|notes|prune|pull|push|rebase|reflog|remote|reset|\
                   restore|rev-parse|revert|rm|show|stash|status|submodule|switch|tag|update-index|update-ref|worktree";
const DOCKER: &str = "attach|build|builder|buildx|commit|compose|container|cp|create|diff|events|exec|export|history|\
                      image|images|import|info|inspect|kill|load|login|logs|network|pause|port|ps|pull|push|rename|\
                      restart|rm|rmi|run|save|search|start|stats|stop|swarm|system|tag|top|update|version|volume|wait";
const KUBECTL: &str = "annotate|api-resources|apply|attach|auth|autoscale|cluster-info|config|cordon|cp|create|delete|\
                       describe|diff|drain|edit|exec|explain|expose|get|label|logs|patch|port-forward|proxy|replace|\
                       rollout|run|scale|set|taint|top|uncordon|version|wait";

/// The first that fits counts, the words of the tool before those of the server.
const KINDS: &[Kind] = &[
    kind(
        "github|gitlab|gitea|bitbucket|forgejo",
        "gh",
        Style::Host,
        "api|auth|gist|issue|pr|release|repo|run|secret|workflow",
    ),
    kind("git", "git", Style::Git, GIT),
    kind(
        "postgres|postgresql|pg|psql|supabase|neon|timescale|redshift|alloydb|dbhub",
        "psql",
        Style::Sql(&["-c"]),
        "",
    ),
    kind("mysql|mariadb|planetscale|tidb", "mysql", Style::Sql(&["-e"]), ""),
    kind("sqlite|sqlite3|turso|libsql|d1", "sqlite3", Style::Sql(&["app"]), ""),
    kind("duckdb|motherduck", "duckdb", Style::Sql(&["-c"]), ""),
    kind("clickhouse", "clickhouse-client", Style::Sql(&["-q"]), ""),
    kind("mssql|sqlserver|azuresql", "sqlcmd", Style::Sql(&["-Q"]), ""),
    kind("cockroach|cockroachdb", "cockroach", Style::Sql(&["sql", "-e"]), ""),
    kind("mongo|mongodb|atlas|documentdb|mongosh", "mongosh", Style::Mongo, ""),
    kind("redis|valkey|upstash|dragonfly|keydb", "redis-cli", Style::Redis, ""),
    kind("kubernetes|k8s|kubectl|eks|gke|aks|openshift", "kubectl", Style::Cluster, KUBECTL),
    kind(
        "helm",
        "helm",
        Style::Program,
        "delete|get|install|list|repo|rollback|search|status|uninstall|upgrade",
    ),
    kind("docker|podman|compose|containers", "docker", Style::Docker, DOCKER),
    kind(
        "terraform|tofu|opentofu|terragrunt",
        "terraform",
        Style::Program,
        "apply|destroy|fmt|get|graph|import|init|output|plan|providers|refresh|show|state|taint|untaint|validate|workspace",
    ),
    kind(
        "pulumi",
        "pulumi",
        Style::Program,
        "cancel|config|destroy|import|logs|new|preview|refresh|stack|state|up",
    ),
    kind(
        "aws",
        "aws",
        Style::Program,
        "s3|s3api|ec2|ecs|eks|iam|lambda|rds|dynamodb|cloudformation|logs|sns|sqs|sts",
    ),
    kind(
        "gcloud|gcp",
        "gcloud",
        Style::Program,
        "app|auth|builds|compute|config|container|functions|projects|run|sql|storage",
    ),
    kind(
        "azure|az",
        "az",
        Style::Program,
        "acr|aks|appservice|group|keyvault|network|resource|sql|storage|vm|webapp",
    ),
    kind("npm|pnpm|yarn|bun|pip|poetry|pipenv|conda|uv|cargo|gem|brew", "", Style::Packages, ""),
    kind(
        "database|databases|db|sql|snowflake|bigquery|oracle|databricks|trino|jdbc|odbc|dbt",
        "psql",
        Style::Sql(&["-c"]),
        "",
    ),
    kind(
        "terminal|tmux|iterm|iterm2|pty|tty|console|ssh|screen|wezterm|kitty|shell|zellij",
        "",
        Style::Terminal,
        "",
    ),
];

/// The kind of a server, by the words of its tool and of its own name, and the word that says so.
pub(super) fn find<'w>(tool: &'w [String], server: &'w [String]) -> Option<(&'static Kind, &'w str)> {
    let by = |words: &'w [String]| {
        KINDS.iter().find_map(|kind| {
            let word = words.iter().find(|word| kind.names.contains(word))?;
            Some((kind, word.as_str()))
        })
    };
    // `run_sql` of a server called `supabase` is the server's.
    by(server).or_else(|| by(tool))
}
