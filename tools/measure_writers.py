"""Measures what writers do with values whose type is not that of the column, and compares with core/engines/writers.

Each value of each type is written into a column of each other type, and read back.
usage: python -m tools.measure_writers [deltalake] [pyiceberg] [TYPE ...] [all], in an environment with both of them and pyarrow.
Types are those of the values; `all` prints every outcome. It takes some minutes.
"""

import contextlib
import importlib
import io
import math
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from airflow_provider_schemas.core import parse_ddl
from airflow_provider_schemas.core.engines.measurements import Outcome
from airflow_provider_schemas.core.engines.writers import outcome
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.kinds import Root

_BITS = {"TINYINT": 7, "SMALLINT": 15, "INT": 31, "BIGINT": 63}
_DIGITS = [(5, 2), (9, 0), (10, 0), (10, 2), (12, 2), (12, 4), (19, 0), (20, 0), (38, 10)]
# Days, and units, since 1970: the first and the last year, before and after 1970, midnight and not.
_DAYS = [-719_162, -1, 0, 19_724, 2_932_896]
_SECONDS = [-62_135_596_800, -1, 0, 1_704_164_645, 253_402_300_799]
_NANOSECONDS = [-1, 0, 1, 1_704_164_645_123_456_789]
_STAMPS = {
    0: _SECONDS,
    3: [1_000 * value for value in _SECONDS] + [-1, 1_704_164_645_123],
    6: [1_000_000 * value for value in _SECONDS] + [-1, 1_704_164_645_123_456],
    9: _NANOSECONDS,
}
_TEXTS = ["", "abc", "7", "-1", "1.5", "1.234567890123456", "true", "2024-01-02", "2024-01-02 03:04:05.123456", "é", "99999999999999999999"]


def _decimals(digits: int, scale: int) -> list[Decimal]:
    """The smallest step, one, and the largest number, with both signs."""
    numbers = (1, 10**scale, 10**digits - 1)
    return [Decimal(f"{sign}{number}e-{scale}") for sign, number in product(("-", ""), numbers)]


VALUES: dict[str, list[Any]] = {
    "BOOLEAN": [True, False],
    **{name: [-(2**bits), -1, 0, 1, 5, 2**bits - 1] for name, bits in _BITS.items()},
    "FLOAT": [0.10000000149011612, 1.5, 2.0, -3.4028234663852886e38, math.nan],
    "DOUBLE": [0.1, 1.5, 2.0, 1e300, 5e-324, math.nan],
    **{f"DECIMAL({digits}, {scale})": _decimals(digits, scale) for digits, scale in _DIGITS},
    "DATE": _DAYS,
    **{f"TIMESTAMP({digits})": units for digits, units in _STAMPS.items()},
    **{f"TIMESTAMP({digits}) WITH LOCAL TIME ZONE": units for digits, units in _STAMPS.items()},
    "STRING": _TEXTS,
    "BYTES": [text.encode() for text in _TEXTS] + [b"\xff\x00"],
}
_UNITS = {0: "s", 3: "ms", 6: "us", 9: "ns"}
_PER_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_DAY = 86_400

Write = Callable[[Any, Any], Any]
"""Writes an array into a new column of a type, and returns what is read back."""


def main(arguments: list[str]) -> int:
    """Print each pair for which a writer and the table disagree; the exit code says whether there is one."""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        writers = {"deltalake": delta_writers(folder), "pyiceberg": [iceberg_writer(folder)]}
        chosen = [name for name in writers if name in arguments] or list(writers)
        sources = [name for name in VALUES if name in arguments] or list(VALUES)
        cells = list(measured({name: writers[name] for name in chosen}, sources))
    wrong = [cell for cell in cells if cell[3] is not cell[4]]
    for writer, source, target, seen, said in cells if "all" in arguments else wrong:
        print(f"{writer}: {source} into {target}: {seen}, and the table says {said}")
    print(f"{len(cells)} cells measured, {len(wrong)} of them otherwise than in the table")
    return bool(wrong)


