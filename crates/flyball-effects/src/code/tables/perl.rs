//! Perl.

use crate::code::dialect::{CallEffect, Dialect, Returned, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Perl,
    prefixes: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "foreach", "return", "my", "our", "local",
        "not", "sub", "package", "last", "next", "redo", "BEGIN", "END", "do", "state",
    ],
    infixes: &[
        "and", "or", "xor", "not", "if", "unless", "while", "until", "for", "foreach", "x", "eq", "ne", "lt",
        "gt", "le", "ge", "cmp", "isa",
    ],
    branches: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "foreach", "sub", "map", "grep", "and",
        "or",
    ],
    functions: FUNCTIONS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("glob", CallEffect::Lists(0)),
    ("open", CallEffect::OpenPerl),
    ("sysopen", CallEffect::Change(1)),
    ("unlink", CallEffect::DeleteEach),
    ("rmdir", CallEffect::Delete(0)),
    ("rename", CallEffect::Move(0, 1)),
    ("chmod", CallEffect::AttributesFrom(1)),
    ("chown", CallEffect::AttributesFrom(2)),
    ("utime", CallEffect::AttributesFrom(2)),
    ("truncate", CallEffect::Change(0)),
    ("link", CallEffect::Link(0, 1)),
    ("symlink", CallEffect::Link(0, 1)),
    ("chdir", CallEffect::Enter(0)),
    ("system", CallEffect::Start(Start::Words)),
    ("exec", CallEffect::Start(Start::Words)),
    ("readpipe", CallEffect::Shell(0)),
    ("print", CallEffect::Print("")),
    ("say", CallEffect::Print("\n")),
    ("printf", CallEffect::Nothing),
    ("syswrite", CallEffect::WriteTo(0, 1)),
    ("eval", CallEffect::Calls),
    ("require", CallEffect::Opaque),
    ("do", CallEffect::Opaque),
    ("copy", CallEffect::Copy(0, 1)),
    ("move", CallEffect::Move(0, 1)),
    ("cp", CallEffect::Copy(0, 1)),
    ("mv", CallEffect::Move(0, 1)),
    ("File::Copy::copy", CallEffect::Copy(0, 1)),
    ("File::Copy::move", CallEffect::Move(0, 1)),
    ("remove_tree", CallEffect::DeleteTree(0)),
    ("rmtree", CallEffect::DeleteTree(0)),
    ("File::Path::remove_tree", CallEffect::DeleteTree(0)),
    ("File::Path::rmtree", CallEffect::DeleteTree(0)),
    ("write_file", CallEffect::Write(0, 1)),
    ("append_file", CallEffect::Append(0, 1)),
    ("read_file", CallEffect::Read(0)),
    ("path", CallEffect::Returns(Returned::Path)),
    ("IO::File.new", CallEffect::Open(0, 1)),
    ("getcwd", CallEffect::Returns(Returned::Here)),
    ("cwd", CallEffect::Returns(Returned::Here)),
    ("dirname", CallEffect::Returns(Returned::Parent)),
    ("catfile", CallEffect::Returns(Returned::Join)),
    ("get", CallEffect::Fetch(0)),
    ("getstore", CallEffect::Download(0, 1)),
    ("getprint", CallEffect::Fetch(0)),
    ("LWP::Simple::get", CallEffect::Fetch(0)),
    ("LWP::UserAgent.new", CallEffect::Nothing),
    ("HTTP::Tiny.new", CallEffect::Nothing),
    ("IO::Socket::INET.new", CallEffect::Send(9)),
    ("socket", CallEffect::Send(9)),
    ("connect", CallEffect::Send(9)),
    ("syscall", CallEffect::Opaque),
];

const METHODS: &[(&str, CallEffect)] = &[
    ("print", CallEffect::Print("")),
    ("say", CallEffect::Print("\n")),
    ("spew", CallEffect::Write(0, 1)),
    ("spew_utf8", CallEffect::Write(0, 1)),
    ("append", CallEffect::Append(0, 1)),
    ("append_utf8", CallEffect::Append(0, 1)),
    ("slurp", CallEffect::Read(0)),
    ("slurp_utf8", CallEffect::Read(0)),
    ("remove", CallEffect::Delete(0)),
    ("remove_tree", CallEffect::DeleteTree(0)),
    ("get", CallEffect::Fetch(1)),
    ("post", CallEffect::Send(1)),
    ("put", CallEffect::Send(1)),
];

const HARMLESS: Words = Words(
    "length substr index rindex uc lc ucfirst lcfirst sprintf join split reverse sort map grep push \
     pop shift unshift splice keys values each exists delete defined undef scalar wantarray ref bless \
     die warn exit chomp chop chr ord hex oct abs int sqrt sin cos atan2 exp log rand srand time \
     localtime gmtime sleep close eof binmode seek tell read sysread readline fileno select stat \
     lstat opendir readdir closedir mkdir readlink pack unpack quotemeta pos lock local caller sum \
     sum0 max min first any all none uniq shuffle reduce pairs maxstr minstr product uniqnum Dumper \
     encode_json decode_json to_json from_json JSON::PP.new JSON.new JSON::XS.new basename fileparse \
     floor ceil fmod strftime mktime encode decode encode_base64 decode_base64 md5_hex sha1_hex \
     sha256_hex GetOptions blessed looks_like_number reftype dualvar croak carp confess cluck \
     find finddepth abs_path realpath rel2abs abs2rel getppid getpwuid getpwnam getpwent getlogin \
     wait waitpid kill alarm umask formline format write study vec tr y gettimeofday tv_interval \
     timelocal timegm STDIN STDOUT STDERR ARGV state prototype fc chained getc flock pipe fork times \
     ok is is_deeply done_testing plan note diag",
);

const HARMLESS_METHODS: Words = Words(
    "new pretty canonical encode decode utf8 allow_nonref relaxed indent space_before space_after \
     autoflush close getline getlines opened eof binmode lines lines_utf8 exists is_file is_dir child \
     children parent basename stringify content decoded_content is_success status_line code message \
     ymd hms strftime epoch year month day now today add subtract hexdigest b64digest digest addfile \
     isa can VERSION import find agent timeout mkpath relative absolute stat convert_blessed \
     incr_parse catfile catdir tmpdir rootdir splitdir splitpath curdir",
);

const MODULES: Words = Words(
    "POSIX List::Util Scalar::Util Data::Dumper File::Basename File::Spec Time::HiRes Time::Local \
     Encode MIME::Base64 Digest::MD5 Digest::SHA Cwd JSON::PP JSON JSON::XS Text::Wrap \
     Text::ParseWords Math::BigInt Math::Trig Unicode::Normalize DateTime Time::Piece URI::Escape \
     Term::ANSIColor Config Getopt::Long B Storable Hash::Util List::MoreUtils YAML HTML::Entities",
);

const QUIET_MODULES: Words = Words(
    "strict warnings utf8 feature open bytes integer bigint bignum constant vars lib autodie \
     diagnostics locale English Carp Exporter File::Copy File::Path File::Find File::Slurp File::Temp \
     File::stat FindBin IO::File IO::Handle IO::Socket IO::Socket::INET IPC::Open3 IPC::Open2 \
     LWP::Simple LWP::UserAgent HTTP::Tiny Path::Tiny Test::More Tie::File base parent overload re \
     sort subs threads version Socket Errno Fcntl Benchmark Text::Tabs Text::Abbrev Text::CSV \
     Text::Diff XML::Simple XML::LibXML DBI experimental mro charnames encoding if less filetest \
     sigtrap Symbol Env User::pwent Sys::Hostname",
);
