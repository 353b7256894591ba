"""The option `--output FORMAT=FILE`: verdicts in further formats, each in a file of its own.

A file that was asked for is written whatever happens, so that none of an earlier run remains and is taken for this one's:
with faults in it where the line cannot be read, or the command is refused.
"""

import os
from argparse import Action, ArgumentError, ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

PLAIN = ("text", "markdown", "json", "html")
FOR_CI = ("sarif", "junit", "github", "gitlab")
FORMATS = (*PLAIN, *FOR_CI)
OPTION = "--output"
DOCS = "AIRFLOW_SCHEMAS_DOCS"
VERDICT_COMMANDS = ("check", "plan")
"""The commands that give verdicts."""
COMMITS = ("apply", "evolve", "create", "adopt", "restore")
"""The commands that write a version: with --dry-run they give a verdict of it."""
# The commands that have verdicts without --dry-run; the answer of `audit` has a shape of its own.
_WITH_VERDICTS = (*VERDICT_COMMANDS, "audit")
# Commands with an output of their own, which is no verdict: a plan, a schema.
_OWN_OUTPUT = ("plan", "convert")
FILE_ARGUMENTS = ("object", "objects", "files", "plan", "columns", "base", "contract", "policy")
"""The arguments that can be files, and so standard input."""
# What table files, contracts, settings and statements are called, and no format.
_SOURCES = (".yaml", ".yml", ".toml", ".sql", ".ddl", ".py")
_DASH = "-"
_SCHEMES = ("http://", "https://")
_NEVER_IN_ADDRESS = frozenset(" <>\"'()\\`|{}^")


class OutputFile(NamedTuple):
    """A file that is asked for, and its format."""

    format: str
    file: str

    @property
    def path(self) -> str:
        """The file itself, whatever links lead to it."""
        return os.path.realpath(self.file)

    @property
    def is_source(self) -> bool:
        """Whether the file looks like one that people write: in a folder that is checked it may be a table file."""
        return self.path.lower().endswith(_SOURCES)


def parse(text: str) -> OutputFile | None:
    """Return the file and format of FORMAT=FILE; None for any other text."""
    name, equals, file = text.partition("=")
    if not equals or name not in FORMATS or "\0" in file:
        return None
    return OutputFile(name, file)


class OutputAction(Action):
    """Collect FORMAT=FILE; another text is the output of a command that has one of its own."""

    def __call__(self, parser: ArgumentParser, namespace: Namespace, values: str | Sequence[Any] | None, option: str | None = None) -> None:
        """Keep the file, or refuse it."""
        text = str(values)
        command = getattr(namespace, "command", None)
        output = parse(text)
        if command in _OWN_OUTPUT and (output is None or command == "convert"):
            if not text.strip():
                raise ArgumentError(self, "it is empty: give it a value, or leave it out")
            namespace.output = text
            return
        if output is None:
            raise ArgumentError(self, f"write it as FORMAT=FILE, with one of the formats {', '.join(FORMATS)}")
        if not output.file.strip() or output.file == _DASH:
            raise ArgumentError(self, f"name a file; for standard output write --format {output.format}")
        if output.is_source:
            raise ArgumentError(self, f"no format is written into {output.file!r}, which looks like a file that people write: name another")
        namespace.outputs = [*namespace.outputs, output]


# ---------------------------------------------------------------- what is refused


def check(args: Namespace, refuse: Callable[[str], NoReturn]) -> None:
    """Refuse formats of verdicts where a command gives none, and a file that is asked for twice or read by the line."""
    if not _gives_verdicts(args):
        if args.outputs:
            refuse(f"{OPTION} is for verdicts, and {args.command} gives none here: leave it out")
        if args.format in FOR_CI:
            refuse(f"--format {args.format} is for verdicts, and {args.command} gives none here: take {', '.join(PLAIN)}")
    paths = [output.path for output in args.outputs]
    twice = next((output.file for output in args.outputs if paths.count(output.path) > 1), None)
    if twice is not None:
        refuse(f"{OPTION} names {twice!r} twice: give each format a file of its own")
    read = {os.path.realpath(file) for file in _named_files(args)}
    both = next((output.file for output in args.outputs if output.path in read), None)
    if both is not None:
        refuse(f"{OPTION} would overwrite {both!r}, which the line names besides: name another file")


def _named_files(args: Namespace) -> Iterator[str]:
    """Yield the other files that a line names, to read or to write."""
    yield from (word for word in typed_words(args, (*FILE_ARGUMENTS, "output")) if "\0" not in word)


def typed_words(args: Namespace, names: Sequence[str]) -> Iterator[str]:
    """Yield the texts of arguments; a list is its texts."""
    for name in names:
        value = getattr(args, name, None)
        words = value if isinstance(value, list) else [value]
        yield from (word for word in words if isinstance(word, str))


def _gives_verdicts(args: Namespace) -> bool:
    return args.command in _WITH_VERDICTS or bool(getattr(args, "dry_run", False))


def docs_address(text: str | None, refuse: Callable[[str], NoReturn]) -> str:
    """Return the address in front of links to pages, with a slash at its end; empty where none is known."""
    address = text or os.environ.get(DOCS) or ""
    if not address:
        return ""
    site = site_address(address)
    if site is None:
        refuse(f"--docs (or {DOCS}) is the address of a site: https://...")
    return site


def site_address(text: str) -> str | None:
    """Return the address of a site, with a slash at its end; None for a text that is none, or that Markdown would not take for one."""
    if not text.startswith(_SCHEMES) or not text.isprintable() or _NEVER_IN_ADDRESS & set(text):
        return None
    return text if text.endswith("/") else f"{text}/"


# ---------------------------------------------------------------- lines that cannot be read


def asked(words: Sequence[str]) -> list[OutputFile]:
    """Return the files that a line asks for, though it cannot be read: each once, and none that it names besides."""
    if "convert" in words:
        return []
    others = {os.path.realpath(word) for word in words if _may_be_path(word)}
    found: dict[str, OutputFile] = {}
    for output in _typed(words):
        if output.file.strip() and output.file != _DASH and not output.is_source and output.path not in others:
            found.setdefault(output.path, output)
    return list(found.values())


def _may_be_path(word: str) -> bool:
    """Return whether a word could be the path of a file: no path has a zero, or half a letter."""
    try:
        return b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        return False


def format_of(words: Sequence[str]) -> str:
    """Return the format that a line asks for, though it cannot be read."""
    given = [word.partition("=")[2] for word in words if word.startswith("--format=")]
    given += [value for option, value in pairwise(words) if option == "--format"]
    return next((name for name in given if name in FORMATS), "text")


def _typed(words: Sequence[str]) -> Iterator[OutputFile]:
    texts = [word.partition("=")[2] for word in words if word.startswith(f"{OPTION}=")]
    texts += [value for option, value in pairwise(words) if option == OPTION]
    for text in texts:
        output = parse(text)
        if output is not None:
            yield output
