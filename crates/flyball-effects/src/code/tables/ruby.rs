//! Ruby.

use crate::code::dialect::{CallEffect, Dialect, Returned, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Ruby,
    prefixes: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "case", "when", "then", "begin", "ensure",
        "end", "return", "yield", "not", "def", "class", "module", "break", "next", "redo", "defined?",
        "BEGIN", "END", "alias",
    ],
    infixes: &["and", "or", "not", "if", "unless", "while", "until", "rescue", "in", "then"],
    // Methods that repeat their block are loops: what is in it runs any number of times.
    branches: &[
        "if",
        "elsif",
        "else",
        "unless",
        "while",
        "until",
        "for",
        "case",
        "when",
        "rescue",
        "def",
        "each",
        "times",
        "map",
        "loop",
        "upto",
        "downto",
        "step",
        "each_with_index",
        "each_line",
        "select",
        "reject",
        "and",
        "or",
        "foreach",
    ],
    functions: FUNCTIONS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("Dir.glob", CallEffect::Lists(0)),
    ("Dir.entries", CallEffect::Lists(0)),
    ("Dir.children", CallEffect::Lists(0)),
    ("Dir.each_child", CallEffect::Lists(0)),
    ("require", CallEffect::Load(0)),
    ("require_relative", CallEffect::Opaque),
    ("load", CallEffect::Opaque),
    ("autoload", CallEffect::Opaque),
    ("open", CallEffect::Open(0, 1)),
    ("File.open", CallEffect::Open(0, 1)),
    ("File.new", CallEffect::Open(0, 1)),
    ("IO.open", CallEffect::Open(0, 1)),
    ("File.read", CallEffect::Read(0)),
    ("File.readlines", CallEffect::Read(0)),
    ("File.foreach", CallEffect::Read(0)),
    ("File.binread", CallEffect::Read(0)),
    ("IO.read", CallEffect::Read(0)),
    ("IO.readlines", CallEffect::Read(0)),
    ("IO.foreach", CallEffect::Read(0)),
    ("File.write", CallEffect::Write(0, 1)),
    ("File.binwrite", CallEffect::Write(0, 1)),
    ("IO.write", CallEffect::Write(0, 1)),
    ("IO.binwrite", CallEffect::Write(0, 1)),
    ("IO.copy_stream", CallEffect::Copy(0, 1)),
    ("File.delete", CallEffect::DeleteEach),
    ("File.unlink", CallEffect::DeleteEach),
    ("File.rename", CallEffect::Move(0, 1)),
    ("File.symlink", CallEffect::Link(0, 1)),
    ("File.link", CallEffect::Link(0, 1)),
    ("File.chmod", CallEffect::AttributesFrom(1)),
    ("File.chown", CallEffect::AttributesFrom(2)),
    ("File.utime", CallEffect::AttributesFrom(2)),
    ("File.truncate", CallEffect::Change(0)),
    ("File.mkfifo", CallEffect::Touch(0)),
    ("File.join", CallEffect::Returns(Returned::Join)),
    ("File.expand_path", CallEffect::Returns(Returned::Home)),
    ("File.absolute_path", CallEffect::Returns(Returned::Same(0))),
    ("File.realpath", CallEffect::Returns(Returned::Same(0))),
    ("File.dirname", CallEffect::Returns(Returned::Parent)),
    ("Dir.pwd", CallEffect::Returns(Returned::Here)),
    ("Dir.getwd", CallEffect::Returns(Returned::Here)),
    ("Dir.home", CallEffect::Returns(Returned::HomeItself)),
    ("Dir.chdir", CallEffect::Enter(0)),
    ("Dir.rmdir", CallEffect::Delete(0)),
    ("Dir.delete", CallEffect::Delete(0)),
    ("Dir.unlink", CallEffect::Delete(0)),
    ("Pathname", CallEffect::Returns(Returned::Path)),
    ("Pathname.new", CallEffect::Returns(Returned::Path)),
    ("FileUtils.rm", CallEffect::DeleteEach),
    ("FileUtils.rm_f", CallEffect::DeleteEach),
    ("FileUtils.remove", CallEffect::DeleteEach),
    ("FileUtils.safe_unlink", CallEffect::DeleteEach),
    ("FileUtils.rmdir", CallEffect::Delete(0)),
    ("FileUtils.rm_r", CallEffect::DeleteTree(0)),
    ("FileUtils.rm_rf", CallEffect::DeleteTree(0)),
    ("FileUtils.rmtree", CallEffect::DeleteTree(0)),
    ("FileUtils.remove_dir", CallEffect::DeleteTree(0)),
    ("FileUtils.remove_entry", CallEffect::DeleteTree(0)),
    ("FileUtils.remove_entry_secure", CallEffect::DeleteTree(0)),
    ("FileUtils.mv", CallEffect::Move(0, 1)),
    ("FileUtils.move", CallEffect::Move(0, 1)),
    ("FileUtils.cp", CallEffect::Copy(0, 1)),
    ("FileUtils.cp_r", CallEffect::Copy(0, 1)),
    ("FileUtils.copy", CallEffect::Copy(0, 1)),
    ("FileUtils.copy_file", CallEffect::Copy(0, 1)),
    ("FileUtils.install", CallEffect::Copy(0, 1)),
    ("FileUtils.ln", CallEffect::Link(0, 1)),
    ("FileUtils.ln_s", CallEffect::Link(0, 1)),
    ("FileUtils.ln_sf", CallEffect::Link(0, 1)),
    ("FileUtils.touch", CallEffect::Touch(0)),
    ("FileUtils.chmod", CallEffect::AttributesFrom(1)),
    ("FileUtils.chmod_R", CallEffect::AttributesFrom(1)),
    ("FileUtils.chown", CallEffect::AttributesFrom(2)),
    ("FileUtils.cd", CallEffect::Enter(0)),
    ("FileUtils.mkdir_p", CallEffect::Nothing),
    ("FileUtils.mkdir", CallEffect::Nothing),
    ("system", CallEffect::Start(Start::Words)),
    ("exec", CallEffect::Start(Start::Words)),
    ("spawn", CallEffect::Start(Start::Words)),
    ("Process.spawn", CallEffect::Start(Start::Words)),
    ("Process.exec", CallEffect::Start(Start::Words)),
    ("IO.popen", CallEffect::Start(Start::ListOrLine(0))),
    ("Open3.capture2", CallEffect::Start(Start::Words)),
    ("Open3.capture2e", CallEffect::Start(Start::Words)),
    ("Open3.capture3", CallEffect::Start(Start::Words)),
    ("Open3.popen2", CallEffect::Start(Start::Words)),
    ("Open3.popen2e", CallEffect::Start(Start::Words)),
    ("Open3.popen3", CallEffect::Start(Start::Words)),
    ("PTY.spawn", CallEffect::Start(Start::Words)),
    ("Net.HTTP.get", CallEffect::Fetch(0)),
    ("Net.HTTP.get_response", CallEffect::Fetch(0)),
    ("Net.HTTP.get_print", CallEffect::Fetch(0)),
    ("Net.HTTP.start", CallEffect::Fetch(0)),
    ("Net.HTTP.new", CallEffect::Fetch(0)),
    ("Net.HTTP.post", CallEffect::Send(0)),
    ("Net.HTTP.post_form", CallEffect::Send(0)),
    ("Net.HTTP.put", CallEffect::Send(0)),
    ("URI.open", CallEffect::Fetch(0)),
    ("URI", CallEffect::Returns(Returned::Same(0))),
    ("URI.parse", CallEffect::Returns(Returned::Same(0))),
    ("TCPSocket.new", CallEffect::Send(0)),
    ("TCPSocket.open", CallEffect::Send(0)),
    ("eval", CallEffect::Code(0)),
    ("instance_eval", CallEffect::Opaque),
    ("class_eval", CallEffect::Opaque),
    ("send", CallEffect::Opaque),
    ("public_send", CallEffect::Opaque),
    ("__send__", CallEffect::Opaque),
    ("binding", CallEffect::Opaque),
    ("Object.const_get", CallEffect::Opaque),
    ("Marshal.load", CallEffect::Opaque),
    ("Fiddle.dlopen", CallEffect::Opaque),
    ("syscall", CallEffect::Opaque),
    ("proc", CallEffect::Returns(Returned::Function)),
    ("lambda", CallEffect::Returns(Returned::Function)),
    ("Proc.new", CallEffect::Returns(Returned::Function)),
    ("method", CallEffect::Calls),
    ("YAML.unsafe_load", CallEffect::Opaque),
    ("ERB.new", CallEffect::Opaque),
    ("YAML.load_file", CallEffect::Read(0)),
    ("YAML.safe_load_file", CallEffect::Read(0)),
    ("CSV.read", CallEffect::Read(0)),
    ("CSV.foreach", CallEffect::Read(0)),
    ("JSON.load_file", CallEffect::Read(0)),
    ("CSV.open", CallEffect::Open(0, 1)),
    ("File.mtime", CallEffect::Nothing),
];

