#!/bin/sh
# Make a virtual environment from a requirements file and its pins, once. A call that finds nothing new is quick.
# usage: tools/environment.sh FOLDER REQUIREMENTS CONSTRAINTS [bare]
# bare: without this project, for tests that put its wheel there themselves
set -eu
folder=$1 requirements=$2 constraints=$3 project=${4:-editable}
stamp=$folder/made-from

find_python() {
    for name in ${PYTHON:-python3.11 python3.12 python3.13 python3.14 python3}; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    cat >&2 <<'TEXT'
Python 3.11 or newer was not found. Get it with one of
    sudo apt install python3.11 python3.11-venv      (Debian, Ubuntu)
    sudo dnf install python3.11                      (Fedora, Red Hat)
    brew install python@3.11                         (macOS)
or from https://www.python.org/downloads/, then run this again.
To use a Python that is not on the PATH: make PYTHON=/path/to/python3.11 ...
TEXT
    return 1
}

make_venv() {
    if ! "$1" -m venv --clear "$folder" >/dev/null 2>&1; then
        echo "$1 cannot make a virtual environment. Debian and Ubuntu keep that part in a package of its own:" >&2
        echo "    sudo apt install $(basename "$1")-venv" >&2
        return 1
    fi
}

# The folder is part of the key because a virtual environment does not survive being moved.
key=$(pwd; cat "$requirements" tests/environments/slim.txt "$constraints" | cksum)
key="$key${4:+ $4}"
if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ]; then
    python=$(find_python)
    echo "Making $folder with $("$python" --version) from $requirements (this takes a minute, once)"
    make_venv "$python"
    "$folder/bin/python" -m pip install -qq --disable-pip-version-check --requirement "$requirements" --constraint "$constraints"
fi
if [ "$(cat "$stamp" 2>/dev/null)" != "$key" ] || [ -n "$(find pyproject.toml -newer "$stamp")" ]; then
    if [ "$project" = editable ]; then
        "$folder/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
    fi
    echo "$key" >"$stamp"
fi
