"""What a finding says of a change that gives a field back its name or its type: the sentence, the reason and the fix."""

from collections.abc import Collection, Iterator, Sequence

from airflow_provider_schemas.core.comparison.fields_by_ids import field_in
from airflow_provider_schemas.core.compatibility.old_data import FileSchemas, kind_in
from airflow_provider_schemas.core.compatibility.repairs import hidden
from airflow_provider_schemas.core.compatibility.returns import ChangeSubject, subject_of
from airflow_provider_schemas.core.difference import Observation
from airflow_provider_schemas.core.types.nested import Field

_SHOWN_VERSIONS = 10
_BY_OWN_NAME = (
    "Engines by id find the values of every file. By name, a file is found by the name that it was written with, and any other name gives "
    "NULL, without an error."
)


def return_why(observation: Observation) -> str:
    """Say what happens to readers; empty where the rule says it."""
    return _BY_OWN_NAME if subject_of(observation) is ChangeSubject.NAME else ""


# ---------------------------------------------------------------- the sentence


def return_message(observation: Observation, message: str, again: Sequence[int], lost: Sequence[int], files: FileSchemas) -> str:
    """Say what the field is again, and which files become readable or unreadable; the message itself for any other change.

    Again are the versions whose files become readable, and lost those whose files no longer are.
    """
    subject = subject_of(observation)
    if subject is ChangeSubject.NAME:
        sentence = f"{observation.old} is called {observation.new} again; its id {observation.id} stays."
        return " ".join([sentence, *_by_name(observation, again, lost, files)])
    if subject is ChangeSubject.TYPE:
        return " ".join([message, *_by_type(observation, again, lost, files)])
    return message


def _by_type(observation: Observation, again: Sequence[int], lost: Sequence[int], files: FileSchemas) -> Iterator[str]:
    if not again:
        return
    yield f"Files of {_versions(again)} hold {observation.new}, and are readable again."
    if lost:
        yield f"Files of {_versions(lost)} hold {_contents(observation, files, lost)}, and are not rightly readable any more."


def _by_name(observation: Observation, again: Sequence[int], lost: Sequence[int], files: FileSchemas) -> Iterator[str]:
    """Say what readers by name find in files."""
    clauses = list(_clauses_by_name(observation, again, lost, files))
    if clauses:
        yield f"By name, {'; '.join(clauses)}."


def _clauses_by_name(observation: Observation, again: Sequence[int], lost: Sequence[int], files: FileSchemas) -> Iterator[str]:
    mixed_up = hidden(observation, files).intersection(lost)
    empty = [version for version in lost if version not in mixed_up]
    if again:
        yield f"files of {_versions(again)} give their values again"
    if empty:
        yield f"files of {_versions(empty)} hold {_contents(observation, files, empty)}, and give NULL"
    if mixed_up:
        contents = _contents(observation, files, mixed_up)
        yield f"files of {_versions(sorted(mixed_up))} hold {contents} and another {observation.new}, and give the values of that other one"


def _contents(observation: Observation, files: FileSchemas, versions: Collection[int]) -> str:
    """Return what the files of some versions hold there, each name or type once."""
    wanted = set(versions)
    columns = (column for column, column_versions in files.columns(observation.where.steps) if not wanted.isdisjoint(column_versions))
    return " or ".join(dict.fromkeys(_content(column, observation) for column in columns))


def _content(column: Field, observation: Observation) -> str:
    if subject_of(observation) is ChangeSubject.TYPE:
        return str(kind_in(column, observation))
    field = field_in(column, observation.where.steps)
    return "" if field is None else field.name


# ---------------------------------------------------------------- the fix


def return_fix(observation: Observation, again: Sequence[int], lost: Sequence[int], *, breaks: bool, repaired: bool) -> str:
    """Say what is left to do; empty where the sentence of the rule says it.

    Breaks says whether registered jobs break, repaired whether at least as many files become readable as unreadable.
    """
    subject = subject_of(observation)
    if subject not in (ChangeSubject.NAME, ChangeSubject.TYPE):
        return ""
    old = observation.old
    if lost and not again:
        return f"Keep {old}: no file that counts holds {observation.new}." if subject is ChangeSubject.NAME else ""
    if lost and not breaks and not repaired:
        return f"Keep {old}; or read the files of {_versions(lost)} with read_table, or write them anew."
    advice = f"Go on; a reader or writer that uses {old} already has to use {observation.new}."
    if breaks:
        advice = f"Move the readers and writers that break to {observation.new} in the same step."
    if lost:
        advice = f"{advice} Read the files of {_versions(lost)} with read_table, or write them anew."
    return advice


def _versions(versions: Sequence[int]) -> str:
    names = [f"v{version}" for version in sorted(versions)]
    text = ", ".join(names[:_SHOWN_VERSIONS])
    if len(names) <= _SHOWN_VERSIONS:
        return text
    return f"{text} and {len(names) - _SHOWN_VERSIONS} more"
