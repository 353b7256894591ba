"""Which fields of two structs are the same: ours pairs by name; the reference's way is kept for those who need its answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import DataField

Fields = Sequence[DataField]
# A name, and how many fields bore it before: nothing forbids ODF to give a name twice.
Name = tuple[str, int]


class Pairs(NamedTuple):
    """What became of the fields: those that stayed, as they were and are, those that came, went, or have another place."""

    common: Sequence[tuple[DataField, DataField]]
    added: Fields
    gone: Fields
    moved: Sequence[tuple[DataField, int, int]]
    """Each with its old and its new place, which begin at 1."""


class Way(NamedTuple):
    """How two schemas are walked through."""

    pairs: Callable[[Fields, Fields], Pairs]
    enters: frozenset[Kind]
    """The containers whose parts are compared one by one; all else differs as a whole."""
    tells_both: bool
    """Whether another length of a list is told beside what differs in its items."""


def _named(fields: Fields) -> dict[Name, int]:
    """The place of each field, which begins at 1."""
    seen: Counter[str] = Counter()
    found = {}
    for place, one in enumerate(fields, 1):
        found[one.name, seen[one.name]] = place
        seen[one.name] += 1
    return found


def by_name(old: Fields, new: Fields) -> Pairs:
    """The fields of one name are the same, whatever else changed; the fewest that explain the order have moved."""
    mine, theirs = _named(old), _named(new)
    stayed = [name for name in theirs if name in mine]
    common = [(old[mine[name] - 1], new[theirs[name] - 1]) for name in stayed]
    others = moved([name for name in mine if name in theirs], stayed)
    return _pairs(old, new, others)._replace(common=common)


def as_the_reference(old: Fields, new: Fields) -> Pairs:
    """Where names or their order differ, no two fields are compared; a field has moved when its place is another number."""
    if [one.name for one in old] == [one.name for one in new]:
        return Pairs(list(zip(old, new, strict=True)), (), (), ())
    mine = _named(old)
    return _pairs(old, new, [name for name, place in _named(new).items() if mine.get(name, place) != place])


def _pairs(old: Fields, new: Fields, others: Iterable[Name]) -> Pairs:
    mine, theirs = _named(old), _named(new)
    return Pairs(
        (),
        [new[place - 1] for name, place in theirs.items() if name not in mine],
        [old[place - 1] for name, place in mine.items() if name not in theirs],
        [(new[theirs[name] - 1], mine[name], theirs[name]) for name in others],
    )


OURS = Way(by_name, frozenset({Kind.LIST, Kind.MAP, Kind.STRUCT}), True)
REFERENCE = Way(as_the_reference, frozenset({Kind.LIST, Kind.STRUCT}), False)
