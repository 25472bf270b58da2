//! Lua.

use crate::code::dialect::{CallEffect, Dialect, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Lua,
    prefixes: &[
        "if", "then", "elseif", "else", "end", "for", "while", "do", "repeat", "until", "return", "local",
        "function", "not", "break", "goto",
    ],
    infixes: &["and", "or", "in"],
    branches: &["if", "elseif", "else", "for", "while", "repeat", "function", "and", "or"],
    functions: FUNCTIONS,
    methods: &[("write", CallEffect::Print(""))],
    harmless: Words(
        "print tostring tonumber type pairs ipairs next select unpack error assert pcall xpcall rawget \
     rawset rawequal rawlen setmetatable getmetatable collectgarbage os.time os.date os.clock \
     os.getenv os.exit os.difftime os.tmpname os.setlocale io.read io.write io.close io.type \
     io.stdout io.stderr.write io.stdout.write io.stdin.read io.stdin.lines warn vim.print \
     vim.inspect",
    ),
    harmless_methods: Words(
        "read lines close flush seek setvbuf format rep sub gsub find match gmatch upper lower len \
     reverse byte char",
    ),
    modules: Words("string table math utf8 bit bit32 coroutine jit io.stdout io.stderr io.stdin"),
    quiet_modules: Words("io os bit ffi jit cjson cjson.safe dkjson lfs lpeg inspect socket"),
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("io.open", CallEffect::Open(0, 1)),
    ("io.lines", CallEffect::Read(0)),
    ("io.input", CallEffect::Read(0)),
    ("io.output", CallEffect::Create(0)),
    ("io.popen", CallEffect::Shell(0)),
    ("os.execute", CallEffect::Shell(0)),
    ("os.remove", CallEffect::Delete(0)),
    ("os.rename", CallEffect::Move(0, 1)),
    ("dofile", CallEffect::Opaque),
    ("loadfile", CallEffect::Opaque),
    ("load", CallEffect::Opaque),
    ("loadstring", CallEffect::Opaque),
    ("require", CallEffect::Load(0)),
    ("debug.sethook", CallEffect::Opaque),
    ("package.loadlib", CallEffect::Opaque),
];
