"""What lies in a folder or below it, in as few requests as a storage needs: one listing, page by page.

The libraries ask for more. s3fs lists the parent of a folder that is not there, with all its other folders;
gcsfs looks whether such a folder is a file; adlfs lists every neighbour whose name begins like the folder's.
Each is asked one door further in.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from airflow_provider_schemas.store.storage.files import FileFacts, ListingEntry

Info = Mapping[str, Any]
Door = Callable[[Any, str], Awaitable[Iterable[Info]]]


class RawPage(NamedTuple):
    """A part of a listing."""

    infos: Sequence[Info]
    following: str
    """What the next page is asked by; empty for the last one."""


# Where libraries put what changes with the content, and the time of the last change.
_MARKS = ("ETag", "etag", "generation", "content_md5")
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")


def inside(fs: Any, path: str) -> Iterable[Info]:
    """What lies in the folder, in the words of fsspec. FileNotFoundError, or nothing, if there is no such folder."""
    return _listed(fs, path, door_inside(fs), _inside)


def below(fs: Any, path: str) -> Iterable[Info]:
    """Every file below the folder, likewise."""
    return _listed(fs, path, door_below(fs), _below)


def door_inside(fs: Any) -> Door | None:
    """Return what lists a folder on the loop of the library; None where only its own calls are known."""
    return _own(fs, _INSIDE)


def door_below(fs: Any) -> Door | None:
    """The same for all that lies below a folder."""
    return _own(fs, _BELOW)


def page(fs: Any, path: str, after: str, following: str) -> RawPage | None:
    """One page of all that lies below a folder, of paths after this one; None where the library does not give pages."""
    if "S3FileSystem" not in _names(fs) or fs.version_aware:
        return None
    from fsspec.asyn import sync

    found: RawPage = sync(fs.loop, _page_of_s3, fs, path, after, following)
    return found


def _listed(fs: Any, path: str, door: Door | None, otherwise: Callable[[Any, str], Iterable[Info]]) -> Iterable[Info]:
    if door is None:
        return otherwise(fs, path)
    from fsspec.asyn import sync

    found: Iterable[Info] = sync(fs.loop, door, fs, path)
    return found


def _own(fs: Any, doors: Mapping[str, Door]) -> Door | None:
    return next((doors[name] for name in _names(fs) if name in doors), None)


def _names(fs: Any) -> list[str]:
    """The classes of a filesystem that threads may use."""
    return [] if getattr(fs, "asynchronous", False) else [one.__name__ for one in type(fs).__mro__]


def _inside(fs: Any, path: str) -> Iterable[Info]:
    fs.invalidate_cache(path)
    found: Iterable[Info] = fs.ls(path, detail=True)
    return found


def _below(fs: Any, path: str) -> Iterable[Info]:
    fs.invalidate_cache(path)
    found: dict[str, Info] = fs.find(path, detail=True)
    return [] if path in found else found.values()


# ---------------------------------------------------------------- S3


async def _inside_s3(fs: Any, path: str) -> Iterable[Info]:
    found: Iterable[Info] = await fs._lsdir(path, refresh=True, delimiter="/")
    return found


async def _below_s3(fs: Any, path: str) -> Iterable[Info]:
    found: Iterable[Info] = await fs._lsdir(path, refresh=True, delimiter="")
    return found


async def _page_of_s3(fs: Any, path: str, after: str, following: str) -> RawPage:
    bucket, key, _ = fs.split_path(path)
    start = {"ContinuationToken": following} if following else {"StartAfter": fs.split_path(after)[1] if after else ""}
    found = await fs._call_s3("list_objects_v2", Bucket=bucket, Prefix=f"{key}/" if key else "", **start, **fs.req_kw)
    infos = [{**one, "name": f"{bucket}/{one['Key']}", "type": "file", "size": one["Size"]} for one in found.get("Contents", ())]
    return RawPage(infos, found.get("NextContinuationToken", "") if found.get("IsTruncated") else "")


# ---------------------------------------------------------------- Azure


async def _inside_azure(fs: Any, path: str) -> Iterable[Info]:
    return await _of_azure(fs, path, "walk_blobs")


async def _below_azure(fs: Any, path: str) -> Iterable[Info]:
    return await _of_azure(fs, path, "list_blobs")


async def _of_azure(fs: Any, path: str, door: str) -> Iterable[Info]:
    container, folder, _ = fs.split_path(path)
    async with fs.service_client.get_container_client(container=container) as client:
        blobs: AsyncIterator[Any] = getattr(client, door)(name_starts_with=f"{folder}/" if folder else None, include=["metadata"])
        return [_of_blob(container, blob) async for blob in blobs]


def _of_blob(container: str, blob: Any) -> Info:
    """A blob, or what stands for a folder: a name that ends in a slash, or an empty blob that says so."""
    name, about = f"{container}/{blob.name}", getattr(blob, "metadata", None) or {}
    if blob.name.endswith("/") or str(about.get("hdi_isfolder", about.get("is_directory", ""))).lower() == "true":
        return {"name": name.rstrip("/"), "type": "directory"}
    return {"name": name, "type": "file", "size": blob.size, "etag": blob.etag, "last_modified": blob.last_modified}


# ---------------------------------------------------------------- Google


async def _inside_google(fs: Any, path: str) -> Iterable[Info]:
    return await _of_google(fs, path, "/")


async def _below_google(fs: Any, path: str) -> Iterable[Info]:
    return await _of_google(fs, path, "")


async def _of_google(fs: Any, path: str, delimiter: str) -> Iterable[Info]:
    objects, folders = await fs._do_list_objects(path, delimiter=delimiter)
    bucket = path.partition("/")[0]
    return [*objects, *({"name": f"{bucket}/{one.rstrip('/')}", "type": "directory"} for one in folders)]


# By the class of the filesystem, so that one that was handed in is known too; whatever else is asked as fsspec says.
_INSIDE: dict[str, Door] = {
    "S3FileSystem": _inside_s3,
    "AzureBlobFileSystem": _inside_azure,
    "GCSFileSystem": _inside_google,
}
_BELOW: dict[str, Door] = {
    "S3FileSystem": _below_s3,
    "AzureBlobFileSystem": _below_azure,
    "GCSFileSystem": _below_google,
}


# ---------------------------------------------------------------- what a listing says


def entry(info: Mapping[str, Any], folder: str) -> ListingEntry | None:
    """The entry of a listing; None for what is not in the folder: itself, or what lies in one whose name begins like it."""
    path = str(info["name"]).rstrip("/")
    inside, _, name = path.rpartition("/")
    if not name or inside.strip("/") != folder.strip("/"):
        return None
    if info.get("type") == "directory":
        return ListingEntry(name, folder=True)
    size = info.get("size")
    modified = next((moment for key in _TIMES if (moment := _seconds(info.get(key))) is not None), None)
    mark = next((str(info[key]) for key in _MARKS if info.get(key)), f"{modified}-{size}" if modified is not None else "")
    return ListingEntry(name, folder=False, facts=FileFacts(mark, size if isinstance(size, int) else None, modified))


def _seconds(moment: Any) -> float | None:
    if isinstance(moment, datetime):
        return moment.timestamp()
    if isinstance(moment, int | float):
        return float(moment)
    try:
        return datetime.fromisoformat(moment).timestamp() if isinstance(moment, str) else None
    except ValueError:
        return None
