#!/bin/sh
# Install sarif-multitool, which looks at files of SARIF as code scanning does, with the npm of an environment, once.
# usage: tools/sarif_multitool.sh VENV FOLDER
# The tests of SARIF call it themselves; what it does is in tools/environments/npm_package.py.
set -eu
cd "$(dirname "$0")/.."
venv=$1 folder=$2
version=5.7.0

if [ "$(cat "$folder/made-from" 2>/dev/null)" != "$version" ]; then
    "$venv/bin/python" -E -s -m tools.environments.npm_package "$folder" @microsoft/sarif-multitool "$version" "a reader of SARIF for the tests"
fi
chmod +x "$folder"/node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool
