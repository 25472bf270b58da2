//! PHP.

use crate::code::dialect::{Deed, Dialect, Gift, Start, Words};
use crate::model::Language;

pub(in crate::code) static DIALECT: Dialect = Dialect {
    language: Language::Php,
    prefixes: &[
        "if",
        "elseif",
        "else",
        "for",
        "foreach",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "try",
        "catch",
        "finally",
        "return",
        "throw",
        "yield",
        "echo",
        "print",
        "new",
        "clone",
        "function",
        "fn",
        "class",
        "interface",
        "trait",
        "public",
        "private",
        "protected",
        "static",
        "final",
        "abstract",
        "global",
        "const",
        "var",
        "break",
        "continue",
        "declare",
        "unset",
        "endif",
        "endforeach",
        "endfor",
        "endwhile",
        "php",
        "not",
    ],
    infixes: &["and", "or", "xor", "instanceof", "as", "extends", "implements", "insteadof"],
    branches: &[
        "if", "elseif", "else", "for", "foreach", "while", "do", "switch", "case", "catch", "function", "fn",
    ],
    deeds: DEEDS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: Words(""),
};

const DEEDS: &[(&str, Deed)] = &[
    ("file_get_contents", Deed::Open(0, 9)),
    ("file", Deed::Read(0)),
    ("readfile", Deed::Read(0)),
    ("parse_ini_file", Deed::Read(0)),
    ("simplexml_load_file", Deed::Read(0)),
    ("fopen", Deed::Open(0, 1)),
    ("gzopen", Deed::Open(0, 1)),
    ("SplFileObject", Deed::Open(0, 1)),
    ("fwrite", Deed::WriteTo(0, 1)),
    ("fputs", Deed::WriteTo(0, 1)),
    ("file_put_contents", Deed::Write(0, 1)),
    ("unlink", Deed::Delete(0)),
    ("rmdir", Deed::Delete(0)),
    ("rename", Deed::Move(0, 1)),
    ("copy", Deed::Copy(0, 1)),
    ("move_uploaded_file", Deed::Move(0, 1)),
    ("symlink", Deed::Link(0, 1)),
    ("link", Deed::Link(0, 1)),
    ("chmod", Deed::Attributes(0)),
    ("chown", Deed::Attributes(0)),
    ("chgrp", Deed::Attributes(0)),
    ("touch", Deed::Touch(0)),
    ("ftruncate", Deed::Nothing),
    ("chdir", Deed::Enter(0)),
    ("getcwd", Deed::Gives(Gift::Here)),
    ("dirname", Deed::Gives(Gift::Parent)),
    ("realpath", Deed::Gives(Gift::Same(0))),
    ("strval", Deed::Gives(Gift::Same(0))),
    ("trim", Deed::Gives(Gift::Same(0))),
    ("exec", Deed::Shell(0)),
    ("shell_exec", Deed::Shell(0)),
    ("system", Deed::Shell(0)),
    ("passthru", Deed::Shell(0)),
    ("popen", Deed::Shell(0)),
    ("proc_open", Deed::Start(Start::ListOrLine(0))),
    ("pcntl_exec", Deed::Start(Start::Program)),
    ("curl_init", Deed::Fetch(0)),
    ("curl_setopt", Deed::Send(9)),
    ("curl_setopt_array", Deed::Send(9)),
    ("fsockopen", Deed::Send(0)),
    ("stream_socket_client", Deed::Send(0)),
    ("mail", Deed::Send(0)),
    ("get_headers", Deed::Fetch(0)),
    ("eval", Deed::Opaque),
    ("assert", Deed::Opaque),
    ("create_function", Deed::Opaque),
    ("include", Deed::Opaque),
    ("include_once", Deed::Opaque),
    ("require", Deed::Opaque),
    ("require_once", Deed::Opaque),
    ("unserialize", Deed::Opaque),
    ("call_user_func", Deed::Opaque),
    ("call_user_func_array", Deed::Opaque),
    ("array_map", Deed::Calls),
    ("array_filter", Deed::Calls),
    ("array_walk", Deed::Calls),
    ("array_reduce", Deed::Calls),
    ("usort", Deed::Calls),
    ("uasort", Deed::Calls),
    ("uksort", Deed::Calls),
    ("preg_replace_callback", Deed::Calls),
    ("register_shutdown_function", Deed::Calls),
    ("dl", Deed::Opaque),
    ("putenv", Deed::Nothing),
    ("PDO", Deed::Opaque),
    ("mysqli", Deed::Opaque),
    ("SQLite3", Deed::Opaque),
];

const METHODS: &[(&str, Deed)] = &[("fwrite", Deed::Print("")), ("save", Deed::WriteIf(1))];

