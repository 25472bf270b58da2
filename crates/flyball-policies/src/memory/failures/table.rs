//! What failures look like, as data: who prints which words, and what they mean.

use flyball_core::text::Words;

/// What is wrong, in a way that the next agent should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    NotFound,
    Usage,
    Missing,
    Permission,
    Syntax,
    Environment,
    Connection,
    Git,
    Login,
    LockFile,
    Push,
    Setup,
    Version,
    Variable,
    Port,
}

impl Mistake {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Mistake::NotFound => "command not found",
            Mistake::Usage => "called wrongly",
            Mistake::Missing => "a file or folder that is not there",
            Mistake::Permission => "not permitted",
            Mistake::Syntax => "an expression that cannot be read",
            Mistake::Environment => "something is not installed",
            Mistake::Connection => "a service does not answer",
            Mistake::Git => "refused by git",
            Mistake::Login => "a login is missing",
            Mistake::LockFile => "a lock file is out of date",
            Mistake::Push => "a push was rejected",
            Mistake::Setup => "a step that has to come first",
            Mistake::Version => "the wrong version of a tool",
            Mistake::Variable => "an environment variable is missing",
            Mistake::Port => "a port is in use",
        }
    }
}

/// Whose line it is, and so when it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The shell that reads the command line.
    Shell,
    /// A program of the command line: the line begins with its name.
    Program,
    /// Any program, if the line starts with `error:` or `fatal:`.
    Error,
    /// Any parser of arguments: the line names a word of the command line.
    Echo,
    /// Anyone, as long as no tests, builds or scripts of the project run.
    Anyone,
    /// Anyone, as long as no tests or linters run: a server of the project also needs its database.
    Running,
    /// The same; and where tests or linters run, as long as nothing shows that one has a result.
    Unstarted,
    /// Anyone: no test of a project prints that.
    Distinct,
}

/// Lines of one kind.
pub(super) struct Row {
    pub(super) source: Source,
    pub(super) what: Mistake,
    /// One of these is on the command line; any program if empty.
    pub(super) programs: Words,
    /// Phrases in small letters; a `&` joins the parts of one phrase, and `^` stands for the start of the line.
    pub(super) phrases: Words,
}

const fn any(source: Source, what: Mistake, phrases: &'static str) -> Row {
    Row { source, what, programs: Words(""), phrases: Words(phrases) }
}

const fn of(source: Source, what: Mistake, programs: &'static str, phrases: &'static str) -> Row {
    Row { source, what, programs: Words(programs), phrases: Words(phrases) }
}

use Mistake::{
    Connection, Environment, Git, LockFile, Login, Missing, NotFound, Permission, Port, Push, Setup, Syntax,
    Usage, Variable, Version,
};
use Source::{Anyone, Distinct, Echo, Error, Program, Running, Shell, Unstarted};

