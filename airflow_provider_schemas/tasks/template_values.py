"""Values as they come out of Jinja: texts such as "41", "None", "" or "{'shop.orders': null}" for what an author meant as a value."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from airflow_provider_schemas.core.common.strict_json import JsonReading, read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import ContractError, Fault
from airflow_provider_schemas.tasks.not_said import is_left_out

Value = Any
"""What an author wrote, or what a template or another task made of it: of any type, until a function of this module has read it."""

# What a template without a value leaves behind.
_EMPTY = frozenset({"", "None", "null", "none"})
# No argument of a task is longer.
_MAX_CHARACTERS = 10_000_000
_MAX_VERSION_DIGITS = 18
_SWITCHES = {"true": True, "false": False, "1": True, "0": False}
_DUPLICATE_KEY = "json.duplicate-key"
# What Python raises for a text that is none of its lists or mappings, or is nested too deep.
_NOT_A_LITERAL = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError)


def is_empty(value: Value) -> bool:
    """Return whether a value is empty, or what an empty template leaves behind."""
    return value is None or (isinstance(value, str) and value.strip() in _EMPTY)


def is_given(value: Value, argument: str) -> bool:
    """Return whether the author gave the argument. What a template or a task has emptied is an error, and never the default."""
    if is_left_out(value):
        return False
    if is_empty(value):
        message = f"{argument} came out empty ({shown(value)}), and what holds without it may be something else than what was meant."
        fix = f"Mend the template, or the task that gives the value; or leave {argument} out."
        raise argument_error(message, argument, fix)
    return True


def read_optional_text(value: Value, argument: str) -> str:
    """Read a text that may come out empty, because without it the task is the strictest."""
    if is_empty(value):
        return ""
    return read_text(value, argument)


def read_text(value: Value, argument: str) -> str:
    """Read a text; empty if it is left out."""
    if not is_given(value, argument):
        return ""
    if not isinstance(value, str):
        raise argument_error(f"a {type(value).__name__} is no text.", argument, "Pass text.")
    return value.strip()


def read_version_number(value: Value, argument: str) -> int | None:
    """Read the number of a version; None if it is left out."""
    if not is_given(value, argument):
        return None
    number = whole_number(value, _MAX_VERSION_DIGITS)
    if number is None:
        fix = "Pass a number such as 41, or leave it out for the newest."
        raise argument_error(f"{shown(value)} is no number of a version.", argument, fix)
    return number


def whole_number(value: Value, digits: int) -> int | None:
    """Return a number that is not negative, or the text of one with so many digits at most; None for other values."""
    if isinstance(value, str):
        text = value.strip()
        is_number = text.isascii() and text.isdecimal() and len(text) <= digits
        return int(text) if is_number else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        return None
    return value


def read_choice(value: Value, argument: str, choices: Iterable[str], default: str) -> str:
    """Read one of some words; the default if it is left out."""
    word = read_text(value, argument) or default
    words = tuple(choices)
    if word not in words:
        fix = f"Pass one of them; {default!r} is what holds without it."
        raise argument_error(f"{shown(value)} is none of {', '.join(words)}.", argument, fix)
    return word


def read_switch(value: Value, argument: str, default: bool) -> bool:
    """Read yes or no; the default if it is left out."""
    if isinstance(value, bool):
        return value
    if not is_given(value, argument):
        return default
    switch = _SWITCHES.get(str(value).strip().lower())
    if switch is None:
        raise argument_error(f"{shown(value)} is neither true nor false.", argument, "Pass True or False.")
    return switch


def is_collection_text(value: Value) -> bool:
    """Return whether this is the text of a list or a mapping."""
    return isinstance(value, str) and value.lstrip()[:1] in ("[", "{")


def parse_value(value: Value, argument: str) -> Value:
    """Return the list or mapping that a text holds, in JSON or as Python shows it; any other value as it is."""
    if not is_collection_text(value):
        return value
    if len(value) > _MAX_CHARACTERS:
        raise argument_error(f"the text has more than {_MAX_CHARACTERS:,} characters.", argument, "Name a file instead.")
    text = value.strip()
    read = read_json(text)
    if read.faults and read.faults[0].code != _DUPLICATE_KEY:
        read = _read_python_literal(text) or read
    if read.faults:
        raise ContractError.of(fault.at(argument) for fault in read.faults)
    return read.value


def _read_python_literal(text: str) -> JsonReading | None:
    """Return the value of a text that Python has made; None for other texts. Python itself would keep the last of duplicate keys."""
    try:
        tree = ast.parse(text, mode="eval")
        duplicates = list(_duplicate_keys(tree))
        if not duplicates:
            return JsonReading(ast.literal_eval(tree))
    except _NOT_A_LITERAL:
        return None
    return JsonReading(None, tuple(map(_duplicate_key_fault, duplicates)))


def _duplicate_key_fault(key: Value) -> Fault:
    path = key if isinstance(key, str) else repr(key)
    return Fault(_DUPLICATE_KEY, path, "the key stands twice in one mapping.", "Keep the one that is meant.")


def _duplicate_keys(tree: ast.AST) -> Iterator[Value]:
    """Yield the keys that stand twice in one mapping."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            counts = Counter(ast.literal_eval(key) for key in node.keys if key is not None)
            yield from (key for key, count in counts.items() if count > 1)


def argument_error(message: str, argument: str, fix: str) -> ContractError:
    """Return the error about one argument of a task."""
    return ContractError.of([Fault("task.argument", argument, message, fix)])
