"""Ask a REST catalog for a table: its answer holds the metadata, and to a conditional request it answers that nothing changed.

pyiceberg's `load_table` takes no ETag, and parses the metadata a hundred times as slowly as we do. So the request is made here, on the
session of the catalog, which has its credentials, signatures and certificates. `_session` is no public name of pyiceberg: without it, and
for every answer that is neither yes, nor no, nor "not modified", the catalog asks by itself, renews its token, and tells what is wrong.
"""

import hashlib
from collections.abc import Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import quote, unquote

import msgspec
from msgspec import Raw, Struct, field

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store.mounts.iceberg.catalog_errors import catalog_trouble
from airflow_provider_schemas.store.mounts.iceberg.catalog_finder import KnownNamespace, Namespace, ask, listed
from airflow_provider_schemas.store.mounts.iceberg.finder import FoundMetadata
from airflow_provider_schemas.store.mounts.iceberg.locations import LocationReader, OpenFolder, folders_of_properties
from airflow_provider_schemas.store.storage.files import AT_ONCE, Count

_ETAG: Final = "etag "
"""What a name begins with that is an ETag."""
_AND: Final = " "
_LOAD_TABLE: Final = "namespaces/{namespace}/tables/{table}"
_SEPARATOR: Final = "%1F"
_LOADING_MODE: Final = "snapshot-loading-mode"
_OK: Final = 200
_NOT_MODIFIED: Final = 304
_NOT_FOUND: Final = 404
_MISSING_TYPES: Final = frozenset({"NoSuchTableException", "NoSuchNamespaceException"})


class _StorageCredential(Struct):
    """Credentials for all locations below a prefix."""

    prefix: str = ""
    config: dict[str, str] = {}


class _LoadedTable(Struct):
    """The answer about a table, with its metadata as it came."""

    metadata: Raw
    location: str | None = field(name="metadata-location", default=None)
    config: dict[str, str] | None = None
    credentials: list[_StorageCredential] | None = field(name="storage-credentials", default=None)


class _ErrorModel(Struct):
    """What went wrong, in the words of the catalog."""

    type: str = ""


class _ErrorAnswer(Struct):
    """The answer that something went wrong."""

    error: _ErrorModel


