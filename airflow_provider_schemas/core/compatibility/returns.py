"""A change that gives a field back what earlier versions had: which files readers can read again, and which no more.

Whoever pastes the undoing of a rename or of a type makes such a change. Undoing that would only do the first change again, so no
report proposes it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from airflow_provider_schemas.core.casts.cast_rules import same_type
from airflow_provider_schemas.core.comparison.added_and_dropped import column_of, field_in
from airflow_provider_schemas.core.compatibility.old_data import Written, kind_in, unreadable_as
from airflow_provider_schemas.core.compatibility.repairs import hidden
from airflow_provider_schemas.core.difference import CALLED_OTHERWISE, Observation
from airflow_provider_schemas.core.engines.readers import Outcome, Reader, outcome
from airflow_provider_schemas.core.schema.history import History, State
from airflow_provider_schemas.core.schema.table_schema import TableSchema, attribute_key
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import Field


def returns(seen: Observation, history: History) -> bool:
    """Return whether an earlier version had what the change brings; of options and attributes, one of the latest of them."""
    if not history.numbers:
        return False
    subject = _subject(seen)
    if subject in _OF_FIELD:
        return any(_OF_FIELD[subject](state.field, seen) for state in column_of(history, seen.where.steps))
    had = _OF_TABLE.get(subject)
    return had is not None and any(had(schema, seen) for schema in history.schemas(history.numbers[-_LATEST:]))


def restored(seen: Observation, past: History, readers: Sequence[Reader]) -> tuple[int, ...]:
    """Return the versions whose files some of the readers could not read rightly before the change, and can after it."""
    return tuple(sorted(number for state in _restored(seen, past, readers) for number in state.numbers))


def _restored(seen: Observation, past: History, readers: Sequence[Reader]) -> Iterator[State]:
    subject = _subject(seen)
    if subject not in (_NAME, _TYPE):
        return
    states = [state for state in column_of(past, seen.where.steps) if _OF_FIELD[subject](state.field, seen)]
    if subject == _NAME and any(one.by == "name" for one in readers):
        yield from states
    elif subject == _TYPE:
        yield from (state for state in states if _is_unreadable(kind_in(state.field, seen), seen.before, readers))


def _is_unreadable(kind: DataType | None, target: DataType, readers: Sequence[Reader]) -> bool:
    """Return whether the rule says that values are lost, and one of the engines does lose some."""
    if kind is None or not unreadable_as(kind, target, readers):
        return False
    return any(outcome(one.name, kind, target) is not Outcome.EXACT for one in readers)


# ---------------------------------------------------------------- what an earlier version had

_NAME, _TYPE, _NULL, _DEFAULT, _OPTION, _ATTRIBUTES = "name", "type", "null", "default", "option", "attributes"


def _subject(seen: Observation) -> str:
    """Return what of a field or table the change is about; empty for what comes, goes or moves."""
    if seen.rule in CALLED_OTHERWISE:
        return _NAME
    if seen.rule.startswith("WRITE_DEFAULT"):
        return _DEFAULT
    if seen.rule == "FIELD_MEANING_CHANGED":
        return _ATTRIBUTES
    if seen.rule.startswith("OPTION_") or seen.rule == "FILE_FORMAT_CHANGED":
        return _OPTION
    if isinstance(seen.before, DataType) and isinstance(seen.after, DataType):
        return _NULL if seen.rule.startswith("NULLABILITY") else _TYPE
    return ""


def _named(column: Field, seen: Observation) -> bool:
    field = field_in(column, seen.where.steps)
    return field is not None and bool(field.name == seen.after.name)


def _typed(column: Field, seen: Observation) -> bool:
    kind = kind_in(column, seen)
    return kind is not None and same_type(kind, seen.after)


def _as_nullable(column: Field, seen: Observation) -> bool:
    kind = kind_in(column, seen)
    return kind is not None and bool(kind.nullable is seen.after.nullable)


def _defaulted(column: Field, seen: Observation) -> bool:
    field = field_in(column, seen.where.steps)
    return field is not None and bool(field.default == seen.after)


def _set(schema: TableSchema, seen: Observation) -> bool:
    return bool(schema.options.get(seen.path) == seen.after)


def _said(schema: TableSchema, seen: Observation) -> bool:
    return seen.id is not None and schema.column(seen.id) is not None and schema.options.get(attribute_key(seen.id)) == seen.after


_OF_FIELD: Mapping[str, Callable[[Field, Observation], bool]] = {
    _NAME: _named,
    _TYPE: _typed,
    _NULL: _as_nullable,
    _DEFAULT: _defaulted,
}

_OF_TABLE: Mapping[str, Callable[[TableSchema, Observation], bool]] = {_OPTION: _set, _ATTRIBUTES: _said}

# Whoever undoes a change does so soon; a long history is not read for it.
_LATEST = 2


# ---------------------------------------------------------------- in words


def is_told(seen: Observation, history: History) -> bool:
    """Return whether a finding says what comes back: a name or a type."""
    return _subject(seen) in (_NAME, _TYPE) and returns(seen, history)


def why_of(seen: Observation) -> str:
    """Say what happens to readers; empty where the rule says it."""
    return _BY_OWN_NAME if _subject(seen) == _NAME else ""


_BY_OWN_NAME = (
    "Engines by id find the values of every file. By name, a file is found by the name that it was written with, and any other name gives "
    "NULL, without an error."
)


def message_of(seen: Observation, message: str, again: Sequence[int], lost: Sequence[int], files: Written) -> str:
    """Say what the field is again, and what becomes of the files of which versions."""
    if _subject(seen) not in (_NAME, _TYPE):
        return message
    if _subject(seen) == _NAME:
        return " ".join([f"{seen.old} is called {seen.new} again; its id {seen.id} stays.", *_by_name(seen, again, lost, files)])
    parts = [message, f"Files of {_versions(again)} hold {seen.new}, and are readable again." if again else ""]
    if again and lost:
        parts.append(f"Files of {_versions(lost)} hold {_held_by(seen, files, lost)}, and are not rightly readable any more.")
    return " ".join(part for part in parts if part)


def _by_name(seen: Observation, again: Sequence[int], lost: Sequence[int], files: Written) -> Iterator[str]:
    """Say what readers by name find in files."""
    others = sorted(hidden(seen, files).intersection(lost))
    empty = [number for number in lost if number not in others]
    said = [f"files of {_versions(again)} give their values again"] if again else []
    said += [f"files of {_versions(empty)} hold {_held_by(seen, files, empty)}, and give NULL"] if empty else []
    if others:
        held = _held_by(seen, files, others)
        said.append(f"files of {_versions(others)} hold {held} and another {seen.new}, and give the values of that other one")
    if said:
        yield f"By name, {'; '.join(said)}."


def _held_by(seen: Observation, files: Written, versions: Collection[int]) -> str:
    """Return what the files of some versions hold there, each name or type once."""
    columns = [column for column, numbers in files.columns(seen.where.steps) if not set(versions).isdisjoint(numbers)]
    return " or ".join(dict.fromkeys(_held(column, seen) for column in columns))


def _held(column: Field, seen: Observation) -> str:
    if _subject(seen) == _TYPE:
        return str(kind_in(column, seen))
    field = field_in(column, seen.where.steps)
    return "" if field is None else field.name


def fix_of(seen: Observation, again: Sequence[int], lost: Sequence[int], *, breaks: bool, mended: bool) -> str:
    """Say what is left to do; empty where the sentence of the rule says it. Mended is whether at least as much comes back as goes."""
    if _subject(seen) not in (_NAME, _TYPE):
        return ""
    if lost and not again:
        return f"Keep {seen.old}: no file that counts holds {seen.new}." if _subject(seen) == _NAME else ""
    said = f"Go on; a reader or writer that uses {seen.old} already has to use {seen.new}."
    if breaks:
        said = f"Move the readers and writers that break to {seen.new} in the same step."
    elif lost and not mended:
        return f"Keep {seen.old}; or read the files of {_versions(lost)} with read_table, or write them anew."
    return f"{said} Read the files of {_versions(lost)} with read_table, or write them anew." if lost else said


def _versions(numbers: Sequence[int]) -> str:
    listed = [f"v{number}" for number in sorted(numbers)]
    more = f" and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return ", ".join(listed[:_SHOWN]) + more


_SHOWN = 10
