"""A table that pypaimon wrote, with its manifest lists in another format than Avro, as Java writes them for `manifest.format`."""

import io
import json
from pathlib import Path

_LISTS = ("baseManifestList", "deltaManifestList")
FORMATS = ("orc", "parquet")


def manifest_bytes(kind: str) -> bytes:
    """A whole file of this format, with columns of a manifest list."""
    import pyarrow as pa  # only here
    from pyarrow import orc, parquet

    columns = {"_VERSION": [2], "_FILE_NAME": ["manifest-1"], "_FILE_SIZE": [10], "_SCHEMA_ID": [0]}
    out = io.BytesIO()
    write = {"orc": orc.write_table, "parquet": parquet.write_table}[kind]
    write(pa.table(columns), out)
    return out.getvalue()


def rewrite_lists(table: Path, kind: str) -> list[str]:
    """Write the manifest lists of all snapshots and tags in this format; the names of the lists."""
    data, names = manifest_bytes(kind), []
    for path in sorted([*table.glob("snapshot/snapshot-*"), *table.glob("tag/tag-*")]):
        snapshot = json.loads(path.read_text())
        for key in _LISTS:
            (table / "manifest" / snapshot[key]).write_bytes(data)
            names.append(snapshot[key])
        path.write_text(json.dumps(snapshot | {f"{key}Size": len(data) for key in _LISTS}))
    return names
