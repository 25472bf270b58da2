//! What rules and edits can be about, beyond the words that they share: a rule on dates is about an edit that calls
//! `new Date()`.
//!
//! A table of general knowledge about programs. It knows no project, and only its rows say which words belong together. A
//! phrase that is only in the held-out half of the labelled set has no place here unless anybody who programs knows it.

/// Something that rules are about.
pub(super) struct Topic {
    /// Words of rules: `|` between them. What is not one plain word is looked for as it is.
    pub(super) rule: &'static str,
    /// Words of changed lines: a plain word is also found as a part of a name; anything else is looked for as it is.
    pub(super) code: &'static str,
    /// Where files of the topic are: `.sql` an ending, `migrations/` a folder, `go.mod` a name, `cron` a word of the path.
    pub(super) files: &'static str,
    pub(super) width: Width,
}

/// How much a topic says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// Many rules of a project are about it.
    Broad,
    Usual,
    /// A rule that has it is about nothing else.
    Exact,
}

const fn topic(rule: &'static str, code: &'static str, files: &'static str) -> Topic {
    Topic { rule, code, files, width: Width::Usual }
}

const fn broad(rule: &'static str, code: &'static str, files: &'static str) -> Topic {
    Topic { rule, code, files, width: Width::Broad }
}

const fn exact(rule: &'static str, code: &'static str, files: &'static str) -> Topic {
    Topic { rule, code, files, width: Width::Exact }
}

