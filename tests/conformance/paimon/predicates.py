"""On which inputs we answer otherwise than Java: the `when` of deviations.toml, one function each.

Each looks at the input alone, and says what is meant in terms of the table and the change.
"""

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from airflow_provider_schemas.core import parse_type
from airflow_provider_schemas.core.casts.cast_value import default_value
from airflow_provider_schemas.errors import CastError
from tests.conformance.paimon import retyping
from tests.conformance.paimon.model import WORDS, Moment, listed, moments, tag
from tests.conformance.rows import Content

# Changes that need a field at the end of their path, and not an element or a map value.
_OF_FIELDS = ("addColumn", "renameColumn", "dropColumn", "updateColumnDefaultValue")
TEXTS = ("comment", "description", "defaultValue")

# ---------------------------------------------------------------- schema-read


def a_text_is_json_null(row: Content) -> bool:
    """A comment, description or default is there, and is null."""
    return any(one.get(key, "") is None for one in _objects(given(row)) for key in TEXTS)


def given(row: Content) -> Any:
    """The schema file as JSON; nothing if it is none."""
    try:
        return json.loads(row["input"]) if isinstance(row["input"], str) else row["input"]
    except ValueError:
        return None


def _objects(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(one)


# ---------------------------------------------------------------- create


def a_default_is_no_value_of_its_type(row: Content) -> bool:
    """A column is created with a default that cannot be read as its type."""
    columns = (row["create"] if "create" in row else row["columns"])["columns"]
    return any(_bad_default(one.get("default", one.get("defaultValue")), one["type"]) for one in columns)


def _bad_default(text: str | None, kind: Any) -> bool:
    try:
        default_value(text or "", parse_type(kind))
    except CastError:
        return text is not None
    return False


# ---------------------------------------------------------------- paths


def a_path_enters_a_container_by_another_word(row: Content) -> bool:
    """A path goes through an ARRAY by another word than `element`, or through a MAP by another than `value`."""
    return any(_obstacle(one) == "word" for one in moments(row))


def a_path_asks_for_a_field_of_no_row(row: Content) -> bool:
    """A field is added to, or looked for in, what is no ROW; or the path of a field ends on an element or map value."""
    return any(_obstacle(one) == "no row" for one in moments(row))


def _obstacle(moment: Moment) -> str:
    names, action = moment.change.get("fieldNames", []), moment.change["action"]
    for depth, name in enumerate(names):
        parent = moment.now.place(names[:depth])
        if parent is None:
            return ""
        kind, last = tag(parent.kind()), depth == len(names) - 1
        if kind in WORDS and name != WORDS[kind]:
            return "word"
        if kind != "ROW" and last and action in _OF_FIELDS:
            return "no row"
    return ""


# ---------------------------------------------------------------- renames


def the_parent_of_a_renamed_field_is_in_an_option(row: Content) -> bool:
    """A nested field is renamed, and an option that follows renames carries the name of the column around it."""
    return any(names_column(item, parent) for parent in named_parents(row) for item in _options(row))


def named_parents(row: Content) -> set[str]:
    """The columns around the nested fields that are renamed."""
    renames = [one.change["fieldNames"] for one in moments(row) if one.change["action"] == "renameColumn"]
    return {names[0] for names in renames if len(names) > 1}


def _options(row: Content) -> set[tuple[str, str]]:
    """Every option that the table has at some time."""
    return {item for one in moments(row) for item in _with(one)}


def _with(moment: Moment) -> list[tuple[str, str]]:
    change = moment.change
    return [*moment.now.options.items(), *([(change["key"], change["value"])] if change["action"] == "setOption" else [])]


def names_column(option: tuple[str, str], column: str) -> bool:
    """Whether an option that follows renames names the column."""
    key, value = option
    if key in ("bucket-key", "sequence.field"):
        return column in value.split(",")
    if not key.startswith("fields."):
        return False
    in_value = key.endswith((".sequence-group", ".nested-key")) and column in value.split(",")
    return in_value or column in key.split(".")[1].split(",")


def two_renames_of_a_batch_are_under_one_column(row: Content) -> bool:
    """In one batch, two renames have paths that begin with the same name, and one of them is nested."""
    for _, batch in groupby(moments(row), lambda one: one.batch):
        paths = [one.change["fieldNames"] for one in batch if one.change["action"] == "renameColumn"]
        heads = [path[0] for path in paths]
        if any(len(path) > 1 and heads.count(path[0]) > 1 for path in paths):
            return True
    return False


# ---------------------------------------------------------------- options


def an_option_is_set_back_within_its_batch(row: Content) -> bool:
    """An option, or a key list, that the batch has changed before is set to what it was before the batch."""
    return any(_set_back(one) for one in moments(row) if one.change["action"] == "setOption")


def _set_back(moment: Moment) -> bool:
    key, value, old, now = moment.change["key"], moment.change["value"], moment.old, moment.now
    if key in old.keys:
        return listed(value) == old.keys[key] and (now.keys[key] != old.keys[key] or key in now.options)
    return bool(value == old.options.get(key) != now.options.get(key))


def an_ignoring_option_is_removed_from_a_table_with_data(row: Content) -> bool:
    """With snapshots, `ignore-delete` or `ignore-update-before` is true and is removed."""
    return bool(row.get("hasSnapshots")) and any(
        one.change["action"] == "removeOption"
        and one.change["key"] in ("ignore-delete", "ignore-update-before")
        and one.old.options.get(one.change["key"], "").strip().lower() == "true"
        for one in moments(row)
    )


WHEN: dict[str, Callable[[Content], bool]] = {
    one.__name__: one
    for one in (
        a_text_is_json_null,
        a_default_is_no_value_of_its_type,
        a_path_enters_a_container_by_another_word,
        a_path_asks_for_a_field_of_no_row,
        the_parent_of_a_renamed_field_is_in_an_option,
        two_renames_of_a_batch_are_under_one_column,
        an_option_is_set_back_within_its_batch,
        an_ignoring_option_is_removed_from_a_table_with_data,
        retyping.a_renamed_key_column_is_retyped,
        retyping.a_bucket_key_is_retyped_in_a_table_with_data,
        retyping.a_sequence_field_gets_a_type_that_sorts_otherwise,
        retyping.a_batch_retypes_twice_without_a_direct_way,
    )
}