const METHODS: &[(&str, CallEffect)] = &[
    ("write", CallEffect::Print("")),
    ("print", CallEffect::Print("")),
    ("puts", CallEffect::Print("\n")),
    ("instance_eval", CallEffect::Opaque),
    ("class_eval", CallEffect::Opaque),
    ("module_eval", CallEffect::Opaque),
    ("instance_exec", CallEffect::Opaque),
    ("send", CallEffect::Opaque),
    ("public_send", CallEffect::Opaque),
    ("__send__", CallEffect::Opaque),
    ("const_get", CallEffect::Opaque),
    ("eval", CallEffect::Opaque),
    ("delete_file", CallEffect::Delete(0)),
    ("unlink", CallEffect::Delete(0)),
    ("rmtree", CallEffect::DeleteTree(0)),
    ("binwrite", CallEffect::Write(0, 1)),
    ("rename", CallEffect::Move(0, 1)),
    ("request", CallEffect::Send(9)),
    ("post", CallEffect::Send(1)),
    ("expand_path", CallEffect::Returns(Returned::Same(0))),
    ("strip", CallEffect::Returns(Returned::Same(0))),
    ("chomp", CallEffect::Returns(Returned::Same(0))),
    ("to_s", CallEffect::Returns(Returned::Same(0))),
    ("freeze", CallEffect::Returns(Returned::Same(0))),
];

