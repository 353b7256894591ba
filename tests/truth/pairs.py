"""Random pairs: what a job means, and the table that it meets, which differs by one rule at one depth. Seeded."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count, product
from random import Random
from typing import NamedTuple

from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, Field, MapType, MultisetType, RowType, array, field, map_of, row
from airflow_provider_schemas.core.types.parsing import parse_any
from tests.truth.jobs import BY_PATHS, JOBS, KINDS, Fields, Job
from tests.truth.values import ATOMS

CONTAINERS = ("ROW", "ARRAY", "MAP value", "MAP key")
DEPTHS = (0, 1, 2)
_NAMES = ("alpha", "beta", "gamma")
_TEXT = parse_any("STRING NOT NULL")
_INT = parse_any("INT")
_OTHERS = ("ARRAY<INT>", "MAP<STRING NOT NULL, INT>", "ROW<x INT>", "MULTISET<STRING NOT NULL>")
TYPES: tuple[str, ...] = (*ATOMS, *_OTHERS)
# Changes of a type that are not all hopeless.
_NEAR = (
    ("TINYINT", "SMALLINT"), ("TINYINT", "INT"), ("SMALLINT", "INT"), ("INT", "BIGINT"), ("INT", "DOUBLE"), ("FLOAT", "DOUBLE"),
    ("DECIMAL(10, 2)", "DECIMAL(12, 4)"), ("DECIMAL(10, 2)", "DECIMAL(20, 2)"), ("INT", "DECIMAL(10, 0)"), ("DECIMAL(10, 0)", "BIGINT"),
    ("DECIMAL(9, 0)", "INT"), ("DECIMAL(5, 0)", "DOUBLE"), ("VARCHAR(7)", "STRING"), ("CHAR(5)", "STRING"), ("DATE", "TIMESTAMP(6)"),
    ("BIGINT", "DECIMAL(19, 0)"), ("BIGINT", "DECIMAL(20, 2)"), ("TINYINT", "DECIMAL(5, 0)"), ("SMALLINT", "FLOAT"),
)  # fmt: skip


class Pair(NamedTuple):
    """A job, what it means, and the table."""

    number: int
    job: Job
    form: str
    mine: Fields
    theirs: Fields
    rule: str
    depth: int
    container: str
    knows_before: bool
    """Whether the library is told the schema that the job was written for."""


class _Maker:
    """Makes what the pairs are made of; ids are never used twice in a pair."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.ids = count(1)

    def kind(self, text: str) -> DataType:
        """The type, with ids of its own for the fields inside it."""
        found = parse_any(text)
        return row([field(next(self.ids), one.name, one.type) for one in found.fields]) if isinstance(found, RowType) else found

    def field(self, name: str, kind: DataType) -> Field:
        """A new field."""
        return field(next(self.ids), name, kind)

    def fields(self) -> list[Field]:
        """Three fields, two of which are often of one type, so that a swap is silent."""
        first, second, third = (self.random.choice(ATOMS) for _ in _NAMES)
        texts = [first, first if self.random.random() < 0.6 else second, third]
        return [self.field(name, self._loose(self.kind(text))) for name, text in zip(_NAMES, texts, strict=True)]

    def _loose(self, kind: DataType) -> DataType:
        return kind.with_nullable(self.random.random() < 0.8)


# ---------------------------------------------------------------- rules

Change = Callable[[_Maker, list[Field]], tuple[list[Field], list[Field]]]


