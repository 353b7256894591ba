"""A schema as the bytes that a layout keeps, and back.

Paimon's file says everything. Mini Paimon's holds names, types and keys; ids, options, comments and where the
version comes from lie in a file beside it, whose name is the digest of the first. Blanks at the end of that
first file tell two attempts apart whose words are the same.
"""

import hashlib
import secrets
from typing import NamedTuple

import msgspec

from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.schema.schema_file import MAX_BYTES
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version, file_digest
from airflow_provider_schemas.core.types.nested import field
from airflow_provider_schemas.errors import ChangeError, SchemaError, SchemaFileError
from airflow_provider_schemas.formats import mini_paimon

_BITS = 64


class Encoded(NamedTuple):
    """The bytes of a version, and of the file beside it where the layout needs one."""

    data: bytes
    beside: bytes | None = None

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def encoded(schema: TableSchema, *, mini: bool) -> Encoded:
    """The files of a version. What Mini Paimon cannot say at all is refused with every reason."""
    whole = schema.to_json().encode()
    if len(whole) > MAX_BYTES:  # nobody could read it again
        fix = f"Keep it within {MAX_BYTES} bytes: shorten the comments, or make the changes in several steps."
        raise ChangeError(f"the file of this version would have {len(whole)} bytes.", code="schema.too-large", fix=fix)
    if not mini:
        return Encoded(whole)
    return Encoded(mini_paimon.dump(schema).text.encode() + _own_blanks(), whole)


def _own_blanks() -> bytes:
    """White space that no other attempt ends in."""
    return b"\n" + bytes(b" \t"[bit == "1"] for bit in f"{secrets.randbits(_BITS):0{_BITS}b}")


def decoded(data: bytes, number: int, branch: str) -> Version:
    """The version in Paimon's file."""
    return _of_number(Version.read(data, number, branch), number)


def decoded_mini(data: bytes, beside: bytes, number: int, branch: str) -> Version:
    """The version in Mini Paimon's file and the one beside it, which must say the same."""
    whole = TableSchema.from_json(beside)
    plain = mini_paimon.dump(whole).text.encode()
    if plain == data.rstrip(b" \t\n"):  # as we wrote it
        return _of_number(Version(number, file_digest(data), whole, branch), number)
    said = mini_paimon.load(data).schema
    if mini_paimon.load(plain).schema.content != said.content:
        message = "what lies beside the file is about another schema."
        fix = "Restore the file beside it (.more-...), or take it away: names, types and keys remain."
        raise SchemaFileError(message, code="schema.sidecar-differs", path=f"schema-{number}", fix=fix)
    return _of_number(Version(number, file_digest(data), msgspec.structs.replace(whole, id=said.id), branch), number)


def decoded_outside(data: bytes, before: Version | None, number: int, branch: str) -> Version:
    """The version in a file of Mini Paimon's own: what it does not say stays as it was in the version before, found by name."""
    schema = mini_paimon.load(data).schema
    if before is not None:
        schema = _continued(before.schema, schema)
    return _of_number(Version(number, file_digest(data), schema, branch), number)


def _continued(old: TableSchema, new: TableSchema) -> TableSchema:
    found, _ = matched_by_name(old, new)
    there = {one.id: one for one in old.fields}
    fields = tuple(
        field(one.id, one.name, one.type, there[one.id].description, there[one.id].default) if one.id in there else one
        for one in found.fields
    )
    return msgspec.structs.replace(found, fields=fields, options=old.options, comment=old.comment)


def _of_number(version: Version, number: int) -> Version:
    if version.schema.id != number:
        message = f"the file is named schema-{number}, and says that it is schema {version.schema.id}."
        fix = "Somebody copied or renamed it. Put back the right file, or take it away."
        raise SchemaFileError(message, code="schema.wrong-id", path=f"schema-{number}", fix=fix)
    return version


def located(error: SchemaError, where: str) -> SchemaError:
    """The error, saying in which file it is."""
    return type(error).of(fault._replace(message=f"{where}: {fault.message}") for fault in error.faults)
