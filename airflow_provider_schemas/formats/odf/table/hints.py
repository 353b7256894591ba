"""What a table keeps of a field of ODF beside its column, and what a field of ODF keeps of a column's type.

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
from airflow_provider_schemas.formats.odf.model.attributes import Attributes
from airflow_provider_schemas.formats.odf.model.types import DataType, Option
from airflow_provider_schemas.formats.odf.serialization.known_attributes import DESCRIPTION
from airflow_provider_schemas.formats.odf.serialization.reader import type_of
from airflow_provider_schemas.formats.odf.serialization.writer import of_type
from airflow_provider_schemas.formats.odf.table import nested_types

ODF: Final = "odf"
PAIMON_TYPE: Final = "airflow-provider-schemas/paimonType"
_TYPE, _OF, _EXTRA = "type", "of", "extra"


class Said(Struct, frozen=True):
    """Attributes of a field or schema, taken apart: what is a comment, what is a type of Paimon, and the rest."""

    comment: str | None = None
    type: TableType | None = None
    rest: Attributes | None = None


# ---------------------------------------------------------------- to Paimon


def taken_apart(extra: Attributes | None, kind: DataType | None = None) -> Said:
    """The attributes as a table holds them. A comment that Paimon would follow as an order stays among the rest."""
    if extra is None:
        return Said()
    said = dict(extra)
    comment = said.get(DESCRIPTION)
    comment = comment if isinstance(comment, str) and not is_directive(comment) else None
    kept_type = None if kind is None else _paimon_type(said.get(PAIMON_TYPE), kind)
    used = [key for key, value in ((DESCRIPTION, comment), (PAIMON_TYPE, kept_type)) if value is not None]
    rest = extra.without(*used) if used else extra
    return Said(comment, kept_type, rest if rest or not used else None)


def _paimon_type(source: Any, kind: DataType) -> TableType | None:
    """The type of Paimon that a field was published for, if it is still the field's."""
    if not isinstance(source, str | Mapping):
        return None
    try:
        found = parse_type(source)
    except SchemaError:
        return None
    blobs = nested.fold(found, lambda part, inner: part.root is Root.BLOB or any(inner))
    if blobs or nested_types.open_table(found) != found or not needs_attribute(found):
        return None  # a BLOB needs options of the table, too, which ODF does not have
    return found if of_type(published(found)) == of_type(nested_types.open_odf(kind)) else None


def hint_text(kind: DataType | None, column: TableType | None, rest: Attributes | None) -> str | None:
    """The attributes of a column or table as its option holds them; None if there is nothing to say."""
    said: dict[str, Any] = {}
    if kind is not None and column is not None:
        open_kind, open_column = nested_types.open_odf(kind), nested_types.open_table(column)
        if of_type(published(open_column)) != of_type(open_kind):
            said = {_TYPE: of_type(open_kind), _OF: open_column.to_json()}
    if rest is not None:
        said[_EXTRA] = dict(rest)
    return json.dumps({ODF: said}, ensure_ascii=False, separators=(",", ":")) if said else None


# ---------------------------------------------------------------- to ODF


def published(column: TableType) -> DataType:
    """What the type of a column is to ODF, with the fields of ROWs left out."""
    return nested_types.to_odf(column, lambda _: ())


def needs_attribute(column: TableType) -> bool:
    """Whether the type would come back as another."""
    back = nested_types.to_table(published(column), lambda _: ())
    return nested_types.comparable(back) != nested_types.comparable(column)


def put_together(rest: Attributes | None, comment: str | None, column: TableType | None) -> Attributes | None:
    """The attributes of a field or schema: the rest, its comment, and the type of Paimon where ODF's says less."""
    said: dict[str, Any] = {} if rest is None else dict(rest)
    if comment is not None:
        said[DESCRIPTION] = comment
    if column is not None:
        said[PAIMON_TYPE] = column.to_json()
    return Attributes(said) if said or rest is not None else None


class Hint(Struct, frozen=True):
    """What stands in the attribute `odf`: None where nothing does, or nothing that can be read."""

    type: DataType | None = None
    of: TableType | None = None
    rest: Attributes | None = None
    sound: bool = True


def hint_of(attributes: Mapping[str, Any]) -> Hint:
    """The hint among the attributes of a column or table."""
    if ODF not in attributes:
        return Hint()
    said = attributes[ODF]
    if not isinstance(said, Mapping) or not isinstance(said.get(_EXTRA, {}), Mapping):
        return Hint(sound=False)
    rest = Attributes(said[_EXTRA]) if _EXTRA in said else None  # it was JSON, so it can be attributes
    try:
        return Hint(type_of(said[_TYPE]), parse_type(said[_OF]), rest) if _TYPE in said else Hint(rest=rest)
    except (SchemaError, KeyError):
        return Hint(rest=rest, sound=False)


def hinted(hint: Hint, column: TableType) -> DataType | None:
    """The ODF type of a column by its hint, if the column still has the type that it was made for, NULL or not."""
    if hint.type is None or hint.of is None or hint.of.with_nullable(True) != column.with_nullable(True):
        return None
    if hint.of.nullable is column.nullable:
        return hint.type
    inner = nested_types.without_options(hint.type)
    return Option(inner) if column.nullable else inner