/// The first row that fits a line counts.
pub(super) const TABLE: &[Row] = &[
    // What the shell says.
    any(Shell, NotFound, "command not found|: not found|unknown command"),
    any(Shell, Permission, "permission denied"),
    any(Shell, Missing, "no such file or directory|not a directory|is a directory"),
    any(Shell, Variable, "unbound variable|parameter not set|parameter null or not set"),
    any(
        Shell,
        Syntax,
        "syntax error|unexpected eof|parse error|unterminated quoted string|bad substitution|\
         not a valid identifier|no matches found|no matches for wildcard|ambiguous redirect|\
         variables cannot be bracketed|missing end to balance",
    ),
    any(Shell, Usage, "invalid option"),
    // Programs that are not there, by those who were to start them.
    any(
        Distinct,
        NotFound,
        "failed to spawn: `|could not determine executable to run|err_pnpm_recursive_exec_first_fail|\
         ^command not found:|bundler: command not found|rbenv: &command not found|\
         pyenv: &command not found|could not be found within path|is not found in your path|\
         is not recognized as a name of a cmdlet|is not recognized as the name of a cmdlet|\
         is not recognized as an internal or external command|^command '&' not found, |\
         ^env: &: no such file or directory|/env: &: no such file or directory|\
         failed to run command &: no such file or directory|^volta error: could not find executable|\
         ^sudo: &: command not found|no such tool \"",
    ),
    any(
        Unstarted,
        NotFound,
        "executable file not found in $path|spawn &enoent|^npm error syscall spawn|^npm err! syscall spawn|\
         unable to spawn process: ",
    ),
    of(Program, NotFound, "make|gmake|xargs|nice|time", "no such file or directory"),
    of(
        Distinct,
        Usage,
        "yarn|pnpm|bun|deno|npm|npx|bunx|composer|rake|gradle|gradlew|mvn|mvnw|just|task|ninja|bazel|mix|lein|sbt|\
         invoke|inv|nox|tox|hatch|turbo|nx|cmake|rails|php|dart|flutter|dotnet|brew|thor|lerna|meson|\
         pdm|rye|poetry|uv|cargo|go|mise|ant|xcodebuild",
        "missing script|^error command \"&\" not found|couldn't find a script named|script not found|\
         task not found|no such task|don't know how to build task|^task '&' not found in|\
         unknown lifecycle phase|does not contain recipe|task \"&\" does not exist|unknown target|\
         ninja: error: unknown target|no such target|the task \"&\" could not be found|is not a task|\
         not a valid command:|no idea what '|sessions not found|could not find task|could not find command|\
         could not find a command named|the specified command or file was not found|\
         unknown environment|unknown cli config|error msb1001: unknown switch|err_pnpm_no_script|\
         no task named|target &does not exist in the project",
    ),
    // Wrong arguments.
    any(
        Program,
        Usage,
        "unrecognized option|unrecognised option|unrecognized flag|unrecognized command-line option|invalid option|\
         illegal option|unknown option|unknown command|unknown subcommand|unknown flag|unknown predicate|\
         unknown primary|unknown shorthand flag|unrecognized arguments|\
         the following arguments are required|requires an argument|doesn't allow an argument|\
         is ambiguous|expected one argument|expected at least one argument|invalid choice|missing operand|\
         missing file operand|missing destination file operand|extra operand|no input files|\
         is not a git command|is not a docker command|no rule to make target|no makefile found|\
         -r not specified|bad option|unknown verb|unrecognized cli parameter|unknown operand|\
         too many arguments|usage error",
    ),
    any(
        Error,
        Usage,
        "unexpected argument|unrecognized subcommand|unrecognized arguments|no such command|no such option|\
         no such subcommand|unknown option|unknown command|unknown switch|unknown flag|unknown shorthand flag|\
         unknown argument|found argument '|the following required arguments|a value is required for|\
         equal sign is needed|invalid value '&for '--|invalid value for '|invalid argument &for \"|\
         the argument '&cannot be used with|missing script|missing argument '|missing option '|\
         missing required argument|missing expected argument|required option '|required flag(s)|\
         option '&argument missing|option '&requires an argument|flag needs an argument|\
         got unexpected extra argument|too many arguments. expected|accepts &arg(s), received|\
         requires at least &arg(s)|no test target named|no bin target named|\
         package id specification&did not match|does not contain this feature|invalid flag|\
         failed to parse command-line flags|no value for required variable",
    ),
    any(
        Echo,
        Usage,
        "unrecognized option|unrecognised option|unrecognized flag|unrecognized command-line option|unrecognized argument|\
         unrecognized command or argument|unrecognized cli parameter|unrecognized subcommand|\
         invalid option|illegal option|unknown option|unknown argument|unknown flag|unknown shorthand flag|\
         unknown switch|unknown command|unknown subcommand|unknown parameter|unknown compiler option|\
         unknown task|bad option|bad flag|unexpected argument|unexpected option|unexpected extra argument|\
         unmatched argument|unsupported option|nonexistent flag|nonexistent option|no such option|\
         no such command|no such subcommand|no such flag|flag provided but not defined|\
         ambiguous option|invalid choice|invalid flag|invalid subcommand|invalid operation|\
         invalid value for option|a parameter cannot be found that matches parameter name|\
         missing required option|missing required argument|missing required parameter|\
         option \"&does not exist|option '&does not exist|\" option does not exist|' option does not exist|command \"&\" is not defined|\
         is misspelled or not recognized by the system|unable to parse command line options|\
         couldn't find command|command &not found; did you mean|^command &not found|\
         was passed main parameter|no such module|could not open input file",
    ),
    any(
        Anyone,
        Usage,
        "^missing required argument|^missing required option|^missing required parameter|\
         ^missing required subcommand|^not enough non-option arguments|^not enough arguments (missing|\
         ^required argument missing for|^too many arguments, expected",
    ),
    // Services.
    any(
        Unstarted,
        Connection,
        "connection refused|econnrefused|connectionrefusederror|connection actively refused|\
         the connection to the server &was refused|failed to connect to localhost|\
         failed to connect to 127.0.0.1|failed to connect to ::1|failed to connect to 0.0.0.0|\
         can't connect to local mysql server|can't connect to mysql server|\
         can't connect to local server through socket|\
         connection to server on socket &failed|is the server running on|is the server running locally|\
         could not connect to redis|couldn't connect to server 127.0.0.1|couldn't connect to server localhost|\
         mongoserverselectionerror|mongonetworkerror|can't reach database server|^localhost:& - no response|\
         ^127.0.0.1:& - no response",
    ),
    any(
        Distinct,
        Connection,
        "cannot connect to the docker daemon|docker daemon is not running|docker.sock: connect: no such file|\
         failed to connect to the docker api|docker desktop is not running|cannot connect to podman|\
         error during connect: &docker",
    ),
    any(
        Running,
        Port,
        "eaddrinuse|address already in use|port is already allocated|port is already in use|\
         ports are not available|something is already running on port|port &is in use|\
         port &is already in use|port &was already in use|port &already in use|\
         only one usage of each socket address",
    ),
    // Logins.
    any(
        Distinct,
        Login,
        "gh auth login|glab auth login|set the gh_token environment variable|\
         not logged into any github hosts|run \"aws configure\"|aws sso login|\
         unable to locate credentials|the sso session associated with this profile has expired|\
         error loading sso token|the security token included in the request is|gcloud auth login|\
         gcloud auth application-default login|could not find default credentials|\
         your default credentials were not found|do not currently have an active account selected|\
         az login|eneedauth|need auth &logged in|npm login|npm adduser|docker login|\
         run `cargo login`|run `vercel login`|wrangler login|firebase login|supabase login|flyctl auth login|\
         fly auth login|heroku login|netlify login|terraform login|pulumi login|huggingface-cli login|\
         hf auth login|doppler login|op signin|railway login|databricks auth login|oc login|\
         could not read username for 'https|could not read password for 'https|\
         ^fatal: authentication failed for|support for password authentication was removed|\
         you must be logged in to the server|asked for the client to provide credentials",
    ),
    of(
        Running,
        Login,
        "gh|glab|aws|gcloud|gsutil|az|npm|pnpm|yarn|bun|docker|podman|kubectl|helm|heroku|vercel|netlify|fly|flyctl|\
         wrangler|firebase|supabase|terraform|tofu|pulumi|vault|op|doppler|twine|cargo|git|gem|railway|eb|sam|cdk|\
         doctl|linode-cli|oc|sentry-cli|stripe|hub|skopeo|crane|poetry|uv|dotnet|nuget|pip",
        "not logged in|login required|please log in|please login|authentication required|\
         authentication is required|authentication failed|bad credentials|invalid credentials|\
         requires you to be logged in|no basic auth credentials|unauthorized: |401 unauthorized|\
         http 401|npm error code e401|expiredtoken|invalidclienttokenid|missing client token|\
         no access token|no existing credentials found|not authenticated|access token not provided|\
         you are not currently signed in|requested access to the resource is denied|\
         no token found|accessdenied: no credentials",
    ),
    of(Distinct, Login, "git", "permission to &denied to |the requested url returned error: 403"),
    // Files that say which versions are installed.
    any(
        Distinct,
        LockFile,
        "package-lock.json &in sync|npm-shrinkwrap.json are in sync|from lock file|\
         with an existing package-lock.json|err_pnpm_outdated_lockfile|err_pnpm_no_lockfile|\
         err_pnpm_lockfile_config_mismatch|err_pnpm_frozen_lockfile|\
         the lockfile would have been modified by this install|the lockfile would have been created by this install|\
         your lockfile needs to be updated|lockfile had changes, but lockfile is frozen|\
         lock file &needs to be updated but|lock file because --locked|lock file &because --locked was passed|\
         lock file &because --frozen was passed|needs to be updated, but `--locked`|\
         needs to be updated, but `--frozen`|unable to find lockfile|changed significantly since poetry.lock|\
         poetry.lock is not up to date|poetry.lock &not consistent with pyproject|\
         pipfile.lock (&out of date|lock file hash doesn't match|lock file is out of date|\
         lockfile is out of date|lockfile can't be updated because frozen mode|\
         lockfile does not satisfy dependencies|in deployment mode after changing|\
         gemfile.lock &frozen|missing go.sum entry|updates to go.mod needed|updates to go.sum needed|\
         inconsistent vendoring|is not present in the lock file|lock file is not up to date|\
         inconsistent dependency lock file|lock mismatch: the dependency is out of date|\
         not part of the dependency lock state|the sandbox is not in sync with the podfile.lock|\
         lockfile is not up-to-date|lockfile is not up to date|\
         lock file does not contain a compatible set of packages",
    ),
    // What is pushed.
    of(
        Distinct,
        Push,
        "git|gh|glab|hub|gt|jj",
        "[rejected]|[remote rejected]|gh006: |gh013: |pre-receive hook declined|protected branch hook declined|\
         not allowed to push code to|not allowed to force push|updates were rejected because|\
         repository rule violations",
    ),
    // What has to be done before.
    any(
        Distinct,
        Setup,
        "\"terraform init|\"tofu init|`terraform init|`tofu init|please run terraform init|terragrunt init|\
         initialization required|^error: module not installed|\
         required plugins are not installed|pendingmigrationerror|migrations are pending|\
         there are pending migrations|pending migrations for|unapplied migration|\
         target database is not up to date|migration have not yet been applied|migrations have not yet been applied|\
         detected resolved migration not applied|did not initialize yet. please run \"prisma generate\"|\
         node_modules missing|node_modules state file|doesn't seem to have been installed - running an install|\
         in locally installed gems|could not find &in any of the sources|run `bundle install`|\
         unchecked dependencies for environment|dependencies are not available, run|\
         run \"mix deps.get\"|run `mix deps.get`|vendor/autoload.php|run 'composer install'|\
         assets file '&project.assets.json' not found|run 'dart pub get'|run 'flutter pub get'|\
         playwright install|git submodule update --init|please run `corepack enable`|run `pod install`|\
         could not find browser revision|could not find chrome (ver|run \"npx playwright|run 'pnpm install'|\
         run `npm install`|`yarn install`|run \"terraform|no .pre-commit-config.yaml file was found|\
         eslint couldn't find an eslint.config|eslint couldn't find a configuration file|\
         tox: could not find python interpreter",
    ),
    of(Distinct, Missing, "docker|docker-compose|podman", "no configuration file provided: not found"),
    of(Distinct, Usage, "pwsh|powershell", "a parameter cannot be found that matches parameter name"),
    // Versions.
    any(
        Distinct,
        Version,
        "npm error code ebadengine|npm err! code ebadengine|npm error notsup|err_pnpm_unsupported_engine|\
         err_pnpm_bad_pm_version|is incompatible with this module. expected version|found incompatible module|\
         cannot be built because it requires rustc|is not supported by the following package|\
         requires rustc &or newer|toolchain '&' is not installed|requires a different python|\
         incompatible with the project's python requirement|no interpreter found for|\
         python version &is not allowed by the project|python version &is not supported by the project|\
         go.mod requires go >=|your ruby version is &but your gemfile specified|: version `&' is not installed|\
         ^no version is set for|no version is set for command|version \"&is not yet installed|\
         unsupportedclassversionerror|invalid target release|release version &not supported|\
         unsupported class file major version|a compatible .net sdk was not found|netsdk1045|\
         your php version (|detected issues in your platform|node.js version \"|requires node.js version|\
         requires a minimum node.js version|node.js version &is required|\
         unsupported terraform core version|is using swift tools version|\
         defines \"packagemanager\"|this project is configured to use|but has declared in its mix.exs file it supports only|\
         requires java &to run|requires at least java|incompatible with java|\
         dependency requires at least jvm runtime version",
    ),
    any(
        Running,
        Variable,
        "environment variable not found|missing required environment variable|\
         missing environment variable|invalid environment variables|environment variable &is not set|\
         environment variable &not set|environment variable &must be set|environment variable &is required|\
         environment variable &is missing|environment variable &is not defined|environment variable &not defined|\
         set the &environment variable|environment variables &are not set|environment variables &are required|\
         database_url &must be set|database_url is not set|secret_key setting must not be empty|\
         missing `secret_key_base`|required variable &is missing a value|variable &is not set and has no default",
    ),
    // Anything else that programs cannot do.
    any(Program, Missing, "can't open file"),
    any(Program, Environment, "no module named"),
    any(Program, Missing, "no such file or directory|cannot find or open|is a directory|not a directory"),
    any(Program, Permission, "permission denied|operation not permitted"),
    any(Program, Syntax, "unterminated|missing closing|missing }|unmatched|syntax error|compile error"),
    any(
        Error,
        Missing,
        "could not find `cargo.toml`|could not read package.json|file or directory not found|\
         err_pnpm_no_importer_manifest_found|no pyproject.toml found|couldn't find a package.json",
    ),
    any(
        Error,
        Git,
        "not a git repository|did not match any file|ambiguous argument|bad revision|invalid reference|\
         branch '&not found|a branch named&already exists|no configured push destination|\
         has no upstream branch|does not appear to be a git repository|src refspec|\
         refusing to merge unrelated histories|would be overwritten by",
    ),
    any(Error, Environment, "externally-managed-environment|no matching distribution found"),
    any(Anyone, Git, "not something we can merge|there is no tracking information for the current branch"),
    any(
        Anyone,
        Environment,
        "modulenotfounderror: no module named|error: cannot find module '|: cannot find package '|\
         cannot load such file -- |this is not the tsc command you are looking for",
    ),
    any(
        Distinct,
        Permission,
        "permission denied (publickey|permission denied while trying to connect to the docker",
    ),
    any(Anyone, Missing, "couldn't read `&no such file or directory|can't open perl script"),
];

