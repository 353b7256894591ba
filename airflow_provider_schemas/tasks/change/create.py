"""A table is made, once: what an operator asks for, against what is there."""

from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any, Protocol

from airflow_provider_schemas.core.common.secrets import is_secret
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.errors import AlreadyThereError, FormatError
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.store.commit.commit import CommitOutcome, Committed
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.change import summary
from airflow_provider_schemas.tasks.change.run_change import ChangeResult, ChangeTask, TaskContext, read_all_terms
from airflow_provider_schemas.tasks.change.target import read_names, read_options, read_table_file
from airflow_provider_schemas.tasks.not_said import NOT_SAID
from airflow_provider_schemas.tasks.template_values import Value

_MAX_DIFFERENCES = 10
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


def create(operator: CreateTask, task: TaskContext) -> ChangeResult:
    """Write the first version; or return the table as it is."""
    keep = template_values.read_choice(operator.if_exists, "if_exists", _WHEN_THERE, "same") == "keep"
    wanted = _read_wanted(operator, task)
    name = template_values.read_text(operator.table, "table")
    if not name and isinstance(wanted, TableFile):
        name = wanted.table
    if not name:
        raise template_values.argument_error("which table is meant is not said.", "table", "Pass table='db.table'.")
    key = template_values.read_text(operator.key, "key") or None
    try:
        terms = read_all_terms(operator, task)
        return ChangeResult(task.store.create_table(name, wanted, key=key, **terms, **task.origin))
    except AlreadyThereError as error:
        if error.code != "table.exists":
            raise
        head = task.table(name, NOT_SAID).latest()
        if keep:
            return _keep(head, name)
        raise _difference_error(error, head, wanted) from None


def _keep(head: Version, name: str) -> ChangeResult:
    note = f"exists at version {head.number}, and is kept as it is: nothing to do"
    return ChangeResult(Committed(table=name, version=head, outcome=CommitOutcome.UNCHANGED, notes=(note,)))


def _read_wanted(operator: CreateTask, task: TaskContext) -> TableSchema | TableFile:
    """Return what the table shall be: every argument is converted here."""
    has_columns = template_values.is_given(operator.columns, "columns")
    has_target = template_values.is_given(operator.target, "target")
    if has_columns == has_target:
        raise template_values.argument_error(
            "pass columns or target, and one of them only.", "columns", "Write the columns, or name a table file."
        )
    values: dict[str, Any] = {
        "primary_keys": read_names(operator.primary_keys, "primary_keys"),
        "partition_keys": read_names(operator.partition_keys, "partition_keys"),
        "options": read_options(operator.options, "options"),
        "comment": template_values.read_text(operator.comment, "comment") or None,
    }
    given = {key: value for key, value in values.items() if value}
    if has_target:
        return _read_file(operator, task, given)
    return TableSchema.create(_read_columns(operator.columns), **given)


def _read_columns(value: Value) -> Any:
    """Return the columns as they were written. An empty list comes out of a template or a task, and is refused."""
    columns = template_values.parse_value(value, "columns")
    if isinstance(columns, Sized) and not columns:
        raise template_values.argument_error("it names no columns.", "columns", "Write them as SQL text: 'order_id BIGINT NOT NULL'.")
    return columns


def _read_file(operator: CreateTask, task: TaskContext, given: Mapping[str, Any]) -> TableFile:
    if given:
        message = f"{', '.join(given)} cannot be given beside a table file, which says so itself."
        raise FormatError(message, code="table.said-twice", path=next(iter(given)), fix="Say it there.")
    return read_table_file(operator.target, task.places).wanted  # type: ignore[return-value]  # a table file it is


def _difference_error(error: AlreadyThereError, head: Version, wanted: TableSchema | TableFile) -> AlreadyThereError:
    """Return the error that says what differs, and with which operator a table is changed."""
    wanted_schema = wanted.create() if isinstance(wanted, TableFile) else wanted
    message = f"{error.message} {_differences_sentence([*differences(head.schema, wanted_schema)])}".strip()
    fix = "Change it with SchemaEvolveOperator; or pass if_exists='keep' if any definition will do."
    return AlreadyThereError(message, code=error.code, path=error.path, fix=fix)


def _differences_sentence(found: Sequence[str]) -> str:
    if not found:
        return ""
    first = "; ".join(found[:_MAX_DIFFERENCES])
    if len(found) > _MAX_DIFFERENCES:
        return f"It differs in {first} and {len(found) - _MAX_DIFFERENCES} more."
    return f"It differs in {first}."


def differences(current: TableSchema, wanted: TableSchema) -> Iterator[str]:
    """Yield what is wanted and not there, and the other way round; by names, as people compare."""
    old = {field.name: field for field in current.fields}
    new = {field.name: field for field in wanted.fields}
    yield from (f"{shown(name)}, which is asked for as {field.type} and not there" for name, field in new.items() if name not in old)
    yield from (f"{shown(name)}, which is there and not asked for" for name in old if name not in new)
    for name in (name for name in new if name in old):
        if str(old[name].type) != str(new[name].type):
            yield f"{shown(name)}, which is {old[name].type} and asked for as {new[name].type}"
        elif (old[name].description, old[name].default) != (new[name].description, new[name].default):
            yield f"the comment or default of {shown(name)}"
    yield from _other_differences(current, wanted)


def _other_differences(current: TableSchema, wanted: TableSchema) -> Iterator[str]:
    """Yield the differences in the order of the columns, the keys, the comment and the options."""
    if current.names != wanted.names and sorted(current.names) == sorted(wanted.names):
        yield "the order of the columns"
    attributes = {"the primary key": "primary_keys", "the partition keys": "partition_keys", "the comment": "comment"}
    for words, name in attributes.items():
        if getattr(current, name) != getattr(wanted, name):
            yield words
    for key in sorted({*current.options, *wanted.options}):
        if current.options.get(key) != wanted.options.get(key):
            secret = " (a secret)" if is_secret(key) else ""
            yield f"the option {summary.short_line(key)}{secret}"
