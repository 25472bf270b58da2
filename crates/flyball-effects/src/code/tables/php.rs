//! PHP.

use crate::code::dialect::{CallEffect, Dialect, Returned, Start, Words};
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
        // The rest of the tag `<?php`.
        "php",
        "not",
    ],
    infixes: &["and", "or", "xor", "instanceof", "as", "extends", "implements", "insteadof"],
    branches: &[
        "if", "elseif", "else", "for", "foreach", "while", "do", "switch", "case", "catch", "function", "fn",
    ],
    functions: FUNCTIONS,
    methods: METHODS,
    harmless: HARMLESS,
    harmless_methods: HARMLESS_METHODS,
    modules: MODULES,
    quiet_modules: Words(""),
};

const FUNCTIONS: &[(&str, CallEffect)] = &[
    ("scandir", CallEffect::Lists(0)),
    ("glob", CallEffect::Lists(0)),
    ("file_get_contents", CallEffect::Open(0, 9)),
    ("file", CallEffect::Read(0)),
    ("readfile", CallEffect::Read(0)),
    ("parse_ini_file", CallEffect::Read(0)),
    ("simplexml_load_file", CallEffect::Read(0)),
    ("fopen", CallEffect::Open(0, 1)),
    ("gzopen", CallEffect::Open(0, 1)),
    ("SplFileObject", CallEffect::Open(0, 1)),
    ("fwrite", CallEffect::WriteTo(0, 1)),
    ("fputs", CallEffect::WriteTo(0, 1)),
    ("file_put_contents", CallEffect::Write(0, 1)),
    ("unlink", CallEffect::Delete(0)),
    ("rmdir", CallEffect::Delete(0)),
    ("rename", CallEffect::Move(0, 1)),
    ("copy", CallEffect::Copy(0, 1)),
    ("move_uploaded_file", CallEffect::Move(0, 1)),
    ("symlink", CallEffect::Link(0, 1)),
    ("link", CallEffect::Link(0, 1)),
    ("chmod", CallEffect::Attributes(0)),
    ("chown", CallEffect::Attributes(0)),
    ("chgrp", CallEffect::Attributes(0)),
    ("touch", CallEffect::Touch(0)),
    ("ftruncate", CallEffect::Nothing),
    ("chdir", CallEffect::Enter(0)),
    ("getcwd", CallEffect::Returns(Returned::Here)),
    ("dirname", CallEffect::Returns(Returned::Parent)),
    ("realpath", CallEffect::Returns(Returned::Same(0))),
    ("strval", CallEffect::Returns(Returned::Same(0))),
    ("trim", CallEffect::Returns(Returned::Same(0))),
    ("exec", CallEffect::Shell(0)),
    ("shell_exec", CallEffect::Shell(0)),
    ("system", CallEffect::Shell(0)),
    ("passthru", CallEffect::Shell(0)),
    ("popen", CallEffect::Shell(0)),
    ("proc_open", CallEffect::Start(Start::ListOrLine(0))),
    ("pcntl_exec", CallEffect::Start(Start::Program)),
    ("curl_init", CallEffect::Fetch(0)),
    ("curl_setopt", CallEffect::Send(9)),
    ("curl_setopt_array", CallEffect::Send(9)),
    ("fsockopen", CallEffect::Send(0)),
    ("stream_socket_client", CallEffect::Send(0)),
    ("mail", CallEffect::Send(0)),
    ("get_headers", CallEffect::Fetch(0)),
    ("eval", CallEffect::Code(0)),
    // PHP before 8 runs a text that it is given.
    ("assert", CallEffect::Opaque),
    ("create_function", CallEffect::Opaque),
    ("include", CallEffect::Opaque),
    ("include_once", CallEffect::Opaque),
    ("require", CallEffect::Opaque),
    ("require_once", CallEffect::Opaque),
    ("unserialize", CallEffect::Opaque),
    ("call_user_func", CallEffect::Opaque),
    ("call_user_func_array", CallEffect::Opaque),
    ("array_map", CallEffect::Calls),
    ("array_filter", CallEffect::Calls),
    ("array_walk", CallEffect::Calls),
    ("array_reduce", CallEffect::Calls),
    ("usort", CallEffect::Calls),
    ("uasort", CallEffect::Calls),
    ("uksort", CallEffect::Calls),
    ("preg_replace_callback", CallEffect::Calls),
    ("register_shutdown_function", CallEffect::Calls),
    ("dl", CallEffect::Opaque),
    ("putenv", CallEffect::Nothing),
    ("PDO", CallEffect::Opaque),
    ("mysqli", CallEffect::Opaque),
    ("SQLite3", CallEffect::Opaque),
];

const METHODS: &[(&str, CallEffect)] = &[("fwrite", CallEffect::Print("")), ("save", CallEffect::WriteIf(1))];

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
     filemtime fileperms stat opendir readdir closedir basename pathinfo tempnam \
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
