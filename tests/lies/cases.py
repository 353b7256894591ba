"""The cases: files as they were written, what became of the table since, and what whoever reads it should find.

Types first, a value of each that tells: one that the wanted type does not hold, where there is one. Then shapes:
columns and fields that came, went, or bear other names.
"""

from typing import NamedTuple


class Written(NamedTuple):
    """Rows that were written while the table had some version of its schema."""

    columns: str
    """As Spark knew them then."""
    rows: str
    """The values of a VALUES clause."""


class Case(NamedTuple):
    """One thing that happens to tables."""

    title: str
    written: tuple[Written, ...]
    """Each with what the next entry of `changes` found; those behind the last change are of the newest version."""
    changes: tuple[str, ...]
    wanted: str
    """As Spark is told to read it now."""
    expected: str
    """What the rows are to whoever knows what happened, as Spark shows them; or why there is no such thing."""
    query: str = ""
    """What is asked instead of all rows: a condition."""
    started: str = ""
    """The columns of the table at first, where Spark's words for them are others."""
    conf: str = ""
    """A setting of Spark's that is switched on."""
    everywhere: bool = False
    """Whether each way of reading is asked, and not only the usual one."""


def _pair(source: str, target: str, value: str, expected: str, *, ours: str = "", theirs: str = "") -> Case:
    """A column of one type that became one of another. Ours and theirs are Paimon's words for the types."""
    change = f"ALTER COLUMN v TYPE {theirs or target}"
    return Case(
        f"{source} → {target}",
        (Written(f"v {source}", value),),
        (change,),
        f"v {target}",
        expected,
        started=f"v {ours or source}",
        everywhere=True,
    )


NTZ, LTZ = "TIMESTAMP(6)", "TIMESTAMP(6) WITH LOCAL TIME ZONE"
LOST = "no such value"
REFUSED = "no such change"
BY_ID = "spark.sql.parquet.fieldId.read.enabled"

