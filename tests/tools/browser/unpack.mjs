// Unpacks the browser out of its package: the program, the libraries that a bare machine lacks, and fonts.
//
// The package does this into the system's temporary folder each time it is used; here it is done once, beside the
// package, and `bin/chromium` starts what was unpacked.
import { chmodSync, createReadStream, createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const packed = new URL("node_modules/@sparticuz/chromium/bin/", import.meta.url);
const requireFrom = createRequire(new URL("node_modules/@sparticuz/chromium/package.json", import.meta.url));
const { extract } = requireFrom("tar-fs");

const unpacked = (name, goal) => pipeline(createReadStream(new URL(name, packed)), createBrotliDecompress(), goal);

mkdirSync("chromium/libraries", { recursive: true });
await unpacked("chromium.br", createWriteStream("chromium/chromium"));
await unpacked("al2023.tar.br", extract("chromium/libraries"));
await unpacked("swiftshader.tar.br", extract("chromium"));
await unpacked("fonts.tar.br", extract("chromium/fonts"));
chmodSync("chromium/chromium", 0o755);
// The one in the package names the folders of one kind of machine.
writeFileSync("chromium/fonts/fonts.conf", `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`);

// The system's own libraries come first: those of the package are for where there are none.
mkdirSync("bin", { recursive: true });
writeFileSync("bin/chromium", `#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname -- "$0")/../chromium" && pwd -P)
if [ ! -e /etc/fonts/fonts.conf ]; then export FONTCONFIG_PATH="$here/fonts"; fi
if ! ldd "$here/chromium" 2>/dev/null | grep -q 'not found'; then exec "$here/chromium" "$@"; fi
LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/libraries/lib" exec "$here/chromium" "$@"
`);
chmodSync("bin/chromium", 0o755);
