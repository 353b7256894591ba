"""The table file: the description of one table that people write, review and copy most.

It lists the wanted state. What it does not mention stays; a key with null removes something.
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
from airflow_provider_schemas.formats.table_file.parsing.accepted_rules import Accepted, read_accepted
from airflow_provider_schemas.formats.table_file.parsing.attributes import (
    OF_COLUMN,
    OF_TABLE,
    attribute_option,
    attribute_values,
    policy_option,
    read_policy,
)
from airflow_provider_schemas.formats.table_file.parsing.contradictions import contradictions
from airflow_provider_schemas.formats.table_file.parsing.read_entry import NotPlainError, ReadEntry
from airflow_provider_schemas.formats.table_file.parsing.unquoted_types import without_halves
from airflow_provider_schemas.formats.user_file import WrittenFile

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy
    from airflow_provider_schemas.formats.table_file.form import ColumnForm, DroppedForm, TableFileForm


class Column(ReadEntry):
    """The wanted state of a column."""

    KEYS: ClassVar = {
        "name": entries.read_name,
        "type": entries.read_type,
        "comment": entries.read_optional_text,
        "default": entries.read_plain_text,
        "was": entries.read_earlier_names,
        "deprecated": entries.read_deprecated,
        "reason": entries.read_optional_text,
        "alias": entries.read_aliases,
        "unit": entries.read_optional_text,
        "tags": entries.read_tags,
        "accepts": read_accepted,
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
        """Return the column of a form; a column unchanged."""
        if isinstance(form, Column):
            return form
        column = cls.__new__(cls)
        column._keep_form(form)
        return column

    @property
    def kind(self) -> DataType:
        """The type."""
        return entries.parse_type(self.type)

    @property
    def earlier_names(self) -> tuple[str, ...]:
        """The earlier names of the column itself; a mapping has them under the current name."""
        names: list[str] = []
        for path, earlier in self.was.items():
            if not path or steps_of(path) == (self.name,):
                names += earlier
        return tuple(names)


class Dropped(ReadEntry):
    """A column that is to be dropped, or a field inside one."""

    KEYS: ClassVar = {"name": entries.read_name, "accepts": read_accepted}
    NEEDED: ClassVar = frozenset({"name"})

    name: str
    accepts: Accepted | None

    @classmethod
    def of_form(cls, form: "DroppedForm | Dropped") -> "Dropped":
        """Return the dropped column of a form; one that was read unchanged."""
        if isinstance(form, Dropped):
            return form
        dropped = cls.__new__(cls)
        dropped._keep(dict(form), frozenset(form.model_fields_set))
        return dropped


_Entry = TypeVar("_Entry")


def _list_of(read: Callable[[Any], _Entry]) -> Callable[[Any], tuple[_Entry, ...]]:
    """Return the reader of a list of entries; the form may still read a value of another shape."""

    def read_list(value: object) -> tuple[_Entry, ...]:
        if not isinstance(value, list | tuple):
            raise NotPlainError
        return tuple(map(read, value))

    return read_list


def _read_column(value: object) -> Column:
    if isinstance(value, Column):
        return value
    if not isinstance(value, Mapping):
        raise NotPlainError
    return Column.plain(value)


def _read_dropped(value: object) -> Dropped:
    if isinstance(value, Dropped):
        return value
    if isinstance(value, Mapping):
        return Dropped.plain(value)
    return Dropped.plain({"name": entries.read_text(value, "name")})


# The beginnings of the codes of faults about a list of keys.
_KEY_CODES = {"primary_key": "schema.primary-key", "partitioned_by": "schema.partition-key"}


class TableFile(ReadEntry):
    """The wanted state of one table. What is not mentioned stays unchanged."""

    KEYS: ClassVar = {
        "table": entries.read_table_name,
        "owner": entries.read_optional_text,
        "contact": entries.read_optional_text,
        "comment": entries.read_optional_text,
        "columns": _list_of(_read_column),
        "dropped": _list_of(_read_dropped),
        "primary_key": _list_of(entries.read_name),
        "partitioned_by": _list_of(entries.read_name),
        "options": entries.read_options,
        "location": entries.read_optional_text,
        "format": entries.read_optional_text,
        "policy": read_policy,
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
        """Read values that are not plain by the form, and return the faults."""
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
        """Return the table file in a plain mapping, as JSON or YAML gave it."""
        if isinstance(value, cls):
            return value
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return cls(**value)
        from airflow_provider_schemas.formats.table_file.form import refusal_of

        raise refusal_of(value)

    @classmethod
    def of(cls, written: WrittenFile) -> Self:
        """Return the table file in a document, which it remembers."""
        file = written.read(TableFileError, cls.read)
        vars(file)["_written"] = written
        return file

    def to_json(self) -> str:
        """Return the file as JSON: the same text for files with the same content."""
        from airflow_provider_schemas.formats.table_file.form import json_text

        return json_text(self)

    @property
    def file(self) -> str:
        """The name of the file that it was read from."""
        return self._written.file if self._written else ""

    def place(self, path: yaml.Path | str) -> Place | None:
        """Return the place of an entry, or of the nearest one around it; None for a table file that was not read from a text.

        The path is its steps, or a text: ("columns", 2, "type") or "columns[2].type".
        """
        if self._written is None:
            return None
        return self._written.place(path)

    def refusal_of(self, faults: Iterable[Fault]) -> TableFileError:
        """Return the error for faults whose paths are those of entries."""
        if self._written:
            faults = self._written.placed(faults)
        return TableFileError.of(faults)

    # ------------------------------------------------------------ a table that is not there yet

    def create(self) -> TableSchema:
        """Return the first schema of the table, or raise a TableFileError with every fault."""
        if not self.columns:
            missing = Fault("table-file.missing", "columns", "the file lists no columns, and there is no table yet.", "List its columns.")
            raise self.refusal_of([missing])
        try:
            schema = TableSchema.create(
                columns=[
                    {"name": column.name, "type": column.type, "comment": column.comment, "default": column.default}
                    for column in self.columns
                ],
                partition_keys=self.partitioned_by,
                primary_keys=self.primary_key,
                options={key: value for key, value in self.options.items() if value is not None},
                comment=self.comment,
            )
        except InvalidSchemaError as error:
            raise self.refusal_of(map(self._entry_fault, error.faults)) from None
        own_options = {key: value for key, value in self._own_options(schema) if value is not None}
        return msgspec.structs.replace(schema, options=SchemaOptions({**schema.options, **own_options}))

    def _own_options(self, schema: TableSchema) -> Iterator[tuple[str, str | None]]:
        """Yield the options with the attributes and the policy of the file."""
        yield from attribute_option(None, attribute_values(self, OF_TABLE), schema.options)
        for column, field in zip(self.columns, schema.fields, strict=True):
            yield from attribute_option(field.id, attribute_values(column, OF_COLUMN), schema.options)
        yield from policy_option(self.policy, schema.options)

    def _entry_fault(self, fault: Fault) -> Fault:
        """Return a fault of the schema as one of the entry that it comes from."""
        entry = next(self._entries_of(fault), "")
        if not entry:
            return fault._replace(path="table")
        is_inside = fault.path not in (fault.path.split(".", 1)[0], *self.options)
        message = f"{fault.path}: {fault.message}" if is_inside else fault.message
        return fault._replace(path=entry, message=message)

    def _entries_of(self, fault: Fault) -> Iterator[str]:
        """Yield the entries that a fault of the schema may come from."""
        path = fault.path
        for number, column in enumerate(self.columns):
            if column.name in (path, path.split(".", 1)[0]):
                yield f"columns[{number}]"
        for key, code in _KEY_CODES.items():
            names = getattr(self, key)
            if fault.code.startswith(code) and path in names:
                yield f"{key}[{names.index(path)}]"
        if path in self.options:
            yield f"options.{path}"
