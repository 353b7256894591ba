"""Find what is wrong with the ids of a table as a whole, which no schema shows by itself.

An id is given once. A table whose writers forgot that shows the values of one column in another, without an error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import cast_support
from airflow_provider_schemas.core.comparison.fields import inside
from airflow_provider_schemas.core.difference import FieldLocation
from airflow_provider_schemas.core.report import Finding, worst
from airflow_provider_schemas.core.rules import RULE_OF_FAULT, RULES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType, is_void
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.core.validation.validity import validity
from airflow_provider_schemas.errors import Fault

_OF_OTHERS: Final = "COLUMN_ID_REUSED"
_KEPT: Final = "kept"
_TEXT: Final = "text"
_BYTES: Final = "bytes"
_NUMBER: Final = "number"
_MOMENT: Final = "moment"
# Types whose values are of one kind: one of them may have become another while the column stayed the same.
_FAMILIES: Final[Mapping[Root, str]] = MappingProxyType(
    {
        Root.CHAR: _TEXT,
        Root.VARCHAR: _TEXT,
        Root.BINARY: _BYTES,
        Root.VARBINARY: _BYTES,
        Root.BLOB: _BYTES,
        Root.TINYINT: _NUMBER,
        Root.SMALLINT: _NUMBER,
        Root.INTEGER: _NUMBER,
        Root.BIGINT: _NUMBER,
        Root.FLOAT: _NUMBER,
        Root.DOUBLE: _NUMBER,
        Root.DECIMAL: _NUMBER,
        Root.DATE: _MOMENT,
        Root.TIMESTAMP: _MOMENT,
        Root.TIMESTAMP_LTZ: _MOMENT,
    }
)


class _Use(NamedTuple):
    """What an id means in a schema."""

    path: str
    field: Field
    schema: int

    def __str__(self) -> str:
        return f"{self.path} {self.field.type}"


def metadata_finding(fault: Fault, variant: str = "", versions: tuple[int, ...] = ()) -> Finding:
    """Return a fault of metadata as a finding of the rule that speaks for it."""
    rule = RULE_OF_FAULT[fault.code]
    finding = _finding(rule, fault.path, fault.message, fault.fix, variant)
    return replace(finding, fault=fault.code, versions=versions)


def audit_ids(schemas: Sequence[TableSchema]) -> Iterator[Finding]:
    """Yield what is wrong with the ids of a table of ours: its schemas, oldest first."""
    yield from reused_ids(schemas, "FIELD_ID_REUSED")
    if schemas:
        newest = schemas[-1]
        yield from (finding for finding in validity(newest).findings if finding.rule == "FIELD_ID_DUPLICATE")
        yield from _low_highest_id(newest)


def _low_highest_id(schema: TableSchema) -> Iterator[Finding]:
    highest = highest_id(schema.fields)
    if schema.highest_field_id < highest:
        row = RULES["HIGHEST_FIELD_ID_REGRESSED"]
        words = {"new": str(schema.highest_field_id), "old": str(highest)}
        yield replace(_finding(row.id, "highestFieldId", row.says.format_map(words), row.fix, ""), **words)


def reused_ids(schemas: Iterable[TableSchema], rule: str) -> Iterator[Finding]:
    """Yield the ids of the last schema that meant another column before. The schemas stand in the order in which they were current.

    The rule is that of who keeps the table: FIELD_ID_REUSED for tables of Paimon, COLUMN_ID_REUSED for those of others.
    """
    used: dict[int, _Use] = {}
    present: frozenset[int] = frozenset()
    found: dict[int, Finding] = {}
    for schema in schemas:
        uses = {field.id: _Use(where.new, field, schema.id) for field, where in inside(_columns(schema))}
        for number, use in uses.items():
            earlier = used.get(number)
            if earlier is None or earlier.field is use.field:
                continue
            variant = _new_meaning(earlier.field, use.field, came_back=number not in present, rule=rule)
            if variant is not None:
                found[number] = _reused(number, earlier, use, rule, variant)
        used |= uses
        present = frozenset(uses)
    yield from (finding for number, finding in found.items() if number in present)


def _columns(schema: TableSchema) -> list[tuple[Field, FieldLocation]]:
    return [(field, FieldLocation().field(field, field)) for field in schema.fields]


def _new_meaning(before: Field, after: Field, *, came_back: bool, rule: str) -> str | None:
    """Return the variant of the rule by which an id means another column now; None if it is the same column."""
    is_renamed = before.name != after.name
    is_other_kind = _is_other_kind(before.type, after.type, rule)
    if (came_back and (is_renamed or is_other_kind)) or (is_renamed and is_other_kind):
        return ""
    # Where our own writers change a type, the rules about types speak.
    return _KEPT if is_other_kind and rule == _OF_OTHERS else None


def _is_other_kind(before: DataType, after: DataType, rule: str) -> bool:
    """Return whether values of one type are no values of the other: for Paimon, where nothing converts them."""
    if before.root is after.root or is_void(before) or is_void(after):
        return False
    if rule != _OF_OTHERS:
        return not cast_support(before, after.with_nullable(True)).convertible
    return _FAMILIES.get(before.root, before.root) != _FAMILIES.get(after.root, after.root)


def _reused(number: int, earlier: _Use, use: _Use, rule: str, variant: str) -> Finding:
    row = RULES[rule]
    words = {"id": number, "old": str(earlier), "new": str(use), "version": earlier.schema, "now": use.schema}
    finding = _finding(rule, use.path, row.says.format_map(words), row.fix, variant)
    return replace(finding, id=number, old=str(earlier), new=str(use), versions=(use.schema,))


def _finding(rule: str, path: str, message: str, fix: str, variant: str) -> Finding:
    answers = RULES[rule].answers(variant)
    data = worst((answers.data_by_id, answers.data_by_name))
    verdict = worst((data, answers.jobs, answers.writers))
    return Finding(rule, path, message, fix, verdict, verdicts=answers, data=data, jobs=answers.jobs, writers=answers.writers)
