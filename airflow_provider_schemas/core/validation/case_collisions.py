"""Names that differ in case only, which Spark calls ambiguous."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from airflow_provider_schemas.core.difference import FieldLocation, Observation, word
from airflow_provider_schemas.core.types.nested import Field


def collisions(structs: Iterable[tuple[Sequence[Field], FieldLocation, frozenset[str]]]) -> Iterator[Observation]:
    """Yield the fields whose name differs only in case from another one in the same struct, where one of the two names is new."""
    for fields, where, fresh in structs:
        names = [field.name for field in fields]
        if len(fresh) <= _FEW and not _any_alike(names, fresh):
            continue
        for name, other in alike(names):
            if fresh.isdisjoint((name, other)):
                continue
            dot = "." if where.names else ""
            path = f"{where.new}{dot}{word(name)}"
            yield Observation(rule="NAME_CASE_COLLISION", where=where, path=path, old=word(other), new=path)


# So few names are searched in one long text, which is faster than folding all of them one by one.
_FEW = 20


def _any_alike(names: Sequence[str], fresh: Collection[str]) -> bool:
    # Each name has both its line ends for itself, because matches do not overlap.
    text = "\n" + "\n\n".join(names).lower() + "\n"
    return any(text.count(f"\n{name.lower()}\n") > 1 for name in fresh)


def alike(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each name that differs only in case from an earlier one, with that one. Equal names are not reported here."""
    lowered = [name.lower() for name in names]
    if len(set(lowered)) == len(lowered):
        return
    first: dict[str, str] = {}
    for name, lower in zip(names, lowered, strict=True):
        earlier = first.setdefault(lower, name)
        if earlier != name:
            yield name, earlier
