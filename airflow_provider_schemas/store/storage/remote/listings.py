"""List a folder, or all that lies below it, in as few requests as a storage needs: one listing, page by page.

The public calls of the libraries make more requests. s3fs lists the parent of a folder that is not there, with all its other folders; gcsfs
looks whether such a folder is a file; adlfs lists every neighbour whose name begins like the folder's. So inner calls of theirs are made.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from airflow_provider_schemas.store.storage.files import FileFacts, ListingEntry

FileSystem = Any
"""A filesystem of fsspec, which has no types."""

Info = Mapping[str, Any]
"""What fsspec says of a file: its name, its kind, and what the storage adds."""

AsyncListing = Callable[[FileSystem, str], Awaitable[Iterable[Info]]]
"""A listing of a folder on the loop of a library."""


class RawPage(NamedTuple):
    """A part of a listing."""

    infos: Sequence[Info]
    following: str
    """What the next page is asked by; empty for the last page."""


# Where libraries put what changes with the content, and the time of the last change.
_MARKS = ("ETag", "etag", "generation", "content_md5")
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


def inside(fs: FileSystem, path: str) -> Iterable[Info]:
    """Return what lies in the folder, in the words of fsspec. FileNotFoundError, or nothing, if there is no such folder."""
    return _list(fs, path, async_inside(fs), _inside)


def below(fs: FileSystem, path: str) -> Iterable[Info]:
    """Return every file below the folder, likewise."""
    return _list(fs, path, async_below(fs), _below)


def async_inside(fs: FileSystem) -> AsyncListing | None:
    """Return what lists a folder on the loop of the library; None where only its public calls are known."""
    return _find_listing(fs, _INSIDE)


def async_below(fs: FileSystem) -> AsyncListing | None:
    """Return what lists all below a folder on the loop of the library, likewise."""
    return _find_listing(fs, _BELOW)


def page(fs: FileSystem, path: str, after: str, following: str) -> RawPage | None:
    """Return a page of all that lies below a folder, of paths after this one; None where the library does not give pages."""
    if "S3FileSystem" not in _class_names(fs) or fs.version_aware:
        return None
    from fsspec.asyn import sync

    raw: RawPage = sync(fs.loop, _page_of_s3, fs, path, after, following)
    return raw


def _list(
    fs: FileSystem, path: str, listing: AsyncListing | None, list_publicly: Callable[[FileSystem, str], Iterable[Info]]
) -> Iterable[Info]:
    if listing is None:
        return list_publicly(fs, path)
    from fsspec.asyn import sync

    infos: Iterable[Info] = sync(fs.loop, listing, fs, path)
    return infos


def _find_listing(fs: FileSystem, listings: Mapping[str, AsyncListing]) -> AsyncListing | None:
    return next((listings[name] for name in _class_names(fs) if name in listings), None)


def _class_names(fs: FileSystem) -> list[str]:
    """Return the class of a filesystem and those above it; nothing for a filesystem that threads may not use."""
    if getattr(fs, "asynchronous", False):
        return []
    return [ancestor.__name__ for ancestor in type(fs).__mro__]


def _inside(fs: FileSystem, path: str) -> Iterable[Info]:
    fs.invalidate_cache(path)
    infos: Iterable[Info] = fs.ls(path, detail=True)
    return infos


def _below(fs: FileSystem, path: str) -> Iterable[Info]:
    fs.invalidate_cache(path)
    infos: dict[str, Info] = fs.find(path, detail=True)
    return [] if path in infos else infos.values()


# ---------------------------------------------------------------- S3


async def _inside_s3(fs: FileSystem, path: str) -> Iterable[Info]:
    infos: Iterable[Info] = await fs._lsdir(path, refresh=True, delimiter="/")
    return infos


async def _below_s3(fs: FileSystem, path: str) -> Iterable[Info]:
    infos: Iterable[Info] = await fs._lsdir(path, refresh=True, delimiter="")
    return infos


async def _page_of_s3(fs: FileSystem, path: str, after: str, following: str) -> RawPage:
    bucket, key, _ = fs.split_path(path)
    start = {"ContinuationToken": following} if following else {"StartAfter": _read_key(fs, after)}
    answer = await fs._call_s3("list_objects_v2", Bucket=bucket, Prefix=f"{key}/" if key else "", **start, **fs.req_kw)
    infos = [
        {**content, "name": f"{bucket}/{content['Key']}", "type": "file", "size": content["Size"]} for content in answer.get("Contents", ())
    ]
    next_token = answer.get("NextContinuationToken", "")
    return RawPage(infos, next_token if answer.get("IsTruncated") else "")


def _read_key(fs: FileSystem, path: str) -> str:
    return fs.split_path(path)[1] if path else ""


# ---------------------------------------------------------------- Azure


async def _inside_azure(fs: FileSystem, path: str) -> Iterable[Info]:
    return await _list_azure(fs, path, "walk_blobs")


async def _below_azure(fs: FileSystem, path: str) -> Iterable[Info]:
    return await _list_azure(fs, path, "list_blobs")


async def _list_azure(fs: FileSystem, path: str, method: str) -> Iterable[Info]:
    container, folder, _ = fs.split_path(path)
    async with fs.service_client.get_container_client(container=container) as client:
        blobs: AsyncIterator[Any] = getattr(client, method)(name_starts_with=f"{folder}/" if folder else None, include=["metadata"])
        return [_read_blob(container, blob) async for blob in blobs]


class _Blob(Protocol):
    """A blob as the client of Azure lists it. What stands for a folder has only a name."""

    name: str
    size: int
    etag: str
    last_modified: datetime


def _read_blob(container: str, blob: _Blob) -> Info:
    """Return a blob, or the folder that it stands for: its name ends in a slash, or it is empty and its metadata say so."""
    name = f"{container}/{blob.name}"
    metadata = getattr(blob, "metadata", None) or {}
    if blob.name.endswith("/") or str(metadata.get("hdi_isfolder", metadata.get("is_directory", ""))).lower() == "true":
        return {"name": name.rstrip("/"), "type": "directory"}
    return {"name": name, "type": "file", "size": blob.size, "etag": blob.etag, "last_modified": blob.last_modified}


# ---------------------------------------------------------------- Google


async def _inside_google(fs: FileSystem, path: str) -> Iterable[Info]:
    return await _list_google(fs, path, "/")


async def _below_google(fs: FileSystem, path: str) -> Iterable[Info]:
    return await _list_google(fs, path, "")


async def _list_google(fs: FileSystem, path: str, delimiter: str) -> Iterable[Info]:
    objects, folders = await fs._do_list_objects(path, delimiter=delimiter)
    bucket = path.partition("/")[0]
    directories = [{"name": f"{bucket}/{folder.rstrip('/')}", "type": "directory"} for folder in folders]
    return [*objects, *directories]


# By the class of the filesystem, so that a filesystem that was handed in is known too. All others are asked by their public calls.
_INSIDE: dict[str, AsyncListing] = {
    "S3FileSystem": _inside_s3,
    "AzureBlobFileSystem": _inside_azure,
    "GCSFileSystem": _inside_google,
}
_BELOW: dict[str, AsyncListing] = {
    "S3FileSystem": _below_s3,
    "AzureBlobFileSystem": _below_azure,
    "GCSFileSystem": _below_google,
}


# ---------------------------------------------------------------- entries


def read_entry(info: Info, folder: str) -> ListingEntry | None:
    """Return an entry of a listing; None for what is not in the folder: itself, or what lies in a folder whose name begins like it."""
    path = str(info["name"]).rstrip("/")
    inside, _, name = path.rpartition("/")
    if not name or inside.strip("/") != folder.strip("/"):
        return None
    if info.get("type") == "directory":
        return ListingEntry(name, folder=True)
    size = info.get("size")
    modified = _read_time(info)
    facts = FileFacts(_read_mark(info, modified), size if isinstance(size, int) else None, modified)
    return ListingEntry(name, folder=False, facts=facts)


def _read_mark(info: Info, modified: float | None) -> str:
    for key in _MARKS:
        if info.get(key):
            return str(info[key])
    if modified is None:
        return ""
    return f"{modified}-{info.get('size')}"


def _read_time(info: Info) -> float | None:
    for key in _TIMES:
        seconds = _to_seconds(info.get(key))
        if seconds is not None:
            return seconds
    return None


def _to_seconds(moment: object) -> float | None:
    if isinstance(moment, datetime):
        return moment.timestamp()
    if isinstance(moment, int | float):
        return float(moment)
    if not isinstance(moment, str):
        return None
    try:
        return datetime.fromisoformat(moment).timestamp()
    except ValueError:
        return None
