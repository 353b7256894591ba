"""A stored schema: branch, number, the digest of its file, and where it comes from.

A number alone is no identity, because other tools roll tables back and fast-forward branches. Provenance
stands in one extra key of the schema file; Paimon's readers skip it, and a version without one was
written by somebody else.
"""

import hashlib
import json
from typing import Any, Self, cast

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, TableSchema, checked_schema
from airflow_provider_schemas.errors import SchemaFileError

# Where a schema keeps what was read of its provenance.
_KNOWN = "_provenance"


class Provenance(Struct, frozen=True, omit_defaults=True):
    """Where a version comes from: about this version only."""

    key: str | None = None
    actor: str | None = None
    run: str | None = None
    parent_id: int | None = None
    parent_sha256: str | None = None
    approval: str | None = None
    policy: str | None = None
    changes: tuple[dict[str, Any], ...] = ()
    restored: int | None = None
    """The version that was gone back to."""
    registry: str | None = None
    """The id of the registry whose contracts and policies count for the table."""
    checkpoint: str | None = None
    """The sha256 of the file of the registry in which facts about earlier versions lie."""
    commit: str | None = None
    """What tells this attempt to write the file from every other, so that a writer knows its own again."""

    @classmethod
    def of(cls, schema: TableSchema) -> Self | None:
        """What the file says about itself; None on a version by an outside writer."""
        known = vars(checked_schema(schema))
        if _KNOWN in known:
            return cast("Self", known[_KNOWN])  # every commit asks it of every version
        source = schema.provenance
        if source is None:
            return None
        try:
            found = known[_KNOWN] = msgspec.convert(source, cls)
        except (msgspec.ValidationError, RecursionError) as error:
            message = f"the provenance is malformed: {shown(str(error))[1:-1]}."
            fix = f"The schema itself is readable; take the key {PROVENANCE!r} out of a copy to look at it."
            raise SchemaFileError(message, code="provenance.invalid", path=PROVENANCE, fix=fix) from None
        return found

    def on(self, schema: TableSchema) -> TableSchema:
        """The schema with this provenance in its file."""
        text = json.dumps(msgspec.to_builtins(self), ensure_ascii=False)
        rest = tuple(entry for entry in checked_schema(schema).unknown if entry[0] != (PROVENANCE,))
        return msgspec.structs.replace(schema, unknown=(*rest, ((PROVENANCE,), text)))


class Version(Struct, frozen=True):
    """One version of a table's schema, as it was found."""

    number: int
    digest: str
    schema: TableSchema
    branch: str = "main"

    @classmethod
    def read(cls, data: bytes, number: int, branch: str = "main") -> Self:
        """The version in the bytes of a schema file."""
        schema = TableSchema.from_json(data)
        return cls(number, file_digest(data), schema, branch)

    @property
    def provenance(self) -> Provenance | None:
        return Provenance.of(self.schema)

    @property
    def identity(self) -> tuple[str, int, str]:
        """What tells this version from every other: branch, number, digest."""
        return (self.branch, self.number, self.digest)


def file_digest(data: bytes) -> str:
    """The sha256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()
