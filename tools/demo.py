"""The demo: schema files are read, evolved, compared and merged, and old rows are read as new.

Every line that begins with >>> is what you would type; below it stands what came out.
"""

import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core import TableSchema, diff, evolve, from_python, merge, project, short_text, to_python
from airflow_provider_schemas.core.kinds import Root
from airflow_provider_schemas.errors import SchemaError

TOP = Path(__file__).parent.parent
GENUINE = Path("tests/conformance/vectors/real/F07.json")
ORDERS = Path("examples/orders/schema-0")
RULE = "-" * 100


def main() -> int:
    """Tell the story from start to end."""
    genuine()
    schema = read()
    later = evolved(schema)
    refused(schema)
    compared(schema, later)
    merged(later)
    projected(schema, later)
    print(f"\n{RULE}\nThat was the library. What each part does, and more of it: docs/index.md")
    return 0


def step(title: str) -> None:
    print(f"\n{RULE}\n{title}\n")


def typed(text: str) -> None:
    print(f">>> {text}")


def columns(schema: TableSchema) -> None:
    print("    " + str(schema).replace("\n", "\n    "))


def genuine() -> None:
    """A file that Java Paimon wrote comes back to the byte, and is evolved, merged and projected like any other."""
    step("1. A file that Java Paimon wrote: read, evolved, merged, projected")
    typed(f"schema = TableSchema.from_json(Path({str(GENUINE)!r}).read_bytes())")
    data = (TOP / GENUINE).read_bytes()
    schema = TableSchema.from_json(data)
    columns(schema)
    typed("schema.to_json().encode() == its bytes")
    print(f"    {schema.to_json().encode() == data}")
    typed("later = merge(evolve(schema, ['RENAME COLUMN k TO kind', 'ALTER COLUMN c TYPE BIGINT']), 'kind STRING, f DATE')")
    later = merge(evolve(schema, ["RENAME COLUMN k TO kind", "ALTER COLUMN c TYPE BIGINT"]), "kind STRING, f DATE")
    columns(later)
    typed("project(schema, later)")
    print("    " + str(project(schema, later)).replace("\n", "\n    "))


def read() -> TableSchema:
    """The schema of the story."""
    step("2. The story: a table of orders")
    typed(f"schema = TableSchema.from_json(Path({str(ORDERS)!r}).read_bytes())")
    schema = TableSchema.from_json((TOP / ORDERS).read_bytes())
    columns(schema)
    return schema


CHANGES = [
    "RENAME COLUMN cust_id TO customer_id",
    "ALTER COLUMN amount TYPE DECIMAL(12, 2)",
    "ADD COLUMN coupon STRING COMMENT 'what was redeemed' AFTER amount",
    "ADD COLUMN address.country STRING FIRST",
    "ALTER COLUMN lines.element.quantity TYPE BIGINT",
]


def evolved(schema: TableSchema) -> TableSchema:
    """One batch, one new version."""
    step("3. Evolve: a batch of changes is one new version, all or nothing")
    typed("later = evolve(schema, [")
    for change in CHANGES:
        print(f"...     {change!r},")
    print("... ])")
    later = evolve(schema, CHANGES)
    columns(later)
    return later


def refused(schema: TableSchema) -> None:
    """What is refused is told all at once, with the next step."""
    step("4. Refused: every fault at once, each with what to do next")
    batch = [
        "ADD COLUMN region STRING NOT NULL",
        "DROP COLUMN order_id",
        "ALTER COLUMN lines.quantity TYPE BIGINT",
        "ALTER COLUMN placed TYPE INT",
        "DROP COLUMN Amount",
    ]
    typed("evolve(schema, [" + ", ".join(map(repr, batch)) + "])")
    said(lambda: evolve(schema, batch))


def said(call: Callable[[], Any]) -> None:
    try:
        call()
    except SchemaError as error:
        print("    " + str(error).replace("\n", "\n    "))


def compared(schema: TableSchema, later: TableSchema) -> None:
    """The changes are found again from the two schemas, by the ids of the fields."""
    step("5. Compare: the changes between two schemas, by field id, so that a rename is a rename")
    typed("diff(schema, later)")
    found = diff(schema, later)
    for change in found.changes:
        print(f"    {short_text(change)}")
    print(f"    remainder: {list(found.remainder)}")
    typed("evolve(schema, diff(schema, later).changes).digest == later.digest")
    print(f"    {evolve(schema, found.changes).digest == later.digest}")


INCOMING = (
    "order_id BIGINT, customer_id BIGINT, amount DECIMAL(14, 2), lines ARRAY<ROW<sku STRING, quantity BIGINT, gift BOOLEAN>>, source STRING"
)


def merged(later: TableSchema) -> None:
    """An incoming schema widens the table, and drops nothing."""
    step("6. Merge: what arrives may widen and add, and never takes away")
    typed(f"merge(later, {INCOMING!r})")
    columns(merge(later, INCOMING))
    typed("merge(later, 'order_id BIGINT, amount STRING, placed BOOLEAN')")
    said(lambda: merge(later, "order_id BIGINT, amount STRING, placed BOOLEAN"))


def projected(schema: TableSchema, later: TableSchema) -> None:
    """Rows written before the changes, read after them."""
    step("7. Project: a row written under schema 0, read as schema 1")
    row = {
        "order_id": 7,
        "cust_id": 42,
        "amount": Decimal("19.90"),
        "placed": date(2026, 11, 18),
        "address": {"street": "High Street", "zip": "N1"},
        "lines": [{"sku": "A-1", "quantity": 2}],
    }
    typed("projection = project(schema, later)")
    projection = project(schema, later)
    print("    " + str(projection).replace("\n", "\n    "))
    typed("old_row")
    print(f"    {row}")
    typed("projection.row(old_row)")
    old = {one.name: from_python(row[one.name], one.type) for one in schema.fields}
    for name, value in projection.row(old).items():
        print(f"    {name:<12} {shown(later, name, value)!r}")


def shown(schema: TableSchema, name: str, value: Any) -> Any:
    """The value as Python has it: a date is a date, not a number of days."""
    column = schema.field(name)
    return value if column is None or column.type.root is not Root.DATE else to_python(value, column.type)


if __name__ == "__main__":
    sys.exit(main())