class RestFinder:
    """Finds tables in one namespace of a REST catalog of pyiceberg."""

    at_once = AT_ONCE

    def __init__(self, catalog: Any, namespace: Namespace, where: str, count: Count) -> None:
        self._catalog = catalog
        self.catalog = catalog
        """What changes of a table are sent to."""
        self._namespace = namespace
        self._where = where
        self._count = count
        self._known_namespace = KnownNamespace(catalog, namespace, where, count)

    def find(self, table: str, known_mark: str) -> FoundMetadata | None:
        response = self._request(table, known_mark)
        if response is None:
            return self._ask_publicly(table, known_mark)
        if response.status_code == _NOT_MODIFIED and _condition(known_mark):
            return FoundMetadata(known_mark, self._reader(table, {}))
        if response.status_code == _OK:
            return self._loaded(table, response.content, response.headers.get("ETag"), known_mark)
        if response.status_code == _NOT_FOUND:
            self._check_says_missing(table, response.content)
            self._known_namespace.check()
            return None
        return self._ask_publicly(table, known_mark)

    def _request(self, table: str, known_mark: str) -> Any:
        """Return the response to one request for the table; None where this catalog lets nobody make one."""
        session = getattr(self._catalog, "_session", None)
        url = getattr(self._catalog, "url", None)
        if session is None or url is None:
            return None
        address = url(_LOAD_TABLE, prefixed=True, namespace=self._encoded_namespace(), table=quote(table, safe=""))
        params = {"snapshots": self._catalog.properties.get(_LOADING_MODE) or "refs"}
        self._count.add(lists=1)
        try:
            return session.get(address, params=params, headers=_condition(known_mark))
        except Exception as error:
            raise catalog_trouble(error, where=self._where, what=shown(table)) from error

    def _encoded_namespace(self) -> str:
        separator = unquote(self._catalog.properties.get("namespace-separator") or _SEPARATOR)
        return separator.join(quote(part, safe="") for part in self._namespace)

    def _loaded(self, table: str, body: bytes, etag: str | None, known_mark: str) -> FoundMetadata:
        answer = self._decoded(table, body)
        data = bytes(answer.metadata)
        mark = _mark(f"{_ETAG}{etag}" if etag else answer.location, data)
        reader = self._reader(table, _properties(answer))
        return FoundMetadata(mark, reader, None if mark == known_mark else data)

    def _decoded(self, table: str, body: bytes) -> _LoadedTable:
        try:
            return msgspec.json.decode(body, type=_LoadedTable)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise self._no_catalog(table) from None

    def _reader(self, table: str, properties: Mapping[str, str]) -> LocationReader:
        """Return what reads the files of a table, with the credentials that the catalog has lent for them."""
        return LocationReader(self._folders(properties), self._count, renew=partial(self._renew, table))

    def _folders(self, properties: Mapping[str, str]) -> OpenFolder:
        return folders_of_properties({**self._catalog.properties, **properties}, self._count)

    def _renew(self, table: str) -> OpenFolder:
        """Return what opens folders with new credentials; with those of the catalog, where it lends none any more."""
        response = self._request(table, "")
        if response is None or response.status_code != _OK:
            return self._folders({})
        return self._folders(_properties(self._decoded(table, response.content)))

    def _check_says_missing(self, table: str, body: bytes) -> None:
        """Raise a StorageError if the answer is not that of a catalog without this table: a wrong address has no page either."""
        try:
            answer = msgspec.json.decode(body, type=_ErrorAnswer)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise self._no_catalog(table) from None
        if answer.error.type not in _MISSING_TYPES:
            raise self._no_catalog(table)

    def _no_catalog(self, table: str) -> StorageError:
        message = f"{self._where} does not answer as an Iceberg REST catalog does when it is asked for {shown(table)}."
        fix = "Check the address of the catalog, its prefix and its warehouse."
        return StorageError(message, code="mount.no-catalog", path=table, fix=fix)

    def _ask_publicly(self, table: str, known_mark: str) -> FoundMetadata | None:
        """Return what the public `load_table` answers, as pyiceberg has read and written it again."""
        self._count.add(lists=1)
        loaded = ask(lambda: self._catalog.load_table((*self._namespace, table)), self._where, table)
        if loaded is None:
            self._known_namespace.check()
            return None
        reader = self._reader(table, {**loaded.config, **loaded.io.properties})
        data = loaded.metadata.model_dump_json(exclude_none=True).encode()
        mark = _mark(loaded.metadata_location, data)
        return FoundMetadata(mark, reader, None if mark == known_mark else data)

    def tables(self) -> tuple[str, ...]:
        self._count.add(lists=1)
        return listed(self._catalog, self._namespace, self._where)


def _condition(known_mark: str) -> dict[str, str]:
    """Return the headers that ask only for what has changed since."""
    named = known_mark.partition(_AND)[2]
    return {"If-None-Match": named.removeprefix(_ETAG)} if named.startswith(_ETAG) else {}


def _mark(named: str | None, data: bytes) -> str:
    """Return what changes when the metadata does: their digest, and what the catalog calls them.

    Whoever sends metadata under the name of others, as a cache may do, is taken at the metadata.
    """
    digest = hashlib.sha256(data).hexdigest()
    return f"{digest}{_AND}{named}" if named else digest


def _properties(answer: _LoadedTable) -> dict[str, str]:
    """Return the properties for reading the files of a table: of the credentials, those with the longest prefix of its location."""
    fitting = [each for each in answer.credentials or () if (answer.location or "").startswith(each.prefix)]
    nearest = max(fitting, key=lambda each: len(each.prefix), default=_StorageCredential())
    return {**(answer.config or {}), **nearest.config}


def is_rest(catalog: Any) -> bool:
    """Return whether it is a REST catalog of pyiceberg."""
    from pyiceberg.catalog.rest import RestCatalog

    return isinstance(catalog, RestCatalog)
