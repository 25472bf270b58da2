// Runs all test files beside one board that is filled once. Ends with the exit code of the tests.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { shareDemo } from "./demo.mjs";
import { browserFolder } from "./tools.mjs";

const FOLDER = resolve(import.meta.dirname, "..");

function allFiles() {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".test.mjs")).sort();
  return names.map((name) => join(FOLDER, name));
}

/** Runs all files, and all once more if the browser itself crashed: then nothing else that failed says much. */
async function testAll(options, variables) {
  const folder = mkdtempSync(join(tmpdir(), "flyball-browser-"));
  const crashes = join(folder, "crashes");
  try {
    const code = await test(allFiles(), options, { ...variables, FLYBALL_BROWSER_CRASHES: crashes });
    if (code === 0 || !existsSync(crashes)) return code;
    const again = [...new Set(readFileSync(crashes, "utf8").trim().split("\n"))];
    console.error(`\nChromium crashed in ${again.length} of the files; all are run once more`);
    return await test(allFiles(), options, variables);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function test(files, options, variables) {
  // A browser that hangs fails the run instead of stopping it for ever.
  const all = ["--test", "--test-concurrency=2", "--test-timeout=300000", "--test-reporter=spec", ...options, ...files];
  const child = spawn(process.execPath, all, { stdio: "inherit", env: { ...process.env, ...variables } });
  // A person's Ctrl-C reaches the tests by itself; we stay until they are done, to close the board.
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => child.kill());
  return new Promise((done) => child.on("exit", (code) => done(code ?? 130)));
}

try {
  browserFolder();
  const shared = await shareDemo();
  try {
    process.exitCode = await testAll(process.argv.slice(2), shared.variables);
  } finally {
    await shared.end();
  }
} catch (error) {
  console.error(`tests/browser: ${error.message}`);
  process.exitCode = 2;
}