TYPES = (
    _pair("TINYINT", "SMALLINT", "7Y", "7"),
    _pair("SMALLINT", "TINYINT", "383S", LOST),
    _pair("INT", "BIGINT", "7", "7"),
    _pair("INT", "SMALLINT", "70000", LOST),
    _pair("INT", "TINYINT", "383", LOST),
    _pair("BIGINT", "INT", "2147483648L", LOST),
    _pair("INT", "FLOAT", "16777217", LOST),
    _pair("INT", "DOUBLE", "16777217", "16777217.0"),
    _pair("BIGINT", "DOUBLE", "9007199254740993L", LOST),
    _pair("BIGINT", "FLOAT", "9007199254740993L", LOST),
    _pair("FLOAT", "DOUBLE", "0.5F", "0.5"),
    _pair("DOUBLE", "FLOAT", "0.1D", LOST),
    _pair("INT", "DECIMAL(10,0)", "7", "7"),
    _pair("INT", "DECIMAL(10,2)", "123456789", LOST),
    _pair("BIGINT", "DECIMAL(20,0)", "7L", "7"),
    _pair("BIGINT", "DECIMAL(19,0)", "7L", "7"),
    _pair("INT", "STRING", "7", "7"),
    _pair("STRING", "INT", "'12'", "12"),
    _pair("BIGINT", "STRING", "7L", "7"),
    _pair("DECIMAL(10,2)", "DECIMAL(20,2)", "12.34BD", "12.34"),
    _pair("DECIMAL(20,2)", "DECIMAL(10,2)", "123456789012.34BD", LOST),
    _pair("DECIMAL(10,2)", "DECIMAL(12,4)", "12.34BD", "12.3400"),
    _pair("DECIMAL(10,2)", "DECIMAL(10,4)", "12345678.90BD", LOST),
    _pair("DECIMAL(10,4)", "DECIMAL(10,2)", "12.3456BD", LOST),
    _pair("DECIMAL(10,2)", "DOUBLE", "12.34BD", "12.34"),
    _pair("DOUBLE", "DECIMAL(10,2)", "1e10D", LOST),
    _pair("DECIMAL(10,2)", "BIGINT", "12.34BD", LOST),
    _pair("STRING", "BINARY", "'abc'", "X'616263'", theirs="BYTES"),
    _pair("BINARY", "STRING", "X'ff'", LOST, ours="BYTES"),
    _pair("BOOLEAN", "INT", "true", "1"),
    _pair("INT", "BOOLEAN", "2", LOST),
    _pair("BOOLEAN", "STRING", "true", "true"),
    _pair("DATE", "TIMESTAMP", "DATE'2024-01-02'", "2024-01-02 00:00:00", theirs=LTZ),
    _pair("DATE", "TIMESTAMP_NTZ", "DATE'2024-01-02'", "2024-01-02 00:00:00", theirs=NTZ),
    _pair("TIMESTAMP", "DATE", "TIMESTAMP'2024-01-02 03:04:05'", LOST, ours=LTZ),
    _pair("TIMESTAMP_NTZ", "DATE", "TIMESTAMP_NTZ'2024-01-02 03:04:05'", LOST, ours=NTZ),
    _pair("TIMESTAMP", "TIMESTAMP_NTZ", "TIMESTAMP'2024-01-02 03:04:05'", "2024-01-02 03:04:05", ours=LTZ, theirs=NTZ),
    _pair("TIMESTAMP_NTZ", "TIMESTAMP", "TIMESTAMP_NTZ'2024-01-02 03:04:05'", "2024-01-02 03:04:05", ours=NTZ, theirs=LTZ),
    _pair("DATE", "STRING", "DATE'2024-01-02'", "2024-01-02"),
    _pair("TIMESTAMP", "STRING", "TIMESTAMP'2024-01-02 03:04:05.5'", "2024-01-02 03:04:05.500000", ours=LTZ),
    _pair("STRING", "DATE", "'2024-01-02'", "2024-01-02"),
    _pair("TIMESTAMP", "BIGINT", "TIMESTAMP'2024-01-02 03:04:05.5'", LOST, ours=LTZ),
    _pair("BIGINT", "TIMESTAMP", "1704164645L", LOST, theirs=LTZ),
    _pair("DATE", "INT", "DATE'2024-01-02'", LOST),
    _pair("INT", "DATE", "19724", LOST),
)

_ORDERS = "order_id BIGINT, cust_id BIGINT, amount DECIMAL(10,2)"
_ROW = "1L, 10L, 1.50BD"

