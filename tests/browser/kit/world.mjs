// A scratch home, project and state, the real program in them, and a board that is served from them.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

import { flyball } from "./tools.mjs";

export class World {
  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "flyball-browser-")));
    this.project = join(this.root, "project");
    this.state = join(this.root, "state");
    this.boards = [];
    for (const folder of [this.project, join(this.root, "home"), join(this.project, ".git")]) mkdirSync(folder);
  }

  get env() {
    return {
      PATH: process.env.PATH,
      HOME: join(this.root, "home"),
      TMPDIR: this.root,
      TZ: "UTC",
      FLYBALL_STATE_DIR: this.state,
      FLYBALL_CONFIG_DIR: join(this.root, "config"),
    };
  }

  /** Writes a file of the project. */
  put(name, text) {
    const path = join(this.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Runs flyball to its end. */
  run(args, input = "") {
    const done = spawnSync(flyball(), args, { cwd: this.project, env: this.env, input, encoding: "utf8" });
    if (done.error) throw done.error;
    return done;
  }

  /** One event of a client, through the process that clients call. */
  hook(event, fields = {}, session = "s-1") {
    const payload = {
      session_id: session,
      transcript_path: join(this.root, "transcript.jsonl"),
      cwd: this.project,
      permission_mode: "default",
      hook_event_name: event,
      ...fields,
    };
    const done = this.run(["hook", "--client", "claude-code", "--event", event], JSON.stringify(payload));
    if (done.status !== 0) throw new Error(`the hook ended with ${done.status}: ${done.stderr}`);
    return done.stdout === "" ? {} : JSON.parse(done.stdout);
  }

  /** A command of the agent. */
  shell(command, session) {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${(this.calls = (this.calls ?? 0) + 1)}` };
    return this.hook("PreToolUse", call, session);
  }

  /** Serves the board; `args` are those of `flyball dash` or another command that serves it. */
  async serve(args = ["dash", "--port", "0"]) {
    const child = spawn(flyball(), [...args, "--no-open", "--json"], {
      cwd: this.project,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (text) => (errors += text));
    const ended = new Promise((done) => child.on("exit", (code) => done(code)));
    // A test that ends all at once (the browser crashed) leaves no board behind.
    const kill = () => child.kill();
    process.once("exit", kill);
    ended.then(() => process.off("exit", kill));
    const board = { child, ended };
    this.boards.push(board);
    const first = await Promise.race([
      new Promise((done) => createInterface({ input: child.stdout }).once("line", done)),
      ended.then((code) => {
        throw new Error(`the board ended with ${code}: ${errors}`);
      }),
    ]);
    return Object.assign(board, JSON.parse(first));
  }

  /** Ends a board as a person does, and returns its exit code. */
  async close(board) {
    board.child.kill("SIGINT");
    return board.ended;
  }

  async [Symbol.asyncDispose]() {
    await this.end();
  }

  async end() {
    for (const board of this.boards) await this.close(board);
    rmSync(this.root, { recursive: true, force: true });
  }
}
