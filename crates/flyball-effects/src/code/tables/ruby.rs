//! Ruby.

use crate::code::dialect::{Deed, Dialect, Gift, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Ruby,
    prefixes: &[
        "if", "elsif", "else", "unless", "while", "until", "for", "case", "when", "then", "begin", "ensure",
        "end", "return", "yield", "not", "def", "class", "module", "break", "next", "redo", "defined?",
        "BEGIN", "END", "alias",
    ],
    infixes: &["and", "or", "not", "if", "unless", "while", "until", "rescue", "in", "then"],
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
    deeds: DEEDS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: QUIET_MODULES,
};

const DEEDS: &[(&str, Deed)] = &[
    ("require", Deed::Load(0)),
    ("require_relative", Deed::Opaque),
    ("load", Deed::Opaque),
    ("autoload", Deed::Opaque),
    ("open", Deed::Open(0, 1)),
    ("File.open", Deed::Open(0, 1)),
    ("File.new", Deed::Open(0, 1)),
    ("IO.open", Deed::Open(0, 1)),
    ("File.read", Deed::Read(0)),
    ("File.readlines", Deed::Read(0)),
    ("File.foreach", Deed::Read(0)),
    ("File.binread", Deed::Read(0)),
    ("IO.read", Deed::Read(0)),
    ("IO.readlines", Deed::Read(0)),
    ("IO.foreach", Deed::Read(0)),
    ("File.write", Deed::Write(0, 1)),
    ("File.binwrite", Deed::Write(0, 1)),
    ("IO.write", Deed::Write(0, 1)),
    ("IO.binwrite", Deed::Write(0, 1)),
    ("IO.copy_stream", Deed::Copy(0, 1)),
    ("File.delete", Deed::DeleteEach),
    ("File.unlink", Deed::DeleteEach),
    ("File.rename", Deed::Move(0, 1)),
    ("File.symlink", Deed::Link(0, 1)),
    ("File.link", Deed::Link(0, 1)),
    ("File.chmod", Deed::AttributesFrom(1)),
    ("File.chown", Deed::AttributesFrom(2)),
    ("File.utime", Deed::AttributesFrom(2)),
    ("File.truncate", Deed::Change(0)),
    ("File.mkfifo", Deed::Touch(0)),
    ("File.join", Deed::Gives(Gift::Join)),
    ("File.expand_path", Deed::Gives(Gift::Home)),
    ("File.absolute_path", Deed::Gives(Gift::Same(0))),
    ("File.realpath", Deed::Gives(Gift::Same(0))),
    ("File.dirname", Deed::Gives(Gift::Parent)),
    ("Dir.pwd", Deed::Gives(Gift::Here)),
    ("Dir.getwd", Deed::Gives(Gift::Here)),
    ("Dir.home", Deed::Gives(Gift::HomeItself)),
    ("Dir.chdir", Deed::Enter(0)),
    ("Dir.rmdir", Deed::Delete(0)),
    ("Dir.delete", Deed::Delete(0)),
    ("Dir.unlink", Deed::Delete(0)),
    ("Pathname", Deed::Gives(Gift::Path)),
    ("Pathname.new", Deed::Gives(Gift::Path)),
    ("FileUtils.rm", Deed::DeleteEach),
    ("FileUtils.rm_f", Deed::DeleteEach),
    ("FileUtils.remove", Deed::DeleteEach),
    ("FileUtils.safe_unlink", Deed::DeleteEach),
    ("FileUtils.rmdir", Deed::Delete(0)),
    ("FileUtils.rm_r", Deed::DeleteTree(0)),
    ("FileUtils.rm_rf", Deed::DeleteTree(0)),
    ("FileUtils.rmtree", Deed::DeleteTree(0)),
    ("FileUtils.remove_dir", Deed::DeleteTree(0)),
    ("FileUtils.remove_entry", Deed::DeleteTree(0)),
    ("FileUtils.mv", Deed::Move(0, 1)),
    ("FileUtils.move", Deed::Move(0, 1)),
    ("FileUtils.cp", Deed::Copy(0, 1)),
    ("FileUtils.cp_r", Deed::Copy(0, 1)),
    ("FileUtils.copy", Deed::Copy(0, 1)),
    ("FileUtils.copy_file", Deed::Copy(0, 1)),
    ("FileUtils.install", Deed::Copy(0, 1)),
    ("FileUtils.ln", Deed::Link(0, 1)),
    ("FileUtils.ln_s", Deed::Link(0, 1)),
    ("FileUtils.ln_sf", Deed::Link(0, 1)),
    ("FileUtils.touch", Deed::Touch(0)),
    ("FileUtils.chmod", Deed::AttributesFrom(1)),
    ("FileUtils.chmod_R", Deed::AttributesFrom(1)),
    ("FileUtils.chown", Deed::AttributesFrom(2)),
    ("FileUtils.cd", Deed::Enter(0)),
    ("FileUtils.mkdir_p", Deed::Nothing),
    ("FileUtils.mkdir", Deed::Nothing),
    ("system", Deed::Start(Start::Words)),
    ("exec", Deed::Start(Start::Words)),
    ("spawn", Deed::Start(Start::Words)),
    ("Process.spawn", Deed::Start(Start::Words)),
    ("Process.exec", Deed::Start(Start::Words)),
    ("IO.popen", Deed::Start(Start::ListOrLine(0))),
    ("Open3.capture2", Deed::Start(Start::Words)),
    ("Open3.capture2e", Deed::Start(Start::Words)),
    ("Open3.capture3", Deed::Start(Start::Words)),
    ("Open3.popen2", Deed::Start(Start::Words)),
    ("Open3.popen2e", Deed::Start(Start::Words)),
    ("Open3.popen3", Deed::Start(Start::Words)),
    ("PTY.spawn", Deed::Start(Start::Words)),
    ("Net.HTTP.get", Deed::Fetch(0)),
    ("Net.HTTP.get_response", Deed::Fetch(0)),
    ("Net.HTTP.get_print", Deed::Fetch(0)),
    ("Net.HTTP.start", Deed::Fetch(0)),
    ("Net.HTTP.new", Deed::Fetch(0)),
    ("Net.HTTP.post", Deed::Send(0)),
    ("Net.HTTP.post_form", Deed::Send(0)),
    ("Net.HTTP.put", Deed::Send(0)),
    ("URI.open", Deed::Fetch(0)),
    ("URI", Deed::Gives(Gift::Same(0))),
    ("URI.parse", Deed::Gives(Gift::Same(0))),
    ("TCPSocket.new", Deed::Send(0)),
    ("TCPSocket.open", Deed::Send(0)),
    ("eval", Deed::Opaque),
    ("instance_eval", Deed::Opaque),
    ("class_eval", Deed::Opaque),
    ("send", Deed::Opaque),
    ("public_send", Deed::Opaque),
    ("__send__", Deed::Opaque),
    ("binding", Deed::Opaque),
    ("Object.const_get", Deed::Opaque),
    ("Marshal.load", Deed::Opaque),
    ("Fiddle.dlopen", Deed::Opaque),
    ("syscall", Deed::Opaque),
    ("proc", Deed::Gives(Gift::Function)),
    ("lambda", Deed::Gives(Gift::Function)),
    ("Proc.new", Deed::Gives(Gift::Function)),
    ("method", Deed::Calls),
    ("YAML.unsafe_load", Deed::Opaque),
    ("ERB.new", Deed::Opaque),
    ("YAML.load_file", Deed::Read(0)),
    ("YAML.safe_load_file", Deed::Read(0)),
    ("CSV.read", Deed::Read(0)),
    ("CSV.foreach", Deed::Read(0)),
    ("JSON.load_file", Deed::Read(0)),
    ("CSV.open", Deed::Open(0, 1)),
    ("File.mtime", Deed::Nothing),
];

