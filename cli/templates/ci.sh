#!/bin/sh
# Everything that a machine that integrates should try. Each command fails if something is wrong.
set -eu
cd "$(dirname "$0")"
beryl check .
beryl test .
beryl sim .
beryl run .
