#!/usr/bin/env node
// Starts the program, which is in the package of this platform. The clients' hooks start it without this file:
// `flyball init` registers the program itself.
"use strict";

const { spawn } = require("node:child_process");
const { version } = require("../package.json");

const name = `@flyball/${process.platform}-${process.arch}`;

function find() {
  try {
    return require.resolve(`${name}/bin/flyball${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    const fix = `install it with optional dependencies: npm install --include=optional flyball@${version}`;
    console.error(`error: the package ${name}, which has the program for this machine, is not there\n  fix: ${fix}`);
    console.error("  (if there is no such package, build flyball from source)");
    process.exit(1);
  }
}

const program = find();
// The terminal sends its interrupt to both; who else sends a signal means the program. It cannot come between: what listens
// is called when all of this file has run.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`error: ${child.spawnfile} does not start: ${error.message}\n  fix: install flyball again`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
