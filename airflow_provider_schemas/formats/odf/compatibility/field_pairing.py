"""Which fields of two structs are the same: we pair fields by name; the pairing of the reference is kept beside it."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from airflow_provider_schemas.core.evolution.column_moves import moved
from airflow_provider_schemas.formats.odf.model.kinds import Kind
from airflow_provider_schemas.formats.odf.model.types import DataField

Fields: TypeAlias = Sequence[DataField]
# A name, and how many fields before have the same one: ODF allows to give a name twice.
NumberedName: TypeAlias = tuple[str, int]


class Pairs(NamedTuple):
    """What became of the fields: those that stayed, as they were and are, those that were added, dropped, or moved."""

    common: Sequence[tuple[DataField, DataField]]
    added: Fields
    dropped: Fields
    moved: Sequence[tuple[DataField, int, int]]
    """Each with its old and its new place, which begin at 1."""


class WalkMode(NamedTuple):
    """How two schemas are compared."""

    pair: Callable[[Fields, Fields], Pairs]
    enters: frozenset[Kind]
    """The containers whose parts are compared one by one; all others differ as a whole."""
    reports_length_beside_items: bool
    """Whether another length of a list is a difference of its own where its items differ, too."""


def _places(fields: Fields) -> dict[NumberedName, int]:
    """Return the place of each field, which begins at 1."""
    seen: Counter[str] = Counter()
    places = {}
    for place, field in enumerate(fields, 1):
        places[field.name, seen[field.name]] = place
        seen[field.name] += 1
    return places


def pair_by_name(old: Fields, new: Fields) -> Pairs:
    """Pair the fields of one name, whatever else changed; as few fields as possible have moved."""
    old_places = _places(old)
    new_places = _places(new)
    stayed = [name for name in new_places if name in old_places]
    common = [(old[old_places[name] - 1], new[new_places[name] - 1]) for name in stayed]
    moved_names = moved([name for name in old_places if name in new_places], stayed)
    return _pairs(old, new, moved_names)._replace(common=common)


def pair_as_the_reference(old: Fields, new: Fields) -> Pairs:
    """Pair all fields or, where names or their order differ, none; a field has moved when its place has another number."""
    if [field.name for field in old] == [field.name for field in new]:
        return Pairs(list(zip(old, new, strict=True)), (), (), ())
    old_places = _places(old)
    return _pairs(old, new, [name for name, place in _places(new).items() if old_places.get(name, place) != place])


def _pairs(old: Fields, new: Fields, moved_names: Iterable[NumberedName]) -> Pairs:
    old_places = _places(old)
    new_places = _places(new)
    return Pairs(
        common=(),
        added=[new[place - 1] for name, place in new_places.items() if name not in old_places],
        dropped=[old[place - 1] for name, place in old_places.items() if name not in new_places],
        moved=[(new[new_places[name] - 1], old_places[name], new_places[name]) for name in moved_names],
    )


OURS = WalkMode(pair_by_name, frozenset({Kind.LIST, Kind.MAP, Kind.STRUCT}), reports_length_beside_items=True)
REFERENCE = WalkMode(pair_as_the_reference, frozenset({Kind.LIST, Kind.STRUCT}), reports_length_beside_items=False)
