//! Python.

use crate::code::dialect::{Deed, Dialect, Gift, Start, Words};
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
    deeds: DEEDS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const DEEDS: &[(&str, Deed)] = &[
    ("open", Deed::Open(0, 1)),
    ("io.open", Deed::Open(0, 1)),
    ("codecs.open", Deed::Open(0, 1)),
    ("gzip.open", Deed::Open(0, 1)),
    ("bz2.open", Deed::Open(0, 1)),
    ("lzma.open", Deed::Open(0, 1)),
    ("os.open", Deed::Open(0, 1)),
    ("os.fdopen", Deed::Gives(Gift::Same(0))),
    ("os.write", Deed::WriteTo(0, 1)),
    ("zipfile.ZipFile", Deed::Open(0, 1)),
    ("tarfile.open", Deed::Open(0, 1)),
    ("fileinput.input", Deed::FileInput),
    ("fileinput.FileInput", Deed::FileInput),
    ("pathlib.Path", Deed::Gives(Gift::Path)),
    ("pathlib.PosixPath", Deed::Gives(Gift::Path)),
    ("pathlib.PurePath", Deed::Gives(Gift::Path)),
    ("Path", Deed::Gives(Gift::Path)),
    ("pathlib.Path.home", Deed::Gives(Gift::HomeItself)),
    ("pathlib.Path.cwd", Deed::Gives(Gift::Here)),
    ("Path.home", Deed::Gives(Gift::HomeItself)),
    ("Path.cwd", Deed::Gives(Gift::Here)),
    ("os.getcwd", Deed::Gives(Gift::Here)),
    ("os.path.join", Deed::Gives(Gift::Join)),
    ("os.path.abspath", Deed::Gives(Gift::Same(0))),
    ("os.path.realpath", Deed::Gives(Gift::Same(0))),
    ("os.path.normpath", Deed::Gives(Gift::Same(0))),
    ("os.path.dirname", Deed::Gives(Gift::Parent)),
    ("os.path.expanduser", Deed::Gives(Gift::Home)),
    ("os.path.expandvars", Deed::Nothing),
    ("os.fspath", Deed::Gives(Gift::Same(0))),
    ("str", Deed::Gives(Gift::Same(0))),
    ("shlex.split", Deed::Gives(Gift::Words)),
    ("getattr", Deed::Gives(Gift::Member)),
    ("__import__", Deed::Load(0)),
    ("importlib.import_module", Deed::Load(0)),
    ("functools.partial", Deed::Calls),
    ("os.remove", Deed::Delete(0)),
    ("os.unlink", Deed::Delete(0)),
    ("os.rmdir", Deed::Delete(0)),
    ("os.removedirs", Deed::Delete(0)),
    ("os.rename", Deed::Move(0, 1)),
    ("os.renames", Deed::Move(0, 1)),
    ("os.replace", Deed::Move(0, 1)),
    ("os.chmod", Deed::Attributes(0)),
    ("os.lchmod", Deed::Attributes(0)),
    ("os.chown", Deed::Attributes(0)),
    ("os.utime", Deed::Attributes(0)),
    ("os.link", Deed::Link(0, 1)),
    ("os.symlink", Deed::Link(0, 1)),
    ("os.truncate", Deed::Change(0)),
    ("os.mkfifo", Deed::Touch(0)),
    ("os.mknod", Deed::Touch(0)),
    ("os.chdir", Deed::Enter(0)),
    ("os.system", Deed::Shell(0)),
    ("os.popen", Deed::Shell(0)),
    ("os.startfile", Deed::Opaque),
    ("os.execv", Deed::Start(Start::Replace(0))),
    ("os.execve", Deed::Start(Start::Replace(0))),
    ("os.execvp", Deed::Start(Start::Replace(0))),
    ("os.execvpe", Deed::Start(Start::Replace(0))),
    ("os.execl", Deed::Start(Start::Spread(0))),
    ("os.execle", Deed::Start(Start::Spread(0))),
    ("os.execlp", Deed::Start(Start::Spread(0))),
    ("os.execlpe", Deed::Start(Start::Spread(0))),
    ("os.spawnv", Deed::Start(Start::Replace(1))),
    ("os.spawnve", Deed::Start(Start::Replace(1))),
    ("os.spawnvp", Deed::Start(Start::Replace(1))),
    ("os.spawnvpe", Deed::Start(Start::Replace(1))),
    ("os.spawnl", Deed::Start(Start::Spread(1))),
    ("os.spawnle", Deed::Start(Start::Spread(1))),
    ("os.spawnlp", Deed::Start(Start::Spread(1))),
    ("os.posix_spawn", Deed::Start(Start::Replace(0))),
    ("os.posix_spawnp", Deed::Start(Start::Replace(0))),
    ("pty.spawn", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.run", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.call", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.check_call", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.check_output", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.Popen", Deed::Start(Start::ListOrLine(0))),
    ("subprocess.getoutput", Deed::Shell(0)),
    ("subprocess.getstatusoutput", Deed::Shell(0)),
    ("subprocess.list2cmdline", Deed::Nothing),
    ("subprocess.CompletedProcess", Deed::Nothing),
    ("asyncio.create_subprocess_exec", Deed::Start(Start::Each)),
    ("asyncio.create_subprocess_shell", Deed::Shell(0)),
    ("commands.getoutput", Deed::Shell(0)),
    ("shutil.copy", Deed::Copy(0, 1)),
    ("shutil.copy2", Deed::Copy(0, 1)),
    ("shutil.copyfile", Deed::Copy(0, 1)),
    ("shutil.copytree", Deed::Copy(0, 1)),
    ("shutil.copymode", Deed::Attributes(1)),
    ("shutil.copystat", Deed::Attributes(1)),
    ("shutil.chown", Deed::Attributes(0)),
    ("shutil.move", Deed::Move(0, 1)),
    ("shutil.rmtree", Deed::DeleteTree(0)),
    ("shutil.unpack_archive", Deed::Opaque),
    ("shutil.make_archive", Deed::Opaque),
    ("urllib.request.urlopen", Deed::Fetch(0)),
    ("urllib.request.Request", Deed::Fetch(0)),
    ("urllib.request.urlretrieve", Deed::Download(0, 1)),
    ("urllib.urlopen", Deed::Fetch(0)),
    ("urllib2.urlopen", Deed::Fetch(0)),
    ("http.client.HTTPConnection", Deed::Fetch(0)),
    ("http.client.HTTPSConnection", Deed::Fetch(0)),
    ("socket.create_connection", Deed::Send(9)),
    ("socket.socket", Deed::Send(9)),
    ("smtplib.SMTP", Deed::Send(0)),
    ("smtplib.SMTP_SSL", Deed::Send(0)),
    ("ftplib.FTP", Deed::Send(0)),
    ("xmlrpc.client.ServerProxy", Deed::Send(0)),
    ("requests.get", Deed::Fetch(0)),
    ("requests.head", Deed::Fetch(0)),
    ("requests.options", Deed::Fetch(0)),
    ("requests.post", Deed::Send(0)),
    ("requests.put", Deed::Send(0)),
    ("requests.patch", Deed::Send(0)),
    ("requests.delete", Deed::Send(0)),
    ("requests.request", Deed::Send(1)),
    ("requests.Session", Deed::Nothing),
    ("httpx.get", Deed::Fetch(0)),
    ("httpx.head", Deed::Fetch(0)),
    ("httpx.post", Deed::Send(0)),
    ("httpx.put", Deed::Send(0)),
    ("httpx.patch", Deed::Send(0)),
    ("httpx.delete", Deed::Send(0)),
    ("webbrowser.open", Deed::Fetch(0)),
    ("sqlite3.connect", Deed::Gives(Gift::Database)),
    ("exec", Deed::Opaque),
    ("eval", Deed::Opaque),
    ("execfile", Deed::Opaque),
    ("runpy.run_path", Deed::Opaque),
    ("runpy.run_module", Deed::Opaque),
    ("pickle.load", Deed::Opaque),
    ("pickle.loads", Deed::Opaque),
    ("marshal.load", Deed::Opaque),
    ("marshal.loads", Deed::Opaque),
    ("code.interact", Deed::Opaque),
    ("compileall.compile_dir", Deed::Opaque),
    ("py_compile.compile", Deed::Nothing),
    ("map", Deed::Calls),
    ("filter", Deed::Calls),
    ("atexit.register", Deed::Calls),
    ("threading.Thread", Deed::Calls),
    ("yaml.load", Deed::Nothing),
    ("yaml.unsafe_load", Deed::Opaque),
    ("yaml.full_load", Deed::Nothing),
    ("np.save", Deed::WriteIf(0)),
    ("numpy.save", Deed::WriteIf(0)),
    ("numpy.savez", Deed::WriteIf(0)),
    ("numpy.savetxt", Deed::WriteIf(0)),
    ("numpy.load", Deed::Read(0)),
    ("numpy.loadtxt", Deed::Read(0)),
    ("pandas.read_csv", Deed::Read(0)),
    ("pandas.read_json", Deed::Read(0)),
    ("pandas.read_parquet", Deed::Read(0)),
    ("pandas.read_excel", Deed::Read(0)),
    ("linecache.getline", Deed::Read(0)),
    ("xml.etree.ElementTree.parse", Deed::Gives(Gift::Document)),
    ("xml.etree.ElementTree.ElementTree", Deed::Gives(Gift::Document)),
    ("lxml.etree.parse", Deed::Gives(Gift::Document)),
    ("ElementTree.write", Deed::WriteIf(0)),
    ("ast.literal_eval", Deed::Nothing),
];

const METHODS: &[(&str, Deed)] = &[
    ("write", Deed::Print("")),
    ("writelines", Deed::Print("")),
    ("write_text", Deed::Write(0, 1)),
    ("write_bytes", Deed::Write(0, 1)),
    ("read_text", Deed::Read(0)),
    ("read_bytes", Deed::Read(0)),
    ("unlink", Deed::Delete(0)),
    ("rmdir", Deed::Delete(0)),
    ("touch", Deed::Touch(0)),
    ("chmod", Deed::Attributes(0)),
    ("lchmod", Deed::Attributes(0)),
    ("symlink_to", Deed::Link(1, 0)),
    ("hardlink_to", Deed::Link(1, 0)),
    ("link_to", Deed::Link(0, 1)),
    ("joinpath", Deed::Gives(Gift::Path)),
    ("resolve", Deed::Gives(Gift::Same(0))),
    ("absolute", Deed::Gives(Gift::Same(0))),
    ("as_posix", Deed::Gives(Gift::Same(0))),
    ("expanduser", Deed::Gives(Gift::Home)),
    ("with_name", Deed::Gives(Gift::Sibling)),
    ("with_suffix", Deed::Gives(Gift::SomePath)),
    ("split", Deed::Gives(Gift::Words)),
    ("execute", Deed::Sql),
    ("executemany", Deed::Sql),
    ("executescript", Deed::Sql),
    ("extractall", Deed::Opaque),
    ("extract", Deed::Opaque),
    ("to_csv", Deed::WriteIf(1)),
    ("to_json", Deed::WriteIf(1)),
    ("to_parquet", Deed::WriteIf(1)),
    ("to_excel", Deed::WriteIf(1)),
    ("to_html", Deed::WriteIf(1)),
    ("to_pickle", Deed::WriteIf(1)),
    ("savefig", Deed::WriteIf(1)),
    ("save", Deed::WriteIf(1)),
    ("tofile", Deed::WriteIf(1)),
    ("map", Deed::Calls),
    ("apply", Deed::Calls),
    ("submit", Deed::Calls),
    ("post", Deed::Send(1)),
    ("put", Deed::Nothing),
    ("send", Deed::Send(9)),
    ("sendall", Deed::Send(9)),
    ("sendmail", Deed::Send(9)),
    ("send_message", Deed::Send(9)),
    ("request", Deed::Send(2)),
    ("connect", Deed::Send(9)),
];

const HARMLESS: Words = Words(
    "print len range sorted int float bool list dict set tuple frozenset sum min max abs round \
     enumerate zip any all isinstance issubclass type repr hasattr setattr delattr reversed iter next \
     chr ord hex oct bin bytes bytearray memoryview format input id hash callable divmod pow slice \
     super object property staticmethod classmethod vars dir globals locals exit quit help complex \
     ascii compile raw_input unicode Exception ValueError TypeError KeyError RuntimeError SystemExit \
     AssertionError IndexError NotImplementedError OSError IOError FileNotFoundError StopIteration \
     AttributeError ImportError anext aiter breakpoint os.getenv os.listdir os.walk os.scandir \
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
