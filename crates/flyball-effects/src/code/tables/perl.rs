//! Perl.

use crate::code::dialect::{Deed, Dialect, Gift, Start, Words};
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
    deeds: DEEDS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const DEEDS: &[(&str, Deed)] = &[
    ("open", Deed::OpenPerl),
    ("sysopen", Deed::Change(1)),
    ("unlink", Deed::DeleteEach),
    ("rmdir", Deed::Delete(0)),
    ("rename", Deed::Move(0, 1)),
    ("chmod", Deed::AttributesFrom(1)),
    ("chown", Deed::AttributesFrom(2)),
    ("utime", Deed::AttributesFrom(2)),
    ("truncate", Deed::Change(0)),
    ("link", Deed::Link(0, 1)),
    ("symlink", Deed::Link(0, 1)),
    ("chdir", Deed::Enter(0)),
    ("system", Deed::Start(Start::Words)),
    ("exec", Deed::Start(Start::Words)),
    ("readpipe", Deed::Shell(0)),
    ("print", Deed::Print("")),
    ("say", Deed::Print("\n")),
    ("printf", Deed::Nothing),
    ("syswrite", Deed::WriteTo(0, 1)),
    ("eval", Deed::Calls),
    ("require", Deed::Opaque),
    ("do", Deed::Opaque),
    ("copy", Deed::Copy(0, 1)),
    ("move", Deed::Move(0, 1)),
    ("cp", Deed::Copy(0, 1)),
    ("mv", Deed::Move(0, 1)),
    ("File::Copy::copy", Deed::Copy(0, 1)),
    ("File::Copy::move", Deed::Move(0, 1)),
    ("remove_tree", Deed::DeleteTree(0)),
    ("rmtree", Deed::DeleteTree(0)),
    ("File::Path::remove_tree", Deed::DeleteTree(0)),
    ("File::Path::rmtree", Deed::DeleteTree(0)),
    ("write_file", Deed::Write(0, 1)),
    ("append_file", Deed::Append(0, 1)),
    ("read_file", Deed::Read(0)),
    ("path", Deed::Gives(Gift::Path)),
    ("IO::File.new", Deed::Open(0, 1)),
    ("getcwd", Deed::Gives(Gift::Here)),
    ("cwd", Deed::Gives(Gift::Here)),
    ("dirname", Deed::Gives(Gift::Parent)),
    ("catfile", Deed::Gives(Gift::Join)),
    ("get", Deed::Fetch(0)),
    ("getstore", Deed::Download(0, 1)),
    ("getprint", Deed::Fetch(0)),
    ("LWP::Simple::get", Deed::Fetch(0)),
    ("LWP::UserAgent.new", Deed::Nothing),
    ("HTTP::Tiny.new", Deed::Nothing),
    ("IO::Socket::INET.new", Deed::Send(9)),
    ("socket", Deed::Send(9)),
    ("connect", Deed::Send(9)),
    ("syscall", Deed::Opaque),
];

const METHODS: &[(&str, Deed)] = &[
    ("print", Deed::Print("")),
    ("say", Deed::Print("\n")),
    ("spew", Deed::Write(0, 1)),
    ("spew_utf8", Deed::Write(0, 1)),
    ("append", Deed::Append(0, 1)),
    ("append_utf8", Deed::Append(0, 1)),
    ("slurp", Deed::Read(0)),
    ("slurp_utf8", Deed::Read(0)),
    ("remove", Deed::Delete(0)),
    ("remove_tree", Deed::DeleteTree(0)),
    ("get", Deed::Fetch(1)),
    ("post", Deed::Send(1)),
    ("put", Deed::Send(1)),
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
     sha256_hex GetOptions blessed looks_like_number reftype dualvar croak carp confess cluck glob \
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
