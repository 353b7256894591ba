"""Cases, put deeper: all columns of a case become fields of a struct, of the elements of a list or of the values of a map."""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.table_schema import Options
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field, RowType, array, children, field, map_of, rebuilt, row
from airflow_provider_schemas.core.types.parsing import parse_any
from tests.cases.reading import Case

_NAME = "deep"
_TEXT = parse_any("STRING NOT NULL")
_OF_FIELD = "schemas.field."


class Depth(Struct, frozen=True):
    """One way to put the columns of a schema deeper; the new column has the id 0, and all others move up by one."""

    mark: str
    around: Callable[[DataType], DataType]

    def __str__(self) -> str:
        return f"{_NAME}{self.mark}"

    def lowered(self, schema: TableSchema) -> TableSchema:
        """The schema with one column that holds all others."""
        inner = row([_shifted(one) for one in schema.fields])
        options = {_shifted_key(key): value for key, value in schema.options.items()}
        return msgspec.structs.replace(
            schema,
            fields=(field(0, _NAME, self.around(inner)),),
            highest_field_id=schema.highest_field_id + 1,
            options=Options(options),
        )

    def path(self, path: str) -> str:
        """Where a path of the schema leads now."""
        return f"{_NAME}{self.mark}.{path}"


DEPTHS = (
    Depth("", lambda inner: inner),
    Depth("[]", array),
    Depth("{}", lambda inner: map_of(_TEXT, inner)),
)


# The codes of the rules about fields, types, NULL, containers and defaults.
_ABOUT_FIELDS = frozenset("FTNCD")


def deepens(case: Case) -> bool:
    """Whether a case is about fields only, so that it can be put deeper; jobs and evidence name columns."""
    table = {"contracts", "evidence"} & case.values.keys() or {"primary_key", "partitioned_by"} & set(case.values["before"])
    changed = case.judges in (Judges.TWO, Judges.HISTORY) and RULES[case.rule].code[0] in _ABOUT_FIELDS
    return changed and not table and case.expected["path"] not in ("", "fields")


def _shifted(one: Field) -> Field:
    return field(one.id + 1, one.name, _shifted_type(one.type), one.description, one.default)


def _shifted_type(kind: DataType) -> DataType:
    if isinstance(kind, RowType):
        return row([_shifted(one) for one in kind.fields]).with_nullable(kind.nullable)
    return rebuilt(kind, [_shifted_type(part) for _, part in children(kind)])


def _shifted_key(key: str) -> str:
    return f"{_OF_FIELD}{int(key[len(_OF_FIELD) :]) + 1}" if key.startswith(_OF_FIELD) else key
