//! Python.

use crate::code::dialect::{CallEffect, Dialect, Returned, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Python,
    prefixes: &[
        "if", "elif", "else", "for", "while", "with", "try", "except", "finally", "return", "yield", "raise",
        "assert", "del", "global", "nonlocal", "not", "await", "async", "lambda", "def", "class", "pass",
        "break", "continue", "in", "from",
    ],
    infixes: &["and", "or", "not", "in", "is", "if", "else", "for", "async"],
    branches: &[
        "if", "elif", "else", "for", "while", "except", "finally", "lambda", "def", "class", "and", "or",
        "match",
    ],
    functions: FUNCTIONS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("os.listdir", CallEffect::Lists(0)),
    ("os.walk", CallEffect::Lists(0)),
    ("os.scandir", CallEffect::Lists(0)),
    ("glob.glob", CallEffect::Lists(0)),
    ("glob.iglob", CallEffect::Lists(0)),
    ("open", CallEffect::Open(0, 1)),
    ("io.open", CallEffect::Open(0, 1)),
    ("codecs.open", CallEffect::Open(0, 1)),
    ("gzip.open", CallEffect::Open(0, 1)),
    ("bz2.open", CallEffect::Open(0, 1)),
    ("lzma.open", CallEffect::Open(0, 1)),
    ("os.open", CallEffect::Open(0, 1)),
    ("os.fdopen", CallEffect::Returns(Returned::Same(0))),
    ("os.write", CallEffect::WriteTo(0, 1)),
    ("zipfile.ZipFile", CallEffect::Open(0, 1)),
    ("tarfile.open", CallEffect::Open(0, 1)),
    ("fileinput.input", CallEffect::FileInput),
    ("fileinput.FileInput", CallEffect::FileInput),
    ("pathlib.Path", CallEffect::Returns(Returned::Path)),
    ("pathlib.PosixPath", CallEffect::Returns(Returned::Path)),
    ("pathlib.PurePath", CallEffect::Returns(Returned::Path)),
    ("Path", CallEffect::Returns(Returned::Path)),
    ("pathlib.Path.home", CallEffect::Returns(Returned::HomeItself)),
    ("pathlib.Path.cwd", CallEffect::Returns(Returned::Here)),
    ("Path.home", CallEffect::Returns(Returned::HomeItself)),
    ("Path.cwd", CallEffect::Returns(Returned::Here)),
    ("os.getcwd", CallEffect::Returns(Returned::Here)),
    ("os.path.join", CallEffect::Returns(Returned::Join)),
    ("os.path.abspath", CallEffect::Returns(Returned::Same(0))),
    ("os.path.realpath", CallEffect::Returns(Returned::Same(0))),
    ("os.path.normpath", CallEffect::Returns(Returned::Same(0))),
    ("os.path.dirname", CallEffect::Returns(Returned::Parent)),
    ("os.path.expanduser", CallEffect::Returns(Returned::Home)),
    ("os.path.expandvars", CallEffect::Nothing),
    ("os.fspath", CallEffect::Returns(Returned::Same(0))),
    ("str", CallEffect::Returns(Returned::Same(0))),
    ("shlex.split", CallEffect::Returns(Returned::Words)),
    ("getattr", CallEffect::Returns(Returned::Member)),
    ("__import__", CallEffect::Load(0)),
    ("importlib.import_module", CallEffect::Load(0)),
    ("functools.partial", CallEffect::Calls),
    ("os.remove", CallEffect::Delete(0)),
    ("os.unlink", CallEffect::Delete(0)),
    ("os.rmdir", CallEffect::Delete(0)),
    ("os.removedirs", CallEffect::Delete(0)),
    ("os.rename", CallEffect::Move(0, 1)),
    ("os.renames", CallEffect::Move(0, 1)),
    ("os.replace", CallEffect::Move(0, 1)),
    ("os.chmod", CallEffect::Attributes(0)),
    ("os.lchmod", CallEffect::Attributes(0)),
    ("os.chown", CallEffect::Attributes(0)),
    ("os.utime", CallEffect::Attributes(0)),
    ("os.link", CallEffect::Link(0, 1)),
    ("os.symlink", CallEffect::Link(0, 1)),
    ("os.truncate", CallEffect::Change(0)),
    ("os.mkfifo", CallEffect::Touch(0)),
    ("os.mknod", CallEffect::Touch(0)),
    ("os.chdir", CallEffect::Enter(0)),
    ("os.system", CallEffect::Shell(0)),
    ("os.popen", CallEffect::Shell(0)),
    ("os.startfile", CallEffect::Opaque),
    ("os.execv", CallEffect::Start(Start::Replace(0))),
    ("os.execve", CallEffect::Start(Start::Replace(0))),
    ("os.execvp", CallEffect::Start(Start::Replace(0))),
    ("os.execvpe", CallEffect::Start(Start::Replace(0))),
    ("os.execl", CallEffect::Start(Start::Spread(0))),
    ("os.execle", CallEffect::Start(Start::Spread(0))),
    ("os.execlp", CallEffect::Start(Start::Spread(0))),
    ("os.execlpe", CallEffect::Start(Start::Spread(0))),
    ("os.spawnv", CallEffect::Start(Start::Replace(1))),
    ("os.spawnve", CallEffect::Start(Start::Replace(1))),
    ("os.spawnvp", CallEffect::Start(Start::Replace(1))),
    ("os.spawnvpe", CallEffect::Start(Start::Replace(1))),
    ("os.spawnl", CallEffect::Start(Start::Spread(1))),
    ("os.spawnle", CallEffect::Start(Start::Spread(1))),
    ("os.spawnlp", CallEffect::Start(Start::Spread(1))),
    ("os.posix_spawn", CallEffect::Start(Start::Replace(0))),
    ("os.posix_spawnp", CallEffect::Start(Start::Replace(0))),
    ("pty.spawn", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.run", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.call", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.check_call", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.check_output", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.Popen", CallEffect::Start(Start::ListOrLine(0))),
    ("subprocess.getoutput", CallEffect::Shell(0)),
    ("subprocess.getstatusoutput", CallEffect::Shell(0)),
    ("subprocess.list2cmdline", CallEffect::Nothing),
    ("subprocess.CompletedProcess", CallEffect::Nothing),
    ("asyncio.create_subprocess_exec", CallEffect::Start(Start::Each)),
    ("asyncio.create_subprocess_shell", CallEffect::Shell(0)),
    ("commands.getoutput", CallEffect::Shell(0)),
    ("shutil.copy", CallEffect::Copy(0, 1)),
    ("shutil.copy2", CallEffect::Copy(0, 1)),
    ("shutil.copyfile", CallEffect::Copy(0, 1)),
    ("shutil.copytree", CallEffect::Copy(0, 1)),
    ("shutil.copymode", CallEffect::Attributes(1)),
    ("shutil.copystat", CallEffect::Attributes(1)),
    ("shutil.chown", CallEffect::Attributes(0)),
    ("shutil.move", CallEffect::Move(0, 1)),
    ("shutil.rmtree", CallEffect::DeleteTree(0)),
    ("shutil.unpack_archive", CallEffect::Opaque),
    ("shutil.make_archive", CallEffect::Opaque),
    ("urllib.request.urlopen", CallEffect::Fetch(0)),
    ("urllib.request.Request", CallEffect::Fetch(0)),
    ("urllib.request.urlretrieve", CallEffect::Download(0, 1)),
    ("urllib.urlopen", CallEffect::Fetch(0)),
    ("urllib2.urlopen", CallEffect::Fetch(0)),
    ("http.client.HTTPConnection", CallEffect::Fetch(0)),
    ("http.client.HTTPSConnection", CallEffect::Fetch(0)),
    ("socket.create_connection", CallEffect::Send(9)),
    ("socket.socket", CallEffect::Send(9)),
    ("smtplib.SMTP", CallEffect::Send(0)),
    ("smtplib.SMTP_SSL", CallEffect::Send(0)),
    ("ftplib.FTP", CallEffect::Send(0)),
    ("xmlrpc.client.ServerProxy", CallEffect::Send(0)),
    ("requests.get", CallEffect::Fetch(0)),
    ("requests.head", CallEffect::Fetch(0)),
    ("requests.options", CallEffect::Fetch(0)),
    ("requests.post", CallEffect::Send(0)),
    ("requests.put", CallEffect::Send(0)),
    ("requests.patch", CallEffect::Send(0)),
    ("requests.delete", CallEffect::Send(0)),
    ("requests.request", CallEffect::Send(1)),
    ("requests.Session", CallEffect::Nothing),
    ("httpx.get", CallEffect::Fetch(0)),
    ("httpx.head", CallEffect::Fetch(0)),
    ("httpx.post", CallEffect::Send(0)),
    ("httpx.put", CallEffect::Send(0)),
    ("httpx.patch", CallEffect::Send(0)),
    ("httpx.delete", CallEffect::Send(0)),
    ("webbrowser.open", CallEffect::Fetch(0)),
    ("sqlite3.connect", CallEffect::Returns(Returned::Database)),
    ("exec", CallEffect::Code(0)),
    ("eval", CallEffect::Code(0)),
    ("execfile", CallEffect::Opaque),
    ("runpy.run_path", CallEffect::Opaque),
    ("runpy.run_module", CallEffect::Opaque),
    // Reading a pickle can call any function that it names.
    ("pickle.load", CallEffect::Opaque),
    ("pickle.loads", CallEffect::Opaque),
    ("marshal.load", CallEffect::Opaque),
    ("marshal.loads", CallEffect::Opaque),
    ("code.interact", CallEffect::Opaque),
    ("compileall.compile_dir", CallEffect::Opaque),
    ("py_compile.compile", CallEffect::Nothing),
    ("map", CallEffect::Calls),
    ("filter", CallEffect::Calls),
    ("atexit.register", CallEffect::Calls),
    ("threading.Thread", CallEffect::Calls),
    ("yaml.load", CallEffect::Nothing),
    ("yaml.unsafe_load", CallEffect::Opaque),
    ("yaml.full_load", CallEffect::Nothing),
    ("np.save", CallEffect::WriteIf(0)),
    ("numpy.save", CallEffect::WriteIf(0)),
    ("numpy.savez", CallEffect::WriteIf(0)),
    ("numpy.savetxt", CallEffect::WriteIf(0)),
    ("numpy.load", CallEffect::Read(0)),
    ("numpy.loadtxt", CallEffect::Read(0)),
    ("pandas.read_csv", CallEffect::Read(0)),
    ("pandas.read_json", CallEffect::Read(0)),
    ("pandas.read_parquet", CallEffect::Read(0)),
    ("pandas.read_excel", CallEffect::Read(0)),
    ("linecache.getline", CallEffect::Read(0)),
    ("xml.etree.ElementTree.parse", CallEffect::Returns(Returned::Document)),
    ("xml.etree.ElementTree.ElementTree", CallEffect::Returns(Returned::Document)),
    ("lxml.etree.parse", CallEffect::Returns(Returned::Document)),
    ("ElementTree.write", CallEffect::WriteIf(0)),
    ("ast.literal_eval", CallEffect::Nothing),
];

const METHODS: &[(&str, CallEffect)] = &[
    ("write", CallEffect::Print("")),
    ("writelines", CallEffect::Print("")),
    ("write_text", CallEffect::Write(0, 1)),
    ("write_bytes", CallEffect::Write(0, 1)),
    ("read_text", CallEffect::Read(0)),
    ("read_bytes", CallEffect::Read(0)),
    ("unlink", CallEffect::Delete(0)),
    ("rmdir", CallEffect::Delete(0)),
    ("touch", CallEffect::Touch(0)),
    ("chmod", CallEffect::Attributes(0)),
    ("lchmod", CallEffect::Attributes(0)),
    ("symlink_to", CallEffect::Link(1, 0)),
    ("hardlink_to", CallEffect::Link(1, 0)),
    ("link_to", CallEffect::Link(0, 1)),
    ("joinpath", CallEffect::Returns(Returned::Path)),
    ("resolve", CallEffect::Returns(Returned::Same(0))),
    ("absolute", CallEffect::Returns(Returned::Same(0))),
    ("as_posix", CallEffect::Returns(Returned::Same(0))),
    ("expanduser", CallEffect::Returns(Returned::Home)),
    ("with_name", CallEffect::Returns(Returned::Sibling)),
    ("with_suffix", CallEffect::Returns(Returned::SomePath)),
    ("split", CallEffect::Returns(Returned::Words)),
    ("execute", CallEffect::Sql),
    ("executemany", CallEffect::Sql),
    ("executescript", CallEffect::Sql),
    ("extractall", CallEffect::Opaque),
    ("extract", CallEffect::Opaque),
    ("to_csv", CallEffect::WriteIf(1)),
    ("to_json", CallEffect::WriteIf(1)),
    ("to_parquet", CallEffect::WriteIf(1)),
    ("to_excel", CallEffect::WriteIf(1)),
    ("to_html", CallEffect::WriteIf(1)),
    ("to_pickle", CallEffect::WriteIf(1)),
    ("savefig", CallEffect::WriteIf(1)),
    ("save", CallEffect::WriteIf(1)),
    ("tofile", CallEffect::WriteIf(1)),
    ("map", CallEffect::Calls),
    ("apply", CallEffect::Calls),
    ("submit", CallEffect::Calls),
    ("post", CallEffect::Send(1)),
    ("put", CallEffect::Nothing),
    ("send", CallEffect::Send(9)),
    ("sendall", CallEffect::Send(9)),
    ("sendmail", CallEffect::Send(9)),
    ("send_message", CallEffect::Send(9)),
    ("request", CallEffect::Send(2)),
    ("connect", CallEffect::Send(9)),
];

const HARMLESS: Words = Words(
    "print len range sorted int float bool list dict set tuple frozenset sum min max abs round \
     enumerate zip any all isinstance issubclass type repr hasattr setattr delattr reversed iter next \
     chr ord hex oct bin bytes bytearray memoryview format input id hash callable divmod pow slice \
     super object property staticmethod classmethod vars dir globals locals exit quit help complex \
     ascii compile raw_input unicode Exception ValueError TypeError KeyError RuntimeError SystemExit \
     AssertionError IndexError NotImplementedError OSError IOError FileNotFoundError StopIteration \
     AttributeError ImportError anext aiter breakpoint os.getenv \
     os.stat os.lstat os.getpid os.getppid os.getuid os.geteuid os.getgid os.cpu_count os.access \
     os.uname os.urandom os.fsencode os.fsdecode os.get_terminal_size os.getlogin os.read os.close \
     os.isatty os.mkdir os.makedirs os.readlink os.strerror os.times os.umask os.getloadavg \
     os.sysconf os.get_exec_path os.fstat os.sched_getaffinity os.nice os.waitpid os.pipe os.dup \
     os.dup2 os._exit os.statvfs os.fsync os.putenv os.kill shutil.which shutil.disk_usage \
     shutil.get_terminal_size importlib.reload importlib.resources.files socket.gethostname \
     socket.getfqdn socket.gethostbyname socket.setdefaulttimeout pickle.dumps pickle.dump \
     marshal.dumps marshal.dump sqlite3.Row code.InteractiveConsole subprocess.DEVNULL asyncio.run \
     asyncio.sleep asyncio.gather asyncio.get_event_loop asyncio.wait_for asyncio.create_task \
     asyncio.Queue asyncio.Semaphore asyncio.Lock asyncio.new_event_loop threading.Lock \
     threading.Event threading.current_thread",
);

const HARMLESS_METHODS: Words = Words(
    "writerow writerows writeheader strip lstrip rstrip rsplit splitlines partition rpartition join format lower upper title \
     capitalize swapcase casefold startswith endswith find rfind index rindex count encode decode \
     isdigit isalpha isalnum isspace isupper islower isnumeric isidentifier zfill ljust rjust center \
     expandtabs translate maketrans removeprefix removesuffix append extend insert pop popitem \
     popleft appendleft remove clear copy sort reverse get items keys values setdefault update add \
     discard union intersection difference symmetric_difference issubset issuperset read readline \
     readlines close flush seek tell fileno isatty truncate detach group groups groupdict start end \
     span match search findall finditer fullmatch sub subn json raise_for_status iter_content \
     iter_lines getcode geturl info getheader getheaders getresponse stat lstat glob rglob iterdir \
     walk is_symlink is_file is_dir exists mkdir relative_to is_relative_to samefile is_absolute \
     owner strftime strptime isoformat timestamp date time timetuple total_seconds weekday isoweekday \
     astimezone now utcnow today fromtimestamp fromisoformat hexdigest digest most_common elements \
     subtract total parse_args add_argument parse_known_args getroot iter findtext itertext tostring \
     fromstring namelist infolist getnames getmembers getmember testzip printdir cursor fetchall \
     fetchone fetchmany commit rollback head tail describe groupby agg value_counts unique nunique \
     sort_values sort_index reset_index set_index to_string to_dict to_list tolist to_numpy isnull \
     isna notna dropna fillna merge drop mean std median sum min max cumsum round astype reshape \
     transpose flatten ravel all any argmax argmin dot iterrows itertuples query sample nlargest \
     nsmallest corr quantile isin select select_one find_all get_text prettify communicate wait poll \
     terminate kill result done shutdown is_alive is_set acquire release set setLevel debug warning \
     error exception getLogger critical hex bit_length to_bytes from_bytes conjugate as_integer_ratio \
     is_integer __init__ __str__ __repr__ __len__ __getitem__ __contains__ __enter__ __exit__ \
     __next__ __iter__ __eq__ mro __subclasses__ throw send_signal getvalue getbuffer recv settimeout \
     setsockopt version getpeername dump dumps loads load feed text with_traceback add_note visit \
     generic_visit seed random fromkeys move_to_end as_dict model_dump model_dump_json row_factory \
     backup iterdump readinto peek getrandbits tzname utcoffset ctime is_reserved as_uri with_stem \
     relative run_until_complete cancel ipaddress hosts subnets isprintable isdecimal istitle isascii \
     get_content_type get_payload as_string is_multipart open",
);

const MODULES: Words = Words(
    "json re math cmath sys collections itertools functools operator datetime time calendar string \
     textwrap struct random secrets statistics decimal fractions hashlib hmac base64 binascii zlib \
     uuid os.path os.environ posixpath ntpath glob fnmatch platform locale gettext unicodedata codecs \
     io.StringIO io.BytesIO io.TextIOWrapper io.BufferedReader csv configparser tomllib tomli toml \
     yaml plistlib xml html urllib.parse urllib.error email mimetypes pprint copy types typing \
     typing_extensions enum dataclasses abc contextlib warnings traceback inspect ast tokenize token \
     keyword dis symtable difflib bisect heapq array queue weakref gc timeit cProfile pstats argparse \
     getopt optparse shlex logging string.Template importlib.metadata importlib.util.find_spec \
     importlib.util importlib.resources importlib.machinery pkgutil pkg_resources site sysconfig \
     getpass pwd grp errno signal stat filecmp linecache numbers colorsys ipaddress zoneinfo graphlib \
     reprlib unittest.mock doctest numpy pandas tabulate packaging dateutil pytz regex jsonschema bs4 \
     lxml rich concurrent.futures tempfile ElementTree builtins resource tracemalloc faulthandler ssl \
     xml.etree.ElementTree xml.dom.minidom jwt markdown mistune chardet charset_normalizer tiktoken \
     humanize attr attrs orjson ujson simplejson termios tty select fcntl quopri uu netrc \
     curses.ascii readline opcode distutils.version mmap.PAGESIZE",
);

const QUIET_MODULES: Words = Words(
    "os io pathlib shutil subprocess tempfile fileinput asyncio threading multiprocessing socket ssl \
     http urllib sqlite3 zipfile tarfile gzip bz2 lzma importlib runpy pickle marshal ctypes \
     concurrent unittest builtins atexit code codeop compileall py_compile distutils venv ensurepip \
     pip setuptools wheel curses tkinter turtle webbrowser smtplib ftplib imaplib poplib xmlrpc \
     socketserver wsgiref cgi mailbox shelve dbm mmap pty pdb profile trace sched selectors \
     contextvars __future__ requests httpx aiohttp urllib3 certifi torch tensorflow sklearn scipy \
     matplotlib PIL cv2 transformers pydantic django flask fastapi sqlalchemy click typer pytest \
     jinja2 psutil cryptography openai anthropic networkx sympy seaborn plotly polars pyarrow boto3 \
     redis psycopg2 celery gunicorn uvicorn starlette mypy ruff black isort tqdm six jax numba onnx \
     onnxruntime datasets accelerate nltk spacy openpyxl docx fitz PyPDF2 pypdf reportlab mcp dotenv \
     coverage nox tox hypothesis attrs marshmallow zmq grpc google pexpect paramiko playwright \
     selenium git pynvml triton vllm gradio streamlit",
);
