"""What a conversion is to Spark: two texts of SQL, what a value becomes and whether it has no counterpart.

SQL has no names for what is needed twice. Spark computes what stands twice in a text only once where it can; what is long
is bound to a name, as the only element of an array that a function goes over.
"""

from collections.abc import Callable
from itertools import count
from typing import Any, Final, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.spark.sql import type_text

# Takes the SQL of a new value, gives that of whether the old one has no counterpart.
Fails = Callable[[str], str]


class Converted(NamedTuple):
    """A value under another type.

    `value` never raises, whatever the session's settings, and is NULL where there is no counterpart. `fails` is TRUE there,
    FALSE or NULL anywhere else, and so for NULL; None means never.
    """

    value: str
    fails: Fails | None = None


# Takes the SQL of a value, gives that of its conversion.
Convert = Callable[[str], Converted]

# Takes the two types and the name of the zone. The types are Any, for each conversion reads the parameters that its roots have.
Build = Callable[[Any, Any, str], Convert]


def by_cast(_source: Any, target: Any, _zone: str) -> Convert:
    """A cast that Spark and Java agree on, and that no setting makes fail."""
    return lambda v: Converted(f"cast({v} as {type_text(target)})")


def by_trying(source: Any, target: Any, _zone: str) -> Convert:
    """A cast whose overflow is NULL, which is no failure to Java. Where there is none, filters get past a plain cast."""
    cast = "cast" if lossless(source.with_nullable(True), target.with_nullable(True)) else "try_cast"
    return lambda v: Converted(f"{cast}({v} as {type_text(target)})")


def or_fails(v: str, value: str) -> Converted:
    """A conversion that fails where its answer is NULL, and the value was not."""
    return Converted(value, lambda new: f"({new} is null and {v} is not null)")


def usual(v: str, kind: str, rest: str, *, plain: str = "true") -> str:
    """What Spark reads of a plain text, if Spark would write it so: nobody reads that in another way. The rest is looked at closely.

    Spark is asked about plain texts only: on numbers or years without measure it fails, or takes all memory.
    """
    read = f"try_cast({v} as {kind})"
    return f"if({plain} and cast({read} as string) = {v}, {read}, {rest})"


def unless(fails: str, value: str) -> Converted:
    """A conversion that fails by a condition of its own."""
    return Converted(f"if({fails}, null, {value})", lambda _: fails)


# What is longer than this is bound to a name. Binding keeps Spark from compiling the column together with the others.
LONG: Final = 300
_NUMBERS: Final = count(1)


def variable() -> str:
    """A name that no other has: expressions stand inside one another."""
    return f"`part {next(_NUMBERS)}`"


def bound(value: str, body: Callable[[str], str], long: int = LONG) -> str:
    """The body about a value that it needs several times."""
    if len(value) <= long:
        return body(value)
    x = variable()
    return f"transform(array({value}), {x} -> {body(x)})[0]"


def unchanged(v: str) -> Converted:
    """The value as it is."""
    return Converted(v)
