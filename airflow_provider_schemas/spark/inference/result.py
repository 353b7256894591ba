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
        """Plain values: the changes as short texts, or why the data do not fit."""
        changes = [] if self.diff is None else [short_text(one) for one in self.diff.changes]
        return {"fits": self.schema is not None, "changes": changes, "faults": [str(one) for one in self.faults]}


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
        return {one.path: one for one in self.columns}

    def column(self, path: str) -> ColumnEvidence | None:
        """The evidence of one column."""
        return self._by_path.get(path)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for XCom and JSON: the columns as SQL text, the evidence, and what merging would do."""
        return {
            "columns": columns_text(self.schema),
            "partitioned_by": list(self.schema.partition_keys),
            "rows": self.rows,
            "evidence": [{key: value for key, value in asdict(one).items() if value not in ("", None)} for one in self.columns],
            "notes": list(self.notes),
            "candidates": [asdict(one) | {"reasons": list(one.reasons)} for one in self.candidates],
            "merge": None if self.merged is None else self.merged.to_dict(),
        }


def columns_text(schema: TableSchema) -> str:
    """The columns as SQL text, which `parse_ddl` and a new table read."""
    return str(row(schema.fields)).removeprefix("ROW<").removesuffix(">")
