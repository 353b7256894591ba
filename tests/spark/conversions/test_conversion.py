"""A value of an old file under a new type is what Java Paimon makes of it, in Spark's own SQL, whatever the session's settings."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from airflow_provider_schemas.core import parse_type
from airflow_provider_schemas.core.casts.cast_value import Timestamp, cast_value
from airflow_provider_schemas.core.projection.rows import checked
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.errors import ProjectionError, SchemaError
from airflow_provider_schemas.spark.conversions.conversion import bind
from airflow_provider_schemas.spark.conversions.table import find_conversion
from tests.conformance import rows
from tests.conformance.paimon.java_text import carrier, printed
from tests.spark.support.agreement import Agreement, Pair, pairs_of
from tests.spark.support.carried import as_sql, encoded
from tests.spark.support.conversion_values import TYPES

PAIRS = pairs_of(TYPES)
_INTERPRETED = {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
_TIMESTAMPS = (Root.TIMESTAMP, Root.TIMESTAMP_LTZ)
_BINARIES = (Root.BINARY, Root.VARBINARY)


@pytest.fixture
def settings(classic_spark: Any) -> Iterator[Any]:
    """Sets configuration of the session for one test."""
    before: dict[str, Any] = {}

    def use(**conf: str) -> None:
        for key, value in conf.items():
            name = key.replace("__", ".")
            before.setdefault(name, classic_spark.conf.get(name, None))
            classic_spark.conf.set(name, value)

    yield use
    for name, value in before.items():
        classic_spark.conf.unset(name) if value is None else classic_spark.conf.set(name, value)


def _set(use: Any, ansi: str, zone: str) -> None:
    use(**{name.replace(".", "__"): value for name, value in _INTERPRETED.items()})
    use(spark__sql__ansi__enabled=ansi, spark__sql__session__timeZone=zone)


class Session(NamedTuple):
    """Settings that must not matter: the answers of errors or NULL, and a zone that is not the one named."""

    ansi: str
    zone: str


@pytest.mark.parametrize(
    ("casts", "zone", "session"),
    [
        ("paimon", "America/New_York", Session("true", "Europe/Berlin")),
        ("checked", "Asia/Shanghai", Session("false", "America/New_York")),
    ],
    ids=["paimon", "checked"],
)
def test_every_pair_that_paimon_converts_is_converted_as_the_core_does_it(
    classic_spark: Any, settings: Any, casts: str, zone: str, session: Session
) -> None:
    _set(settings, *session)
    agreement = Agreement(classic_spark, PAIRS, zone=zone, casts=casts, seed=6, count=20)
    assert list(agreement.differences()) == []
    assert agreement.compared > 30_000
    assert len(PAIRS) > 450


def test_compiled_code_says_the_same(classic_spark: Any) -> None:
    """One pair of each two roots: Spark has its own code for each conversion, and another to interpret it."""
    first = list({(one.source.root, one.target.root): one for one in PAIRS}.values())
    agreement = Agreement(classic_spark, first[::3], zone="Europe/Berlin", casts="paimon", seed=7, count=6)
    assert list(agreement.differences()) == []


def test_spark_connect_says_the_same(connect_spark: Any) -> None:
    some = [one for one in PAIRS if one.source.root in (Root.VARCHAR, Root.DOUBLE, Root.TIMESTAMP_LTZ)][::9]
    agreement = Agreement(connect_spark, some, zone="America/New_York", casts="checked", seed=8, count=6)
    assert list(agreement.differences()) == []


# ---------------------------------------------------------------- what Java answered


def _answerable(row: Any) -> bool:
    """Whether Spark holds the types, and the value to the last digit."""
    source, target = parse_type(row.content["from"]), parse_type(row.content["to"])
    try:
        find_conversion(source, target, "UTC", "paimon")("v")
    except ProjectionError:
        return False
    value = carrier(row.content["value"], source)
    return not (isinstance(value, Timestamp) and value.nanos % 1000)


def _back(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if kind.root in _TIMESTAMPS:
        return Timestamp(value // 1000, value % 1000 * 1000)
    if kind.root in _BINARIES:
        return bytes.fromhex(value)
    return Decimal(value) if kind.root is Root.DECIMAL else value


def test_the_answers_are_those_of_java(classic_spark: Any, settings: Any) -> None:
    _set(settings, "true", "Europe/Berlin")
    vectors = [one for one in rows.read("paimon") if one.group == "cast-value" and _answerable(one)]
    columns: list[str] = []
    for row in vectors:
        source, target = parse_type(row.content["from"]), parse_type(row.content["to"])
        value = as_sql(source, carrier(row.content["value"], source))
        done = find_conversion(source, target, row.content.get("timezone", "UTC"), "paimon")(value)
        columns += [encoded(target, done.value), bind(done.value, done.fails) if done.fails else "false"]
    answers = classic_spark.range(1).selectExpr(*columns).collect()[0]
    for place, row in enumerate(vectors):
        target, new, fails = parse_type(row.content["to"]), answers[2 * place], answers[2 * place + 1]
        assert bool(fails) is ("error" in row.content), row.id
        assert fails or printed(_back(target, new), target) == row.content["expect"], row.id


# ---------------------------------------------------------------- containers

_CONTAINERS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("ARRAY<INT>", ([], [1, None, -2], [None])),
    ("ARRAY<STRING>", (["a", "b c"], ["a,b"], [""], ["null"], [" a"], ["a]"], ['"'], ["a", None])),
    ("ARRAY<DOUBLE>", ([1.5, 1e10, float("nan"), -0.0],)),
    ("ARRAY<ARRAY<DECIMAL(5, 2)>>", ([[Decimal("1.50")], None, []],)),
    ("MAP<STRING, DATE>", ([], [("a", 0), ("b", None)], [("a -> b", 1)], [("a", 3_000_000)])),
    ("ROW<a BOOLEAN, b TIMESTAMP(3), c BYTES>", ((True, Timestamp(1, 0), b"x"), (None, None, None), (False, None, b"\xff"))),
    ("ARRAY<ROW<a CHAR(3), b TIMESTAMP(6) WITH LOCAL TIME ZONE>>", ([("abc", Timestamp(0, 0)), None], [("a", None)])),
    ("ARRAY<VARIANT>", ([], [None])),
)


@pytest.mark.parametrize("casts", ["paimon", "checked"])
def test_containers_become_the_text_that_java_prints(classic_spark: Any, settings: Any, casts: str) -> None:
    _set(settings, "true", "Europe/Berlin")
    cases = [(_container(text), value) for text, values in _CONTAINERS for value in (*values, None)]
    # Kept, or the values would be written into each place of the conversions that needs them.
    values = classic_spark.range(1).selectExpr(*(f"{as_sql(kind, value)} as v{place}" for place, (kind, value) in enumerate(cases))).cache()
    columns = []
    for place, (kind, _) in enumerate(cases):
        done = find_conversion(kind, _STRING, "America/New_York", casts)(f"v{place}")
        columns += [done.value, f"coalesce({bind(done.value, done.fails) if done.fails else 'false'}, false)"]
    answers = values.selectExpr(*columns).collect()[0]
    values.unpersist()
    for place, (kind, value) in enumerate(cases):
        assert answers[2 * place] == cast_value(value, kind, _STRING, timezone="America/New_York")
        wanted = casts == "checked" and value is not None and _is_lost(kind, value)
        assert answers[2 * place + 1] is wanted or (wanted is False and _has_signs(value)), (str(kind), value)


_STRING = parse_type("STRING")


def _container(text: str) -> Any:
    from airflow_provider_schemas.core import parse_ddl

    return parse_ddl(text)


def _is_lost(kind: Any, value: Any) -> bool:
    try:
        checked(kind, _STRING, "", "America/New_York")(value)
    except SchemaError:
        return True
    return False


def _has_signs(value: Any) -> bool:
    """Whether a text in it has signs of containers: it counts as lost to Spark even where it could be read."""
    return isinstance(value, list) and any(isinstance(one, str) and not one.replace(" ", "").isalpha() for one in value)


# ---------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("TIME(3)", "STRING", "TIME"),
        ("TIMESTAMP(9)", "TIMESTAMP(6)", "6 digits"),
        ("STRING", "TIMESTAMP(9)", "6 digits"),
        ("BOOLEAN", "DATE", "no conversion from BOOLEAN to DATE"),
        ("ARRAY<TIME(0)>", "STRING", "TIME"),
    ],
)
def test_what_spark_cannot_hold_or_nobody_converts_is_refused_by_name(source: str, target: str, words: str) -> None:
    with pytest.raises(ProjectionError, match=words):
        find_conversion(_container(source), _container(target), "UTC")


def test_each_conversion_stays_short() -> None:
    """Long conversions are bound to names: what is needed twice, and twice again, would double and double."""
    for pair in PAIRS:
        for casts in ("paimon", "checked"):
            done = find_conversion(*pair, "America/New_York", casts)("v")
            assert len(bind(done.value, done.fails or str)) < 8_000, Pair(*pair)
