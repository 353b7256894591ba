"""Values as they come out of Jinja: texts such as "41", "None", "" or "{'shop.orders': null}" for what an author meant as a value."""

import ast
from collections import Counter
from collections.abc import Iterable
from typing import Any

from airflow_provider_schemas.core.common.strict_json import Read, read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, Fault
from airflow_provider_schemas.tasks.not_said import is_left_out

Value = Any
"""What an author wrote, or what a template or another task made of it: of any type, until a function of this module has read it."""

# What a template leaves behind that had nothing to say.
_NOTHING = frozenset({"", "None", "null", "none"})
# Longer is no argument of a task.
_LONGEST = 10_000_000
_TWICE = "json.duplicate-key"
# What Python makes of a text that is none of its lists or mappings, or is nested too deep.
_NO_VALUE = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


def is_nothing(value: Any) -> bool:
    """Whether nothing was said."""
    return value is None or (isinstance(value, str) and value.strip() in _NOTHING)


def is_said(value: Any, argument: str) -> bool:
    """Whether the author said something. What a template or a task has emptied is an error, and never the default."""
    if is_left_out(value):
        return False
    if is_nothing(value):
        message = f"{argument} came out empty ({shown(value)}), and what holds without it may be something else than what was meant."
        fix = f"Mend the template, or the task that gives the value; or leave {argument} out."
        raise refused(message, argument, fix)
    return True


def optional_text(value: Any, argument: str) -> str:
    """A text that may be empty, because that is the strict answer, or none at all."""
    return "" if is_nothing(value) else text(value, argument)


def text(value: Any, argument: str) -> str:
    """A text, empty if nothing was said."""
    if not is_said(value, argument):
        return ""
    if not isinstance(value, str):
        raise refused(f"a {type(value).__name__} is no text.", argument, "Pass text.")
    return value.strip()


def number(value: Any, argument: str) -> int | None:
    """The number of a version; None if nothing was said."""
    if not is_said(value, argument):
        return None
    said = value.strip() if isinstance(value, str) else value
    if isinstance(said, str) and said.isascii() and said.isdecimal() and len(said) <= 18:
        return int(said)
    if isinstance(said, int) and not isinstance(said, bool) and said >= 0:
        return said
    raise refused(f"{shown(value)} is no number of a version.", argument, "Pass a number such as 41, or leave it out for the newest.")


def choice(value: Any, argument: str, known: Iterable[str], default: str) -> str:
    """One of some words; the default if nothing was said."""
    said, words = (text(value, argument) or default), tuple(known)
    if said not in words:
        raise refused(
            f"{shown(value)} is none of {', '.join(words)}.", argument, f"Pass one of them; {default!r} is what holds without it."
        )
    return said


def switch(value: Any, argument: str, default: bool) -> bool:
    """Yes or no; the default if nothing was said."""
    if isinstance(value, bool):
        return value
    if not is_said(value, argument):
        return default
    said = {"true": True, "false": False, "1": True, "0": False}.get(str(value).strip().lower())
    if said is None:
        raise refused(f"{shown(value)} is neither true nor false.", argument, "Pass True or False.")
    return said


def is_written_out(value: Any) -> bool:
    """Whether this is the text of a list or a mapping."""
    return isinstance(value, str) and value.lstrip()[:1] in ("[", "{")


def loaded(value: Any, argument: str) -> Any:
    """The list or mapping whose text this is, in JSON or as Python shows it; any other value as it is."""
    if not is_written_out(value):
        return value
    if len(value) > _LONGEST:
        raise refused(f"the text has more than {_LONGEST:,} characters.", argument, "Name a file instead.")
    said = value.strip()
    read = read_json(said)
    if read.faults and read.faults[0].code != _TWICE:
        read = _as_python_shows_it(said) or read
    if read.faults:
        raise ContractError.of(one.at(argument) for one in read.faults)
    return read.value


def _as_python_shows_it(said: str) -> Read | None:
    """The value of a text that Python has made; None if it is none. Of a key that stands twice, Python itself would keep the last."""
    try:
        tree = ast.parse(said, mode="eval")
        doubled = [key for one in ast.walk(tree) if isinstance(one, ast.Dict) for key in _doubled(one)]
        if not doubled:
            return Read(ast.literal_eval(tree))
    except _NO_VALUE:
        return None
    message, fix = "the key stands twice in one mapping.", "Keep the one that is meant."
    return Read(None, tuple(Fault(_TWICE, key if isinstance(key, str) else repr(key), message, fix) for key in doubled))


def _doubled(mapping: ast.Dict) -> list[Any]:
    """The keys that stand there again."""
    many = Counter(ast.literal_eval(key) for key in mapping.keys if key is not None)
    return [key for key, count in many.items() if count > 1]


def refused(message: str, argument: str, fix: str) -> ContractError:
    """An error about one argument of a task."""
    return ContractError.of([Fault("task.argument", argument, message, fix)])