/// Every topic; at most 256. The first is that of tests.
pub(super) const TOPICS: &[Topic] = &[
    // Kinds of files.
    broad(
        "test|pytest|fixture|mock|assert|snapshot|spec|coverage",
        "",
        "tests/|test/|__tests__/|spec/|integrationTest/|test_|_test.|.test.|.spec.|Test.java|Tests.java|IT.java|.snap|conftest.py",
    ),
    broad(
        "page|heading|sentence|writing|reader|frontmatter|title|prose|paragraph|docs|documentation",
        "",
        ".md|.mdx|.rst|.adoc",
    ),
    broad(
        "terraform|resource|module|provider|variable|output",
        "resource \"|module \"|variable \"",
        ".tf|.tfvars",
    ),
    broad("component|jsx|render|props", "", ".tsx|.jsx|.svelte|.vue|.astro"),
    broad("workflow|pipeline|action|job|runner|ci", "", "workflows/|.gitlab-ci.yml|Jenkinsfile|.circleci/"),
    broad(
        "migration|revision|backfill|downgrade|schema change|flyway|alembic",
        "alter table|add_column|add column|create_index|drop column|drop_column|create table|op.",
        "migrations/|migration/|migrate/",
    ),
    broad(
        "bash|script|shellcheck|set -e|shell script",
        "#!/usr/bin/env bash|#!/bin/bash|#!/bin/sh",
        ".sh|.bash|scripts/",
    ),
    broad(
        "container|docker|pod|image|chart|helm|kubernetes|deployment|cluster|manifest",
        "image:|containers:|runas|securitycontext|replicas",
        "Dockerfile|charts/|k8s/|helm/|manifests/",
    ),
    broad(
        "error|exception|panic|catch|raise|throw|recover|failure|result",
        "raise|throw|throws|catch|except|exception|panic|unwrap|expect(|errors.new|errorf|err|error",
        "",
    ),
    broad(
        "log|logs|logging|logger|logged|print|stdout",
        "log.|logger|logging|slog|print(|println|printf|console.|structlog|tracing|eprintln",
        "",
    ),
    broad(
        "http|request|fetch|endpoint|outgoing|network|api call",
        "fetch(|axios|requests.|httpx|http.get|urlopen|httpclient|resttemplate|client.get|client.post|session.get|http://|https://|reqwest",
        "",
    ),
    broad(
        "queue|job|worker|celery|background|kafka|message|event bus|outbox|consumer|producer",
        "queue|enqueue|@app.task|kafka|publish|celery|sqs|rabbit|nats|jetstream|bullmq",
        "jobs/|tasks/|workers/|queues/|queue/|messaging/",
    ),
    broad(
        "response|endpoint|route|handler|controller|envelope|status code",
        "@router.|@app.get|@app.post|mapping(|router.|reply.|request.|@get|@post|res.json|res.status",
        "routes/|controllers/|api/|handlers/|Controller.java",
    ),
    // Time and numbers.
    topic(
        "date|time|timestamp|utc|timezone|clock|instant|calendar|today|temporal|zone|seconds|milliseconds|iso",
        "datetime|date(|now(|utcnow|today|localdate|instant|temporal|strftime|strptime|zoneddatetime|timezone|moment(|dayjs|timedelta|gettime|time.now|.local()|.utc()|date.today|new date|timestamp|datefns|chrono|interval",
        "",
    ),
    topic(
        "money|amount|amounts|price|prices|currency|currencies|cent|cents|decimal|invoice|minor|payment|rounding",
        "price|amount|money|decimal|currency|cents|balance|refund|subtotal",
        "",
    ),
    topic(
        "float|floats|double|f64|round|rounding|decimal|fraction|fractions",
        "float|double|f64|f32|parsefloat|float64|round|tofixed|strtod",
        "",
    ),
    // Databases.
    topic(
        "sql|query|queries|jpql|orm|statement|statements",
        "select * from|select |insert into|delete from|update set|createquery|.query(|.execute(|.exec(|sql`|.raw(|querybuilder",
        ".sql",
    ),
    topic(
        "index|indexes|indices",
        "create index|create unique index|create_index|add_index|.index(|put_mapping",
        "",
    ),
    topic("foreign|primary key|references", "references|foreign key|foreignkey|primary key", ""),
    topic(
        "transaction|transactions|commit()|rollback|@transactional",
        "transaction|commit()|rollback|transactional|begin()|atomic()",
        "",
    ),
    topic(
        "join|joins|n+1|fan-out|eager|lazy|association|associations|preload",
        "join|fetchtype|eager|include:|joinedload|prefetch_related|preload",
        "",
    ),
    topic("select *", "select *", ""),
    topic(
        "column|columns",
        "add column|add_column|drop column|drop_column|rename column|alter column|nullable|column(",
        "",
    ),
    topic("batch|batches|bulk", "bulk|batch|chunk|update set|executemany|insertmany", ""),
    topic(
        "partition|partitions|append|overwrite|incremental",
        "append|if_exists|is_incremental|partition",
        "",
    ),
    topic("soft|hard delete|retention|deleting|purge", "delete from|.delete(|destroy|purge|truncate", ""),
    topic(
        "null|nil|none|optional|tombstone|nullable",
        "== nil|is none|=== null|== null|optional<|.isempty()|nullable",
        "",
    ),
    topic("entity|entities|dto|dtos|lombok|projection", "entity|dto|@entity", "Entity.java|Dto.java"),
    topic(
        "database|rds|h2|testcontainers|postgres|mysql|sqlite",
        "db_instance|jdbc|postgres|mysql|sqlite|database|select(|session",
        "",
    ),
    topic(
        "backup|backups|deletion_protection|restore",
        "backup|deletion_protection|snapshot_identifier|prevent_destroy",
        "",
    ),
    // Tests.
    topic(
        "mock|mocks|monkeypatch|stub|fake|patch|doubles|wiremock|msw|nock|responses",
        "mock|monkeypatch|@patch|patch(|jest.fn|vi.fn|sinon|stub|fake|assert_called|spyon",
        "",
    ),
    topic("snapshot|snapshots|insta|golden", "snapshot|golden", ".snap|snapshots/|golden/"),
    topic("sleep|sleeping|wait|waits|flaky", "sleep|settimeout|waitfor", ""),
    topic("temporary|tempdir|mktemp|tmp", "/tmp|tempdir|tempfile|mktemp|tmp_path", ""),
    topic(
        "factory|factories|fixture|fixtures|builders|hand-written",
        "factory|factories|fixture|builder",
        "factories.|fixtures/",
    ),
    topic("parallel|t.parallel", "func test|t.run(", ""),
    // Errors and robustness.
    topic(
        "swallow|swallowed|ignore|ignored|empty|bare",
        "{swallow}|except:|except exception|catch (exception",
        "",
    ),
    topic("unwrap|expect|unwrap()", ".unwrap()|.expect(", ""),
    topic("retry|retries|retried|backoff|jitter|idempotency", "attempt|retry|retries|backoff", ""),
    topic(
        "timeout|timeouts|deadline|deadlines",
        "timeout|deadline|fetch(|requests.get|requests.post|http.get",
        "",
    ),
    topic(
        "idempotent|twice|more than once|duplicate|duplicates|redeliver|redelivers|repeated|out of order",
        "webhook|consumer|listener|@app.task|onevent|on_event|kafkalistener|subscribe|subscriber",
        "webhook|webhooks|listener|consumer",
    ),
    topic("webhook|webhooks|callback", "webhook", "webhook|webhooks"),
    topic("dead letter", "listener|consumer|onmessage", "listener|consumer"),
    topic("cron|periodic|scheduled|schedule", "cron|@scheduled|schedule|crontab|every(", "cron"),
    topic(
        "cache|caches|cached|caching|ttl|etag|memoize",
        "cache|redis|memoize|ttl|etag|lru_cache",
        "cache|caches",
    ),
    topic(
        "goroutine|goroutines|concurrent|concurrency|thread|threads|race|lock|locks|parallel|errgroup|mutex",
        "go func|thread|mutex|lock()|spawn|errgroup|synchronized|sync.|rwlock|asyncio.gather",
        "",
    ),
    topic("ctx|context.context|cancel", "ctx|context.context|context.background|context.todo", ""),
    topic(
        "order|random order|btreemap|deterministic|sort|sorted|sorts|alphabetical",
        "hashmap|hashset| := range |map[|sorted(|.sort(|.sort_by|orderby",
        "",
    ),
    topic("recursion|recursive|depth|stack overflow|nesting|nested", "depth|recurse|recursive|recursion", ""),
    topic(
        "atomically|atomic|temporary key|half|renamed|partial file|partial",
        "writefile|fs::write|write_text|createwritestream|download|os.create|putobject|open(",
        "",
    ),
    topic("absolute path|pathlib|os.path|file names", "os.path|path.join|filename|abspath|absolute", ""),
    // Security and privacy.
    topic(
        "auth|authorization|permission|permissions|scope|scopes|access|denied|role|roles",
        "authoriz|permission|permissions|require_scope|require_role|can_edit|authorize|isadmin|grant",
        "auth|permission|permissions|security",
    ),
    topic("sign in|signin|login|log in", "login|signin|sign_in|log in|sign in", ""),
    topic(
        "secret|secrets|password|passwords|token|tokens|credential|credentials|api key|real key|sops|vault",
        "password|passwd|secret|secrets|token|apikey|api_key|credential|credentials|private_key|access_key|_live_|bearer",
        "secret|secrets|credentials",
    ),
    topic("random|secrets", "random.|math.random|rand.|random_|rand::", ""),
    topic("compared|timingsafeequal|constant time|constant-time", "{secret-compare}", ""),
    topic("cookie|cookies", "cookie|cookies|setcookie", ""),
    topic("csrf|forms", "<form|csrf|request.form|formdata", ""),
    topic(
        "html|markup|xss|escape|escaped|sanitize",
        "innerhtml|dangerouslysetinnerhtml|v-html|html|markupsafe",
        "",
    ),
    topic(
        "upload|uploads|attachment|attachments|multipart",
        "upload|uploads|multipart|attachment|uploadfile|request.file",
        "upload|uploads|attachment|attachments",
    ),
    topic(
        "archive|archives|unpack|unpacked|zip|tar",
        "tarfile|zipfile|extractall|unzip|tar.open|zip.open",
        "archive",
    ),
    topic(
        "pickle|unpickle|deserialize|deserialise|deserialization",
        "pickle|unserialize|objectinputstream|marshal.load|yaml.load(",
        "",
    ),
    topic("yaml|safe_load", "yaml.load|yaml.", ""),
    topic(
        "subprocess|subprocesses|shell=true|command injection",
        "subprocess|shell=true|os.system|child_process|popen|execsync|exec.command",
        "",
    ),
    topic("injection|string concatenation|bound", "{joined-sql}", ""),
    topic(
        "regex|regexes|regular expression|regular expressions|re2|backtracking",
        "regexp|re.search|re.match|re.sub|re.compile|re.findall|new regexp|regex",
        "",
    ),
    topic(
        "personal|pii|gdpr|privacy|e-mail|email|iban|ibans|passport|addresses|request bodies",
        "email|iban|passport|phone|ssn|birthday|birthdate|full_name|address|request.body",
        "",
    ),
    topic("analytics|tracking|telemetry", "analytics|track(|telemetry|posthog|segment", "analytics"),
    topic("unsafe|safety", "unsafe", ""),
    topic(
        "validate|validated|validation|safeparse|zod|@valid|pydantic",
        "@requestbody|.json()|json.parse|safeparse|model_validate|parse_raw|request.json",
        "",
    ),
    topic(
        "rate limit|rate limits|throttle|throttled|limits|per second|pool|quota",
        "throttle|ratelimit|rate_limit",
        "",
    ),
    topic("content_length|body size|too large", "await file.read()|.read()|readall", ""),
    // Configuration and dependencies.
    exact(
        "environment variable|environment variables|environ|process.env|os.environ|getenv",
        "os.environ|process.env|getenv|std::env|system.getenv",
        "",
    ),
    topic(
        "feature flag|feature flags|feature switch|feature switches|toggle",
        "feature_flag|featureflag|isbeta|isenabled(|flag(",
        "flags",
    ),
    topic(
        "option|options|command-line|command line|argument|flag|flags|man page|completions",
        "#[arg|flag.stringvar|flag.durationvar|flag.boolvar|flag.intvar|flag.string(|add_argument|@click.option|argparse|.option(|addoption",
        "options.",
    ),
    topic("exit code|exit codes|exit status", "exitcode|process.exit|sys.exit|os.exit|system.exit", ""),
    topic(
        "standard output|standard error|stdout|stderr|no_color",
        "println!|print(|eprintln|stdout|stderr|fmt.print",
        "",
    ),
    topic(
        "dependency|dependencies|library|libraries|package manager|poetry|pip|npm",
        "dependencies|pip install|npm install|yarn add|cargo add|go get|poetry add|{loose}|{requirement}",
        "package.json|pyproject.toml|Cargo.toml|go.mod|requirements.txt|build.gradle|build.gradle.kts|pom.xml|Gemfile|package-lock.json",
    ),
    topic(
        "pin|pinned|exact version|exact versions|by digest|digest|latest|main branches",
        "{loose}|:latest|ref=main|@main|@master",
        "",
    ),
    topic(
        "generated|by hand|codegen|never edited|edited by hand",
        "",
        ".gen.|generated/|generated|.snap|_pb2.py|.pb.go|.lock|package-lock.json",
    ),
    // Interfaces.
    topic(
        "breaking|compatible|compatibility|backward|backwards|deprecate|deprecated|semantic versioning|minor version|never removed|never renamed|renamed or removed|versioned",
        "deprecated",
        "v1/|v2/|v3/|schemas/|schema/|proto/|openapi.yaml|openapi.yml|.proto|.avsc|.graphql|pkg/",
    ),
    topic("protobuf|proto|field numbers|field number", "", ".proto"),
    topic("avro", "", ".avsc"),
    topic(
        "exported|public function|public functions|public items|doc comment|docstring|docstrings|tsdoc|javadoc|documented",
        "export function|export const|pub fn|pub struct|public class",
        "",
    ),
    topic("pagination|paged|pages|cursor|offset|search_after|limit", "offset|page|cursor|skip(|limit(", ""),
    topic("enum|enums", "enum ", ""),
    topic("any|unknown", ": any|as any|<any>", ""),
    exact("default export|default exports|named export|named exports", "export default", ""),
    exact("barrel|barrels|barrel file|barrel files|re-exports", "export * from", ""),
    exact("wildcard import|wildcard imports|star import|star imports|import *", "import *|{star-import}", ""),
    exact(
        "relative import|relative imports|absolute import|absolute imports|path alias|path aliases",
        "from '../|from \"../|from '../../|from ..|from .|require('../",
        "",
    ),
    exact(
        "class component|class components|function components|functional components",
        "extends react.component|extends component|extends purecomponent",
        "",
    ),
    exact("promise chain|promise chains|async/await|.then()", ".then(", ""),
    exact("type hint|type hints|type annotation|type annotations|annotated", "{untyped}", ""),
    exact("%w|errors are wrapped|wrap errors|wrap every error|error wrapping", "{unwrapped}", ""),
    exact(
        "license header|licence header|copyright header|license headers|copyright notice|spdx",
        "{no-license}",
        "",
    ),
    exact(
        "raw sql|raw queries|raw query|inline sql|hand-written sql|query builder|plain sql",
        "{raw-sql}",
        "",
    ),
    exact("todo|todos|fixme", "todo|fixme", ""),
    topic(
        "openapi|swagger|api spec|api documentation",
        "@app.get|@app.post|@router.|router.get|router.post|mapping(",
        "openapi.yaml|openapi.yml",
    ),
    topic("global variable|global variables|globals|global state", "global |static mut|lazy_static", ""),
    topic("mutable default", "=[]|={}|=[],|={})", ""),
    topic("autowired|constructor injection|field injection|injected", "@autowired|@inject|@resource", ""),
    topic("business|business rules|domain|thin", "", "Controller.java|controllers/|domain/"),
    // What people see.
    exact(
        "user-visible|user visible|user-facing|user facing|ui text|ui texts|ui strings|ui copy|hard-coded strings|hardcoded strings|hard-coded text|hardcoded text|visible text|user sees|users see|people see",
        "{text}",
        "",
    ),
    topic(
        "translated|translation|translations|locale|i18n|localised|localized|wording",
        "{text}",
        "locale/|locales/|messages/|i18n/",
    ),
    topic("colour|colours|color|colors|hex|theme|design token|tokens.css", "{hex}|rgb(|hsl(", ".css|.scss"),
    topic(
        "inline style|inline styles|styles|css|stylesheet|makestyles",
        "style={{|style=\"|stylesheet",
        ".css|.scss",
    ),
    topic("spacing|padding|margin", "padding:|margin:|padding=|margin=", ""),
    topic(
        "aria-label|aria|accessible|accessibility|accessibilitylabel|accessibilityrole|keyboard|screen reader|focus|alternative text|alt|label",
        "<button|<input|<img|onclick|<pressable|<touchable|<dialog|role=|![](|tabindex|<image",
        "dialog|modal",
    ),
    topic(
        "button|buttons|touchable|touchables|clicked|touch target|touch targets|icon|icons",
        "<button|<pressable|<touchable|onclick|onpress",
        "button",
    ),
    topic(
        "form field|form fields|label|labels|placeholder|input|inputs",
        "<input|<select|<textarea|placeholder=",
        "",
    ),
    topic(
        "image|images|picture|pictures|screenshot|screenshots|artwork|photo|photos|alt",
        "<img|<image|![|image.open|.png|.jpg|.jpeg|.webp|image=|pil",
        ".png|.jpg|.webp|.svg",
    ),
    topic("dialog|dialogs|modal|modals|popup", "dialog|modal", "dialog|modal"),
    topic(
        "virtualised|virtualized|flashlist|unknown length|scrollview|rows|long lists",
        "flashlist|flatlist|<scrollview|virtuallist|.map((",
        "",
    ),
    topic("useeffect|fetch in|onmount", "useeffect|onmount|componentdidmount", ""),
    topic(
        "usestate|server state|store|stores|global state|copied",
        "usestate|usestore|= use",
        "stores/|store.",
    ),
    topic(
        "localstorage|asyncstorage|securestore|storage|keychain",
        "localstorage|asyncstorage|sessionstorage|securestore",
        "",
    ),
    topic("offline|outbox", ".post(|.put(|.patch(", ""),
    topic("animate|animation|animations", "animate|withtiming|animated", ""),
    topic("navigation", "navigation|navigate(", "navigation/"),
    topic("permission|permissions", "requestpermission|requestpermissionsasync", ""),
    topic("link|links", "](|href=", ""),
    topic("table|tables", "<table|create table", ""),
    topic("frontmatter|front matter", "---", ""),
    topic("heading|headings", "## |# ", ""),
    topic("sample|samples|example|examples|code block|snippet|snippets", "```", ""),
    topic("redirects|moves|moved", "git mv", ""),
    // Text.
    topic(
        "encoding|utf-8|latin-1|unicode|normalised|normalized|decode|nfc",
        "encoding|decode|utf-8|utf8|.lower()|casefold|normalize|tolowercase|open(",
        "",
    ),
    topic("sorted|collation|alphabetical", "sorted(|.sort(|sort_by", ""),
    topic("byte offset|byte offsets|bytes|characters", "chars()|offset|charat|.len()|utf16", ""),
    topic("line ending|line endings|\\r|\\r\\n|byte order mark", "'\\n'|lines()|\\r", ""),
    topic("data frame|data frames|pandas|polars|dataframe", "pandas|polars|dataframe|pd.", ""),
    topic("top-level|top level|module level|import time|lazily|at import", "", ""),
    // Infrastructure.
    topic(
        "security group|security groups|firewall|ingress rule|open port",
        "0.0.0.0/0|security_group|cidr_blocks|ingress {",
        "",
    ),
    topic("cidr|subnet|subnets|ip range|overlap|vpn", "cidr_block|cidr|subnet", ""),
    topic("iam|policies name|least privilege|actions and resources", "iam|actions |resources |:*", "iam"),
    topic("tag|tags|labels", "tags |labels |resource \"", ""),
    topic(
        "instance class|instance classes|machine_type|machine type|instance type|node pool|node pools",
        "instance_class|machine_type|node_type|instance_type",
        "",
    ),
    topic("bucket|buckets|s3|object storage", "bucket|s3_", ""),
    topic("nat|gateway|gateways", "nat_gateway|gateway", ""),
    topic(
        "account id|account ids|region|regions|hard-coded",
        "region =|eu-central|us-east|eu-west|arn:aws",
        "",
    ),
    topic("renaming|renames|rename|moved block|moved", "git mv|rename|moved {", ""),
    topic("terraform state|remote state|state", "backend \"|random_password|terraform state", ""),
    topic("actions are pinned|pin actions|pinned to a commit|commit sha", "uses: ", ""),
    topic("permissions|contents: read", "jobs:|permissions:", ""),
    topic(
        "untrusted|interpolated|foreign code|pull_request_target",
        "github.event|pull_request_target|github.head_ref",
        "",
    ),
    topic("concurrency|deployments|deployment", "deploy", "deploy"),
    topic("timeout-minutes", "runs-on:", ""),
    topic("caches are keyed|cache key|lock file", "actions/cache|hashfiles", ""),
    topic("replica|replicas|disruption|poddisruptionbudget", "replicas|replicacount", ""),
    topic(
        "probe|probes|liveness|readiness|healthz|health",
        "livenessprobe|readinessprobe|healthz|health",
        "health",
    ),
    topic(
        "non-root|root file system|privileged|privilege",
        "runasuser|runasnonroot|privileged|securitycontext|user root",
        "",
    ),
    topic("requests and limits|memory|cpu", "containers:|resources:|limits:|- name:", ""),
    topic("selector|selectors", "selector:|matchlabels", ""),
    topic("ingress|ingresses|cert-manager|tls|https", "kind: ingress|ingress", "ingress"),
    topic("dns|dns records|ttl", "dns|record_set|ttl", "dns"),
    topic("values|values.schema.json", "", "values.yaml"),
    topic(
        "metric|metrics|prometheus|labels must|cardinality",
        "prometheus|promauto|metrics|counter(|histogram|countervec",
        "metrics",
    ),
    topic("runbook|runbooks", "", "runbook|runbooks"),
    topic("quoted|quote", "{bare-variable}", ""),
    topic("dry-run|--dry-run", "kubectl |rm -|aws |gcloud |apply", ""),
];
