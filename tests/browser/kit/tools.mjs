// Finds what the tests run: the built flyball and the pinned browser. If one is missing, the error has the fix.
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "../../..");

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The flyball under test: FLYBALL_BIN, or the one built last. */
export function flyball() {
  const named = process.env.FLYBALL_BIN;
  if (named) {
    if (isProgram(named)) return resolve(named);
    throw new Error(`FLYBALL_BIN is \`${named}\`, which is not a program: build it, or unset it`);
  }
  const target = join(ROOT, "target");
  const folders = [target, ...subfolders(target)].map((folder) => join(folder, "debug/flyball"));
  const built = folders.filter(isProgram).sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  if (built.length === 0) throw new Error("flyball is not built: run `cargo build`, or set FLYBALL_BIN");
  return built[0];
}

function subfolders(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

/** The folder with the browser and what drives it. */
export function browserFolder() {
  const folder = process.env.FLYBALL_BROWSER_DIR;
  if (folder && isProgram(join(folder, "bin/chromium"))) return folder;
  throw new Error("no browser in FLYBALL_BROWSER_DIR: run `export FLYBALL_BROWSER_DIR=$(scripts/tools browser)`");
}

/** A package that was installed with the browser. */
export const requireTool = (name) => createRequire(join(browserFolder(), "package.json"))(name);
