"""Values to convert: the ends of each type, what once went wrong anywhere, and what a seeded generator makes up."""

import math
import struct
from collections.abc import Callable, Iterable
from decimal import Decimal
from random import Random
from typing import Any

from airflow_provider_schemas.core import parse_type
from airflow_provider_schemas.core.casts.carriers import BITS, DECIMALS
from airflow_provider_schemas.core.casts.cast_value import Timestamp
from airflow_provider_schemas.core.casts.float_text import to_single
from airflow_provider_schemas.core.types.kinds import Root

# One or two of each kind, with parameters where conversions differ by them.
TYPES = tuple(
    map(
        parse_type,
        (
            *("CHAR(1)", "CHAR(5)", "VARCHAR(3)", "VARCHAR(40)", "STRING", "BOOLEAN", "BINARY(4)", "VARBINARY(3)", "BYTES"),
            *("TINYINT", "SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE"),
            *("DECIMAL(5, 2)", "DECIMAL(10, 7)", "DECIMAL(17, 9)", "DECIMAL(19, 4)", "DECIMAL(38, 0)", "DECIMAL(38, 18)"),
            *("DATE", "TIMESTAMP(0)", "TIMESTAMP(1)", "TIMESTAMP(3)", "TIMESTAMP(5)", "TIMESTAMP(6)"),
            *("TIMESTAMP(0) WITH LOCAL TIME ZONE", "TIMESTAMP(4) WITH LOCAL TIME ZONE", "TIMESTAMP(6) WITH LOCAL TIME ZONE"),
        ),
    )
)

# Whole days of microseconds on which no zone leaves what Spark holds.
LAST_DAY = 106_751_989
_DAY = 86_400_000_000

_NUMBERS = """
12 +12 -12 + - . -. 1. .5 1.9 -1.9 1.9x 1.9.1 1e2 1E+2 1e-2 127 128 -128 -129 32767 32768 2147483647 2147483648 -2147483648 -2147483649
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 00000000000000000000000000012 0x1F 0x1p3 0x1.8p1
0X.8P-2f NaN nan -NaN +NaN Infinity -Infinity +Infinity inf infinity INF 1.0f 1.0d 1D 1e400 -1e400 1e-400 4.9e-324 1_000 1,5 -0 -0.0
½ ١٢ １２ 1e１ 99999.995 99999.994 999.995 0.05 0.04 -0.05 0e999999 1e999999 1e-999999 1e2147483647 1e2147483648 1e-2147483647
1e-2147483648 1e-2147483649 0.001e-2147483647 1e0000000000000005 1e99999999999999999999 12345678901234567890123456789012345678
123456789012345678901234567890123456789 1234567890.12345678901234567890 99999999999999999999999999999999999999.4
99999999999999999999999999999999999999.5 16777217 9007199254740993 1.005
""".split()
_WORDS = "a ab abcdef true TRUE True t Y yEs no NO f false 0 1 x null héllo 日本語テキスト 😀😀😀😀 a😀b İ ſ ＴＲＵＥ a'b a\\b".split()
_TIMES = (
    """
2023|2023-06-08|2023-6-8|2023-06|2023-6|2023-06-08 10:00|2023-06-08 |2023-06-08T10:00|2023-06-08T10:00:00|2023-06-08T10:00:00.123456789
2023-06-08 10:00:00|2023-06-08 10:00:00.|2023-06-08 10:00:00.1|2023-06-08 10:00:00.123456|2023-06-08 10:00:00.1234567890
2023-06-08 1:2:3|2023-06-31|2023-06-31 10:00:00|2023-02-29|2023-02-30 00:00:00|2024-02-31 00:00:00|2024-02-29|1900-02-29|0000-01-01
0000-02-29|0001-01-01|0001-01-01 00:00:00|9999-12-31|9999-12-31 23:59:59.999999|10000-01-01|+10000-01-01|+10000-01-01 00:00:00
+294246-12-31 00:00:00|+294247-01-10 04:00:00|+999999-01-01|+00005-01-01 00:00:00|-0001-01-01|-1-1-1|2023-13-01|2023-00-01|2023-01-00
2023-01-32|2023-01-01 24:00:00|2023-01-01 24:00:00.0000001|2023-01-01 24:00:01|2023-01-01 25:00:00|2023-01-01 23:60:00
2023-01-01 23:59:60|2024-03-10 02:30:00|2024-11-03 01:30:00|1883-11-18 12:03:58|1969-12-31 23:59:59.999999|  2023-06-08| 2023|2023 01
-5|-0|--5|5-|1-2-3-4|2023--1|2023-1-|2023-06-08x|2023-06-08 abc|19000|2023-06-08 10:00:00Z|2023-06-08 10:00:00+01:00
2023-06-08  10:00:00|1686218400|1686218400000|1686218400000000|-1|-1000001|9223372036854775|9223372036854776|-9223372036854775
""".strip()
    .replace("\n", "|")
    .split("|")
)
_ODD = ("", " ", " true", "12 ", " 12", "\n", "12\n", "true\n", "1.5\n", "\t1.5\t", "1.5\x00", "2023-06-08\n", "\n2023-06-08", "2023\t-06")
_ODDER = (
    "2023-06-08\x0c",
    "a\nb",
    '"q"',
    "\x7f",
    "0." + "5" * 60,
    "9" * 50,
    "0" * 400 + "1",
    "\x01 12",
    "\u00a012",
    "1\u2028",
    "\u0661-1-1",
)
_LETTERS = "0123456789" * 3 + "-:.+ eETf/"

