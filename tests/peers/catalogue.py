"""The changes that the checkers are asked about. This is data: one entry a row of the page, in its order."""

from tests.peers.change import Change, Table

_ORDERS = Table("id BIGINT NOT NULL, amount INT, region STRING")
_ITEMS = Table("id BIGINT NOT NULL, items ARRAY<ROW<sku STRING, quantity INT>>")


def _columns(kind: str) -> Table:
    return Table(f"id BIGINT NOT NULL, value {kind}")


def _retyped(old: str, new: str, *, refused: bool = False, step: str = "") -> Change:
    """A column gets another type; the step may name the part of it that does."""
    steps = (f"ALTER COLUMN {step or f'value TYPE {new}'}",)
    key = f"{old} to {new}".lower().replace(" with local time zone", " ltz")
    title = f"`{_short(old)}` → `{_short(new)}`"
    return Change(key, title, _columns(old), steps, _columns(new) if refused else None)


def _short(kind: str) -> str:
    return kind.replace(" WITH LOCAL TIME ZONE", " LTZ").replace(" NOT NULL", "")


_FIELDS = (
    Change("add nullable", "add a nullable column", _ORDERS, ("ADD COLUMN note STRING",)),
    Change(
        "add required",
        "add a NOT NULL column",
        _ORDERS,
        ("ADD COLUMN note STRING NOT NULL",),
        Table("id BIGINT NOT NULL, amount INT, region STRING, note STRING NOT NULL"),
    ),
    Change("add default", "add a nullable column with a default", _ORDERS, ("ADD COLUMN note STRING DEFAULT none",)),
    Change("drop", "drop a column", _ORDERS, ("DROP COLUMN amount",)),
    Change(
        "drop required", "drop a NOT NULL column", Table("id BIGINT NOT NULL, amount INT NOT NULL, region STRING"), ("DROP COLUMN amount",)
    ),
    Change("rename", "rename a column", _ORDERS, ("RENAME COLUMN amount TO total",)),
    Change(
        "rename required",
        "rename a NOT NULL column",
        Table("id BIGINT NOT NULL, amount INT NOT NULL, region STRING"),
        ("RENAME COLUMN amount TO total",),
    ),
    Change(
        "rename with alias",
        "rename a column, the old name stays as an alias",
        _ORDERS,
        ("RENAME COLUMN amount TO total", """SET OPTION schemas.field.1 = '{"alias": ["amount"]}'"""),
        aliases={"total": "amount"},
    ),
    Change("rename case", "change the case of a name", _ORDERS, ("RENAME COLUMN amount TO Amount",)),
    Change(
        "swap names",
        "two columns swap their names",
        Table("id BIGINT NOT NULL, net DOUBLE, gross DOUBLE"),
        ("RENAME COLUMN net TO other", "RENAME COLUMN gross TO net", "RENAME COLUMN other TO gross"),
    ),
    Change(
        "re-add same type", "drop a column, add one of the same name and type", _ORDERS, ("DROP COLUMN amount", "ADD COLUMN amount INT")
    ),
    Change(
        "re-add other type",
        "drop a column, add one of the same name and another type",
        _ORDERS,
        ("DROP COLUMN region", "ADD COLUMN region INT"),
    ),
    Change("reorder", "move a column", _ORDERS, ("ALTER COLUMN region AFTER id",)),
    Change("add twin", "add a column whose name differs in case only", _ORDERS, ("ADD COLUMN AMOUNT INT",)),
    Change("comment", "change a comment", _ORDERS, ("ALTER COLUMN amount COMMENT 'gross'",)),
    Change("set default", "give a column a default", _ORDERS, ("ALTER COLUMN amount SET DEFAULT 0",)),
    Change("relax", "NOT NULL → nullable", _columns("INT NOT NULL"), ("ALTER COLUMN value DROP NOT NULL",)),
    Change("tighten", "nullable → NOT NULL", _columns("INT"), ("ALTER COLUMN value SET NOT NULL",), _columns("INT NOT NULL")),
)

_NESTED = (
    Change("nested add", "add a field of a struct in an array", _ITEMS, ("ADD COLUMN items.element.note STRING",)),
    Change("nested drop", "drop a field of a struct in an array", _ITEMS, ("DROP COLUMN items.element.quantity",)),
    Change("nested rename", "rename a field of a struct in an array", _ITEMS, ("RENAME COLUMN items.element.quantity TO pieces",)),
    Change(
        "element tighten",
        "array element: nullable → NOT NULL",
        Table("id BIGINT NOT NULL, tags ARRAY<STRING>"),
        ("ALTER COLUMN tags.element SET NOT NULL",),
        Table("id BIGINT NOT NULL, tags ARRAY<STRING NOT NULL>"),
    ),
    _retyped("MAP<INT NOT NULL, STRING>", "MAP<BIGINT NOT NULL, STRING>", refused=True, step="value.key TYPE BIGINT"),
    _retyped("MAP<STRING NOT NULL, STRING>", "MAP<INT NOT NULL, STRING>", refused=True, step="value.key TYPE INT"),
    _retyped("INT", "ROW<amount INT>", refused=True),
    _retyped("INT", "ARRAY<INT>", refused=True),
)

