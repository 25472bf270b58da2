// Runs all test files beside one board that is filled once. Ends with the exit code of the tests.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

import { shareDemo } from "./demo.mjs";
import { browserFolder } from "./tools.mjs";

const FOLDER = resolve(import.meta.dirname, "..");

function test(options, variables) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".test.mjs")).sort();
  // A browser that hangs fails the run instead of stopping it for ever.
  const all = ["--test", "--test-concurrency=2", "--test-timeout=300000", "--test-reporter=spec", ...options, ...files.map((name) => join(FOLDER, name))];
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
    process.exitCode = await test(process.argv.slice(2), shared.variables);
  } finally {
    await shared.end();
  }
} catch (error) {
  console.error(`tests/browser: ${error.message}`);
  process.exitCode = 2;
}
