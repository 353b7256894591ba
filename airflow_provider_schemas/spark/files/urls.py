"""Addresses of folders and files, compared: s3, s3a and s3n are one storage, and a path is one of a disk."""

import posixpath

from airflow_provider_schemas.store.storage.guarantees import one_name


def plain(address: str) -> str:
    """An address in the one way in which it can be compared with others."""
    scheme, mark, rest = address.partition("://")
    if not mark:  # `file:/path` is how Java writes it
        path = address.removeprefix("file:")
        return f"file://{posixpath.normpath(path)}" if path.startswith("/") else posixpath.normpath(path)
    return f"{one_name(scheme.lower())}://{posixpath.normpath(rest)}"


def inside(address: str, folder: str) -> bool:
    """Whether an address is a folder, or lies in it."""
    return f"{plain(address)}/".startswith(f"{plain(folder).rstrip('/')}/")
