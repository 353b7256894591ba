"""What a conversion is to Spark: two texts of SQL, what a value becomes and whether it has no counterpart.

SQL has no names for what is needed twice. Spark computes what stands twice in a text only once where it can; what is long
is bound to a name, as the only element of an array that a function goes over.
"""

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.casts.cast_rules import lossless
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.spark.sql import type_text

if TYPE_CHECKING:

    class Atom(AtomicType, frozen=True):
        """A type whose root has the parameters that a conversion reads: for other roots they are None."""

        length: int = 0
        precision: int = 0
        scale: int = 0

else:
    Atom = AtomicType

Fails = Callable[[str], str]
"""Takes the SQL of a new value, gives that of whether the old one has no counterpart."""


class Converted(NamedTuple):
    """A value under another type.

    `value` never raises, whatever the session's settings, and is NULL where there is no counterpart. `fails` is TRUE there,
    FALSE or NULL anywhere else, and so for NULL; None means never.
    """

    value: str
    fails: Fails | None = None


Convert = Callable[[str], Converted]
"""Takes the SQL of a value, gives that of its conversion."""

Build = Callable[[Any, Any, str], Convert]
"""Takes the two types and the name of the zone. The types are those of the roots for which the table names the conversion."""

# What is longer than this is bound to a name. Binding keeps Spark from compiling the column together with the others.
LONG: Final = 300
_NUMBERS: Final = count(1)


def new_variable() -> str:
    """Return a name that no other has: expressions stand inside one another."""
    return f"`part {next(_NUMBERS)}`"


def bind(value: str, body: Callable[[str], str], long: int = LONG) -> str:
    """Write the body about a value that it needs several times."""
    if len(value) <= long:
        return body(value)
    variable = new_variable()
    return f"transform(array({value}), {variable} -> {body(variable)})[0]"


# ---------------------------------------------------------------- conversions that many pairs of types share


def unchanged(value: str) -> Converted:
    """Return the value as it is."""
    return Converted(value)


def by_cast(_source: DataType, target: DataType, _zone: str) -> Convert:
    """Return a cast that Spark and Java agree on, and that no setting makes fail."""
    return lambda value: Converted(f"cast({value} as {type_text(target)})")


def by_trying(source: DataType, target: DataType, _zone: str) -> Convert:
    """Return a cast whose overflow is NULL, which is no failure to Java. Where there is none, filters get past a plain cast."""
    cast = "cast" if lossless(source.with_nullable(True), target.with_nullable(True)) else "try_cast"
    return lambda value: Converted(f"{cast}({value} as {type_text(target)})")


# ---------------------------------------------------------------- pieces


def fail_where_null(value: str, converted: str) -> Converted:
    """Return a conversion that fails where its answer is NULL, and the value was not."""
    return Converted(converted, lambda new: f"({new} is null and {value} is not null)")


def fail_where(fails: str, converted: str) -> Converted:
    """Return a conversion that fails by a condition of its own."""
    return Converted(f"if({fails}, null, {converted})", lambda _: fails)


def read_plainly(value: str, spark_type: str, otherwise: str, *, is_plain: str = "true") -> str:
    """Write what Spark reads of a plain text, if Spark would write it so: nobody reads that in another way. The rest is looked at closely.

    Spark is asked about plain texts only: on numbers or years without measure it fails, or takes all memory.
    """
    read = f"try_cast({value} as {spark_type})"
    return f"if({is_plain} and cast({read} as string) = {value}, {read}, {otherwise})"