const METHODS: &[(&str, Deed)] = &[
    ("write", Deed::Print("")),
    ("print", Deed::Print("")),
    ("puts", Deed::Print("\n")),
    ("instance_eval", Deed::Opaque),
    ("class_eval", Deed::Opaque),
    ("module_eval", Deed::Opaque),
    ("instance_exec", Deed::Opaque),
    ("send", Deed::Opaque),
    ("public_send", Deed::Opaque),
    ("__send__", Deed::Opaque),
    ("const_get", Deed::Opaque),
    ("eval", Deed::Opaque),
    ("delete_file", Deed::Delete(0)),
    ("unlink", Deed::Delete(0)),
    ("rmtree", Deed::DeleteTree(0)),
    ("binwrite", Deed::Write(0, 1)),
    ("rename", Deed::Move(0, 1)),
    ("request", Deed::Send(9)),
    ("post", Deed::Send(1)),
    ("expand_path", Deed::Gives(Gift::Same(0))),
    ("strip", Deed::Gives(Gift::Same(0))),
    ("chomp", Deed::Gives(Gift::Same(0))),
    ("to_s", Deed::Gives(Gift::Same(0))),
    ("freeze", Deed::Gives(Gift::Same(0))),
];

const HARMLESS: Words = Words(
    "puts print p pp printf putc gets readline readlines sprintf format exit exit! abort raise fail \
     loop sleep rand srand Integer Float String Array Hash Rational Complex at_exit catch throw \
     block_given? caller warn attr_accessor attr_reader attr_writer include extend private public \
     protected module_function define_method gem require_paths super binding.irb trap select fork \
     test freeze using refine chomp sub gsub gsub! sub! chop RubyVM Dir.glob Dir.entries Dir.children \
     Dir.exist? Dir.each_child Dir.mkdir Dir.mktmpdir Dir.empty? File.exist? File.file? \
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
