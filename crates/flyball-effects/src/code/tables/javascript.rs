//! JavaScript and TypeScript, as node, deno and bun run them.

use crate::code::dialect::{CallEffect, Dialect, Returned, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::JavaScript,
    prefixes: &[
        "if", "else", "for", "while", "do", "switch", "case", "default", "try", "catch", "finally", "return",
        "throw", "yield", "await", "async", "new", "typeof", "void", "delete", "const", "let", "var",
        "function", "class", "export", "static", "get", "break", "continue",
    ],
    infixes: &["in", "of", "instanceof", "extends", "as", "satisfies"],
    // `forEach` and `map` are loops: what they are given runs any number of times.
    branches: &[
        "if", "else", "for", "while", "do", "switch", "case", "catch", "function", "class", "forEach", "map",
    ],
    functions: FUNCTIONS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("fs.readdirSync", CallEffect::Lists(0)),
    ("fs.readdir", CallEffect::Lists(0)),
    ("require", CallEffect::Load(0)),
    ("import", CallEffect::Load(0)),
    ("module.require", CallEffect::Load(0)),
    ("process.mainModule.require", CallEffect::Load(0)),
    ("process.getBuiltinModule", CallEffect::Load(0)),
    ("module.createRequire", CallEffect::Opaque),
    ("util.promisify", CallEffect::Returns(Returned::Same(0))),
    ("promisify", CallEffect::Returns(Returned::Same(0))),
    ("path.join", CallEffect::Returns(Returned::Join)),
    ("path.resolve", CallEffect::Returns(Returned::Join)),
    ("path.posix.join", CallEffect::Returns(Returned::Join)),
    ("path.normalize", CallEffect::Returns(Returned::Same(0))),
    ("path.dirname", CallEffect::Returns(Returned::Parent)),
    ("os.homedir", CallEffect::Returns(Returned::HomeItself)),
    ("process.cwd", CallEffect::Returns(Returned::Here)),
    ("Deno.cwd", CallEffect::Returns(Returned::Here)),
    ("String", CallEffect::Returns(Returned::Same(0))),
    ("process.chdir", CallEffect::Enter(0)),
    ("Deno.chdir", CallEffect::Enter(0)),
    ("fs.readFile", CallEffect::Read(0)),
    ("fs.readFileSync", CallEffect::Read(0)),
    ("fs.createReadStream", CallEffect::Read(0)),
    ("fs.writeFile", CallEffect::Write(0, 1)),
    ("fs.writeFileSync", CallEffect::Write(0, 1)),
    ("fs.outputFile", CallEffect::Write(0, 1)),
    ("fs.outputFileSync", CallEffect::Write(0, 1)),
    ("fs.writeJsonSync", CallEffect::Write(0, 9)),
    ("fs.appendFile", CallEffect::Append(0, 1)),
    ("fs.appendFileSync", CallEffect::Append(0, 1)),
    ("fs.unlink", CallEffect::Delete(0)),
    ("fs.unlinkSync", CallEffect::Delete(0)),
    ("fs.rm", CallEffect::DeleteOption(0)),
    ("fs.rmSync", CallEffect::DeleteOption(0)),
    ("fs.remove", CallEffect::DeleteTree(0)),
    ("fs.removeSync", CallEffect::DeleteTree(0)),
    ("fs.emptyDirSync", CallEffect::DeleteTree(0)),
    ("fs.rmdir", CallEffect::DeleteOption(0)),
    ("fs.rmdirSync", CallEffect::DeleteOption(0)),
    ("fs.rename", CallEffect::Move(0, 1)),
    ("fs.renameSync", CallEffect::Move(0, 1)),
    ("fs.moveSync", CallEffect::Move(0, 1)),
    ("fs.copyFile", CallEffect::Copy(0, 1)),
    ("fs.copyFileSync", CallEffect::Copy(0, 1)),
    ("fs.copySync", CallEffect::Copy(0, 1)),
    ("fs.cp", CallEffect::Copy(0, 1)),
    ("fs.cpSync", CallEffect::Copy(0, 1)),
    ("fs.truncate", CallEffect::Change(0)),
    ("fs.truncateSync", CallEffect::Change(0)),
    ("fs.chmod", CallEffect::Attributes(0)),
    ("fs.chmodSync", CallEffect::Attributes(0)),
    ("fs.chown", CallEffect::Attributes(0)),
    ("fs.chownSync", CallEffect::Attributes(0)),
    ("fs.utimes", CallEffect::Attributes(0)),
    ("fs.utimesSync", CallEffect::Attributes(0)),
    ("fs.symlink", CallEffect::Link(0, 1)),
    ("fs.symlinkSync", CallEffect::Link(0, 1)),
    ("fs.link", CallEffect::Link(0, 1)),
    ("fs.linkSync", CallEffect::Link(0, 1)),
    ("fs.createWriteStream", CallEffect::Create(0)),
    ("fs.open", CallEffect::Open(0, 1)),
    ("fs.openSync", CallEffect::Open(0, 1)),
    ("fs.write", CallEffect::WriteTo(0, 1)),
    ("fs.writeSync", CallEffect::WriteTo(0, 1)),
    ("fs.promises.readFile", CallEffect::Read(0)),
    ("fs.promises.writeFile", CallEffect::Write(0, 1)),
    ("fs.promises.appendFile", CallEffect::Append(0, 1)),
    ("fs.promises.unlink", CallEffect::Delete(0)),
    ("fs.promises.rm", CallEffect::DeleteOption(0)),
    ("fs.promises.rmdir", CallEffect::DeleteOption(0)),
    ("fs.promises.rename", CallEffect::Move(0, 1)),
    ("fs.promises.copyFile", CallEffect::Copy(0, 1)),
    ("fs.promises.cp", CallEffect::Copy(0, 1)),
    ("fs.promises.truncate", CallEffect::Change(0)),
    ("fs.promises.chmod", CallEffect::Attributes(0)),
    ("fs.promises.symlink", CallEffect::Link(0, 1)),
    ("fs.promises.link", CallEffect::Link(0, 1)),
    ("fs.promises.open", CallEffect::Open(0, 1)),
    ("child_process.exec", CallEffect::Shell(0)),
    ("child_process.execSync", CallEffect::Shell(0)),
    ("child_process.spawn", CallEffect::Start(Start::Program)),
    ("child_process.spawnSync", CallEffect::Start(Start::Program)),
    ("child_process.execFile", CallEffect::Start(Start::Program)),
    ("child_process.execFileSync", CallEffect::Start(Start::Program)),
    ("child_process.fork", CallEffect::Opaque),
    ("execa", CallEffect::Start(Start::Program)),
    ("execa.execa", CallEffect::Start(Start::Program)),
    ("execa.execaSync", CallEffect::Start(Start::Program)),
    ("execa.execaCommand", CallEffect::Shell(0)),
    ("fetch", CallEffect::Fetch(0)),
    ("http.get", CallEffect::Fetch(0)),
    ("https.get", CallEffect::Fetch(0)),
    ("http.request", CallEffect::Fetch(0)),
    ("https.request", CallEffect::Fetch(0)),
    ("http.createServer", CallEffect::Calls),
    ("net.connect", CallEffect::Send(9)),
    ("net.createConnection", CallEffect::Send(9)),
    ("tls.connect", CallEffect::Send(9)),
    ("dgram.createSocket", CallEffect::Send(9)),
    ("axios", CallEffect::Fetch(0)),
    ("axios.get", CallEffect::Fetch(0)),
    ("axios.head", CallEffect::Fetch(0)),
    ("axios.post", CallEffect::Send(0)),
    ("axios.put", CallEffect::Send(0)),
    ("axios.patch", CallEffect::Send(0)),
    ("axios.delete", CallEffect::Send(0)),
    ("WebSocket", CallEffect::Send(0)),
    ("Deno.readTextFile", CallEffect::Read(0)),
    ("Deno.readTextFileSync", CallEffect::Read(0)),
    ("Deno.readFile", CallEffect::Read(0)),
    ("Deno.readFileSync", CallEffect::Read(0)),
    ("Deno.writeTextFile", CallEffect::Write(0, 1)),
    ("Deno.writeTextFileSync", CallEffect::Write(0, 1)),
    ("Deno.writeFile", CallEffect::Write(0, 1)),
    ("Deno.writeFileSync", CallEffect::Write(0, 1)),
    ("Deno.create", CallEffect::Create(0)),
    ("Deno.createSync", CallEffect::Create(0)),
    ("Deno.open", CallEffect::Change(0)),
    ("Deno.openSync", CallEffect::Change(0)),
    ("Deno.remove", CallEffect::DeleteOption(0)),
    ("Deno.removeSync", CallEffect::DeleteOption(0)),
    ("Deno.rename", CallEffect::Move(0, 1)),
    ("Deno.renameSync", CallEffect::Move(0, 1)),
    ("Deno.copyFile", CallEffect::Copy(0, 1)),
    ("Deno.copyFileSync", CallEffect::Copy(0, 1)),
    ("Deno.truncate", CallEffect::Change(0)),
    ("Deno.chmod", CallEffect::Attributes(0)),
    ("Deno.symlink", CallEffect::Link(0, 1)),
    ("Deno.symlinkSync", CallEffect::Link(0, 1)),
    ("Deno.link", CallEffect::Link(0, 1)),
    ("Deno.Command", CallEffect::Start(Start::Program)),
    ("Deno.run", CallEffect::Opaque),
    ("Bun.write", CallEffect::Write(0, 1)),
    ("Bun.file", CallEffect::Returns(Returned::Path)),
    ("Bun.spawn", CallEffect::Start(Start::ListOrLine(0))),
    ("Bun.spawnSync", CallEffect::Start(Start::ListOrLine(0))),
    ("Bun.$", CallEffect::Shell(0)),
    ("eval", CallEffect::Code(0)),
    ("Function", CallEffect::Code(0)),
    ("process.binding", CallEffect::Opaque),
    ("process.dlopen", CallEffect::Opaque),
    ("vm.runInThisContext", CallEffect::Code(0)),
    ("vm.runInNewContext", CallEffect::Code(0)),
    ("vm.runInContext", CallEffect::Code(0)),
    ("vm.Script", CallEffect::Code(0)),
    ("worker_threads.Worker", CallEffect::Opaque),
    ("setTimeout", CallEffect::Calls),
    ("setInterval", CallEffect::Calls),
    ("setImmediate", CallEffect::Calls),
    ("queueMicrotask", CallEffect::Calls),
];

