"""Open the files below an address: a local path, an object store, or any other storage that fsspec reaches."""

import hashlib
import os
import re
from collections.abc import Mapping
from functools import partial
from os import PathLike
from typing import Any, Final

from airflow_provider_schemas.core.common.secrets import without_passwords
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store.common.data_location import with_small_scheme
from airflow_provider_schemas.store.storage.errors import trouble
from airflow_provider_schemas.store.storage.files import AT_ONCE, Files
from airflow_provider_schemas.store.storage.guarantees import one_name
from airflow_provider_schemas.store.storage.local import LocalFiles
from airflow_provider_schemas.store.storage.remote import client_retries
from airflow_provider_schemas.store.storage.remote.listings import FileSystem
from airflow_provider_schemas.store.storage.remote_files import RemoteFiles

# What is left of s3://bucket where somebody made a path of it.
_LOST_SLASH: Final = re.compile(r"[a-z][a-z0-9+]+:/(?!/)")


def open_files(
    url: str | PathLike[str], *, storage_options: Mapping[str, Any] | None = None, fs: FileSystem | None = None, at_once: int = AT_ONCE
) -> Files:
    """Return the files below an address: a path, a URL of fsspec with its options, or a path on a filesystem that is handed in."""
    address = os.fspath(url) if isinstance(url, os.PathLike) else url
    if not isinstance(address, str) or not address.strip():  # type: ignore[redundant-expr]  # not every caller has its types checked
        raise StorageError("an address of a store is a text that is not empty.", code="storage.no-address", fix="Pass a path or a URL.")
    shown = without_passwords(address)
    if storage_options is not None and not isinstance(storage_options, Mapping):
        message = f"a {type(storage_options).__name__} is no options of a storage."
        raise StorageError(message, code="storage.no-options", path="storage_options", fix="Pass a mapping, as fsspec takes it.")
    if fs is not None:
        return _open_on(fs, address, shown, at_once)
    return _open_address(with_small_scheme(address), shown, dict(storage_options or {}), at_once)


def _open_address(address: str, shown: str, options: Mapping[str, Any], at_once: int) -> Files:
    protocol, mark, path = address.partition("://")
    if not mark:
        if _LOST_SLASH.match(address):
            fix = "Pass the address as text: a path of pathlib keeps one slash of two."
            raise StorageError(f"{shown} is a URL with one slash.", code="storage.no-address", path=shown, fix=fix)
        return LocalFiles(address)
    if one_name(protocol) == "file":
        return LocalFiles(path)
    connect = partial(_connect, address, shown, options, at_once)
    return RemoteFiles(connect, protocol, shown, _options_digest(options), at_once=at_once)


def open_root(
    url: str | PathLike[str], *, storage_options: Mapping[str, Any] | None = None, fs: FileSystem | None = None, at_once: int = AT_ONCE
) -> Files:
    """Return the files of a root of a store: if its folder is not there, that is an error, and not an empty store."""
    files = open_files(url, storage_options=storage_options, fs=fs, at_once=at_once)
    if isinstance(files, LocalFiles):
        return LocalFiles(files.root, home=files.root)
    return files


def folder_of(files: Files, name: str) -> Files:
    """Return a folder as a root of its own, with the connections of the root that it lies in."""
    if isinstance(files, LocalFiles):
        return LocalFiles(f"{files.root.rstrip('/')}/{name}", home=files.home)
    if not isinstance(files, RemoteFiles):
        raise TypeError(f"{type(files).__name__} are no files of ours")
    endpoint = files.identity.rpartition("#")[2]
    url = f"{files.url.rstrip('/')}/{name}"
    return RemoteFiles(partial(_connect_below, files, name), files.protocol, url, endpoint, at_once=files.at_once)


def _connect_below(files: RemoteFiles, name: str) -> tuple[FileSystem, str]:
    return files.fs, f"{files.root}/{name}"


def _options_digest(options: Mapping[str, Any]) -> str:
    """Return what tells options from others, without telling what they are."""
    pairs = sorted((str(key), repr(value)) for key, value in options.items())
    return hashlib.sha256(repr(pairs).encode()).hexdigest()


def _connect(url: str, shown: str, options: Mapping[str, Any], at_once: int) -> tuple[FileSystem, str]:
    import fsspec.core

    protocol, _, path = url.partition("://")
    if one_name(protocol) == "s3":
        url = f"s3://{path}"
    try:
        fs, root = fsspec.core.url_to_fs(url, **{**client_retries.with_patience(protocol, options, at_once), "skip_instance_cache": True})
    except Exception as error:
        raise trouble(error, url=shown, path="", doing="open") from error
    return client_retries.with_fewer_retries(fs, protocol, options), str(root)


def _open_on(fs: FileSystem, url: str, shown: str, at_once: int) -> Files:
    """Return the files below a path on a filesystem that is handed in."""
    if not hasattr(fs, "protocol") or not hasattr(fs, "pipe_file"):
        fix = "Pass a filesystem of fsspec, such as fsspec.filesystem('memory')."
        raise StorageError(f"a {type(fs).__name__} is no filesystem.", code="storage.no-filesystem", path="fs", fix=fix)
    protocol = fs.protocol if isinstance(fs.protocol, str) else fs.protocol[0]
    path = str(fs._strip_protocol(url))
    if one_name(protocol) == "file":
        return LocalFiles(path)
    endpoint = f"{id(fs)}-{getattr(fs, '_fs_token', '')}"
    return RemoteFiles(partial(_reconnect, fs, os.getpid(), path), protocol, shown, endpoint, at_once=at_once)


def _reconnect(fs: FileSystem, pid: int, path: str) -> tuple[FileSystem, str]:
    """Return the filesystem as it was handed in, or one like it after a fork."""
    if pid == os.getpid():
        return fs, path
    return type(fs)(*fs.storage_args, **{**fs.storage_options, "skip_instance_cache": True}), path
