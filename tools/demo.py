"""The demo: schema files are read, evolved, compared and merged, and old rows are read as new.

The story is typed into Python as it stands here: every line behind >>> is run, and what comes out is printed below it.
"""

import contextlib
import io
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airflow_provider_schemas.errors import SchemaError

TOP = Path(__file__).parent.parent
WIDTH = 118

STORY = """
1. A file that Java Paimon wrote: read, evolved, merged, projected
>>> from datetime import date
>>> from decimal import Decimal
>>> from pathlib import Path
>>> from airflow_provider_schemas.core import TableSchema, diff, evolve, from_python, merge, project, short_text
>>> from airflow_provider_schemas.core import to_python
>>> data = Path("tests/conformance/vectors/real/F07.json").read_bytes()
>>> real = TableSchema.from_json(data)
>>> print(real)
>>> real.to_json().encode() == data
>>> evolved = evolve(real, ["RENAME COLUMN k TO kind", "ALTER COLUMN c TYPE BIGINT"])
>>> wider = merge(evolved, "e BIGINT, seen DATE")
>>> print(*[wider.field(name) for name in ("kind", "c", "e", "seen")], sep=", ")
>>> print(project(real, wider))
>>> project(real, wider).row({"key0": 0, "key1": 1, "key_2": 2, "k": "a", "c": 3, "d": 4, "a": 5, "e": 6})
2. Orders: a batch of changes is one new version, all or nothing
>>> schema = TableSchema.from_json(Path("examples/orders/schema-0").read_bytes())
>>> print(schema)
>>> later = evolve(schema, [
...     "RENAME COLUMN cust_id TO customer_id",
...     "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
...     "ADD COLUMN coupon STRING COMMENT 'what was redeemed' AFTER amount",
...     "ADD COLUMN address.country STRING FIRST",
...     "ALTER COLUMN lines.element.quantity TYPE BIGINT",
... ])
>>> print(later)
3. Refused: every fault at once, each with what to do next
>>> evolve(schema, [
...     "ADD COLUMN region STRING NOT NULL",
...     "DROP COLUMN order_id",
...     "ALTER COLUMN lines.quantity TYPE BIGINT",
...     "DROP COLUMN Amount",
... ])
4. Compare: the changes between two schemas, by field id, so that a rename is a rename
>>> found = diff(schema, later)
>>> print(*map(short_text, found.changes), sep="\\n")
>>> evolve(schema, found.changes).digest == later.digest
5. Merge: what arrives may widen and add, and never takes away
>>> arrived = "order_id BIGINT, amount DECIMAL(14, 2), lines ARRAY<ROW<sku STRING, gift BOOLEAN>>, source STRING"
>>> merged = merge(later, arrived)
>>> print(*[merged.field(name) for name in ("amount", "lines", "source", "coupon")], sep="\\n")
>>> merge(later, "order_id BIGINT, amount STRING, placed BOOLEAN")
6. Project: a row written under schema 0, read as schema 1
>>> projection = project(schema, later)
>>> print(projection)
>>> old_row = {
...     "order_id": 7, "cust_id": 42, "amount": Decimal("19.90"), "placed": date(2026, 11, 18),
...     "address": {"street": "High Street", "zip": "N1"}, "lines": [{"sku": "A-1", "quantity": 2}],
... }
>>> old_row["placed"] = from_python(old_row["placed"], schema.field("placed").type)
>>> new_row = projection.row(old_row)
>>> new_row["placed"] = to_python(new_row["placed"], later.field("placed").type)
>>> for name, value in new_row.items():
...     print(f"{name:<12} {value}")
"""


def main() -> int:
    """Tell the story from start to end."""
    names: dict[str, Any] = {}
    with contextlib.chdir(TOP):
        for text in parts(STORY):
            if not text.startswith(">>> "):
                print(f"\n{f'---- {text} ':-<{WIDTH}}")
                continue
            print(text)
            for line in answer(text, names).splitlines():
                print(textwrap.fill(line, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 10))
    print("\nThat was the library. What each part does, and more of it: docs/index.md")
    return 0


def parts(story: str) -> Iterator[str]:
    """The titles of the story, and its statements with the lines that go on with them."""
    held = ""
    for line in story.strip().splitlines():
        if held and not line.startswith("... "):
            yield held
            held = ""
        held = f"{held}\n{line}" if held else line
    yield held


def answer(typed: str, names: dict[str, Any]) -> str:
    """What Python prints when this is typed; of a refusal, the last line of its traceback."""
    source = "".join(f"{line[4:]}\n" for line in typed.splitlines())
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<demo>", "single"), names)
        except SchemaError as error:
            print(f"{type(error).__name__}: {error}")
    return out.getvalue()


if __name__ == "__main__":
    sys.exit(main())
