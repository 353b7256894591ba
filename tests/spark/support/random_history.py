"""A table that changes at random, and a list of what was written into it, which knows nothing of the library.

The list has the rows by columns of its own numbering, so that it says what a column holds whatever the column is called by now. Files are
written by pyarrow: some with the ids of the table, some without, in a folder that is bound to the version they were written with.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa  # noqa: TID253  # files are written as others do
import pyarrow.parquet as pq  # noqa: TID253  # likewise

from airflow_provider_schemas.store import SchemaStore
from airflow_provider_schemas.store.table import Table

NAME = "shop.orders"
# Few of them, so that a name often comes back for another column.
NAMES = ("a", "b", "c", "d", "e")
WIDER = {"INT": "BIGINT", "FLOAT": "DOUBLE", "DECIMAL(6, 2)": "DECIMAL(10, 2)"}
KINDS = ("INT", "FLOAT", "DECIMAL(6, 2)", "STRING", "ROW")
ARROW = {
    "INT": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "DECIMAL(6, 2)": pa.decimal128(6, 2),
    "DECIMAL(10, 2)": pa.decimal128(10, 2),
    "STRING": pa.string(),
}
_ID = "PARQUET:field_id"


@dataclass
class Column:
    """A column of ours: its number, which it keeps, its name and type as they are now, and the columns inside it."""

    number: int
    name: str
    kind: str
    inside: list["Column"] = field(default_factory=list)

    @property
    def text(self) -> str:
        parts = ", ".join(f"{one.name} {one.kind}" for one in self.inside)
        return f"ROW<{parts}>" if self.inside else self.kind


class History:
    """A table, its files, and the list of its rows."""

    def __init__(self, root: Path, seed: int) -> None:
        self.random = Random(seed)  # for tests
        self.data = root / "data"
        self.numbers = 0
        self.key = self._column("id", "BIGINT")
        self.columns = [self.key, self._column("a", "INT"), self._column("b", "ROW")]
        self.rows: list[dict[int, Any]] = []
        self.told: list[str] = []
        self._store = SchemaStore(root / "registry", layout="registry")
        self._store.adopt(NAME, str(self.data), ", ".join(f"{one.name} {one.text}" for one in self.columns), format="parquet")

    @property
    def table(self) -> Table:
        return self._store.table(NAME)

    def _column(self, name: str, kind: str) -> Column:
        self.numbers += 1
        inside = [self._column("x", "INT"), self._column("y", "STRING")] if kind == "ROW" else []
        return Column(self.numbers, name, kind, inside)

    # ------------------------------------------------------------ changes

    def change(self) -> None:
        """Make one change at random, of the table and of the list's columns."""
        self.random.choice([self._add, self._drop, self._rename, self._swap, self._widen, self._change_inside])()

    def _say(self, *changes: str) -> None:
        for change in changes:
            self.told.append(change)
            self.table.evolve(change, override="a test")

    def _free(self, columns: list[Column]) -> str:
        return self.random.choice([name for name in (*NAMES, "x", "y", "z") if name not in {one.name for one in columns}])

    def _add(self) -> None:
        column = self._column(self._free(self.columns), self.random.choice(KINDS))
        first = self.random.random() < 0.3
        self.columns.insert(0 if first else len(self.columns), column)
        self._say(f"ADD COLUMN {column.name} {column.text}{' FIRST' if first else ''}")

    def _any(self) -> Column | None:
        others = [one for one in self.columns if one is not self.key]
        return self.random.choice(others) if others else None

    def _drop(self) -> None:
        column = self._any()
        if column is not None:
            self.columns.remove(column)
            self._say(f"DROP COLUMN {column.name}")

    def _rename(self) -> None:
        column = self._any()
        if column is not None:
            self._renamed(column, self._free(self.columns))

    def _renamed(self, column: Column, name: str, path: str = "") -> None:
        self._say(f"RENAME COLUMN {path}{column.name} TO {name}")
        column.name = name

    def _swap(self) -> None:
        others = [one for one in self.columns if one is not self.key]
        if len(others) > 1:
            one, other = self.random.sample(others, 2)
            mine, theirs = one.name, other.name
            self._renamed(one, "between")
            self._renamed(other, mine)
            self._renamed(one, theirs)

    def _widen(self) -> None:
        places = [("", one) for one in self.columns] + [(f"{one.name}.", part) for one in self.columns for part in one.inside]
        narrow = [(path, one) for path, one in places if one.kind in WIDER]
        if narrow:
            path, column = self.random.choice(narrow)
            column.kind = WIDER[column.kind]
            self._say(f"ALTER COLUMN {path}{column.name} TYPE {column.kind}")

    def _change_inside(self) -> None:
        structs = [one for one in self.columns if one.inside]
        if not structs:
            return
        column = self.random.choice(structs)
        part = self.random.choice(column.inside)
        if self.random.random() < 0.4:
            self._renamed(part, self._free(column.inside), f"{column.name}.")
        elif len(column.inside) > 1 and self.random.random() < 0.5:
            column.inside.remove(part)
            self._say(f"DROP COLUMN {column.name}.{part.name}")
        elif len(column.inside) < len(NAMES):
            new = self._column(self._free(column.inside), self.random.choice(KINDS[:-1]))
            column.inside.append(new)
            self._say(f"ADD COLUMN {column.name}.{new.name} {new.kind}")

    # ------------------------------------------------------------ rows

    def write(self, count: int = 4) -> None:
        """Write rows as the table is now, and keep them in the list."""
        new = [{one.number: self._value(one) for one in self.columns} for _ in range(count)]
        for place, row in enumerate(new, len(self.rows)):
            row[self.key.number] = place
        bound = self.random.random() < 0.5
        version = self.table.latest()
        ids = {one.name: one for one in version.schema.fields}
        fields = [_arrow(one, None if bound else ids[one.name]) for one in self.columns]
        plain = [{one.name: _named(one, row[one.number]) for one in self.columns} for row in new]
        folder = self.data / f"{version.number}-{'bound' if bound else 'ids'}-{len(self.rows)}"
        folder.mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(plain, pa.schema(fields)), folder / "part.parquet")
        if bound:
            self.table.bind(str(folder), version.number)
        self.rows += new

    def _value(self, column: Column) -> Any:
        if self.random.random() < 0.2:
            return None
        if column.inside:
            return {one.number: self._value(one) for one in column.inside}
        number = self.random.randrange(-9_999, 9_999)
        # What a wider column holds does not fit into the narrower one that it was.
        values = {"BIGINT": number * 2**32, "DOUBLE": number + 1e-9, "DECIMAL(10, 2)": Decimal(number * 1_000) / 10}
        plain = {"INT": number, "FLOAT": number / 4, "DECIMAL(6, 2)": Decimal(number) / 100, "STRING": f"text {number}"}
        return (values | plain)[column.kind]

    def expected(self, columns: list[Column]) -> list[tuple[Any, ...]]:
        """What the list says that these columns hold, by the key."""
        return [tuple(_held(one, row.get(one.number)) for one in columns) for row in self.rows]


def _held(column: Column, value: Any) -> Any:
    if value is None or not column.inside:
        return value
    return tuple(value.get(one.number) for one in column.inside)


def _named(column: Column, value: Any) -> Any:
    if value is None or not column.inside:
        return value
    return {one.name: value[one.number] for one in column.inside}


def _arrow(column: Column, known: Any) -> pa.Field:
    """The column of a file; with the id that the table gives it, where the file has ids."""
    parts = {} if known is None or not column.inside else {one.name: one for one in known.type.fields}
    kind = pa.struct([_arrow(one, parts.get(one.name)) for one in column.inside]) if column.inside else ARROW[column.kind]
    return pa.field(column.name, kind, metadata=None if known is None else {_ID: str(known.id)})
