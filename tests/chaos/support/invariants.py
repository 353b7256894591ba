"""What must be true of a table after whatever was done to it, in the words of those who registered schemas before us.

What was registered can be fetched by its number; there are as many versions as successes; each holds what was
asked for; every version is somebody's success. And: no id was given out twice, no acknowledged change is lost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from airflow_provider_schemas.core import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.field_ids import all_ids
from airflow_provider_schemas.store import Table
from tests.chaos.support.history import Answer, Operation, Written


def written(versions: Iterable[Version]) -> list[Written]:
    """The versions as the checker of histories takes them; the change is the column that a version says it has added."""
    found = []
    for version in versions:
        past = version.provenance
        added = [one["fieldNames"][0] for one in past.changes if one["action"] == "addColumn"] if past else []
        change = added[0] if version.number and added else ""
        parent = (past.parent_id, past.parent_sha256) if past else (None, None)
        found.append(Written(version.number, version.digest, change, *parent))
    return found


def broken(table: Table, operations: Iterable[Operation]) -> list[str]:
    """What is not true of the table, in words."""
    done, versions = list(operations), table.versions()
    successes = [one for one in done if one.answer is Answer.CREATED]
    return [
        *_not_fetched(table, successes),
        *_not_counted(versions, done, successes),
        *_not_what_was_asked(versions),
        *_not_asked_for(versions, done),
        *_ids_given_twice([version.schema for version in versions]),
        *_lost(versions[-1].schema, successes),
    ]


def _not_fetched(table: Table, successes: Iterable[Operation]) -> Iterator[str]:
    there = set(table.numbers())
    for one in successes:
        if one.number is None or one.number not in there:
            yield f"version {one.number} was registered, and cannot be fetched"
        elif table.version(one.number).digest != one.digest:
            yield f"version {one.number} was registered as {one.digest}, and is fetched as another"


def _not_counted(versions: Sequence[Version], done: Iterable[Operation], successes: Sequence[Operation]) -> Iterator[str]:
    """Besides the first version, as many as successes; or as many more as nobody knows about."""
    doubtful = sum(one.writes and one.answer is Answer.UNKNOWN for one in done)
    more = len(versions) - 1 - len(successes)
    if not 0 <= more <= doubtful:
        yield f"{len(successes)} successes and {doubtful} doubtful ones have made {len(versions) - 1} versions"


def _not_what_was_asked(versions: Sequence[Version]) -> Iterator[str]:
    """Each version is the one before it and the one column more that it says."""
    for before, after, told in zip(versions, versions[1:], written(versions)[1:], strict=False):
        if after.schema.names != (*before.schema.names, told.change):
            yield f"version {after.number} is not version {before.number} with {told.change!r}"


def _not_asked_for(versions: Sequence[Version], done: Iterable[Operation]) -> Iterator[str]:
    asked = {one.asked for one in done}
    for told in written(versions)[1:]:
        if told.change not in asked:
            yield f"version {told.number} is nobody's"


def _ids_given_twice(schemas: Sequence[TableSchema]) -> Iterator[str]:
    """In no version, nor to another column in a later one."""
    names: dict[int, str] = {}
    for schema in schemas:
        twice = [number for number, count in Counter(all_ids(schema.fields)).items() if count > 1]
        if twice:
            yield f"version {schema.id} has the ids {twice} twice"
        for one in schema.fields:
            if names.setdefault(one.id, one.name) != one.name:
                yield f"the id {one.id} is {one.name!r} in version {schema.id}, and was {names[one.id]!r}"


def _lost(newest: TableSchema, successes: Iterable[Operation]) -> Iterator[str]:
    there = set(newest.names)
    for one in successes:
        if one.asked not in there:
            yield f"{one.asked!r} was acknowledged, and is lost"
