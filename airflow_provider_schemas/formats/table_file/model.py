"""The table file: what people write about one table, review and copy most.

It says what shall be there. What it does not mention stays; a key that stands there with null takes something away.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import msgspec

from airflow_provider_schemas.core.report import Place
from airflow_provider_schemas.core.schema.table_schema import Options as SchemaOptions
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.errors import Fault, InvalidSchemaError, TableFileError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.table_file.field_paths import steps_of
from airflow_provider_schemas.formats.table_file.parsing import entries
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import Accepted, accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import (
    OF_COLUMN,
    OF_TABLE,
    attribute_option,
    policy_entry,
    policy_option,
    said,
)
from airflow_provider_schemas.formats.table_file.parsing.contradictions import contradictions
from airflow_provider_schemas.formats.table_file.parsing.read_entry import NotPlainError, ReadEntry
from airflow_provider_schemas.formats.table_file.parsing.unquoted_types import without_halves
from airflow_provider_schemas.formats.user_file import WrittenFile

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy
    from airflow_provider_schemas.formats.table_file.form import ColumnForm, DroppedForm, TableFileForm


class Column(ReadEntry):
    """A column, as it shall be."""

    KEYS: ClassVar = {
        "name": entries.name,
        "type": entries.sql_text,
        "comment": entries.words,
        "default": entries.plain_text,
        "was": entries.earlier_names,
        "deprecated": entries.deprecated,
        "reason": entries.words,
        "alias": entries.aliases,
        "unit": entries.words,
        "tags": entries.tags,
        "accepts": accepted,
    }
    NEEDED: ClassVar = frozenset({"name", "type"})
    EMPTY: ClassVar = {"was": dict}

    name: str
    type: str
    comment: str | None
    default: str | None
    was: Mapping[str, tuple[str, ...]]
    deprecated: bool | str | None
    reason: str | None
    alias: Mapping[str, str] | None
    unit: str | None
    tags: tuple[str, ...] | None
    accepts: Accepted | None

    def __init__(self, /, **values: Any) -> None:
        try:
            self._take(values)
        except NotPlainError:
            from airflow_provider_schemas.formats.table_file.form import ColumnForm

            self._keep_form(ColumnForm(**values))

    def _keep_form(self, form: "ColumnForm") -> None:
        self._keep(dict(form), frozenset(form.model_fields_set))

    @classmethod
    def of_form(cls, form: "ColumnForm | Column") -> "Column":
        """The column that a form says."""
        if isinstance(form, Column):
            return form
        column = cls.__new__(cls)
        column._keep_form(form)
        return column

    @property
    def kind(self) -> DataType:
        """The type."""
        return entries.kind_of(self.type)

    @property
    def earlier_names(self) -> tuple[str, ...]:
        """What the column itself was called before; a mapping says it under the name of now."""
        return tuple([name for path, names in self.was.items() if not path or steps_of(path) == (self.name,) for name in names])


class Dropped(ReadEntry):
    """A column that shall go, or a field inside one."""

    KEYS: ClassVar = {"name": entries.name, "accepts": accepted}
    NEEDED: ClassVar = frozenset({"name"})

    name: str
    accepts: Accepted | None

    @classmethod
    def of_form(cls, form: "DroppedForm | Dropped") -> "Dropped":
        """What a form drops."""
        if isinstance(form, Dropped):
            return form
        dropped = cls.__new__(cls)
        dropped._keep(dict(form), frozenset(form.model_fields_set))
        return dropped


T = TypeVar("T")


def _each(read: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """Read a list of entries; what is none may still be one to the form."""

    def listed(value: object) -> tuple[T, ...]:
        if not isinstance(value, list | tuple):
            raise NotPlainError
        return tuple(map(read, value))

    return listed


def _column(value: object) -> Column:
    if isinstance(value, Column):
        return value
    if not isinstance(value, Mapping):
        raise NotPlainError
    return Column.plain(value)


def _dropped(value: object) -> Dropped:
    if isinstance(value, Dropped):
        return value
    return Dropped.plain(value if isinstance(value, Mapping) else {"name": entries.text(value, "name")})


# How the codes begin of what can be wrong with a list of keys.
_KEYS = {"primary_key": "schema.primary-key", "partitioned_by": "schema.partition-key"}


class TableFile(ReadEntry):
    """What shall be true of one table. What is not mentioned stays as it is."""

    KEYS: ClassVar = {
        "table": entries.table_name,
        "owner": entries.words,
        "contact": entries.words,
        "comment": entries.words,
        "columns": _each(_column),
        "dropped": _each(_dropped),
        "primary_key": _each(entries.name),
        "partitioned_by": _each(entries.name),
        "options": entries.options,
        "location": entries.words,
        "format": entries.words,
        "policy": policy_entry,
    }
    NEEDED: ClassVar = frozenset({"table"})
    EMPTY: ClassVar = {"columns": tuple, "dropped": tuple, "primary_key": tuple, "partitioned_by": tuple, "options": dict}

    table: str
    owner: str | None
    contact: str | None
    comment: str | None
    columns: tuple[Column, ...]
    dropped: tuple[Dropped, ...]
    primary_key: tuple[str, ...]
    partitioned_by: tuple[str, ...]
    options: Mapping[str, str | None]
    location: str | None
    format: str | None
    policy: "Policy | str | None"

    _written: WrittenFile | None = None

    def __init__(self, /, **values: Any) -> None:
        faults: list[Fault] = []
        try:
            self._take(values)
        except NotPlainError:
            faults += self._take_form(values)
        faults = [*without_halves(values, faults), *contradictions(values)]
        if faults:
            raise TableFileError.of(faults)

    def _take_form(self, values: Mapping[str, Any]) -> Iterable[Fault]:
        """Read what is not plain, and return what is the matter with it."""
        from airflow_provider_schemas.formats.table_file.form import TableFileForm

        try:
            self._keep_form(TableFileForm(**values))
        except TableFileError as error:
            return error.faults
        return ()

    def _keep_form(self, form: "TableFileForm") -> None:
        parts = {"columns": tuple(map(Column.of_form, form.columns)), "dropped": tuple(map(Dropped.of_form, form.dropped))}
        self._keep({**dict(form), **parts}, frozenset(form.model_fields_set))

    @classmethod
    def read(cls, value: object) -> Self:
        """The table file in a plain mapping, as it comes out of JSON or YAML."""
        if isinstance(value, cls):
            return value
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return cls(**value)
        from airflow_provider_schemas.formats.table_file.form import refusal_of

        raise refusal_of(value)

    @classmethod
    def of(cls, written: WrittenFile) -> Self:
        """The table file in a document, which it remembers."""
        found = written.read(TableFileError, cls.read)
        vars(found)["_written"] = written
        return found

    def to_json(self) -> str:
        """What the file says as JSON: the same for files that say the same."""
        from airflow_provider_schemas.formats.table_file.form import json_text

        return json_text(self)

    @property
    def file(self) -> str:
        """The name of the file that it was read from."""
        return self._written.file if self._written else ""

    def place(self, path: yaml.Path | str) -> Place | None:
        """Where an entry stands, or the nearest one around it; None for a table file that was not read from a text.

        The path is the way to it, or that written out: ("columns", 2, "type") or "columns[2].type".
        """
        return self._written.place(path) if self._written else None

    def refusal_of(self, faults: Iterable[Fault]) -> TableFileError:
        """The error for faults whose paths are those of entries."""
        return TableFileError.of(self._written.placed(faults) if self._written else faults)

    # ------------------------------------------------------------ a table that is not there yet

    def create(self) -> TableSchema:
        """The first schema of the table, or a TableFileError that names every fault."""
        if not self.columns:
            missing = Fault("table-file.missing", "columns", "the file lists no columns, and there is no table yet.", "List its columns.")
            raise self.refusal_of([missing])
        try:
            made = TableSchema.create(
                columns=[{"name": one.name, "type": one.type, "comment": one.comment, "default": one.default} for one in self.columns],
                partition_keys=self.partitioned_by,
                primary_keys=self.primary_key,
                options={key: value for key, value in self.options.items() if value is not None},
                comment=self.comment,
            )
        except InvalidSchemaError as error:
            raise self.refusal_of(map(self._of_entry, error.faults)) from None
        options = {**made.options, **{key: value for key, value in self._attributes(made) if value is not None}}
        return msgspec.structs.replace(made, options=SchemaOptions(options))

    def _attributes(self, made: TableSchema) -> Iterator[tuple[str, str | None]]:
        yield from attribute_option(None, said(self, OF_TABLE), made.options)
        for column, field in zip(self.columns, made.fields, strict=True):
            yield from attribute_option(field.id, said(column, OF_COLUMN), made.options)
        yield from policy_option(self.policy, made.options)

    def _of_entry(self, fault: Fault) -> Fault:
        """A fault of the schema as one of the entry that it comes from."""
        path, column = fault.path, fault.path.split(".", 1)[0]
        places = [f"columns[{number}]" for number, one in enumerate(self.columns) if one.name in (path, column)]
        keys = [(key, getattr(self, key)) for key, code in _KEYS.items() if fault.code.startswith(code)]
        places += [f"{key}[{names.index(path)}]" for key, names in keys if path in names]
        places += [f"options.{path}"] if path in self.options else []
        message = f"{path}: {fault.message}" if places[:1] and path not in (column, *self.options) else fault.message
        return fault._replace(path=places[0] if places else "table", message=message)
