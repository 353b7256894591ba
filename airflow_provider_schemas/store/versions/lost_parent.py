"""Notice a table that goes away while its next version is written, and delete the version that was written for nothing.

A version belongs to the table of the version that it was made of. On local disks and in memory a create looks for that parent in the same
step. An object store takes files one by one: there the parent is read again after the create. Who drops a table deletes the parent first
and then looks for late files, so that one of the two sees the other.
"""

import hashlib

from airflow_provider_schemas.errors import ConflictError, NotThereError, SchemaError
from airflow_provider_schemas.store.storage.files import Files, Parent
from airflow_provider_schemas.store.storage.guarantees import Means, guarantee
from airflow_provider_schemas.store.storage.numbered_files import Numbered

CODE = "commit.table-gone"
_FIX = "Look with `ls` and `log` what has its name now, and where it is, and ask again on the table that you mean."


def is_lost(versions: Numbered, number: int, data: bytes, parent: Parent) -> bool:
    """Return whether a version that was written just now is in no table, or in another table than its parent. False, if nobody can tell."""
    files = versions.files
    try:
        digest = _read_digest(files, parent.path)
        if digest == parent.digest:
            return False
        if guarantee(files.protocol).means is Means.CONDITION:
            return True
        # The create has seen the parent. If both are gone, so is the table, and the version with it.
        return digest is not None and files.read(versions.path(number)) == data
    except SchemaError:
        return False


def _read_digest(files: Files, path: str) -> str | None:
    """Return the digest of a file; None if it is not there."""
    try:
        return hashlib.sha256(files.read(path)).hexdigest()
    except NotThereError:
        return None


def not_written(versions: Numbered, number: int) -> ConflictError:
    """Return the error of a writer whose table went away before anything was written."""
    return _error(versions, number, f"{versions.where(number)} was not written: {_what_happened(versions, number)}.", _FIX)


def taken_away(versions: Numbered, number: int, data: bytes) -> ConflictError:
    """Delete the version of a writer whose table went away meanwhile, since it would look like a table, and return the error."""
    path = versions.path(number)
    happened = _what_happened(versions, number)
    try:
        if versions.files.read(path) == data:
            versions.files.delete(path)
    except NotThereError:
        message = f"{versions.where(number)} was written, and has gone: {happened}. If it was renamed, the change may have gone along."
        return _error(versions, number, message, _FIX)
    except SchemaError as error:
        message = f"{versions.where(number)} was written, {happened}, and it could not be deleted: {error}"
        return _error(versions, number, message, f"Nothing of it holds: delete this file, which stands there for a table. {_FIX}")
    return _error(versions, number, f"{versions.where(number)} was deleted again: {happened}.", f"Nothing of it holds. {_FIX}")


def _what_happened(versions: Numbered, number: int) -> str:
    try:
        has_others = any(other != number for other in versions.entries())
    except SchemaError:
        has_others = False
    dropped = "meanwhile somebody dropped the table"
    return f"{dropped}, and made it anew" if has_others else f"{dropped}, or gave it another name"


def _error(versions: Numbered, number: int, message: str, fix: str) -> ConflictError:
    return ConflictError(message, code=CODE, path=versions.path(number), fix=fix)
