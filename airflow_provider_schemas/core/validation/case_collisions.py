"""Names that differ in case only, which Spark calls ambiguous."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from airflow_provider_schemas.core.difference import FieldLocation, Observation, word
from airflow_provider_schemas.core.types.nested import Field


def collisions(structs: Iterable[tuple[Sequence[Field], FieldLocation, frozenset[str]]]) -> Iterator[Observation]:
    """The fields whose name another field of the same struct bears in another spelling, where one of the two names is new."""
    for fields, where, fresh in structs:
        names = [one.name for one in fields]
        if len(fresh) <= _FEW and not _any_alike(names, fresh):
            continue
        for one, other in alike(names):
            if fresh.isdisjoint((one, other)):
                continue
            dot = "." if where.names else ""
            path = f"{where.new}{dot}{word(one)}"
            yield Observation(rule="NAME_CASE_COLLISION", where=where, path=path, old=word(other), new=path)


# So few names are sought in one long text, which is faster than folding all of them one by one.
_FEW = 20


def _any_alike(names: Sequence[str], fresh: Collection[str]) -> bool:
    # Each name has both its line ends for itself, because matches do not overlap.
    text = "\n" + "\n\n".join(names).lower() + "\n"
    return any(text.count(f"\n{name.lower()}\n") > 1 for name in fresh)


def alike(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each name that an earlier one equals but for case, with that one. Equal names are another matter."""
    lowered = [name.lower() for name in names]
    if len(set(lowered)) == len(lowered):
        return
    first: dict[str, str] = {}
    for name, low in zip(names, lowered, strict=True):
        before = first.setdefault(low, name)
        if before != name:
            yield name, before
