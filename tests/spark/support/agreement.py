"""Many conversions at once, in Spark and in Python: each value a row, each pair of types a column."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.casts.cast_value import cast_value
from airflow_provider_schemas.core.projection.rows import checked
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.spark.conversions.conversion import bind
from airflow_provider_schemas.spark.conversions.table import find_conversion
from tests.spark.support.carried import arrived, decoded, encoded, seen, way
from tests.spark.support.conversion_values import LAST_DAY, values

FAILS = "fails"
_TIMESTAMPS = (Root.TIMESTAMP, Root.TIMESTAMP_LTZ)
_DAY = 86_400_000_000
# More columns than that take Spark longer to plan than to compute.
_AT_ONCE = 120


class Pair(NamedTuple):
    """From a type to another."""

    source: Any
    target: Any

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"


def pairs_of(types: Iterable[Any]) -> list[Pair]:
    """The pairs that Paimon converts."""
    known = list(types)
    return [Pair(one, other) for one in known for other in known if not same_type(one, other) and cast_support(one, other).convertible]


class Agreement:
    """What Spark and the core make of the same values."""

    def __init__(self, spark: Any, pairs: Iterable[Pair], *, zone: str, casts: str, seed: int, count: int) -> None:
        self.spark, self.zone, self.casts = spark, zone, casts
        self.pairs = list(pairs)
        self.sources = list(dict.fromkeys(one.source for one in self.pairs))
        random = Random(seed)
        self.values = {kind: values(kind, random, count) for kind in self.sources}
        self.compared = 0

    def differences(self) -> Iterator[str]:
        """What is not the same; and how many values were compared, in `compared`."""
        for some in (self.pairs[start : start + _AT_ONCE] for start in range(0, len(self.pairs), _AT_ONCE)):
            rows = self._frame(some).collect()
            for place, pair in enumerate(some):
                yield from self._differences(
                    pair, [(row[2 * place], row[2 * place + 1]) for row in sorted(rows, key=lambda one: one["row"])]
                )

    def _frame(self, pairs: list[Pair]) -> Any:
        sources = list(dict.fromkeys(one.source for one in pairs))
        lengths = [len(self.values[kind]) for kind in sources]
        rows = [[number, *(self._travelling(kind, number) for kind in sources)] for number in range(max(lengths) + 1)]
        schema = ", ".join(["row int", *(f"s{self.sources.index(kind)} {way(kind).as_type}" for kind in sources)])
        names = {kind: f"s{self.sources.index(kind)}" for kind in sources}
        plain = self.spark.createDataFrame(rows, schema)
        frame = plain.selectExpr("row", *(f"{decoded(kind, name)} as {name}" for kind, name in names.items()))
        return frame.selectExpr(*(text for one in pairs for text in self._columns(one, names[one.source])), "row")

    def _travelling(self, kind: Any, number: int) -> Any:
        """The value of that number; NULL behind the last, so that NULL is converted too."""
        known = self.values[kind]
        return way(kind).there(known[number]) if number < len(known) else None

    def _columns(self, pair: Pair, v: str) -> tuple[str, str]:
        done = find_conversion(*pair, self.zone, self.casts)(v)
        fails = bind(done.value, done.fails) if done.fails else "false"
        return encoded(pair.target, done.value), f"coalesce({fails}, false)"

    def _differences(self, pair: Pair, answers: list[tuple[Any, bool]]) -> Iterator[str]:
        for value, (new, fails) in zip([*self.values[pair.source], None], answers, strict=False):
            wanted = self._expected(pair, value)
            got = FAILS if fails else seen(pair.target, new)
            self.compared += 1
            if got != wanted and not (got == FAILS and _is_beyond(pair, wanted)):
                yield f"{pair}: {value!r} is {wanted!r} to the core, {got!r} to Spark"

    def _expected(self, pair: Pair, value: Any) -> Any:
        try:
            if self.casts == "checked":
                return None if value is None else arrived(pair.target, checked(*pair, "", self.zone)(value))
            return arrived(pair.target, cast_value(value, *pair, timezone=self.zone))
        except SchemaError:
            return FAILS


def _is_beyond(pair: Pair, wanted: Any) -> bool:
    """Whether this is a time that Spark does not hold."""
    return pair.target.root in _TIMESTAMPS and isinstance(wanted, int) and abs(wanted) > (LAST_DAY - 1) * _DAY
