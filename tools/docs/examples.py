"""The code blocks of a page, run from top to bottom in a folder of its own, each compared with the output that the page shows.

    python            one namespace for the page; a warning is an error, and so is what a prompt would refuse
    console           each `$ command` in a shell; the lines below it are its output
    output            the output of the block above; so is `text` that follows a block directly
    json, yaml        read, so that a reader can copy them
    text              shown only

The folder has a copy of `docs/examples`, under the path by which a reader at the top of a checkout finds it.
`file=NAME` behind the language also keeps the block as that file in the folder (and then a Python block is only
compiled). In an output, `...` stands for anything. A `make` command is only asked whether it would run: `make` calls us.
"""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from tools.docs.output import commands, difference
from tools.docs.page import Block, Page, Problem
from tools.docs.pasting import MESSAGE, stuck_lines

SECONDS = 600
EXAMPLES = "docs/examples"


def first_problem(root: Path, page: Page) -> Problem | None:
    """The first block that does not do what the page says; what follows it stands on it."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        if (root / EXAMPLES).is_dir():
            shutil.copytree(root / EXAMPLES, EXAMPLES)
        work = _Work(root, page)
        for block in page.blocks:
            message = work.take(block)
            if message:
                return Problem(page.path, block.line, message)
    return None


class _Work:
    """One page being run: the namespace of its Python, and what the last block printed."""

    def __init__(self, root: Path, page: Page) -> None:
        self.root = root
        self.page = page
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.printed: str | None = None

    def take(self, block: Block) -> str:
        if block.language == "output" or (block.language == "text" and block.follows and self.printed is not None):
            return self._compare(block)
        self.printed = None
        if block.language not in _TAKE:
            return f"a block of {block.language or 'no language'}: use one of {', '.join(_TAKE)}."
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, "utf-8")
        return _TAKE[block.language](self, block)

    def _compare(self, block: Block) -> str:
        return "there is no block above that could print this." if self.printed is None else difference(block.text, self.printed)

    def python(self, block: Block) -> str:
        name = str(self.root / self.page.path)
        out = io.StringIO()
        try:
            code = compile("\n" * block.line + block.text, name, "exec", dont_inherit=True)
            if not block.file:
                if stuck := next(stuck_lines(block.text), 0):
                    return f"line {block.line + stuck}: {MESSAGE}"
                with contextlib.redirect_stdout(out), warnings.catch_warnings(action="error"):
                    exec(code, self.names)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever an example raises is a fault of its page
            return "".join(traceback.format_exception(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)))
        self.printed = out.getvalue()
        return ""

    def console(self, block: Block) -> str:
        self.printed = ""
        if not block.text.startswith("$ "):
            return "a console block begins with `$ ` and a command."
        for command, expected in commands(block.text):
            done = self._shell(command)
            if done.returncode:
                return f"`{command}` ended with {done.returncode}:\n{done.stdout}"
            if expected and (message := difference(expected, done.stdout)):
                return f"`{command}`: {message}"
            self.printed += done.stdout
        return ""

    def _shell(self, command: str) -> subprocess.CompletedProcess[str]:
        asked = re.sub(r"^make\b", f"make --dry-run --directory '{self.root}'", command)
        env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", os.defpath)])
        return subprocess.run(
            ["/bin/sh", "-c", asked],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def json(self, block: Block) -> str:
        return _refusal(json.loads, block)

    def yaml(self, block: Block) -> str:
        return _refusal(lambda text: list(yaml.safe_load_all(text)), block)

    def text(self, block: Block) -> str:
        del block
        return ""


_TAKE: Mapping[str, Callable[[_Work, Block], str]] = {
    "python": _Work.python,
    "console": _Work.console,
    "json": _Work.json,
    "yaml": _Work.yaml,
    "text": _Work.text,
}


def _refusal(read: Callable[[str], object], block: Block) -> str:
    try:
        read(block.text)
    except (ValueError, yaml.YAMLError) as error:
        return f"this is no {block.language}: {error}"
    return ""
