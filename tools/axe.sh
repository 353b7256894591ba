#!/bin/sh
# Install axe-core, which looks for what people with impairments cannot use in a document, with the npm of an environment, once.
# usage: tools/axe.sh VENV FOLDER
# The tests of the page call it themselves; what it does is in tools/environments/npm_package.py.
set -eu
cd "$(dirname "$0")/.."
venv=$1 folder=$2
version=4.14.1

if [ "$(cat "$folder/made-from" 2>/dev/null)" = "$version" ]; then
    exit 0
fi
exec "$venv/bin/python" -E -s -m tools.environments.npm_package "$folder" axe-core "$version" "a judge of accessibility for the tests"
