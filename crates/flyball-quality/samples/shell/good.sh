#!/bin/sh
set -eu

if [ -n "${1:-}" ]; then
  echo "$1"
fi