/// How error lines of a shell begin.
pub(super) const SHELLS: Words =
    Words("bash:|zsh:|sh:|dash:|ash:|ksh:|fish:|tcsh:|xonsh:|nu:|pwsh:|(eval):|-bash:|-zsh:|-sh:|eval:");

/// How error lines of programs begin that do not print their name.
pub(super) const ERRORS: Words =
    Words("error:|fatal:|npm error|npm err!|err_pnpm|usage error:|unknown syntax error:|e: ");

/// What is wrong with the machine or the network and says nothing about the project.
pub(super) const INFRASTRUCTURE: Words = Words(
    "no space left on device|enospc|disk quota exceeded|not enough space on the disk|not enough free space|\
     database or disk is full|cannot allocate memory|out of memory|javascript heap out of memory|\
     too many open files|could not resolve host|temporary failure in name resolution|network is unreachable|\
     no route to host|rate limit exceeded|toomanyrequests",
);

/// What a client says to a call that it did not run because a person, a sandbox or a hook said no, or that was stopped.
pub(super) const REFUSALS: Words = Words(
    "user doesn't want to|doesn't want to proceed|was rejected|user rejected|rejected by|user denied|declined by|\
     user cancelled|user canceled|cancelled by|canceled by|was cancelled|was canceled|interrupted|aborted|\
     timed out|hook error|permission to use|has been denied|denied by|requires approval|requires permission|\
     requires confirmation|haven't granted|not been granted|not permitted by|plan mode|sandbox|approval policy",
);