SHAPES = (
    Case(
        "a column was added",
        (Written(_ORDERS, _ROW), Written(f"{_ORDERS}, coupon STRING", "2L, 20L, 2.50BD, 'X'")),
        ("ADD COLUMN coupon STRING",),
        f"{_ORDERS}, coupon STRING",
        "(1, 10, 1.50, NULL), (2, 20, 2.50, X)",
    ),
    Case(
        "a column was renamed",
        (Written(_ORDERS, _ROW), Written("order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2)", "2L, 20L, 2.50BD")),
        ("RENAME COLUMN cust_id TO customer_id",),
        "order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2)",
        "(1, 10, 1.50), (2, 20, 2.50)",
    ),
    Case(
        "a column was dropped, and another of its name and type added",
        (Written(_ORDERS, _ROW), Written("order_id BIGINT, cust_id BIGINT, amount DECIMAL(10,2)", "2L, 20L, 2.50BD")),
        ("DROP COLUMN amount; ADD COLUMN amount DECIMAL(10, 2)",),
        _ORDERS,
        "(1, 10, NULL), (2, 20, 2.50)",
    ),
    Case(
        "two columns swapped their names",
        (Written("a INT, b INT", "1, 100"), Written("a INT, b INT", "200, 2")),
        ("RENAME COLUMN a TO c; RENAME COLUMN b TO a; RENAME COLUMN c TO b",),
        "b INT, a INT",
        "(1, 100), (2, 200)",
    ),
    Case(
        "two columns swapped their names, and one is asked for: a = 100",
        (Written("a INT, b INT", "1, 100"), Written("a INT, b INT", "200, 2")),
        ("RENAME COLUMN a TO c; RENAME COLUMN b TO a; RENAME COLUMN c TO b",),
        "b INT, a INT",
        "(1, 100)",
        query="a = 100",
    ),
    Case(
        "a field of a STRUCT was renamed",
        (Written("id INT, at STRUCT<city: STRING, zip: STRING>", "1, named_struct('city', 'Ulm', 'zip', '89073')"),),
        ("RENAME COLUMN at.city TO town",),
        "id INT, at STRUCT<town: STRING, zip: STRING>",
        "(1, {Ulm, 89073})",
        started="id INT, at ROW<city STRING, zip STRING>",
    ),
    Case(
        "a field of a STRUCT in an ARRAY was renamed and widened",
        (Written("id INT, items ARRAY<STRUCT<sku: STRING, n: INT>>", "1, array(named_struct('sku', 'A', 'n', 2))"),),
        ("RENAME COLUMN items.element.n TO amount; ALTER COLUMN items.element.amount TYPE BIGINT",),
        "id INT, items ARRAY<STRUCT<sku: STRING, amount: BIGINT>>",
        "(1, [{A, 2}])",
        started="id INT, items ARRAY<ROW<sku STRING, n INT>>",
    ),
    Case(
        "a name differs in case only",
        (Written("id INT, Name STRING", "1, 'x'"),),
        ("RENAME COLUMN Name TO name",),
        "id INT, name STRING",
        "(1, x)",
    ),
    Case(
        "a name differs in case only",
        (Written("id INT, Name STRING", "1, 'x'"),),
        ("RENAME COLUMN Name TO name",),
        "id INT, name STRING",
        "(1, x)",
        conf="spark.sql.caseSensitive",
    ),
    Case(
        "a field of the STRUCT that is a MAP's key was dropped",
        (
            Written(
                "id INT, m MAP<STRUCT<a: INT, b: INT>, INT>", "1, map(named_struct('a', 1, 'b', 1), 10, named_struct('a', 1, 'b', 2), 20)"
            ),
        ),
        (),
        "id INT, m MAP<STRUCT<a: INT>, INT>",
        "(1, {{1, 1} -> 10, {1, 2} -> 20})",
        started="id INT, m MAP<ROW<a INT, b INT> NOT NULL, INT>",
    ),
    Case(
        "a column that must not be NULL was added",
        (Written("id INT", "1"),),
        ("ADD COLUMN state STRING; ALTER COLUMN state SET NOT NULL",),
        "id INT, state STRING NOT NULL",
        REFUSED,
    ),
    Case(
        "two folders, the older with INT where the newer has STRING, and no schema given",
        (Written("v INT", "7"), Written("v STRING", "'x'")),
        ("ALTER COLUMN v TYPE STRING",),
        "",
        "7, x",
        started="v INT",
    ),
    Case(
        "a column was renamed",
        (Written("id INT, n INT", "1, 2"),),
        ("RENAME COLUMN n TO amount",),
        "id INT, amount INT",
        "(1, 2)",
        conf=BY_ID,
    ),
    Case(
        "two columns swapped their names, and one was widened",
        (Written("a INT, b INT", "1, 100"), Written("a INT, b INT", "200, 2")),
        ("RENAME COLUMN a TO c; RENAME COLUMN b TO a; RENAME COLUMN c TO b", "ALTER COLUMN a TYPE BIGINT"),
        "b INT, a BIGINT",
        "(1, 100), (2, 200)",
        conf=BY_ID,
    ),
    Case(
        "two columns swapped their names, and one is asked for: a = 100",
        (Written("a INT, b INT", "1, 100"), Written("a INT, b INT", "200, 2")),
        ("RENAME COLUMN a TO c; RENAME COLUMN b TO a; RENAME COLUMN c TO b",),
        "b INT, a INT",
        "(1, 100)",
        query="a = 100",
        conf=BY_ID,
    ),
)