_FLOATING = (
    *(0.0, -0.0, 1.0, -1.0, 0.1, 1.5, 2.5, -2.5, 1.005, 0.5, -0.5, 1e7, 9999999.0, 12345678.9, 1e-3, 9.999e-4, 1e10, 1e23, 2e23, 1e30),
    *(-1e30, 1.7976931348623157e308, 4.9e-324, 2.2250738585072014e-308, math.inf, -math.inf, math.nan, 2147483647.0, 2147483648.0),
    *(-2147483648.0, -2147483649.0, 2147483647.5, 9.223372036854775e18, 9.223372036854776e18, -9.223372036854776e18, -9.3e18, 127.5),
    *(128.0, -129.0, 3.4028235e38, 3.4028236e38, 1e-45, 0.045, 123.45, 99999.995, 999.995, 9.995, 1e38, 9.99e37, 1e16, 2e-5),
)
_INTEGERS = (
    *(0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 2**31 - 1, 2**31, -(2**31) - 1, 2**53, 2**53 + 1, 10**9, -(10**9)),
    *(10**15, 9223372036854775, 9223372036854776, -9223372036854776, 9223372036854, 106751989 * 86400, 106751990 * 86400, 10**17),
    *(16777217, 33554435, 18446744073709551, 2**63 - 1, -(2**63)),
)
_BYTES = (
    *(b"", b"a", b"ab", b"abcdef", b"\xff", b"a\xffb", b"\xe2\x82", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"\xed\xa0\x80"),
    *(b"\xc0\x80", b"\xf5\x80\x80\x80", b"\xe0\x80\x80", b"\0\0", b"\xf4\x90\x80\x80", b"12", b"\xc3\x28", b"\xf0\x28\x8c\xbc"),
)
_DAYS = (
    *(0, 1, -1, -719162, -719163, -719528, -719529, -719530, 2932896, 2932897, 6582897, 19792, 20030, -31500, 2**31 - 1, -(2**31)),
    *(LAST_DAY, LAST_DAY + 1, LAST_DAY + 3, -LAST_DAY, -LAST_DAY - 1),
)
# Among them the hours that New York skipped and had twice, and the first and last years that have four digits.
_MICROS = (
    *(0, 1, -1, -999, -1000, -1001, 999, 1000, -999999, -1000000, -1000001, 1000000, 999999, -1500000, -_DAY, _DAY, -_DAY - 1, _DAY - 1),
    *(1710052200000000, 1710053999999999, 1730611800000000, 1730615400000000, 1730619000000000, -2717650800000000, -2717640000000000),
    *(253402300799999999, 253402300800000000, -62135596800000000, -62135596800000001, -62167219200000000, -62167219200000001),
    *(2**31 * 10**6, 2**31 * 10**6 - 1, -(2**31) * 10**6 - 1, LAST_DAY * _DAY, -LAST_DAY * _DAY, 10**17, -(10**17)),
)