/// What a client or a tool server says to a call that the model got wrong.
pub(super) const SLIPS: Words = Words(
    "inputvalidationerror|validation error|validation failed|invalid_type|invalid argument|invalid params|\
     invalid parameter|invalid input|invalid json|-32602|-32601|no such tool|unknown tool|tool not found|\
     no tool named|not a valid tool|is not available|required parameter|parameter is required|\
     missing required|is missing|is required|must be of type|must be a string|must be a number|\
     must be an array|must be an object|must be a boolean|must have required property|expected string|\
     expected number|expected array|expected object|expected boolean|unexpected parameter|unexpected argument|\
     unexpected keyword|unrecognized key|unrecognized_keys|additional properties|does not match schema|\
     has not been read|not been read yet|must read|read it first|read the file first|\
     modified since|changed since|string to replace|exactly the same|no changes to make|occurrence|\
     matches of the string|multiple matches|multiple times|oldstring|old_string|newstring|new_string|\
     not found in file|not found in the file|not found in content|failed to find|could not find the|\
     could not find string|verification failed|invalid patch|invalid hunk|invalid context|begin patch|\
     end patch|already exists|notebookedit|notebook|exceeds maximum|exceeds the maximum|\
     no such file|file not found|file does not exist|path does not exist|directory does not exist|\
     folder does not exist|enoent|is identical",
);

/// What shows in the output of tests or linters, in small letters, that at least one of them has a result.
pub(super) const RESULTS: Words = Words(
    "passed|failed|passing|failing|failures|test result|panicked|assert|expected|not ok |● |✓|✗|✕|✖|› |--- fail|\
     fail:|fail |examples,|tests run|ran 1 test|tests in |problems (|errors found|warnings found",
);

/// What an edit tool says when the file or its folder cannot be written, however the call is made.
pub(super) const UNWRITABLE: Words = Words(
    "eacces|eperm|erofs|ebusy|etxtbsy|enotdir|eisdir|enametoolong|eloop|permission denied|not permitted|\
     access is denied|read-only|readonly|is a directory|not a directory|text file busy|resource busy|is locked|\
     too many levels of symbolic links|name too long|immutable",
);
