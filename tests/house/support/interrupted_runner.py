"""A runner of tests, as `make` starts it: runs the command that it is given."""

import subprocess
import sys

from tools.leftovers import guarded

if __name__ == "__main__":
    with guarded():
        subprocess.Popen(sys.argv[1:]).wait()
