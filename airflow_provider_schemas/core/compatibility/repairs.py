"""Does a change that gives a field back what it had mend more than it breaks? Asked of every engine and of every version that counts.

An undoing right after the change gives the files of one version back, and takes those of another. It is no repair where more files go
than come back, or where an engine gives a value that is not that of the file and gave none before.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.comparison.added_and_dropped import field_in, fields_beside
from airflow_provider_schemas.core.compatibility.old_data import Written, kind_in
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, outcomes
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.nested import Field

# Where an engine gave no values, or nobody knows whether, it is to give no wrong ones.
_NOT_GIVEN = frozenset({Outcome.ERROR, Outcome.REFUSED, Outcome.ABSENT, Outcome.UNKNOWN})
# Values that are not those of the file, without an error, from the less to the more harmful.
_SILENT = (Outcome.BYTES, Outcome.APPROXIMATE, Outcome.NULL, Outcome.SHIFTED, Outcome.WRONG, Outcome.UNKNOWN)


def mends(seen: Observation, files: Written, readers: Sequence[Reader], lost: Collection[int]) -> bool:
    """Return whether at least as much comes back as goes; lost are the versions of which the report says that they go."""
    if seen.rule in CALLED_OTHERWISE:
        return any(reader.by == "name" for reader in readers) and _mends_by_name(seen, files)
    if not (isinstance(seen.before, AtomicType) and isinstance(seen.after, AtomicType)):
        return False
    found = {name: [step for step in steps if not step.same] for name, steps in _by_engine(seen, files, readers).items()}
    return any(map(_gains, found.values())) and all(_is_repair(steps, lost) for steps in found.values())


# ---------------------------------------------------------------- names


def _mends_by_name(seen: Observation, files: Written) -> bool:
    comes, goes = (_called(seen, files, name) for name in (seen.after.name, seen.before.name))
    return bool(comes) and len(comes) >= len(goes) and goes.isdisjoint(hidden(seen, files))


def _called(seen: Observation, files: Written, name: str) -> set[int]:
    """Return the versions whose files have the field under a name."""
    columns = [(field_in(column, seen.where.steps), numbers) for column, numbers in files.columns(seen.where.steps)]
    return {number for field, numbers in columns if field is not None and field.name == name for number in numbers}


def hidden(seen: Observation, files: Written) -> set[int]:
    """Return the versions in whose files another field has the new name: by name, the values of that one are read."""
    if seen.rule not in CALLED_OTHERWISE:
        return set()
    steps, name = seen.where.steps, seen.after.name
    if len(steps) > 1:
        inside = [(fields_beside(column, steps), numbers) for column, numbers in files.columns(steps)]
        return {number for fields, numbers in inside if any(one.name == name for one in fields) for number in numbers}
    found = {number for state in files.past.named(name) if state.field.id != steps[0] for number in state.numbers}
    newest = () if files.old is None else files.old.fields
    return found | {files.old.id for one in newest if files.old is not None and one.name == name and one.id != steps[0]}


# ---------------------------------------------------------------- types


class _Step(NamedTuple):
    """What an engine did with the files of some versions before the change, and does after it."""

    versions: Sequence[int]
    before: Outcome
    after: Outcome

    @property
    def same(self) -> bool:
        return self.before is self.after


def _by_engine(seen: Observation, files: Written, readers: Sequence[Reader]) -> dict[str, list[_Step]]:
    """Return the steps of each part of each engine."""
    found: dict[str, list[_Step]] = {}
    for column, numbers in files.columns(seen.where.steps):
        for part, before, after in _outcomes(column, seen, readers):
            found.setdefault(part, []).append(_Step(numbers, before, after))
    return found


def _outcomes(column: Field, seen: Observation, readers: Sequence[Reader]) -> Iterator[tuple[str, Outcome, Outcome]]:
    kind = kind_in(column, seen)
    if kind is None:  # a file without the field gives NULL before and after
        return
    for reader in readers:
        before, after = outcomes(reader.name, kind, seen.before), outcomes(reader.name, kind, seen.after)
        for part in {**before, **after}:
            yield part, before.get(part, Outcome.UNKNOWN), after.get(part, Outcome.UNKNOWN)


def _gains(steps: Sequence[_Step]) -> int:
    return sum(len(step.versions) for step in steps if step.after is Outcome.EXACT and step.before is not Outcome.UNKNOWN)


def _is_repair(steps: Sequence[_Step], lost: Collection[int]) -> bool:
    """Return whether an engine reads at least as many versions rightly, and none worse in silence than it read one before."""
    healed = [step.before for step in steps if step.after is Outcome.EXACT and step.before in _SILENT]
    goes = sum(len(step.versions) for step in steps if step.before is Outcome.EXACT)
    told = {*lost}
    worse = [step for step in steps if step.after in _SILENT]
    return (
        goes <= _gains(steps)
        and all(step.before not in _NOT_GIVEN for step in worse)
        and all(told.issuperset(step.versions) and _is_matched(step.after, healed) for step in worse if step.before is Outcome.EXACT)
        and all(_harm(step.after) <= _harm(step.before) for step in worse if step.before in _SILENT)
    )


def _is_matched(after: Outcome, healed: Sequence[Outcome]) -> bool:
    """Return whether such silent values, or worse ones, go as well."""
    return any(one is not Outcome.UNKNOWN and _harm(one) >= _harm(after) for one in healed)


def _harm(found: Outcome) -> int:
    return _SILENT.index(found)
