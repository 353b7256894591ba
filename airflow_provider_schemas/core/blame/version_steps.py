"""The versions of a table in the order in which they were current, with those of which nothing is known."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from airflow_provider_schemas.core.blame.origin import Origin, provenance_of
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version

_NOTHING: Final[Mapping[int, str]] = MappingProxyType({})


class VersionStep(Struct, frozen=True):
    """A version, or several neighbouring ones of which nothing is known."""

    origin: Origin
    schema: TableSchema | None = None
    """None where the version is expired or cannot be read."""


class VersionSteps(Struct, frozen=True):
    """What is known of the versions of a table, the oldest first."""

    table: str
    steps: tuple[VersionStep, ...]
    is_whole: bool = True
    """Whether the first of them made the table; else columns may be older."""
    notes: tuple[str, ...] = ()
    """What is not known."""
    unreadable: tuple[int, ...] = ()
    """The versions that are there and cannot be read."""

    def until(self, place: int) -> "VersionSteps":
        """Return the versions up to a place."""
        return VersionSteps(self.table, self.steps[: place + 1], self.is_whole, self.notes, self.unreadable)


def origins_of(versions: Iterable[Version]) -> Iterator[Origin]:
    """Yield where versions come from, in their order. The file of another one that somebody copied says nothing of who did so."""
    commits: set[str] = set()
    for version in versions:
        provenance = provenance_of(version)
        origin = Origin.of(version)
        if provenance is not None:
            is_copy = version.is_copied or provenance.commit in commits
            commits.update(filter(None, [provenance.commit]))
            origin = Origin(version.number, version.branch, version.digest, origin.written, is_outside=True) if is_copy else origin
        yield origin


def steps_of(table: str, versions: Iterable[Version], unreadable: Mapping[int, str] = _NOTHING) -> VersionSteps:
    """Return versions in their order, and a step for each run of numbers that is missing among them.

    Unreadable are versions that are there and cannot be read, by number, each with the reason.
    """
    known = {version.number: version for version in versions}
    origins = dict(zip(sorted(known), origins_of(known[number] for number in sorted(known)), strict=True))
    numbers = sorted({*known, *unreadable})
    steps: list[VersionStep] = []
    expected = numbers[0] if numbers else 0
    for number in numbers:
        if number not in known:
            continue
        version = known[number]
        if number > expected:
            steps.append(VersionStep(Origin(expected, version.branch, through=number - 1, is_gone=True)))
        steps.append(VersionStep(origins[number], version.schema))
        expected = number + 1
    if numbers and numbers[-1] >= expected:
        branch = next((version.branch for version in known.values()), "main")
        steps.append(VersionStep(Origin(expected, branch, through=numbers[-1], is_gone=True)))
    is_whole = bool(known) and numbers[0] == 0 and numbers[0] in known
    return VersionSteps(table, tuple(steps), is_whole, tuple(_notes(steps, numbers, unreadable)), tuple(sorted(unreadable)))


def _notes(steps: Sequence[VersionStep], numbers: Sequence[int], unreadable: Mapping[int, str]) -> Iterator[str]:
    """Yield what is not known: versions before the first one, and those that are missing in between."""
    if numbers and numbers[0] > 0:
        yield f"Versions before v{numbers[0]} are gone: a column without a version is older than v{numbers[0]}."
    for step in steps:
        origin = step.origin
        if origin.is_gone and any(number not in unreadable for number in _numbers(origin)):
            yield f"Nothing is known of {origin.title}: what changed there may be told of the next version, or not at all."
    for number, reason in sorted(unreadable.items()):
        yield f"v{number} cannot be read: {reason}"


def _numbers(origin: Origin) -> range:
    return range(origin.number, (origin.through or origin.number) + 1)