def measured(writers: dict[str, list[Write]], sources: Iterable[str]) -> Iterator[tuple[str, AtomicType, AtomicType, Outcome, Outcome]]:
    """A writer, a pair of types, what it does, and what the table says."""
    kinds = [kind for kind in map(parse_ddl, VALUES) if isinstance(kind, AtomicType)]
    chosen = [kind for kind in kinds if str(kind) in sources]
    for (writer, ways), source, target in product(writers.items(), chosen, kinds):
        said = outcome(writer, source, target)
        if said not in (Outcome.ABSENT, Outcome.UNKNOWN):
            yield writer, source, target, worst(way(source, target) for way in map(measure, ways)), said


def measure(write: Write) -> Callable[[AtomicType, AtomicType], Outcome]:
    """Return what measures one way to write: all values at once, and each alone if they do not pass together."""

    def measure_pair(source: AtomicType, target: AtomicType) -> Outcome:
        values = VALUES[str(source)]
        together = written(write, source, target, values)
        if together is not Outcome.ERROR:
            return together
        alone = [written(write, source, target, [value]) for value in values]
        # A writer that takes none of them refuses the type.
        return Outcome.REFUSED if set(alone) == {Outcome.ERROR} else worst(alone)

    return measure_pair


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the most harmful outcome."""
    return max(outcomes, key=list(Outcome).index)


def written(write: Write, source: AtomicType, target: AtomicType, values: list[Any]) -> Outcome:
    """Return the worst of what becomes of values."""
    pa = importlib.import_module("pyarrow")
    array = pa.array(values, arrow(source))
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # pyiceberg prints what does not fit
            back = write(array, arrow(target))
    except Exception:  # noqa: BLE001  # whatever it is, nothing was written
        return Outcome.ERROR
    if len(back) != len(array):
        return Outcome.WRONG
    return worst(compared(before, after, source, target) for before, after in zip(array, back, strict=True))


def arrow(kind: AtomicType) -> Any:
    """Return Arrow's type."""
    pa = importlib.import_module("pyarrow")
    unit = _UNITS.get(kind.precision or 0, "us")
    makers: dict[Root, Callable[[], Any]] = {
        Root.BOOLEAN: pa.bool_,
        Root.TINYINT: pa.int8,
        Root.SMALLINT: pa.int16,
        Root.INTEGER: pa.int32,
        Root.BIGINT: pa.int64,
        Root.FLOAT: pa.float32,
        Root.DOUBLE: pa.float64,
        Root.DECIMAL: lambda: pa.decimal128(kind.precision, kind.scale),
        Root.DATE: pa.date32,
        Root.TIMESTAMP: lambda: pa.timestamp(unit),
        Root.TIMESTAMP_LTZ: lambda: pa.timestamp(unit, "UTC"),
        Root.VARCHAR: pa.string,
        Root.VARBINARY: pa.binary,
    }
    return makers[kind.root]()


# ---------------------------------------------------------------- writers


def delta_writers(folder: str) -> list[Write]:
    """deltalake's appends: as they are, and with schema_mode="merge"."""
    deltalake = importlib.import_module("deltalake")
    pa = importlib.import_module("pyarrow")
    numbers = iter(range(10**9))

    def way(mode: str | None) -> Write:
        def write(array: Any, target: Any) -> Any:
            path = f"{folder}/delta-{next(numbers)}"
            deltalake.DeltaTable.create(path, schema=pa.schema([pa.field("v", target)]))
            more = {"schema_mode": mode} if mode else {}
            deltalake.write_deltalake(path, pa.table({"v": array}), mode="append", **more)
            return deltalake.DeltaTable(path).to_pyarrow_table()["v"].combine_chunks()

        return write

    return [way(None), way("merge")]


def iceberg_writer(folder: str) -> Write:
    """pyiceberg's append."""
    pa = importlib.import_module("pyarrow")
    catalog = importlib.import_module("pyiceberg.catalog.sql").SqlCatalog("c", uri=f"sqlite:///{folder}/c.db", warehouse=f"file://{folder}")
    catalog.create_namespace("s")
    numbers = iter(range(10**9))
    empty: dict[str, Any] = {}

    def write(array: Any, target: Any) -> Any:
        table = empty.get(str(target)) or catalog.create_table(f"s.t{next(numbers)}", schema=pa.schema([pa.field("v", target)]))
        empty[str(target)] = table
        table.append(pa.table({"v": array}))
        del empty[str(target)]
        return table.scan().to_arrow()["v"].combine_chunks()

    return write


