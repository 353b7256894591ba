"""What the formats share: the values they return, the reading of JSON, and the parts of a table that no other language has."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import BoundedRepr, ShortRepr, counted
from airflow_provider_schemas.core.common.strict_json import read_json
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, TableSchema
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.field_ids import highest_id
from airflow_provider_schemas.core.types.nested import MAX_FIELDS, Field, RowType, children, rebuilt
from airflow_provider_schemas.core.types.type_grammar import MAX_TEXT
from airflow_provider_schemas.errors import MAX_FAULTS, Fault, FormatError

JsonValue: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None


class Loss(BoundedRepr, Struct, frozen=True):
    """Something that could not be carried over: where it was, what it was, and what is there instead."""

    path: str
    what: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class Loaded(ShortRepr, Struct, frozen=True):
    """A schema read from another language, and what was lost."""

    schema: TableSchema
    losses: tuple[Loss, ...] = ()

    def _short_text(self) -> str:
        return f"{counted(len(self.schema.fields), 'column')}, {_losses_text(self.losses)}"


class Dumped(ShortRepr, Struct, frozen=True):
    """A schema as the text of another language, and what was lost."""

    text: str
    losses: tuple[Loss, ...] = ()

    def _short_text(self) -> str:
        return f"{counted(len(self.text), 'character')}, {_losses_text(self.losses)}"


def _losses_text(losses: Sequence[Loss]) -> str:
    if not losses:
        return "nothing lost"
    return f"{len(losses):,} lost"


class Faults(list[Fault]):
    """The faults of one input. At `MAX_FAULTS` the reading ends."""

    def add(self, code: str, path: str, message: str, fix: str) -> None:
        """Collect one more fault."""
        self.append(Fault(code, path[:200], message, fix))
        if len(self) >= MAX_FAULTS:
            raise FormatError.of(self)

    def settle(self) -> None:
        """Raise the faults, if there are any."""
        if self:
            raise FormatError.of(self)


def missing(what: str, library: str, extra: str) -> FormatError:
    """Return the error for something that cannot be done without a library, with the line that installs it."""
    fix = f'Install it with: pip install "airflow-provider-schemas[{extra}]".'
    return FormatError(f"{what} without {library}.", code="extra.missing", fix=fix)


def refuse_opaque(kind: DataType, language: str) -> NoReturn:
    """Refuse a type of which only the text of another format is known: any counterpart would be a guess."""
    message = f"{language} has no type for {shown(str(kind))}, of which only the text is known."
    raise FormatError(message, code="format.opaque-type", fix="Leave the column out, or give it a type of its own.")


def text_of(source: str | bytes, most: int = MAX_TEXT) -> str:
    """Return the source as text that can be stored, of at most so many characters, or raise a FormatError."""
    if not isinstance(source, str | bytes | bytearray):
        raise FormatError(f"{shown(source)} is no text.", code="format.wrong-type", fix="Pass the text, or its bytes.")
    if len(source) > most:
        raise FormatError(f"the text has {len(source)} characters.", code="format.too-large", fix=f"Keep it below {most}.")
    try:
        text = source if isinstance(source, str) else bytes(source).decode("utf-8-sig")
        text.encode()
    except UnicodeDecodeError as error:
        message = f"byte {error.start} is no UTF-8."
        raise FormatError(message, code="format.encoding", fix="Save the file as UTF-8.") from None
    except UnicodeEncodeError:
        raise FormatError("the text holds half a surrogate pair.", code="json.surrogate", fix="Write it as valid Unicode.") from None
    return text


def json_value(source: str | bytes) -> Any:
    """Return the value of a JSON text, or raise a FormatError that names the faults of the text."""
    answer = read_json(text_of(source))
    if answer.faults:
        raise FormatError.of(answer.faults)
    return answer.value


def json_member(value: object, key: str) -> Any:
    """Return the value of a key in a JSON object; None if it has no such key, or is no object."""
    return value.get(key) if isinstance(value, Mapping) else None


def check_count(count: int) -> None:
    """Refuse more fields than any table has."""
    if count > MAX_FIELDS:
        raise FormatError(f"the schema has more than {MAX_FIELDS} fields.", code="format.too-large", fix="Split the table.")


def renumbered(kind: DataType, numbers: list[int]) -> DataType:
    """Return the type with other ids: field n gets the n-th of the numbers."""
    kind = rebuilt(kind, [renumbered(part, numbers) for _, part in children(kind)])
    if not isinstance(kind, RowType):
        return kind
    fields = (Field(numbers[field.id], field.name, field.wire, field.description, field.default) for field in kind.fields)
    return type(kind)(tuple(fields))


def unknown_keys(path: str, keys: Collection[str], language: str) -> Iterator[Loss]:
    """Yield the one loss for the keys of an object that mean nothing to the language."""
    if keys:
        yield Loss(path, "unknown key", f"{shown(', '.join(sorted(keys)))} means nothing to {language}.")


def table_losses(schema: TableSchema, language: str, keeps: Collection[str] = ()) -> Iterator[Loss]:
    """Yield the attributes of the table as a whole that a language has no place for.

    The number and the time of a version belong to its file, and its provenance to it alone: no other text carries them.
    """
    highest = ""
    if schema.highest_field_id != highest_id(schema.fields):
        highest = str(schema.highest_field_id)
    attributes = {
        "partition keys": ", ".join(schema.partition_keys),
        "primary key": ", ".join(schema.primary_keys),
        "options": ", ".join(schema.options),
        "comment": "" if schema.comment is None else shown(schema.comment),
        "highest field id": highest,
    }
    for attribute, value in attributes.items():
        if value and attribute not in keeps:
            yield Loss("", attribute, f"{language} has no place for the {attribute} of a table ({value[:200]}).")
    for place, _ in schema.unknown:
        if place[0] != PROVENANCE:
            yield Loss(".".join(map(str, place)), "unknown key", f"{language} has no place for a key that we do not know.")
