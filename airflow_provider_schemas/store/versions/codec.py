"""Encode schemas as the bytes that a layout keeps, and decode them.

Paimon's file holds everything. Mini Paimon's file holds names, types and keys; ids, options, comments and the origin of the version are in
a second file beside it, whose name has the digest of the first. Blanks at the end of the first file tell two attempts apart that have the
same words.
"""

import hashlib
import secrets
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.core.types.nested import Field, field
from airflow_provider_schemas.errors import ChangeError, SchemaError, SchemaFileError
from airflow_provider_schemas.formats import mini_paimon

_BITS = 64


class Encoded(NamedTuple):
    """The bytes of a version, and of the file beside it where the layout needs one."""

    data: bytes
    beside: bytes | None = None

    @property
    def digest(self) -> str:
        """The digest of the version."""
        return hashlib.sha256(self.data).hexdigest()


def encode(schema: TableSchema, *, mini: bool) -> Encoded:
    """Return the files of a version. Refuse what Mini Paimon cannot hold, with every reason."""
    whole = schema.to_json().encode()
    if len(whole) > MAX_BYTES:  # nobody could read it again
        fix = f"Keep it within {MAX_BYTES} bytes: shorten the comments, or make the changes in several steps."
        raise ChangeError(f"the file of this version would have {len(whole)} bytes.", code="schema.too-large", fix=fix)
    if not mini:
        return Encoded(whole)
    return Encoded(mini_paimon.dump(schema).text.encode() + _make_own_blanks(), whole)


def _make_own_blanks() -> bytes:
    """Return blanks that no other attempt ends in."""
    return b"\n" + bytes(b" \t"[bit == "1"] for bit in f"{secrets.randbits(_BITS):0{_BITS}b}")


def decode(data: bytes, number: int, branch: str) -> Version:
    """Return the version in Paimon's file."""
    return _check_number(Version.read(data, number, branch), number)


def decode_mini(data: bytes, beside: bytes, number: int, branch: str) -> Version:
    """Return the version in Mini Paimon's file and the file beside it, which must agree."""
    whole = TableSchema.from_json(beside)
    plain = mini_paimon.dump(whole).text.encode()
    if plain == data.rstrip(b" \t\n"):  # as we wrote it
        return _check_number(Version(number, file_digest(data), whole, branch), number)
    written = mini_paimon.load(data).schema
    if mini_paimon.load(plain).schema.content != written.content:
        message = "what lies beside the file is about another schema."
        fix = "Restore the file beside it (.more-...), or take it away: names, types and keys remain."
        raise SchemaFileError(message, code="schema.sidecar-differs", path=f"schema-{number}", fix=fix)
    schema = msgspec.structs.replace(whole, id=written.id)
    return _check_number(Version(number, file_digest(data), schema, branch), number)


def decode_outside(data: bytes, before: Version | None, number: int, branch: str) -> Version:
    """Return the version in a file that Mini Paimon wrote itself: all else stays as in the version before, matched by name."""
    schema = mini_paimon.load(data).schema
    if before is not None:
        schema = _keep_unwritten(before.schema, schema)
    return _check_number(Version(number, file_digest(data), schema, branch), number)


def _keep_unwritten(old: TableSchema, new: TableSchema) -> TableSchema:
    """Return the new schema with what Mini Paimon does not write: ids, comments, defaults and options of the old one."""
    matched, _ = matched_by_name(old, new)
    old_columns = {column.id: column for column in old.fields}
    columns = tuple(_keep_attributes(old_columns.get(column.id), column) for column in matched.fields)
    return msgspec.structs.replace(matched, fields=columns, options=old.options, comment=old.comment)


def _keep_attributes(old: Field | None, new: Field) -> Field:
    if old is None:
        return new
    return field(new.id, new.name, new.type, old.description, old.default)


def _check_number(version: Version, number: int) -> Version:
    if version.schema.id != number:
        message = f"the file is named schema-{number}, and says that it is schema {version.schema.id}."
        fix = "Somebody copied or renamed it. Put back the right file, or take it away."
        raise SchemaFileError(message, code="schema.wrong-id", path=f"schema-{number}", fix=fix)
    return version


def locate(error: SchemaError, where: str) -> SchemaError:
    """Return the error with the file that it is in."""
    return type(error).of(fault._replace(message=f"{where}: {fault.message}") for fault in error.faults)
