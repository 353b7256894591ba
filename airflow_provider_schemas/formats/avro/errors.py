"""The errors about Avro files: broken ones, files of another format, and libraries that are not installed."""

from typing import Final

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.errors import FormatError

MANIFEST_FORMAT: Final = "paimon.manifest-format"
_FIX: Final = "Restore the file from a backup, or expire the snapshots that name it."
# How whole files of the other formats begin, and what stands at their end or one byte before it.
_OTHER_FORMATS: Final = (("it is an ORC file", "orc", b"ORC", slice(-4, -1)), ("it is a Parquet file", "parquet", b"PAR1", slice(-4, None)))
_OTHER_FORMAT_FIX: Final = (
    "There is nothing to restore and nothing to expire. Read the table with Paimon's own connector; a sensor can wait for the schema "
    "(until='schema') instead of the files."
)


def broken(why: str, code: str = "avro.broken") -> FormatError:
    """Return the error about an Avro file that cannot be read."""
    return FormatError(f"{why}.", code=code, fix=_FIX)


def no_avro(data: bytes) -> FormatError:
    """Return the error about a file that is no Avro file, which may be a healthy one of another format."""
    for what, name, magic, end in _OTHER_FORMATS:
        if len(data) > 2 * len(magic) and data.startswith(magic) and data[end] == magic:
            why = f"the table keeps its manifests in that format (manifest.format={name}), and only Avro manifests are read here"
            return FormatError(f"{what}: {why}. The table is healthy.", code=MANIFEST_FORMAT, fix=_OTHER_FORMAT_FIX)
    return broken("this is no Avro file")


def missing_library(library: str) -> FormatError:
    """Return the error about a library that is not installed."""
    message = f"manifests cannot be read without {library}."
    return FormatError(message, code="extra.missing", fix="Install it with: pip install 'airflow-provider-schemas[paimon]', or [iceberg].")


def describe_error(error: BaseException) -> str:
    """Return what a library says is wrong, without quotes and in one line."""
    return shown(str(error) or type(error).__name__)[1:-1]
