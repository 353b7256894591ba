"""Files that an argument names and that turn out to be something else: errors show no more of them than their keys.

An argument may come out of a template, and name a file of the machine or the answer of a service that the author of a run may not read.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.types.parsing import parse_columns
from airflow_provider_schemas.errors import ContractError, Fault, PolicyError, SchemaError, SchemaFileError, TableFileError
from airflow_provider_schemas.formats.user_file import WrittenFile, opened

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}")
_COLUMN = re.compile(r"\w[\w .-]{0,127}")
_MAX_KEYS = 5
# What the reader of YAML quotes out of a file, without the quotation.
_MESSAGES = {
    "yaml.alias": "an anchor or an alias stands here.",
    "yaml.tag": "a tag stands here.",
    "yaml.number": "a number stands here that cannot be kept.",
}


class FileForm(Struct, frozen=True):
    """What an argument expects in a file: the keys that only such a file has, and those that others may have as well."""

    noun: str
    refusal: type[SchemaError]
    fix: str
    own_keys: frozenset[str]
    common_keys: frozenset[str] = frozenset()
    holds: Callable[[Any], bool] = lambda value: False
    """Return whether a value other than a mapping has the form."""


def _is_columns(value: Any) -> bool:
    """Return whether a list or a text names columns."""
    if isinstance(value, list):
        return all(map(_is_column, value))
    return isinstance(value, str) and _is_ddl(value)


def _is_column(entry: Any) -> bool:
    return isinstance(entry, Mapping) or (isinstance(entry, str) and _COLUMN.fullmatch(entry) is not None)


def _is_ddl(text: str) -> bool:
    try:
        parse_columns(text)
    except SchemaError:
        return False
    return True


_ABOUT = frozenset({"name", "table", "owner", "contact"})
CONTRACT = FileForm(
    noun="contract",
    refusal=ContractError,
    fix="Write columns: with what is needed, or the file of a job with job: and reads:.",
    own_keys=frozenset({"columns", "shape", "primary_key", "partitioned_by", "read_with", "write_with", "reads", "writes"}),
    common_keys=_ABOUT | {"job", "last_seen"},
    holds=_is_columns,
)
POLICY = FileForm(
    noun="policy",
    refusal=PolicyError,
    fix="Write keys such as mode:, protect: or rules:.",
    own_keys=frozenset(
        {"mode", "protect", "against", "readers", "rules", "exceptions", "enforce_from", "registry_complete", "descriptions", "also"}
    ),
    common_keys=frozenset({"name", "override"}),
)
TABLE_FILE = FileForm(
    noun="table file",
    refusal=TableFileError,
    fix="Write table: and columns:.",
    own_keys=frozenset({"table", "columns"}),
)
SCHEMA_FILE = FileForm(
    noun="schema file",
    refusal=SchemaFileError,
    fix="Name a file that Paimon or this library has written.",
    own_keys=frozenset({"fields", "highestFieldId"}),
)


def open_as(form: FileForm, data: bytes, label: str) -> WrittenFile:
    """Return the document in a file; refuse another form, of which nothing is shown but keys that look like names."""
    refused: SchemaError
    try:
        document = opened(data, label, form.refusal)
    except SchemaError as error:
        refused = form.refusal.of(_without_quotation(fault, label) for fault in error.faults)
    else:
        if has_form(document.value, form):
            return document
        refused = _other_form_error(document.value, form, label)
    raise refused  # out here, it carries no error that quotes the file


def check_json(form: FileForm, data: bytes, label: str) -> None:
    """Refuse JSON of another form. Other texts are left to the reader of JSON, which quotes nothing."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not has_form(value, form):
        raise _other_form_error(value, form, label)


def has_form(value: Any, form: FileForm) -> bool:
    """Return whether a value is meant as what the form says, even if it has mistakes."""
    if not isinstance(value, Mapping):
        return value is None or form.holds(value)
    keys = value.keys()
    return bool(keys & form.own_keys) or not keys - form.common_keys


def _without_quotation(fault: Fault, label: str) -> Fault:
    """Return the fault with its line number, and without what stands on that line."""
    path = label
    line = re.match(r":[0-9]+", fault.path.removeprefix(label))
    if line:
        path += line[0]
    return fault._replace(path=path, message=_MESSAGES.get(fault.code, fault.message))


def _other_form_error(value: Any, form: FileForm, label: str) -> SchemaError:
    message = f"this is no {form.noun}: {_describe(value)}."
    return form.refusal(message, code="file.other-form", path=label, fix=form.fix)


def _describe(value: Any) -> str:
    if isinstance(value, list):
        return "it holds a list"
    if not isinstance(value, Mapping):
        return "it holds a single value"
    names = [shown(key) for key in value if isinstance(key, str) and _NAME.fullmatch(key)]
    if not names:
        return f"none of its {len(value):,} keys is known"
    return f"it has the {_list_keys(names)}"


def _list_keys(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"key {names[0]}"
    first = ", ".join(names[:_MAX_KEYS])
    if len(names) <= _MAX_KEYS:
        return f"keys {first}"
    return f"keys {first} and {len(names) - _MAX_KEYS:,} more"
