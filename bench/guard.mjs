// The same guard in Node: read, parse, look for patterns, answer.
import { readFileSync } from "node:fs";

const PATTERNS = [
  [/\brm\s+-rf\s+\//, "this would remove the whole disk"],
  [/\bgit\s+push\b.*--force/, "do not force-push"],
  [/\bpip3?\s+install\b/, "this project uses uv"],
  [/\.env\b/, "secrets stay unread"],
];

const event = JSON.parse(readFileSync(0, "utf8"));
if (event.tool_name === "Bash") {
  const found = PATTERNS.find(([pattern]) => pattern.test(event.tool_input?.command ?? ""));
  if (found) {
    const hookSpecificOutput = {
      hookEventName: event.hook_event_name,
      permissionDecision: "deny",
      permissionDecisionReason: found[1],
    };
    process.stdout.write(JSON.stringify({ hookSpecificOutput }));
  }
}
