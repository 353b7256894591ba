"""Hints: what a table keeps of a field of ODF beside its column, and what a field of ODF keeps of a column's type.

A column has its hint in the attribute `odf` of its id: the ODF type where the column's own type would give
another, the column's type for which that holds, and the attributes of the field. Fields inside structs have
ids and hints of their own, so that each is free to be renamed, moved and dropped.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from airflow_provider_schemas.core.schema.comment_directives import is_directive
from airflow_provider_schemas.core.types import nested
from airflow_provider_schemas.core.types.atomic import DataType as TableType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.parsing import parse_type
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.formats.odf.model.attributes import Attributes, PlainValue
from airflow_provider_schemas.formats.odf.model.types import DataType, Option
from airflow_provider_schemas.formats.odf.serialization.known_attributes import DESCRIPTION
from airflow_provider_schemas.formats.odf.serialization.reader import type_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_type
from airflow_provider_schemas.formats.odf.table import nested_types

ODF: Final = "odf"
PAIMON_TYPE: Final = "airflow-provider-schemas/paimonType"
_TYPE: Final = "type"
_OF: Final = "of"
_EXTRA: Final = "extra"


class SplitAttributes(Struct, frozen=True):
    """The attributes of a field or schema, split into a comment, a type of Paimon, and the rest."""

    comment: str | None = None
    type: TableType | None = None
    rest: Attributes | None = None


# ---------------------------------------------------------------- to Paimon


def split(extra: Attributes | None, kind: DataType | None = None) -> SplitAttributes:
    """Split attributes as a table holds them. A comment that Paimon would follow as a directive stays among the rest."""
    if extra is None:
        return SplitAttributes()
    values = dict(extra)
    used: list[str] = []
    comment = values.get(DESCRIPTION)
    if isinstance(comment, str) and not is_directive(comment):
        used.append(DESCRIPTION)
    else:
        comment = None
    paimon_type = _paimon_type(values.get(PAIMON_TYPE), kind)
    if paimon_type is not None:
        used.append(PAIMON_TYPE)
    if not used:
        return SplitAttributes(rest=extra)
    return SplitAttributes(comment, paimon_type, extra.without(*used) or None)


def _paimon_type(source: PlainValue, kind: DataType | None) -> TableType | None:
    """Return the type of Paimon that a field was published for, if it still goes with the field's type."""
    if kind is None or not isinstance(source, str | Mapping):
        return None
    try:
        column = parse_type(source)
    except SchemaError:
        return None
    has_blob = nested.fold(column, lambda part, inner: part.root is Root.BLOB or any(inner))
    # A BLOB needs options of the table, too, which ODF does not have.
    if has_blob or nested_types.open_table(column) != column or not needs_attribute(column):
        return None
    if of_type(published(column)) != of_type(nested_types.open_odf(kind)):
        return None
    return column


def hint_text(kind: DataType | None, column: TableType | None, rest: Attributes | None) -> str | None:
    """Return the hint of a column or table as the text of its option; None if there is nothing to keep."""
    hint: dict[str, Any] = {}
    if kind is not None and column is not None:
        open_kind = nested_types.open_odf(kind)
        open_column = nested_types.open_table(column)
        if of_type(published(open_column)) != of_type(open_kind):
            hint = {_TYPE: of_type(open_kind), _OF: open_column.to_json()}
    if rest is not None:
        hint[_EXTRA] = dict(rest)
    if not hint:
        return None
    return json.dumps({ODF: hint}, ensure_ascii=False, separators=(",", ":"))


# ---------------------------------------------------------------- to ODF


def published(column: TableType) -> DataType:
    """Return the ODF type of a column, without the fields of ROWs."""
    return nested_types.to_odf(column, lambda _: ())


def needs_attribute(column: TableType) -> bool:
    """Return whether a type of Paimon would come back from ODF as another."""
    back = nested_types.to_table(published(column), lambda _: ())
    return nested_types.comparable(back) != nested_types.comparable(column)


def join(rest: Attributes | None, comment: str | None, column: TableType | None) -> Attributes | None:
    """Return the attributes of a field or schema: the rest, its comment, and the type of Paimon if it is given."""
    values: dict[str, Any] = dict(rest or ())
    if comment is not None:
        values[DESCRIPTION] = comment
    if column is not None:
        values[PAIMON_TYPE] = column.to_json()
    if not values and rest is None:
        return None
    return Attributes(values)


class Hint(Struct, frozen=True):
    """The content of the attribute `odf`: None for what is absent or cannot be read."""

    type: DataType | None = None
    of: TableType | None = None
    rest: Attributes | None = None
    sound: bool = True


def hint_of(attributes: Mapping[str, Any]) -> Hint:
    """Return the hint among the attributes of a column or table."""
    if ODF not in attributes:
        return Hint()
    entries = attributes[ODF]
    if not isinstance(entries, Mapping) or not isinstance(entries.get(_EXTRA, {}), Mapping):
        return Hint(sound=False)
    rest = None
    if _EXTRA in entries:
        rest = Attributes(entries[_EXTRA])  # it was JSON, so it can be attributes
    if _TYPE not in entries:
        return Hint(rest=rest)
    try:
        return Hint(type_of(entries[_TYPE]), parse_type(entries[_OF]), rest)
    except (SchemaError, KeyError):
        return Hint(rest=rest, sound=False)


def hinted_type(hint: Hint, column: TableType) -> DataType | None:
    """Return the ODF type of a column by its hint, if the column still has the type of the hint, nullable or not."""
    if hint.type is None or hint.of is None or hint.of.with_nullable(True) != column.with_nullable(True):
        return None
    if hint.of.nullable is column.nullable:
        return hint.type
    inner = nested_types.without_options(hint.type)
    if not column.nullable:
        return inner
    return Option(inner)
