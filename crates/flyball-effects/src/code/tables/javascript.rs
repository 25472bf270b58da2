//! JavaScript and TypeScript, as node, deno and bun run them.

use crate::code::dialect::{Deed, Dialect, Gift, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::JavaScript,
    prefixes: &[
        "if", "else", "for", "while", "do", "switch", "case", "default", "try", "catch", "finally", "return",
        "throw", "yield", "await", "async", "new", "typeof", "void", "delete", "const", "let", "var",
        "function", "class", "export", "static", "get", "break", "continue",
    ],
    infixes: &["in", "of", "instanceof", "extends", "as", "satisfies"],
    branches: &[
        "if", "else", "for", "while", "do", "switch", "case", "catch", "function", "class", "forEach", "map",
    ],
    deeds: DEEDS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const DEEDS: &[(&str, Deed)] = &[
    ("require", Deed::Load(0)),
    ("import", Deed::Load(0)),
    ("module.require", Deed::Load(0)),
    ("process.mainModule.require", Deed::Load(0)),
    ("process.getBuiltinModule", Deed::Load(0)),
    ("module.createRequire", Deed::Opaque),
    ("util.promisify", Deed::Gives(Gift::Same(0))),
    ("promisify", Deed::Gives(Gift::Same(0))),
    ("path.join", Deed::Gives(Gift::Join)),
    ("path.resolve", Deed::Gives(Gift::Join)),
    ("path.posix.join", Deed::Gives(Gift::Join)),
    ("path.normalize", Deed::Gives(Gift::Same(0))),
    ("path.dirname", Deed::Gives(Gift::Parent)),
    ("os.homedir", Deed::Gives(Gift::HomeItself)),
    ("process.cwd", Deed::Gives(Gift::Here)),
    ("Deno.cwd", Deed::Gives(Gift::Here)),
    ("String", Deed::Gives(Gift::Same(0))),
    ("process.chdir", Deed::Enter(0)),
    ("Deno.chdir", Deed::Enter(0)),
    ("fs.readFile", Deed::Read(0)),
    ("fs.readFileSync", Deed::Read(0)),
    ("fs.createReadStream", Deed::Read(0)),
    ("fs.writeFile", Deed::Write(0, 1)),
    ("fs.writeFileSync", Deed::Write(0, 1)),
    ("fs.outputFile", Deed::Write(0, 1)),
    ("fs.outputFileSync", Deed::Write(0, 1)),
    ("fs.writeJsonSync", Deed::Write(0, 9)),
    ("fs.appendFile", Deed::Append(0, 1)),
    ("fs.appendFileSync", Deed::Append(0, 1)),
    ("fs.unlink", Deed::Delete(0)),
    ("fs.unlinkSync", Deed::Delete(0)),
    ("fs.rm", Deed::DeleteOption(0)),
    ("fs.rmSync", Deed::DeleteOption(0)),
    ("fs.remove", Deed::DeleteTree(0)),
    ("fs.removeSync", Deed::DeleteTree(0)),
    ("fs.emptyDirSync", Deed::DeleteTree(0)),
    ("fs.rmdir", Deed::DeleteOption(0)),
    ("fs.rmdirSync", Deed::DeleteOption(0)),
    ("fs.rename", Deed::Move(0, 1)),
    ("fs.renameSync", Deed::Move(0, 1)),
    ("fs.moveSync", Deed::Move(0, 1)),
    ("fs.copyFile", Deed::Copy(0, 1)),
    ("fs.copyFileSync", Deed::Copy(0, 1)),
    ("fs.copySync", Deed::Copy(0, 1)),
    ("fs.cp", Deed::Copy(0, 1)),
    ("fs.cpSync", Deed::Copy(0, 1)),
    ("fs.truncate", Deed::Change(0)),
    ("fs.truncateSync", Deed::Change(0)),
    ("fs.chmod", Deed::Attributes(0)),
    ("fs.chmodSync", Deed::Attributes(0)),
    ("fs.chown", Deed::Attributes(0)),
    ("fs.chownSync", Deed::Attributes(0)),
    ("fs.utimes", Deed::Attributes(0)),
    ("fs.utimesSync", Deed::Attributes(0)),
    ("fs.symlink", Deed::Link(0, 1)),
    ("fs.symlinkSync", Deed::Link(0, 1)),
    ("fs.link", Deed::Link(0, 1)),
    ("fs.linkSync", Deed::Link(0, 1)),
    ("fs.createWriteStream", Deed::Create(0)),
    ("fs.open", Deed::Open(0, 1)),
    ("fs.openSync", Deed::Open(0, 1)),
    ("fs.write", Deed::WriteTo(0, 1)),
    ("fs.writeSync", Deed::WriteTo(0, 1)),
    ("fs.promises.readFile", Deed::Read(0)),
    ("fs.promises.writeFile", Deed::Write(0, 1)),
    ("fs.promises.appendFile", Deed::Append(0, 1)),
    ("fs.promises.unlink", Deed::Delete(0)),
    ("fs.promises.rm", Deed::DeleteOption(0)),
    ("fs.promises.rmdir", Deed::DeleteOption(0)),
    ("fs.promises.rename", Deed::Move(0, 1)),
    ("fs.promises.copyFile", Deed::Copy(0, 1)),
    ("fs.promises.cp", Deed::Copy(0, 1)),
    ("fs.promises.truncate", Deed::Change(0)),
    ("fs.promises.chmod", Deed::Attributes(0)),
    ("fs.promises.symlink", Deed::Link(0, 1)),
    ("fs.promises.link", Deed::Link(0, 1)),
    ("fs.promises.open", Deed::Open(0, 1)),
    ("child_process.exec", Deed::Shell(0)),
    ("child_process.execSync", Deed::Shell(0)),
    ("child_process.spawn", Deed::Start(Start::Program)),
    ("child_process.spawnSync", Deed::Start(Start::Program)),
    ("child_process.execFile", Deed::Start(Start::Program)),
    ("child_process.execFileSync", Deed::Start(Start::Program)),
    ("child_process.fork", Deed::Opaque),
    ("execa", Deed::Start(Start::Program)),
    ("execa.execa", Deed::Start(Start::Program)),
    ("execa.execaSync", Deed::Start(Start::Program)),
    ("execa.execaCommand", Deed::Shell(0)),
    ("fetch", Deed::Fetch(0)),
    ("http.get", Deed::Fetch(0)),
    ("https.get", Deed::Fetch(0)),
    ("http.request", Deed::Fetch(0)),
    ("https.request", Deed::Fetch(0)),
    ("http.createServer", Deed::Calls),
    ("net.connect", Deed::Send(9)),
    ("net.createConnection", Deed::Send(9)),
    ("tls.connect", Deed::Send(9)),
    ("dgram.createSocket", Deed::Send(9)),
    ("axios", Deed::Fetch(0)),
    ("axios.get", Deed::Fetch(0)),
    ("axios.head", Deed::Fetch(0)),
    ("axios.post", Deed::Send(0)),
    ("axios.put", Deed::Send(0)),
    ("axios.patch", Deed::Send(0)),
    ("axios.delete", Deed::Send(0)),
    ("WebSocket", Deed::Send(0)),
    ("Deno.readTextFile", Deed::Read(0)),
    ("Deno.readTextFileSync", Deed::Read(0)),
    ("Deno.readFile", Deed::Read(0)),
    ("Deno.readFileSync", Deed::Read(0)),
    ("Deno.writeTextFile", Deed::Write(0, 1)),
    ("Deno.writeTextFileSync", Deed::Write(0, 1)),
    ("Deno.writeFile", Deed::Write(0, 1)),
    ("Deno.writeFileSync", Deed::Write(0, 1)),
    ("Deno.create", Deed::Create(0)),
    ("Deno.createSync", Deed::Create(0)),
    ("Deno.open", Deed::Change(0)),
    ("Deno.openSync", Deed::Change(0)),
    ("Deno.remove", Deed::DeleteOption(0)),
    ("Deno.removeSync", Deed::DeleteOption(0)),
    ("Deno.rename", Deed::Move(0, 1)),
    ("Deno.renameSync", Deed::Move(0, 1)),
    ("Deno.copyFile", Deed::Copy(0, 1)),
    ("Deno.copyFileSync", Deed::Copy(0, 1)),
    ("Deno.truncate", Deed::Change(0)),
    ("Deno.chmod", Deed::Attributes(0)),
    ("Deno.symlink", Deed::Link(0, 1)),
    ("Deno.symlinkSync", Deed::Link(0, 1)),
    ("Deno.link", Deed::Link(0, 1)),
    ("Deno.Command", Deed::Start(Start::Program)),
    ("Deno.run", Deed::Opaque),
    ("Bun.write", Deed::Write(0, 1)),
    ("Bun.file", Deed::Gives(Gift::Path)),
    ("Bun.spawn", Deed::Start(Start::ListOrLine(0))),
    ("Bun.spawnSync", Deed::Start(Start::ListOrLine(0))),
    ("Bun.$", Deed::Shell(0)),
    ("eval", Deed::Opaque),
    ("Function", Deed::Opaque),
    ("process.binding", Deed::Opaque),
    ("process.dlopen", Deed::Opaque),
    ("vm.runInThisContext", Deed::Opaque),
    ("vm.runInNewContext", Deed::Opaque),
    ("vm.runInContext", Deed::Opaque),
    ("vm.Script", Deed::Opaque),
    ("worker_threads.Worker", Deed::Opaque),
    ("setTimeout", Deed::Calls),
    ("setInterval", Deed::Calls),
    ("setImmediate", Deed::Calls),
    ("queueMicrotask", Deed::Calls),
];

const METHODS: &[(&str, Deed)] = &[
    ("write", Deed::Print("")),
    ("end", Deed::Print("")),
    ("writeFile", Deed::Print("")),
    ("forEach", Deed::Calls),
    ("map", Deed::Calls),
    ("filter", Deed::Calls),
    ("reduce", Deed::Calls),
    ("then", Deed::Calls),
    ("on", Deed::Calls),
    ("once", Deed::Calls),
    ("split", Deed::Gives(Gift::Words)),
    ("trim", Deed::Gives(Gift::Same(0))),
    ("toString", Deed::Gives(Gift::Same(0))),
];

const HARMLESS: Words = Words(
    "parseInt parseFloat isNaN isFinite Number Boolean Array Object Symbol BigInt Date Error \
     TypeError RangeError SyntaxError Map Set WeakMap WeakSet Promise RegExp URL URLSearchParams \
     TextEncoder TextDecoder Uint8Array Uint16Array Uint32Array Int32Array Float32Array Float64Array \
     ArrayBuffer DataView Buffer atob btoa encodeURIComponent decodeURIComponent encodeURI decodeURI \
     escape unescape structuredClone clearTimeout clearInterval clearImmediate require.resolve \
     AbortController Proxy Headers FormData Blob alert resolve reject super exit import.meta.resolve \
     Request Response File fs.existsSync fs.exists fs.statSync fs.stat fs.lstatSync fs.lstat \
     fs.readdirSync fs.readdir fs.accessSync fs.access fs.mkdirSync fs.mkdir fs.mkdtempSync \
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
