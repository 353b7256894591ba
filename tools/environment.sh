#!/bin/sh
# Make a virtual environment from a list of requirements and its pins, or let it grow by the list. A call that finds nothing new is quick.
# usage: tools/environment.sh FOLDER REQUIREMENTS CONSTRAINTS [bare]
# bare: without this project, for tests that put its wheel there themselves
# FOLDER/made-from is there while the environment is whole. It lists the calls that need no change; all else is done by tools/environments.
set -eu
cd "$(dirname "$0")/.."
folder=$1 requirements=$2 constraints=$3 mode=${4:-editable}

# The folder is part of the call because a virtual environment does not survive being moved.
call="$PWD $folder $requirements $constraints $mode $(cat tests/environments/*.txt "$requirements" "$constraints" pyproject.toml | cksum | tr ' ' -)"
if [ -x "$folder/bin/python" ] && grep -qxF -e "$call" "$folder/made-from" 2>/dev/null; then
    exit 0
fi

found=
for name in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
    if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$name" -E -s -m tools.environments "$folder" "$requirements" "$constraints" "$mode" "$call"
    fi
    version=$("$name" --version 2>/dev/null || true)
    found=$found${version:+"${found:+, }$version ($name)"}
done
echo "Python 3.11 or newer is needed, and ${PYTHON:+PYTHON=}${PYTHON:-this machine} has ${found:-no Python that runs}. Get it with one of" >&2
cat >&2 <<'TEXT'
    sudo apt install python3.11 python3.11-venv      (Debian, Ubuntu; python3.12 where 3.11 is gone)
    sudo dnf install python3.11                      (Fedora, Red Hat)
    brew install python@3.11                         (macOS)
    uv python install 3.11                           (anywhere, with uv)
or from https://www.python.org/downloads/, then run this again.
To use a Python that is not on the PATH: make PYTHON=/path/to/python3.11 ...
TEXT
exit 1