const METHODS: &[(&str, CallEffect)] = &[
    ("write", CallEffect::Print("")),
    ("end", CallEffect::Print("")),
    ("writeFile", CallEffect::Print("")),
    ("forEach", CallEffect::Calls),
    ("map", CallEffect::Calls),
    ("filter", CallEffect::Calls),
    ("reduce", CallEffect::Calls),
    ("then", CallEffect::Calls),
    ("on", CallEffect::Calls),
    ("once", CallEffect::Calls),
    ("split", CallEffect::Returns(Returned::Words)),
    ("trim", CallEffect::Returns(Returned::Same(0))),
    ("toString", CallEffect::Returns(Returned::Same(0))),
];

const HARMLESS: Words = Words(
    "parseInt parseFloat isNaN isFinite Number Boolean Array Object Symbol BigInt Date Error \
     TypeError RangeError SyntaxError Map Set WeakMap WeakSet Promise RegExp URL URLSearchParams \
     TextEncoder TextDecoder Uint8Array Uint16Array Uint32Array Int32Array Float32Array Float64Array \
     ArrayBuffer DataView Buffer atob btoa encodeURIComponent decodeURIComponent encodeURI decodeURI \
     escape unescape structuredClone clearTimeout clearInterval clearImmediate require.resolve \
     AbortController Proxy Headers FormData Blob alert resolve reject super exit import.meta.resolve \
     Request Response File fs.existsSync fs.exists fs.statSync fs.stat fs.lstatSync fs.lstat \
     fs.accessSync fs.access fs.mkdirSync fs.mkdir fs.mkdtempSync \
     fs.realpathSync fs.realpath fs.readlinkSync fs.closeSync fs.close fs.readSync fs.read \
     fs.fsyncSync fs.watch fs.watchFile fs.opendirSync fs.fstatSync fs.globSync fs.ensureDirSync \
     fs.readJsonSync fs.promises.stat fs.promises.lstat fs.promises.readdir fs.promises.access \
     fs.promises.mkdir fs.promises.realpath fs.promises.readlink fs.promises.mkdtemp fs.promises.glob \
     fs.constants Deno.env.get Deno.exit Deno.readDirSync Deno.readDir Deno.statSync Deno.stat \
     Deno.lstatSync Deno.mkdirSync Deno.mkdir Deno.realPathSync Deno.inspect Deno.memoryUsage \
     Deno.hostname Bun.version Bun.inspect Bun.hash Bun.nanoseconds Bun.which Bun.sleep Bun.sleepSync \
     Bun.stdin.text Bun.resolveSync Bun.semver.satisfies Bun.deepEquals Bun.gzipSync dns.lookup \
     dns.resolve vm.createContext EventEmitter Iterator.from describe it test",
);