const HARMLESS: Words = Words(
    "puts print p pp printf putc gets readline readlines sprintf format exit exit! abort raise fail \
     loop sleep rand srand Integer Float String Array Hash Rational Complex at_exit catch throw \
     block_given? caller warn attr_accessor attr_reader attr_writer include extend private public \
     protected module_function define_method gem require_paths super binding.irb trap select fork \
     test freeze using refine chomp sub gsub gsub! sub! chop RubyVM \
     Dir.exist? Dir.mkdir Dir.mktmpdir Dir.empty? File.exist? File.file? \
     File.directory? File.size File.basename File.extname File.stat File.lstat File.readable? \
     File.writable? File.executable? File.symlink? File.zero? File.readlink File.split File.fnmatch \
     File.fnmatch? File.ctime File.atime File.size? File.ftype File.empty? File.identical? \
     Marshal.dump Net.HTTP.Get.new Process.pid Process.clock_gettime Process.wait Process.kill \
     Process.ppid Process.detach IO.select IO.pipe Pathname.glob Pathname.pwd FileUtils.pwd \
     FileUtils.compare_file FileUtils.uptodate? YAML.dump describe it expect",
);

const HARMLESS_METHODS: Words = Words(
    "new each map select reject filter filter_map find detect find_all reduce inject sum min max \
     minmax sort sort_by min_by max_by group_by partition zip each_with_index each_with_object \
     each_slice each_cons flat_map first last take drop take_while drop_while count length size \
     empty? any? all? none? one? include? member? key? has_key? value? has_value? keys values \
     values_at to_a to_h to_i to_f to_sym to_str to_json to_yaml inspect join split lines chars bytes \
     each_line each_char each_byte each_key each_value each_pair each_entry lstrip rstrip chop sub \
     gsub sub! gsub! tr tr_s delete squeeze scan match match? start_with? end_with? index rindex \
     slice slice! upcase downcase capitalize swapcase reverse center ljust rjust concat prepend \
     insert replace push pop shift unshift append add merge merge! update store fetch dig compact \
     compact! flatten uniq uniq! sort! map! select! reject! delete_if keep_if clear dup clone rotate \
     sample shuffle transpose combination permutation product cycle times upto downto step round \
     floor ceil abs divmod even? odd? zero? positive? negative? nil? is_a? kind_of? instance_of? \
     respond_to? class methods instance_methods instance_variables object_id hash equal? eql? tap \
     then yield_self call read readlines readline gets each_child close eof? rewind seek pos flush \
     sync fileno tty? encoding force_encoding encode unicode_normalize valid_encoding? unpack unpack1 \
     pack hex oct ord chr succ next pred strftime iso8601 to_date to_time year month day hour sec \
     wday yday now today at parse hexdigest digest base64digest body code message exist? file? \
     directory? basename extname dirname parent children glob relative_path_from mtime captures \
     named_captures pre_match post_match names to_proc curry arity source_location ancestors name \
     instance_variable_get const_defined? constants backtrace full_message success? exitstatus pid \
     lazy force tally chunk_while slice_when entries find_index bsearch assoc invert transform_values \
     transform_keys symbolize_keys stringify_keys group default compare_by_identity any digits \
     bit_length gcd lcm pow fdiv truncate rationalize between? clamp coerce elements attributes text \
     css xpath at_css use_ssl use_ssl= host port path query request_uri scheme delete_prefix \
     delete_suffix casecmp casecmp? each_grapheme_cluster crypt codepoints undump dump rpartition \
     version to_c to_r irb exists? string getc getbyte ungetc value alive? status key rassoc sort_by! \
     reverse_each filter! fill nitems delete_at each_index none symlink? readable? writable? size? \
     zero mkpath wait_thr raw winsize",
);

