"""A table is made, once: what an operator asks for, against what is there."""

from collections.abc import Iterator, Mapping, Sized
from typing import Any, Protocol

from airflow_provider_schemas.core.common.secrets import is_secret
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, FormatError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit.commit import Committed, Outcome
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import summary
from airflow_provider_schemas.tasks.change.run_change import At, ChangeTask, Done, all_terms_of
from airflow_provider_schemas.tasks.change.target import names_of, of_file, options_of
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.template_values import Value

_MOST = 10
_WHEN_THERE = ("same", "keep")


class CreateTask(ChangeTask, Protocol):
    """A task that makes a table."""

    columns: Value
    target: Value
    primary_keys: Value
    partition_keys: Value
    options: Value
    comment: str
    if_exists: str


def create(operator: CreateTask, here: At) -> Done:
    """The first version; or the table as it is."""
    keep = template_values.choice(operator.if_exists, "if_exists", _WHEN_THERE, "same") == "keep"
    wanted = _wanted(operator, here)
    name = template_values.text(operator.table, "table") or (wanted.table if isinstance(wanted, TableFile) else "")
    if not name:
        raise template_values.refused("which table is meant is not said.", "table", "Pass table='db.table'.")
    key = template_values.text(operator.key, "key") or None
    try:
        return Done(here.store.create_table(name, wanted, key=key, **all_terms_of(operator, here), **here.about))
    except AlreadyThereError as error:
        if error.code != "table.exists":
            raise
        table = here.table(name, NOT_SAID)
        return _kept(table.latest(), name) if keep else _differs(error, table.latest(), wanted)


def _kept(head: Version, name: str) -> Done:
    said = f"exists at version {head.number}, and is kept as it is: nothing to do"
    return Done(Committed(table=name, version=head, outcome=Outcome.UNCHANGED, notes=(said,)))


def _wanted(operator: CreateTask, here: At) -> TableSchema | TableFile:
    """What the table shall be: every argument is converted here."""
    said_columns, said_target = (template_values.is_said(getattr(operator, name), name) for name in ("columns", "target"))
    if said_columns == said_target:
        raise template_values.refused(
            "pass columns or target, and one of them only.", "columns", "Write the columns, or name a table file."
        )
    about: dict[str, Any] = {
        "primary_keys": names_of(operator.primary_keys, "primary_keys"),
        "partition_keys": names_of(operator.partition_keys, "partition_keys"),
        "options": options_of(operator.options, "options"),
        "comment": template_values.text(operator.comment, "comment") or None,
    }
    said = {key: value for key, value in about.items() if value}
    if said_target:
        return _file(operator, here, said)
    return TableSchema.create(_columns(operator.columns), **said)


def _columns(value: Any) -> Any:
    """The columns, as they were written. A list without any is what a template or a task has come to, and no table."""
    found = template_values.loaded(value, "columns")
    if isinstance(found, Sized) and not found:
        raise template_values.refused("it names no columns.", "columns", "Write them as SQL text: 'order_id BIGINT NOT NULL'.")
    return found


def _file(operator: CreateTask, here: At, said: Mapping[str, Any]) -> TableFile:
    if said:
        message = f"{', '.join(said)} cannot be given beside a table file, which says so itself."
        raise FormatError(message, code="table.said-twice", path=next(iter(said)), fix="Say it there.")
    return of_file(operator.target, here.places).wanted  # type: ignore[return-value]  # a table file it is


def _differs(error: AlreadyThereError, head: Version, wanted: TableSchema | TableFile) -> Done:
    """The error that says what differs, and with which operator a table is changed."""
    asked = wanted.create() if isinstance(wanted, TableFile) else wanted
    found = list(differences(head.schema, asked))
    more = f" and {len(found) - _MOST} more" if len(found) > _MOST else ""
    said = f"It differs in {'; '.join(found[:_MOST])}{more}." if found else ""
    fix = "Change it with SchemaEvolveOperator; or pass if_exists='keep' if any definition will do."
    raise AlreadyThereError(f"{error.message} {said}".strip(), code=error.code, path=error.path, fix=fix) from None


def differences(there: TableSchema, asked: TableSchema) -> Iterator[str]:
    """What is asked for and is not there, and the other way round; by names, as people compare."""
    old, new = ({one.name: one for one in schema.fields} for schema in (there, asked))
    yield from (f"{shown(name)}, which is asked for as {one.type} and not there" for name, one in new.items() if name not in old)
    yield from (f"{shown(name)}, which is there and not asked for" for name in old if name not in new)
    for name, one in new.items():
        if name in old and str(old[name].type) != str(one.type):
            yield f"{shown(name)}, which is {old[name].type} and asked for as {one.type}"
        elif name in old and (old[name].description, old[name].default) != (one.description, one.default):
            yield f"the comment or default of {shown(name)}"
    yield from _besides(there, asked)


def _besides(there: TableSchema, asked: TableSchema) -> Iterator[str]:
    if there.names != asked.names and sorted(there.names) == sorted(asked.names):
        yield "the order of the columns"
    pairs = {"the primary key": "primary_keys", "the partition keys": "partition_keys", "the comment": "comment"}
    for words, name in pairs.items():
        if getattr(there, name) != getattr(asked, name):
            yield words
    for key in sorted({*there.options, *asked.options}):
        if there.options.get(key) != asked.options.get(key):
            yield f"the option {summary.short(key)}" + (" (a secret)" if is_secret(key) else "")
