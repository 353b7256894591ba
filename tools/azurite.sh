#!/bin/sh
# Install azurite, the stand-in for Azure's storage, with the npm of an environment, once. A call that finds nothing new is quick.
# usage: tools/azurite.sh VENV FOLDER
# The tests of Azure call it themselves; what it does is in tools/environments/npm_package.py.
set -eu
cd "$(dirname "$0")/.."
venv=$1 folder=$2
version=3.35.0

if [ "$(cat "$folder/made-from" 2>/dev/null)" = "$version" ]; then
    exit 0
fi
exec "$venv/bin/python" -E -s -m tools.environments.npm_package "$folder" azurite "$version" "a server of Azure's storage for the tests"