const MODULES: Words = Words(
    "Math JSON Time Date DateTime Comparable Enumerable Array Hash String Integer Float Struct Set \
     Regexp Range STDIN STDOUT STDERR ARGF ARGV ENV GC ObjectSpace RbConfig Gem Base64 Digest \
     SecureRandom Benchmark StringIO StringScanner CSV YAML Psych REXML Etc Socket.gethostname \
     Shellwords OptionParser PP Encoding Random Rational BigDecimal Matrix Prime Zlib CGI URI \
     OpenStruct Exception StandardError RuntimeError ArgumentError Thread Mutex Queue Fiber \
     Enumerator Symbol Object Ripper RubyVM Bundler Nokogiri ActiveSupport Data Signal Warning \
     Timeout Logger Tempfile.path Abbrev Forwardable Singleton Observable Kernel.format $stdin \
     $stdout $stderr Method NilClass Class Module Coverage",
);

const QUIET_MODULES: Words = Words(
    "json yaml set date time fileutils pathname open3 net uri open-uri csv erb digest base64 \
     securerandom benchmark stringio strscan tempfile tmpdir optparse ostruct pp psych rexml socket \
     shellwords timeout logger etc bigdecimal matrix prime zlib cgi english English forwardable \
     singleton delegate observer pty ripper rbconfig rubygems bundler io readline reline find fiddle \
     openssl weakref monitor objspace coverage nokogiri rails active_support minitest rspec racc \
     bundler/setup",
);