const HARMLESS_METHODS: Words = Words(
    "some every find findIndex findLast findLastIndex flatMap flat reduceRight sort toSorted \
     toReversed toSpliced with reverse slice splice concat join push pop shift unshift includes \
     indexOf lastIndexOf fill keys values entries at copyWithin trimStart trimEnd padStart padEnd \
     repeat replace replaceAll match matchAll search startsWith endsWith charAt charCodeAt \
     codePointAt substring substr toUpperCase toLowerCase toLocaleUpperCase toLocaleLowerCase \
     localeCompare normalize toFixed toPrecision toExponential toLocaleString valueOf hasOwnProperty \
     isPrototypeOf get set has delete add clear size test exec catch finally json text arrayBuffer \
     blob getTime toISOString toJSON toDateString toTimeString toLocaleDateString toLocaleTimeString \
     getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds \
     getTimezoneOffset getUTCFullYear setDate setMonth setFullYear setHours setTime setMinutes append \
     getAll setEncoding resume pause pipe read off emit addListener removeListener removeAllListeners \
     close destroy question prompt line update digest final isFile isDirectory isSymbolicLink isFIFO \
     encode decode bind call apply next return throw resolve reject all allSettled race log error \
     warn info debug table assign freeze fromEntries from of isArray parse stringify ref unref kill \
     listen address abort addEventListener removeEventListener groupBy description equals readUInt8 \
     readUInt16LE readUInt16BE readUInt32LE readUInt32BE readInt32LE subarray compare format \
     formatToParts toArray take drop stdout output outputSync spawn exists setTimeout setHeader \
     writeHead getReader getHeader formData isWellFormed toWellFormed anchor big union intersection \
     difference isSubsetOf setRawMode trimLeft trimRight getOwnPropertyNames is raw toBase64 stream \
     bytes lines quiet nothrow",
);

const MODULES: Words = Words(
    "console JSON Math Object Array Number String Date Promise Reflect Symbol Buffer Intl process \
     path util os crypto url querystring assert events readline zlib perf_hooks performance buffer \
     string_decoder timers stream Atomics BigInt RegExp URL Set Map Error Uint8Array v8 punycode \
     diagnostics_channel async_hooks constants tty semver chalk lodash _ yaml js-yaml ms uuid \
     fast-glob glob minimatch acorn typescript marked Iterator Temporal AbortSignal Response \
     Float32Array import.meta",
);

const QUIET_MODULES: Words = Words(
    "fs child_process http https http2 net tls dns dgram vm worker_threads cluster module inspector \
     repl test fs-extra axios node-fetch execa react vue svelte vite webpack esbuild rollup eslint \
     prettier jest vitest next express sharp playwright puppeteer zod dotenv rxjs jquery moment dayjs \
     date-fns electron sqlite ffi zx",
);
