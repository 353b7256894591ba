"""A stored schema: branch, number, the digest of its file, and where it comes from.

A number alone does not identify a version, because other tools roll tables back and fast-forward branches.
Provenance is one extra key of the schema file; Paimon's readers skip it, and a version without it was
written by another tool.
"""

import hashlib
import json
from typing import Any, Self, cast

import msgspec
from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, counted, joined, listed, named
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.schema.revision import short_revision
from airflow_provider_schemas.core.schema.table_schema import PROVENANCE, TableSchema, checked_schema
from airflow_provider_schemas.errors import SchemaFileError

# The attribute of a schema that caches its provenance.
_CACHE = "_provenance"


class Provenance(ShortRepr, Struct, frozen=True, omit_defaults=True):
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
    """The version that was restored."""
    registry: str | None = None
    """The id of the registry whose contracts and policies count for the table."""
    checkpoint: str | None = None
    """The sha256 of the registry's file with facts about earlier versions."""
    commit: str | None = None
    """The id of this attempt to write the file, by which a writer recognises its own."""
    revision: str | None = None
    """The commit of the repository from which the change came, where the writer knows it."""

    def _short_text(self) -> str:
        run = self.run and f"in run {named(self.run)}"
        approval = self.approval and f"approved by {named(self.approval)}"
        policy = self.policy and f"policy {named(self.policy)}"
        revision = self.revision and f"commit {named(short_revision(self.revision))}"
        return joined(f"by {named(self.actor or '', 'somebody')}", run or "", approval or "", policy or "", revision or "")

    @classmethod
    def of(cls, schema: TableSchema) -> Self | None:
        """Return the provenance in the file of a schema; None on a version by an outside writer."""
        cache = vars(checked_schema(schema))
        if _CACHE in cache:
            return cast("Self", cache[_CACHE])  # every commit needs it of every version
        source = schema.provenance
        if source is None:
            return None
        try:
            provenance = cache[_CACHE] = msgspec.convert(source, cls)
        except (msgspec.ValidationError, RecursionError) as error:
            message = f"the provenance is malformed: {shown(str(error))[1:-1]}."
            fix = f"The schema itself is readable; take the key {PROVENANCE!r} out of a copy to look at it."
            raise SchemaFileError(message, code="provenance.invalid", path=PROVENANCE, fix=fix) from None
        return provenance

    def on(self, schema: TableSchema) -> TableSchema:
        """Return the schema with this provenance in its file."""
        text = json.dumps(msgspec.to_builtins(self), ensure_ascii=False)
        rest = tuple(entry for entry in checked_schema(schema).unknown if entry[0] != (PROVENANCE,))
        return msgspec.structs.replace(schema, unknown=(*rest, ((PROVENANCE,), text)))


class Version(ShortRepr, Struct, frozen=True):
    """One version of a table's schema, as it was found."""

    number: int
    digest: str
    schema: TableSchema
    branch: str = "main"
    table_id: str = ""
    """The peer's id of the table, where others keep the table and their metadata names one."""

    @classmethod
    def read(cls, data: bytes, number: int, branch: str = "main") -> Self:
        """Return the version in the bytes of a schema file."""
        schema = TableSchema.from_json(data)
        return cls(number, file_digest(data), schema, branch)

    def _short_text(self) -> str:
        branch = "" if self.branch == "main" else f" of branch {named(self.branch)}"
        names = [field.name for field in self.schema.fields]
        return f"v{self.number} ({self.digest[:8]}){branch}: {counted(len(names), 'column')} ({listed(names)})"

    @property
    def provenance(self) -> Provenance | None:
        return Provenance.of(self.schema)

    @property
    def is_copied(self) -> bool:
        """Whether somebody has copied the file of another version, which tells who wrote that one. A source has numbers of its own."""
        try:
            source = self.provenance
        except SchemaFileError:
            return False
        return source is not None and not self.table_id and source.parent_id not in (None, self.number - 1)

    @property
    def identity(self) -> tuple[str, int, str]:
        """What identifies this version among all: branch, number, digest."""
        return (self.branch, self.number, self.digest)


def file_digest(data: bytes) -> str:
    """Return the sha256 of a file's bytes."""
    return hashlib.sha256(data).hexdigest()