def _none(_maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    return fields, fields


def _missing(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    gone = maker.random.choice(fields)
    return fields, [one for one in fields if one is not gone]


def _extra(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    place = maker.random.choice([len(fields), len(fields), 1])
    kind = maker.kind(maker.random.choice(ATOMS)).with_nullable(maker.random.random() < 0.8)
    return fields, [*fields[:place], maker.field("fresh", kind), *fields[place:]]


def _order(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    first, second, *rest = fields
    return fields, maker.random.choice([[second, first, *rest], [*rest, first, second]])


def _case(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    return fields, _one_changed(maker, fields, lambda one: one.with_name(one.name.upper()))


def _rename(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    return fields, _one_changed(maker, fields, lambda one: one.with_name("renamed"))


def _nullability(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    return fields, _one_changed(maker, fields, lambda one: one.with_type(one.type.with_nullable(not one.type.nullable)))


def _type(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    """Another type of the table, from which mostly nothing is lost."""
    source, target = maker.random.choice(_NEAR)
    if maker.random.random() < 0.25:
        source, target = target, source
    mine = [fields[0].with_type(parse_any(target)), *fields[1:]]
    return mine, [fields[0].with_type(parse_any(source)), *fields[1:]]


def _replaced(maker: _Maker, fields: list[Field]) -> tuple[list[Field], list[Field]]:
    """A field was dropped, and another one of its name and type added."""
    return fields, _one_changed(maker, fields, lambda one: maker.field(one.name, one.type))


def _one_changed(maker: _Maker, fields: list[Field], change: Callable[[Field], Field]) -> list[Field]:
    place = maker.random.randrange(len(fields))
    return [*fields[:place], change(fields[place]), *fields[place + 1 :]]


RULES: Mapping[str, Change] = {
    "nothing": _none,
    "missing": _missing,
    "extra": _extra,
    "order": _order,
    "case": _case,
    "rename": _rename,
    "nullability": _nullability,
    "type": _type,
    "replaced": _replaced,
}


# ---------------------------------------------------------------- depth


def _wrapped(maker: _Maker, container: str, mine: Fields, theirs: Fields) -> tuple[Fields, Fields]:
    """Both as the fields of a struct in a container, which is a field beside another one."""
    beside, name, number = maker.field("id", _INT), "deep", next(maker.ids)
    made = tuple((beside, field(number, name, _inside(container, row(list(one))))) for one in (mine, theirs))
    return made[0], made[1]


def _inside(container: str, whole: DataType) -> DataType:
    if container == "ARRAY":
        return array(whole)
    if container == "MAP value":
        return map_of(_TEXT, whole)
    return map_of(whole.with_nullable(False), _INT) if container == "MAP key" else whole


NUMBER = 6_500
"""So many pairs reach each rule, kind of job and depth more than 20 times."""
_EVERY = 4
"""Each fourth time that a rule is due, nothing differs."""


def pairs(seed: int, number: int) -> Iterator[Pair]:
    """So many pairs: every type against every type at depths 0 and 1, then every rule, kind of job and depth in turn."""
    random = Random(seed)
    types = [(source, target, depth) for source, target in product(TYPES, TYPES) for depth in (0, 1)]
    random.shuffle(types)
    grid = [one for one in product([one for one in RULES if one != "nothing"], KINDS, DEPTHS) if one[1:] != (BY_PATHS, 0)]
    random.shuffle(grid)
    share = min(len(types), number // 4)
    for place in range(number):
        if place < share:
            yield _of_types(random, place, *types[place])
        else:
            visit, cell = divmod(place - share, len(grid))
            rule, kind, depth = grid[cell]
            yield _of_rule(random, place, "nothing" if visit % _EVERY == _EVERY - 1 else rule, kind, depth)


def _of_types(random: Random, number: int, source: str, target: str, depth: int) -> Pair:
    maker, job = _Maker(random), random.choice([job for job in JOBS if not job.paths])
    other = maker.kind(source)
    kind = other if source == target else maker.kind(target)
    column = next(maker.ids)
    mine: Fields = (field(column, "value", kind),)
    theirs: Fields = (field(column, "value", other),)
    container = random.choice([one for one in CONTAINERS if one != "MAP key" or not _unkeyed(kind, other)]) if depth else ""
    if depth:
        mine, theirs = _wrapped(maker, container, mine, theirs)
    return Pair(number, job, _form(random, (*mine, *theirs)), *_ways(job, mine, theirs), "types", depth, container, random.random() < 0.5)


def _of_rule(random: Random, number: int, rule: str, kind: str, depth: int) -> Pair:
    maker, job = _Maker(random), random.choice(KINDS[kind])
    mine, theirs = map(tuple, RULES[rule](maker, maker.fields()))
    if rule == "type":
        mine, theirs = _ways(job, mine, theirs)
    containers: list[str] = []
    for _ in range(depth):
        containers.append(_container(random, job, mine, theirs))
        mine, theirs = _wrapped(maker, containers[-1], mine, theirs)
    # That another field has the name is known by ids only.
    knows = random.random() < 0.7 or rule == "replaced"
    return Pair(number, job, _form(random, (*mine, *theirs)), mine, theirs, rule, depth, " in ".join(containers), knows)


def _ways(job: Job, target: Fields, source: Fields) -> tuple[Fields, Fields]:
    """What the job means and the table, of the two ends of a conversion: a job that writes is its source."""
    return (source, target) if job.writes else (target, source)


def _container(random: Random, job: Job, mine: Fields, theirs: Fields) -> str:
    if job.paths:
        return "ROW"
    keyed = not any(_unkeyed(one.type) for one in (*mine, *theirs))
    return random.choice([one for one in CONTAINERS if one != "MAP key" or keyed])


def _unkeyed(*kinds: DataType) -> bool:
    """Whether a type is in none of the keys here: Spark takes no maps and no VARIANT, and Python hashes no lists and no bytes."""
    return any(
        isinstance(kind, MapType | MultisetType | ArrayType)
        or str(kind).startswith(("VARIANT", "BYTES"))
        or (isinstance(kind, RowType) and _unkeyed(*(one.type for one in kind.fields)))
        for kind in kinds
    )


def _form(random: Random, fields: Fields) -> str:
    """A format of files; ORC has no VARIANT, and loses entries of maps with dates in their keys, as `docs/why` tells."""
    text = " ".join(str(one.type) for one in fields)
    return "parquet" if "VARIANT" in text or ("MAP" in text and "DATE" in text) else random.choice(["parquet", "orc"])