def values(kind: Any, random: Random, count: int) -> list[Any]:
    """Carriers of the type."""
    return _VALUES[kind.root](kind, random, count)


def _integers(kind: Any, random: Random, count: int) -> list[int]:
    half = 2 ** (BITS[kind.root] - 1)
    made = (random.randrange(-half, half) >> random.randrange(BITS[kind.root]) for _ in range(count))
    return [one for one in (*_INTEGERS, half - 1, -half, *made) if -half <= one < half]


def _doubles(_kind: Any, random: Random, count: int) -> list[float]:
    bits = (struct.unpack("<d", random.randbytes(8))[0] for _ in range(count // 2))
    return [*_FLOATING, *bits, *(random.uniform(-1, 1) * 10 ** random.randrange(-10, 25) for _ in range(count // 2))]


def _singles(kind: Any, random: Random, count: int) -> list[float]:
    return [to_single(one) for one in _doubles(kind, random, count)]


def _decimals(kind: Any, random: Random, count: int) -> list[Decimal]:
    most = 10**kind.precision
    ends = (0, 1, -1, 5, -5, 49, 50, -50, most - 1, 1 - most, 2**63, -(2**63) - 1, 2**64 + 5, 2**31, 128 * 10**kind.scale, 2**53 + 1)
    made = (random.randrange(1 - most, most) // 10 ** random.randrange(kind.precision) for _ in range(count))
    return [Decimal(one).scaleb(-kind.scale, DECIMALS) for one in (*ends, *made) if abs(one) < most]


def _texts(kind: Any, random: Random, count: int) -> list[str]:
    """Texts as long as the type says at most, for what is longer is no value of it."""
    known = [*_NUMBERS, *_WORDS, *_TIMES, *_ODD, *_ODDER]
    made = ["".join(random.choices(_LETTERS, k=random.randrange(1, 12))) for _ in range(count // 2)]
    bent = [f"{one[:place]}{random.choice(_LETTERS)}{one[place + 1 :]}" for one, place in _places(random, known, count // 2)]
    return [one for one in (*known, *made, *bent) if len(one) <= kind.length]


def _places(random: Random, texts: list[str], count: int) -> Iterable[tuple[str, int]]:
    chosen = (random.choice(texts) for _ in range(count))
    return [(one, random.randrange(len(one))) for one in chosen if one]


def _bytes(kind: Any, random: Random, count: int) -> list[bytes]:
    return [one for one in (*_BYTES, *(random.randbytes(random.randrange(8)) for _ in range(count))) if len(one) <= kind.length]


def _days(_kind: Any, random: Random, count: int) -> list[int]:
    return [*_DAYS, *(random.randrange(-800_000, 3_000_000) for _ in range(count))]


def _timestamps(kind: Any, random: Random, count: int) -> list[Timestamp]:
    unit = 10 ** (6 - kind.precision)
    made = (random.randrange(0, 2 * 10**15) if turn % 2 else random.randrange(-6 * 10**16, 26 * 10**16) for turn in range(count))
    rounded = dict.fromkeys(one // unit * unit for one in (*_MICROS, *made))
    return [Timestamp(one // 1000, one % 1000 * 1000) for one in rounded]


_VALUES: dict[Root, Callable[[Any, Random, int], list[Any]]] = {
    **dict.fromkeys(BITS, _integers),
    Root.FLOAT: _singles,
    Root.DOUBLE: _doubles,
    Root.DECIMAL: _decimals,
    **dict.fromkeys((Root.CHAR, Root.VARCHAR), _texts),
    **dict.fromkeys((Root.BINARY, Root.VARBINARY), _bytes),
    Root.BOOLEAN: lambda _kind, _random, _count: [True, False],
    Root.DATE: _days,
    **dict.fromkeys((Root.TIMESTAMP, Root.TIMESTAMP_LTZ), _timestamps),
}
