"""A change that gives a field back what earlier versions had: which files readers can read again.

A user who pastes the undoing of a rename or of a type makes such a change. Undoing that would only do the first change again, so no
report proposes it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.comparison.fields_by_ids import column_of, field_in
from airflow_provider_schemas.core.compatibility.old_data import kind_in, unreadable_as
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, outcome
from airflow_provider_schemas.core.schema.attribute_options import attribute_key
from airflow_provider_schemas.core.schema.history import History, State
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field


class ChangeSubject(StrEnum):
    """What of a field or table a change is about."""

    NAME = "name"
    TYPE = "type"
    NULL = "null"
    DEFAULT = "default"
    OPTION = "option"
    ATTRIBUTES = "attributes"
    OTHER = "other"  # what comes, goes or moves


def subject_of(observation: Observation) -> ChangeSubject:
    """Return what of a field or table the observation is about."""
    rule = observation.rule
    if rule in CALLED_OTHERWISE:
        return ChangeSubject.NAME
    if rule.startswith("WRITE_DEFAULT"):
        return ChangeSubject.DEFAULT
    if rule == "FIELD_MEANING_CHANGED":
        return ChangeSubject.ATTRIBUTES
    if rule.startswith("OPTION_") or rule == "FILE_FORMAT_CHANGED":
        return ChangeSubject.OPTION
    if isinstance(observation.before, DataType) and isinstance(observation.after, DataType):
        return ChangeSubject.NULL if rule.startswith("NULLABILITY") else ChangeSubject.TYPE
    return ChangeSubject.OTHER


def brings_back(observation: Observation, history: History) -> bool:
    """Return whether an earlier version had what the change brings; of options and attributes, one of the latest of them."""
    if not history.numbers:
        return False
    subject = subject_of(observation)
    if subject in _FIELD_HAD:
        had = _FIELD_HAD[subject]
        return any(had(state.field, observation) for state in column_of(history, observation.where.steps))
    if subject in _TABLE_HAD:
        table_had = _TABLE_HAD[subject]
        return any(table_had(schema, observation) for schema in history.schemas(history.numbers[-_LATEST:]))
    return False


def brings_back_name_or_type(observation: Observation, history: History) -> bool:
    """Return whether an earlier version had the name or the type that the change brings."""
    return subject_of(observation) in (ChangeSubject.NAME, ChangeSubject.TYPE) and brings_back(observation, history)


def restored(observation: Observation, live_history: History, readers: Sequence[Reader]) -> tuple[int, ...]:
    """Return the versions whose files some of the readers could not read rightly before the change, and can after it."""
    versions: list[int] = []
    for state in _restored_states(observation, live_history, readers):
        versions += state.numbers
    return tuple(sorted(versions))


def _restored_states(observation: Observation, live_history: History, readers: Sequence[Reader]) -> Iterator[State]:
    subject = subject_of(observation)
    if subject not in (ChangeSubject.NAME, ChangeSubject.TYPE):
        return
    if subject is ChangeSubject.NAME and all(reader.by != "name" for reader in readers):
        return
    had = _FIELD_HAD[subject]
    for state in column_of(live_history, observation.where.steps):
        if not had(state.field, observation):
            continue
        if subject is ChangeSubject.NAME or _loses_values(kind_in(state.field, observation), observation.before, readers):
            yield state


def _loses_values(kind: DataType | None, target: DataType, readers: Sequence[Reader]) -> bool:
    """Return whether the rule says that values are lost, and one of the engines does lose some."""
    if kind is None or not unreadable_as(kind, target, readers):
        return False
    return any(outcome(reader.name, kind, target) is not Outcome.EXACT for reader in readers)


# ---------------------------------------------------------------- what an earlier version had


def _had_name(column: Field, observation: Observation) -> bool:
    field = field_in(column, observation.where.steps)
    return field is not None and bool(field.name == observation.after.name)


def _had_type(column: Field, observation: Observation) -> bool:
    kind = kind_in(column, observation)
    return kind is not None and same_type(kind, observation.after)


def _had_nullability(column: Field, observation: Observation) -> bool:
    kind = kind_in(column, observation)
    return kind is not None and bool(kind.nullable is observation.after.nullable)


def _had_default(column: Field, observation: Observation) -> bool:
    field = field_in(column, observation.where.steps)
    return field is not None and bool(field.default == observation.after)


def _had_option(schema: TableSchema, observation: Observation) -> bool:
    return bool(schema.options.get(observation.path) == observation.after)


def _had_attributes(schema: TableSchema, observation: Observation) -> bool:
    if observation.id is None or schema.column(observation.id) is None:
        return False
    return bool(schema.options.get(attribute_key(observation.id)) == observation.after)


_FIELD_HAD: Mapping[ChangeSubject, Callable[[Field, Observation], bool]] = {
    ChangeSubject.NAME: _had_name,
    ChangeSubject.TYPE: _had_type,
    ChangeSubject.NULL: _had_nullability,
    ChangeSubject.DEFAULT: _had_default,
}
_TABLE_HAD: Mapping[ChangeSubject, Callable[[TableSchema, Observation], bool]] = {
    ChangeSubject.OPTION: _had_option,
    ChangeSubject.ATTRIBUTES: _had_attributes,
}

# People undo a change soon; a long history is not read for it.
_LATEST = 2
