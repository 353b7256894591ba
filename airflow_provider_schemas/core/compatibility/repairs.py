"""Does a change that gives a field back what it had repair more than it breaks? Judged for every engine and every version that counts.

An undoing right after the change gives the files of one version back, and takes those of another. It is no repair where more files
become unreadable than readable, or where an engine that gave no value gives one that is not that of the file.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from airflow_provider_schemas.core.comparison.fields_by_ids import field_in, fields_beside
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas, kind_in
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, outcomes
from airflow_provider_schemas.core.types.atomic import AtomicType
from airflow_provider_schemas.core.types.nested import Field

# Where an engine gave no values, or nobody knows whether, it is to give no wrong ones.
_NOT_GIVEN = frozenset({Outcome.ERROR, Outcome.REFUSED, Outcome.ABSENT, Outcome.UNKNOWN})
# Values that are not those of the file, without an error, from the less to the more harmful.
_SILENT = (Outcome.BYTES, Outcome.APPROXIMATE, Outcome.NULL, Outcome.SHIFTED, Outcome.WRONG, Outcome.UNKNOWN)


def repairs(observation: Observation, files: FileSchemas, readers: Sequence[Reader], lost: Collection[int]) -> bool:
    """Return whether at least as many files become readable as unreadable; lost are the versions that the report calls unreadable."""
    if observation.rule in CALLED_OTHERWISE:
        return any(reader.by == "name" for reader in readers) and _repairs_name(observation, files)
    if not (isinstance(observation.before, AtomicType) and isinstance(observation.after, AtomicType)):
        return False
    effects = list(_effects_by_engine(observation, files, readers).values())
    return any(map(_gains, effects)) and all(_is_repair(changed, lost) for changed in effects)


# ---------------------------------------------------------------- names


def _repairs_name(observation: Observation, files: FileSchemas) -> bool:
    comes = _versions_called(observation.after.name, observation, files)
    goes = _versions_called(observation.before.name, observation, files)
    return bool(comes) and len(comes) >= len(goes) and goes.isdisjoint(hidden(observation, files))


def _versions_called(name: str, observation: Observation, files: FileSchemas) -> set[int]:
    """Return the versions whose files have the field under a name."""
    versions: set[int] = set()
    for column, column_versions in files.columns(observation.where.steps):
        field = field_in(column, observation.where.steps)
        if field is not None and field.name == name:
            versions.update(column_versions)
    return versions


def hidden(observation: Observation, files: FileSchemas) -> set[int]:
    """Return the versions in whose files another field has the new name: by name, the values of that one are read."""
    if observation.rule not in CALLED_OTHERWISE:
        return set()
    name = observation.after.name
    if len(observation.where.steps) > 1:
        return _versions_with_sibling(name, observation, files)
    field_id = observation.where.steps[0]
    versions: set[int] = set()
    for state in files.counted_history.named(name):
        if state.field.id != field_id:
            versions.update(state.numbers)
    if files.old is not None and any(column.name == name and column.id != field_id for column in files.old.fields):
        versions.add(files.old.id)
    return versions


def _versions_with_sibling(name: str, observation: Observation, files: FileSchemas) -> set[int]:
    """Return the versions whose files have a field of this name beside the one of the observation, in the same struct."""
    steps = observation.where.steps
    versions: set[int] = set()
    for column, column_versions in files.columns(steps):
        if any(sibling.name == name for sibling in fields_beside(column, steps)):
            versions.update(column_versions)
    return versions


# ---------------------------------------------------------------- types


class _Effect(NamedTuple):
    """What an engine did with the files of some versions before the change, and does after it; the two differ."""

    versions: Sequence[int]
    before: Outcome
    after: Outcome


def _effects_by_engine(observation: Observation, files: FileSchemas, readers: Sequence[Reader]) -> dict[str, list[_Effect]]:
    """Return the effects on each part of each engine."""
    effects: dict[str, list[_Effect]] = {}
    for column, column_versions in files.columns(observation.where.steps):
        for part, before, after in _outcomes(column, observation, readers):
            of_part = effects.setdefault(part, [])
            if before is not after:
                of_part.append(_Effect(column_versions, before, after))
    return effects


def _outcomes(column: Field, observation: Observation, readers: Sequence[Reader]) -> Iterator[tuple[str, Outcome, Outcome]]:
    kind = kind_in(column, observation)
    if kind is None:  # a file without the field gives NULL before and after
        return
    for reader in readers:
        before = outcomes(reader.name, kind, observation.before)
        after = outcomes(reader.name, kind, observation.after)
        for part in {**before, **after}:
            yield part, before.get(part, Outcome.UNKNOWN), after.get(part, Outcome.UNKNOWN)


def _gains(effects: Sequence[_Effect]) -> int:
    """Return how many versions are read rightly only after the change."""
    gained = (effect for effect in effects if effect.after is Outcome.EXACT and effect.before is not Outcome.UNKNOWN)
    return sum(len(effect.versions) for effect in gained)


def _losses(effects: Sequence[_Effect]) -> int:
    """Return how many versions are read rightly only before the change."""
    return sum(len(effect.versions) for effect in effects if effect.before is Outcome.EXACT)


def _is_repair(effects: Sequence[_Effect], lost: Collection[int]) -> bool:
    """Return whether an engine reads at least as many versions rightly, and none worse in silence than it read one before."""
    if _losses(effects) > _gains(effects):
        return False
    reported = {*lost}
    healed = [effect.before for effect in effects if effect.after is Outcome.EXACT and effect.before in _SILENT]
    return all(_is_bearable(effect, healed, reported) for effect in effects if effect.after in _SILENT)


def _is_bearable(effect: _Effect, healed: Sequence[Outcome], reported: set[int]) -> bool:
    """Return whether values that are silently wrong after the change do no more harm than what the engine gave before."""
    if effect.before in _NOT_GIVEN:
        return False
    if effect.before is Outcome.EXACT:
        return reported.issuperset(effect.versions) and _is_matched(effect.after, healed)
    return effect.before not in _SILENT or _harm(effect.after) <= _harm(effect.before)


def _is_matched(after: Outcome, healed: Sequence[Outcome]) -> bool:
    """Return whether such silent values, or worse ones, are healed as well."""
    return any(before is not Outcome.UNKNOWN and _harm(before) >= _harm(after) for before in healed)


def _harm(outcome: Outcome) -> int:
    return _SILENT.index(outcome)
