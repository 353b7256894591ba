"""What really happens when files of one type are read as another: measured for Spark 4.3.0, read from their rules for the others.

This is data. For Spark, what its two readers of Parquet and its reader of ORC make of old values; for Iceberg and Delta,
whether they promote or widen so; for Paimon, how its readers cast, which they do by themselves.
"""

from typing import NamedTuple

_TABLE = """
from              | to                | lossless | vectorized | rows    | orc         | iceberg | delta | paimon
TINYINT           | SMALLINT          | yes      | exact      | exact   | exact       | n/a     | yes   | implicit
SMALLINT          | TINYINT           | no       | wrong      | wrong   | null        | n/a     | no    | explicit
INT               | BIGINT            | yes      | exact      | exact   | exact       | yes     | yes   | implicit
INT               | SMALLINT          | no       | wrong      | wrong   | null        | n/a     | no    | explicit
INT               | TINYINT           | no       | wrong      | wrong   | null        | n/a     | no    | explicit
BIGINT            | INT               | no       | error      | error   | null        | no      | no    | explicit
INT               | FLOAT             | no       | error      | error   | wrong       | no      | no    | implicit
INT               | DOUBLE            | yes      | exact      | exact   | exact       | no      | yes   | implicit
BIGINT            | DOUBLE            | no       | error      | error   | wrong       | no      | no    | implicit
BIGINT            | FLOAT             | no       | error      | error   | wrong       | no      | no    | implicit
FLOAT             | DOUBLE            | yes      | exact      | exact   | exact       | yes     | yes   | implicit
DOUBLE            | FLOAT             | no       | error      | error   | wrong       | no      | no    | explicit
INT               | DECIMAL(10, 0)    | yes      | exact      | exact   | exact       | no      | yes   | implicit
INT               | DECIMAL(10, 2)    | no       | error      | null    | null        | no      | no    | implicit
BIGINT            | DECIMAL(20, 0)    | yes      | exact      | exact   | exact       | no      | yes   | implicit
BIGINT            | DECIMAL(19, 0)    | yes      | error      | exact   | exact       | no      | no    | implicit
INT               | STRING            | no       | error      | error   | exact       | no      | no    | explicit
STRING            | INT               | no       | error      | error   | null        | no      | no    | explicit
BIGINT            | STRING            | no       | error      | error   | exact       | no      | no    | explicit
DECIMAL(10, 2)    | DECIMAL(20, 2)    | yes      | exact      | exact   | exact       | yes     | yes   | implicit
DECIMAL(20, 2)    | DECIMAL(10, 2)    | no       | error      | null    | null        | no      | no    | implicit
DECIMAL(10, 2)    | DECIMAL(12, 4)    | yes      | exact      | exact   | exact       | no      | yes   | implicit
DECIMAL(10, 2)    | DECIMAL(10, 4)    | no       | error      | null    | null        | no      | no    | implicit
DECIMAL(10, 4)    | DECIMAL(10, 2)    | no       | error      | wrong   | wrong       | no      | no    | implicit
DECIMAL(10, 2)    | DOUBLE            | no       | error      | error   | approximate | no      | no    | implicit
DOUBLE            | DECIMAL(10, 2)    | no       | error      | error   | null        | no      | no    | implicit
DECIMAL(10, 2)    | BIGINT            | no       | wrong      | wrong   | wrong       | no      | no    | explicit
STRING            | BYTES             | no       | exact      | exact   | exact       | no      | no    | explicit
BYTES             | STRING            | no       | bytes      | bytes   | bytes       | no      | no    | explicit
BOOLEAN           | INT               | no       | error      | error   | exact       | no      | no    | explicit
INT               | BOOLEAN           | no       | error      | error   | wrong       | no      | no    | explicit
BOOLEAN           | STRING            | no       | error      | error   | exact       | no      | no    | explicit
DATE              | INSTANT           | no       | error      | error   | exact       | no      | no    | explicit
DATE              | TIMESTAMP(6)      | yes      | exact      | exact   | error       | no      | yes   | explicit
INSTANT           | DATE              | no       | error      | error   | wrong       | no      | no    | explicit
TIMESTAMP(6)      | DATE              | no       | error      | error   | error       | no      | no    | implicit
INSTANT           | TIMESTAMP(6)      | no       | shifted    | shifted | error       | no      | no    | implicit
TIMESTAMP(6)      | INSTANT           | no       | shifted    | shifted | error       | no      | no    | implicit
DATE              | STRING            | no       | error      | error   | exact       | no      | no    | explicit
INSTANT           | STRING            | no       | error      | wrong   | exact       | no      | no    | explicit
STRING            | DATE              | no       | error      | error   | null        | no      | no    | explicit
INSTANT           | BIGINT            | no       | error      | error   | wrong       | no      | no    | explicit
BIGINT            | INSTANT           | no       | error      | error   | error       | no      | no    | explicit
DATE              | INT               | no       | wrong      | wrong   | error       | no      | no    | no
INT               | DATE              | no       | wrong      | wrong   | error       | no      | no    | no
"""
_INSTANT = "TIMESTAMP(6) WITH LOCAL TIME ZONE"
# The columns of each reader, and what stands in all of them where it gives every old value.
_COLUMNS = {
    "spark-4-parquet": (("vectorized", "rows"), ("exact",)),
    "spark-4-orc": (("orc",), ("exact",)),
    "iceberg-v2": (("iceberg",), ("yes",)),
    "delta": (("delta",), ("yes",)),
    "paimon": (("paimon",), ("implicit", "explicit")),
}


class TypePair(NamedTuple):
    """Two types, whether every old value is one of the new type, and the readers that read it so."""

    old: str
    new: str
    lossless: bool
    read_by: frozenset[str]

    def __str__(self) -> str:
        return f"{self.old} to {self.new}".replace(_INSTANT, "INSTANT")


def _pairs() -> tuple[TypePair, ...]:
    head, *rows = ([cell.strip() for cell in line.split("|")] for line in _TABLE.strip().splitlines())
    return tuple(_pair(dict(zip(head, row, strict=True))) for row in rows)


def _pair(row: dict[str, str]) -> TypePair:
    able = [name for name, (columns, words) in _COLUMNS.items() if all(row[column] in words for column in columns)]
    old, new = (row[side].replace("INSTANT", _INSTANT) for side in ("from", "to"))
    return TypePair(old, new, row["lossless"] == "yes", frozenset(able))


TYPE_PAIRS = _pairs()
PROFILES = tuple(_COLUMNS)
