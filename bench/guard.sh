#!/usr/bin/env bash
# A guard as people write them for their agents: which tool, which command, a list of patterns.
set -euo pipefail

input=$(cat)
tool=$(jq -r '.tool_name // empty' <<<"$input")
[ "$tool" = "Bash" ] || exit 0
command=$(jq -r '.tool_input.command // empty' <<<"$input")

deny() {
    printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"%s"}}\n' "$1"
    exit 0
}

case "$command" in
    *"rm -rf /"*) deny "this would remove the whole disk" ;;
    *"git push"*"--force"*) deny "do not force-push" ;;
    *"pip install"*) deny "this project uses uv" ;;
    *".env"*) deny "secrets stay unread" ;;
esac