const HARMLESS: Words = Words(
    "count sizeof in_array implode explode join strlen strtolower strtoupper ucfirst ucwords lcfirst \
     substr strpos stripos strrpos str_replace str_ireplace str_repeat str_pad str_split str_contains \
     str_starts_with str_ends_with strcmp strcasecmp strncmp strrev strstr strtr strtotime strtok \
     strip_tags stripslashes addslashes nl2br ltrim rtrim chop sprintf printf vsprintf number_format \
     print_r var_dump var_export json_encode json_decode json_last_error json_last_error_msg \
     serialize preg_match preg_match_all preg_replace preg_split preg_quote preg_grep array_keys \
     array_values array_merge array_combine array_slice array_splice array_unique array_sum \
     array_product array_search array_reverse array_flip array_fill array_fill_keys array_key_exists \
     array_key_first array_key_last array_column array_chunk array_diff array_diff_key \
     array_intersect array_pop array_push array_shift array_unshift array_rand array_pad \
     array_count_values array_is_list range sort rsort asort arsort ksort krsort shuffle compact \
     extract list array isset empty is_array is_string is_int is_numeric is_null is_bool is_float \
     is_object is_callable is_file is_dir is_link is_readable is_writable file_exists filesize \
     filemtime fileperms stat scandir glob opendir readdir closedir basename pathinfo tempnam \
     sys_get_temp_dir mkdir fgets fgetc fread feof fclose fflush fseek rewind ftell fgetcsv fscanf \
     stream_get_contents intval floatval boolval settype gettype get_class get_object_vars \
     method_exists property_exists class_exists function_exists defined define constant \
     extension_loaded get_loaded_extensions phpversion php_uname php_sapi_name phpinfo ini_get \
     ini_set ini_get_all php_ini_loaded_file php_ini_scanned_files memory_get_usage \
     memory_get_peak_usage microtime time date mktime gmdate checkdate hrtime \
     date_default_timezone_get date_default_timezone_set usleep sleep rand mt_rand random_int \
     random_bytes uniqid md5 sha1 hash crc32 hash_algos password_hash password_verify base64_encode \
     base64_decode bin2hex hex2bin urlencode urldecode rawurlencode rawurldecode http_build_query \
     parse_url parse_str htmlspecialchars htmlentities html_entity_decode mb_strlen mb_substr \
     mb_strtoupper mb_strtolower mb_strpos mb_detect_encoding mb_convert_encoding \
     mb_internal_encoding iconv utf8_encode utf8_decode abs ceil floor round sqrt pow max min pi fmod \
     intdiv log exp sin cos is_nan is_infinite bindec decbin dechex hexdec octdec base_convert ord \
     chr exit die error_reporting error_log trigger_error set_error_handler debug_zval_refcount \
     func_get_args iterator_to_array getenv gethostname getmypid get_current_user curl_exec \
     curl_close curl_getinfo curl_error curl_version gc_collect_cycles spl_autoload_register \
     opcache_get_status token_get_all token_name highlight_string array_walk_recursive \
     version_compare ctype_digit ctype_alpha ctype_upper ctype_lower ctype_alnum ctype_space \
     ctype_punct escapeshellarg escapeshellcmd wordwrap similar_text levenshtein soundex metaphone \
     substr_count vprintf sscanf str_word_count strspn current key next prev reset end each \
     array_replace simplexml_load_string gzcompress gzuncompress gzdecode gzencode posix_getuid \
     posix_getpid array_any array_all array_find fdiv DateTime DateTimeImmutable DateInterval \
     DateTimeZone Exception RuntimeException InvalidArgumentException ArrayObject ArrayIterator \
     SplStack SplObjectStorage stdClass ReflectionClass ReflectionFunction ReflectionMethod \
     DOMDocument DOMXPath SimpleXMLElement RecursiveDirectoryIterator RecursiveIteratorIterator \
     DirectoryIterator Closure WeakMap NumberFormatter __DIR__",
);

const HARMLESS_METHODS: Words = Words(
    "format modify diff getTimestamp setTimezone setTime add sub getMessage getCode getLine getFile \
     getTraceAsString getTrace getName getMethods getProperties getParameters newInstance getPathname \
     getFilename getExtension getSize isFile isDir isDot current key next rewind valid count \
     offsetGet loadHTML loadXML saveHTML saveXML getElementsByTagName getElementById query \
     getAttribute item xpath asXML children attributes push pop top toArray getArrayCopy append \
     createFromFormat getDocComment getFileName getShortName fgets eof bindTo from cases tryFrom \
     getConstants hasMethod isInterface __construct getStartLine",
);

const MODULES: Words = Words("DateTime DateTimeImmutable DateTimeZone Closure self parent static");
