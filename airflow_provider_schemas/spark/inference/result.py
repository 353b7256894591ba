"""What was inferred from data: the schema, and what the data said about each column."""

from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.evolution.diff import Diff
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import row
from airflow_provider_schemas.errors import Fault


class ColumnEvidence(Struct, frozen=True):
    """What the data say about one column, or a field inside one (`address.city`)."""

    path: str
    type: str
    """The type as people write it; `void` if every value is NULL and Spark knows no type."""
    nulls: int = 0
    low: str = ""
    """The least value as text; of text, the shortest length in characters."""
    high: str = ""
    distinct: int | None = None
    """About how many different values there are."""
    looks_like: str = ""
    """The type that every value of a text column fits: `BIGINT`, `DECIMAL(10, 2)`, `DATE`, `TIMESTAMP`, `BOOLEAN`, `JSON`."""
    note: str = ""


class Merged(Struct, frozen=True):
    """What merging the data into a table's schema would do."""

    schema: TableSchema | None
    """The merged schema; None if the data do not fit."""
    diff: Diff | None = None
    faults: tuple[Fault, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the changes as short texts, or why the data do not fit."""
        changes = () if self.diff is None else self.diff.changes
        return {
            "fits": self.schema is not None,
            "changes": [short_text(change) for change in changes],
            "faults": [str(fault) for fault in self.faults],
        }


class Inferred(Struct, frozen=True, dict=True):
    """A schema from data, ready for `store.create_table`, `merge` or a plan, and its evidence."""

    schema: TableSchema
    rows: int
    columns: tuple[ColumnEvidence, ...]
    notes: tuple[str, ...] = ()
    merged: Merged | None = None
    candidates: tuple[RenameCandidate, ...] = ()

    @cached_property
    def _by_path(self) -> dict[str, ColumnEvidence]:
        return {column.path: column for column in self.columns}

    def column(self, path: str) -> ColumnEvidence | None:
        """Return the evidence of one column."""
        return self._by_path.get(path)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for XCom and JSON: the columns as SQL text, the evidence, and what merging would do."""
        return {
            "columns": columns_text(self.schema),
            "partitioned_by": list(self.schema.partition_keys),
            "rows": self.rows,
            "evidence": [_known_values(column) for column in self.columns],
            "notes": list(self.notes),
            "candidates": [asdict(candidate) | {"reasons": list(candidate.reasons)} for candidate in self.candidates],
            "merge": None if self.merged is None else self.merged.to_dict(),
        }


def _known_values(column: ColumnEvidence) -> dict[str, Any]:
    return {key: value for key, value in asdict(column).items() if value not in ("", None)}


def columns_text(schema: TableSchema) -> str:
    """Return the columns as SQL text, which `parse_ddl` and a new table read."""
    return str(row(schema.fields)).removeprefix("ROW<").removesuffix(">")
