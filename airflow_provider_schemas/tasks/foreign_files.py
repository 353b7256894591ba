"""Files that an argument names and that turn out to be something else: what is told of them is no more than their keys.

An argument may come out of a template, and name a file of the machine or the answer of a service that the author of a run may not read.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import ContractError, Fault, PolicyError, SchemaError, SchemaFileError, TableFileError
from airflow_provider_schemas.formats.user_file import WrittenFile, opened

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_COLUMN = re.compile(r"\w[\w .-]{0,127}")
_MOST_KEYS = 5
# What the reader of YAML quotes out of a file, without the quotation.
_MESSAGES = {
    "yaml.alias": "an anchor or an alias stands here.",
    "yaml.tag": "a tag stands here.",
    "yaml.number": "a number stands here that cannot be kept.",
}


class Form(Struct, frozen=True):
    """What an argument expects in a file: the keys that only such a file has, and those that others may have as well."""

    noun: str
    refusal: type[SchemaError]
    fix: str
    own_keys: frozenset[str]
    common_keys: frozenset[str] = frozenset()
    holds: Callable[[Any], bool] = lambda value: False
    """Whether a value that is no mapping has the form."""


def _is_columns(value: Any) -> bool:
    """Whether a list or a text names columns."""
    if isinstance(value, list):
        return all(isinstance(one, Mapping) or (isinstance(one, str) and _COLUMN.fullmatch(one) is not None) for one in value)
    return isinstance(value, str) and _is_ddl(value)


def _is_ddl(text: str) -> bool:
    try:
        parse_columns(text)
    except SchemaError:
        return False
    return True


_ABOUT = frozenset({"name", "table", "owner", "contact"})
CONTRACT = Form(
    noun="contract",
    refusal=ContractError,
    fix="Write columns: with what is needed, or the file of a job with job: and reads:.",
    own_keys=frozenset({"columns", "shape", "primary_key", "partitioned_by", "read_with", "reads", "writes"}),
    common_keys=_ABOUT | {"job", "last_seen"},
    holds=_is_columns,
)
POLICY = Form(
    noun="policy",
    refusal=PolicyError,
    fix="Write keys such as mode:, protect: or rules:.",
    own_keys=frozenset(
        {"mode", "protect", "against", "readers", "rules", "exceptions", "enforce_from", "registry_complete", "descriptions", "also"}
    ),
    common_keys=frozenset({"name", "override"}),
)
TABLE_FILE = Form(
    noun="table file",
    refusal=TableFileError,
    fix="Write table: and columns:.",
    own_keys=frozenset({"table", "columns"}),
)
SCHEMA_FILE = Form(
    noun="schema file",
    refusal=SchemaFileError,
    fix="Name a file that Paimon or this library has written.",
    own_keys=frozenset({"fields", "highestFieldId"}),
)


def opened_as(form: Form, data: bytes, label: str) -> WrittenFile:
    """The document in a file; one of another form is refused, and nothing of it is shown but keys that look like names."""
    refused: SchemaError
    try:
        found = opened(data, label, form.refusal)
    except SchemaError as error:
        refused = form.refusal.of(_placed(fault, label) for fault in error.faults)
    else:
        if has_form(found.value, form):
            return found
        refused = _other_form(found.value, form, label)
    raise refused  # out here, it carries no error that quotes the file


def check_json(form: Form, data: bytes, label: str) -> None:
    """Refuse JSON of another form. What is no JSON is left to its reader, which quotes nothing."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not has_form(value, form):
        raise _other_form(value, form, label)


def has_form(value: Any, form: Form) -> bool:
    """Whether a value is meant as what the form says, even if it has mistakes."""
    if not isinstance(value, Mapping):
        return value is None or form.holds(value)
    keys = value.keys()
    return bool(keys & form.own_keys) or not keys - form.common_keys


def _placed(fault: Fault, label: str) -> Fault:
    """The fault with its line, and without what stands on that line."""
    line = re.match(r":[0-9]+", fault.path.removeprefix(label))
    return fault._replace(path=f"{label}{line[0] if line else ''}", message=_MESSAGES.get(fault.code, fault.message))


def _other_form(value: Any, form: Form, label: str) -> SchemaError:
    message = f"this is no {form.noun}: {_what(value)}."
    return form.refusal(message, code="file.other-form", path=label, fix=form.fix)


def _what(value: Any) -> str:
    if isinstance(value, list):
        return "it holds a list"
    if not isinstance(value, Mapping):
        return "it holds a single value"
    names = [shown(key) for key in value if isinstance(key, str) and _NAME.fullmatch(key)]
    if not names:
        return f"none of its {len(value):,} keys is known"
    return f"it has the {_listed(names)}"


def _listed(names: Iterable[str]) -> str:
    first = list(names)
    more = f" and {len(first) - _MOST_KEYS:,} more" if len(first) > _MOST_KEYS else ""
    return f"key {first[0]}" if len(first) == 1 else f"keys {', '.join(first[:_MOST_KEYS])}{more}"