# ---------------------------------------------------------------- values

_NUMBERS = {Root.TINYINT, Root.SMALLINT, Root.INTEGER, Root.BIGINT, Root.FLOAT, Root.DOUBLE, Root.DECIMAL, Root.BOOLEAN}
_FLOATS = {Root.FLOAT, Root.DOUBLE}
_TIMES = {Root.DATE, Root.TIMESTAMP, Root.TIMESTAMP_LTZ}
_NAN = "NaN"
_CLOSE = Fraction(1, 10**6)


def compared(before: Any, after: Any, source: AtomicType, target: AtomicType) -> Outcome:
    """Return what a value has become."""
    if not after.is_valid:
        return Outcome.NULL
    was = meaning(before, source)
    became = meaning(after, target)
    if {source.root, target.root} <= _TIMES and (source.root is Root.TIMESTAMP_LTZ) is not (target.root is Root.TIMESTAMP_LTZ):
        return Outcome.SHIFTED  # by the zone that nobody named
    if source.root in _FLOATS and target.root is Root.VARCHAR:
        return _float_text(before, became)
    if source.root is not target.root and Root.VARCHAR in {source.root, target.root}:
        return Outcome.EXACT if text_of(was, source) == text_of(became, target) else _text_as_number(was, became, target)
    return _compared_numbers(was, became, source, target)


def _compared_numbers(was: Any, became: Any, source: AtomicType, target: AtomicType) -> Outcome:
    if same_family(source, target) and was == became:
        return Outcome.EXACT
    if target.root in _FLOATS and isinstance(was, Fraction) and isinstance(became, Fraction):
        return _close(was, became)
    return Outcome.WRONG


def same_family(source: AtomicType, target: AtomicType) -> bool:
    """Whether values of both types mean the same kind of thing."""
    return source.root is target.root or any({source.root, target.root} <= family for family in (_NUMBERS, _TIMES))


def meaning(value: Any, kind: AtomicType) -> Any:
    """A number as a fraction, a time in seconds, and all else as it is."""
    if kind.root in _NUMBERS:
        plain = value.as_py()
        if isinstance(plain, float) and not math.isfinite(plain):
            return _NAN if math.isnan(plain) else plain
        return Fraction(plain)
    if kind.root is Root.DATE:
        return Fraction((value.as_py() - date(1970, 1, 1)).days * _DAY)
    if kind.root in _TIMES:
        return Fraction(value.value, _PER_SECOND[value.type.unit])
    return value.as_py()


def text_of(value: Any, kind: AtomicType) -> Any:
    """What a text has to say to mean the value."""
    if kind.root is Root.BOOLEAN:
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, Fraction) and kind.root in _NUMBERS:
        return str(value.numerator) if value.denominator == 1 else value
    if kind.root in _TIMES and isinstance(value, Fraction):
        return value
    return value


def _float_text(before: Any, text: str) -> Outcome:
    """Whether a text, read again as the type of a number, is that number."""
    pa = importlib.import_module("pyarrow")
    again = pa.scalar(float(text), before.type).as_py()
    plain = before.as_py()
    return Outcome.EXACT if again == plain or (math.isnan(again) and math.isnan(plain)) else Outcome.WRONG


def _text_as_number(was: Any, became: Any, target: AtomicType) -> Outcome:
    """Whether a number or a time, and a text, say the same in other letters."""
    for text, value in ((was, became), (became, was)):
        if isinstance(text, str) and isinstance(value, Fraction):
            with contextlib.suppress(ValueError):
                if Fraction(text) == value:
                    return Outcome.EXACT
                return _close(Fraction(text), value) if target.root in _FLOATS else Outcome.WRONG
            with contextlib.suppress(ValueError):
                time = datetime.fromisoformat(text)
                seconds = (time.replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds()  # noqa: DTZ001
                return Outcome.EXACT if abs(seconds - value) < _CLOSE else Outcome.WRONG
    return Outcome.WRONG


def _close(was: Fraction, became: Fraction) -> Outcome:
    return Outcome.APPROXIMATE if abs(was - became) <= abs(was) * _CLOSE else Outcome.WRONG


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
