"""Read the settings of pip: its files and PIP_ variables, as `pip config list` prints them."""

import ast
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

# A later section beats an earlier one.
_SECTIONS = ("global", "install", ":env:")
_ALIASES = {"default-timeout": "timeout", "pypi-url": "index-url"}
_LINE = re.compile(r"(:env:|global|install)\.([\w-]+)=(.+)")
_TRUE = {"1", "true", "yes", "on", "y", "t"}


@dataclass(frozen=True)
class PipSettings:
    """What `pip install` is set to, by the long name of the option."""

    values: Mapping[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str | None:
        """Return a setting with one value."""
        return self.values.get(name, "").strip() or None

    def words(self, name: str) -> list[str]:
        """Return a setting with several values."""
        return self.values.get(name, "").split()

    def flag(self, name: str) -> bool:
        """Return a setting that is on or off."""
        return self.values.get(name, "").strip().lower() in _TRUE


def parse(listing: str) -> PipSettings:
    """Read the output of `pip config list`."""
    found: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in listing.splitlines():
        match = _LINE.fullmatch(line.strip())
        if match:
            section, name, value = match.groups()
            found[section][_ALIASES.get(name, name)] = str(ast.literal_eval(value))
    merged: dict[str, str] = {}
    for section in _SECTIONS:
        merged |= found[section]
    return PipSettings(merged)


def read(python: str | Path) -> PipSettings | None:
    """Ask the pip of a Python for its settings; None where it has no pip."""
    command = [python, "-E", "-m", "pip", "--disable-pip-version-check", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return parse(done.stdout) if done.returncode == 0 else None