_NUMBERS = (
    _retyped("INT", "BIGINT"),
    _retyped("BIGINT", "INT"),
    _retyped("INT", "SMALLINT"),
    _retyped("INT", "DOUBLE"),
    _retyped("BIGINT", "DOUBLE"),
    _retyped("FLOAT", "DOUBLE"),
    _retyped("DOUBLE", "FLOAT"),
    _retyped("INT", "DECIMAL(10, 0)"),
    _retyped("DECIMAL(10, 2)", "DECIMAL(20, 2)"),
    _retyped("DECIMAL(20, 2)", "DECIMAL(10, 2)"),
    _retyped("DECIMAL(10, 2)", "DECIMAL(12, 4)"),
    _retyped("DECIMAL(10, 4)", "DECIMAL(10, 2)"),
    _retyped("DECIMAL(10, 2)", "BIGINT"),
)

_TEXTS_AND_TIMES = (
    _retyped("INT", "STRING"),
    _retyped("STRING", "INT"),
    _retyped("STRING", "BYTES"),
    _retyped("BYTES", "STRING"),
    _retyped("VARCHAR(20)", "VARCHAR(40)"),
    _retyped("VARCHAR(40)", "VARCHAR(20)"),
    _retyped("DATE", "TIMESTAMP(6)"),
    _retyped("TIMESTAMP(6)", "DATE"),
    _retyped("INT", "DATE", refused=True),
    _retyped("BIGINT", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
    _retyped("TIMESTAMP(3)", "TIMESTAMP(6)"),
    _retyped("TIMESTAMP(6)", "TIMESTAMP(3)"),
    _retyped("TIMESTAMP(6) WITH LOCAL TIME ZONE", "TIMESTAMP(6)"),
    _retyped("TIMESTAMP(6)", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
)

_KEYED = "id BIGINT NOT NULL, region STRING NOT NULL, amount INT, at TIMESTAMP(6)"
_SEQUENCE = {"sequence.field": "at"}
_BUCKETS = {"bucket": "4", "bucket-key": "region"}
_SUMS = {"merge-engine": "aggregation", "fields.amount.aggregate-function": "sum"}

_KEYS = (
    Change(
        "partition keys",
        "add a partition key",
        Table(_KEYED, partition_keys=("region",)),
        (),
        Table(_KEYED, partition_keys=("region", "id")),
    ),
    Change(
        "primary key",
        "add a column to the primary key",
        Table(_KEYED, primary_keys=("id",)),
        (),
        Table(_KEYED, primary_keys=("id", "region")),
    ),
    Change(
        "drop key column",
        "drop a column of the primary key",
        Table(_KEYED, primary_keys=("id", "region")),
        ("DROP COLUMN region",),
        Table("id BIGINT NOT NULL, amount INT, at TIMESTAMP(6)", primary_keys=("id", "region")),
    ),
    Change(
        "drop sequence field",
        "drop the column that `sequence.field` names",
        Table(_KEYED, primary_keys=("id",), options=_SEQUENCE),
        ("DROP COLUMN at",),
        Table("id BIGINT NOT NULL, region STRING NOT NULL, amount INT", primary_keys=("id",), options=_SEQUENCE),
    ),
    Change(
        "drop bucket key",
        "drop the column that `bucket-key` names",
        Table(_KEYED, options=_BUCKETS),
        ("DROP COLUMN region",),
        Table("id BIGINT NOT NULL, amount INT, at TIMESTAMP(6)", options=_BUCKETS),
    ),
    Change(
        "rename aggregated",
        "rename a column, its `aggregate-function` keeps the old name",
        Table(_KEYED, primary_keys=("id",), options=_SUMS),
        ("RENAME COLUMN amount TO total",),
        Table(_KEYED.replace("amount", "total"), primary_keys=("id",), options=_SUMS, ids={"total": 2}),
    ),
)

CHANGES: tuple[Change, ...] = (*_FIELDS, *_NESTED, *_NUMBERS, *_TEXTS_AND_TIMES, *_KEYS)
