#!/bin/sh
# Install azurite, the stand-in for Azure's storage, with the npm of an environment, once. A call that finds nothing new is quick.
# usage: tools/azurite.sh VENV FOLDER
set -eu
venv=$1 folder=$2
version=3.35.0
stamp=$folder/made-from

if [ "$(cat "$stamp" 2>/dev/null)" = "$version" ]; then
    exit 0
fi
echo "Installing azurite $version into $folder (this takes half a minute, once)"
rm -rf "$folder"
mkdir -p "$folder"
# No lock file: it would record the address of the registry. No scripts: azurite itself needs none of them.
"$venv/bin/npm" install --prefix "$folder" --no-package-lock --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "azurite@$version"
echo "$version" >"$stamp"
