"""What tools/environment.sh starts where a call may have something to change.

usage: python -m tools.environments FOLDER REQUIREMENTS CONSTRAINTS editable|bare CALL
"""

import sys
from pathlib import Path

from tools.environments.ending import ended_by_a_sentence
from tools.environments.making import Request, make


def main(arguments: list[str]) -> int:
    """Make the environment of a call."""
    folder, requirements, constraints, mode, call = arguments
    request = Request(Path(folder), Path(requirements), Path(constraints), mode, call)
    return ended_by_a_sentence(lambda: make(request), what=folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
