"""Text for a log that obeys commands: GitHub's runner takes lines that begin with :: and what follows ##[ for its own.

Names and comments of users stand in what is printed, so that a column may be called ::add-mask::a.
"""

import os
import re
from collections.abc import Mapping

# A line that begins with two colons, and the older spelling anywhere in a line; Azure's and TeamCity's begin alike.
_AT_START = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_ANYWHERE = re.compile(r"##(?=\w*\[)")
_LOGS = ("GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION")


def is_obeyed(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether what is printed goes to a log that obeys commands."""
    return any(environment.get(name) for name in _LOGS)


def without_commands(text: str) -> str:
    """Return the text with a blank inside of whatever such a log would obey."""
    return _ANYWHERE.sub("# #", _AT_START.sub(r"\1: ", text))


def json_without_commands(text: str) -> str:
    """Return JSON with the same values, and no command in it: lines of JSON begin with no colon."""
    return text.replace("##", "#\\u0023")
