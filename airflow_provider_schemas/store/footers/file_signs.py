"""By which bytes a data file begins: so a stated format is compared with the files, also where no footer of it is read."""

from typing import Final

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store.footers.newest_file import DataEntry
from airflow_provider_schemas.store.storage.errors import passing
from airflow_provider_schemas.store.storage.files import Files

AVRO: Final = "avro"
# Parquet has a second one, for files whose footer is encrypted.
_SIGNS: Final = {b"PAR1": "parquet", b"PARE": "parquet", b"ORC": "orc", b"Obj\x01": AVRO}
_LONGEST: Final = 4
_SHORTEST: Final = 8
# All files of these formats begin with their sign.
SIGNED: Final = frozenset(_SIGNS.values())


def is_long_enough(entry: DataEntry) -> bool:
    """Whether a file may be one of these at all: what is shorter was broken off, and tells nothing of what it should be."""
    return entry.size is None or entry.size >= _SHORTEST


def format_of(files: Files, entry: DataEntry) -> str:
    """Return the format of a file by its first bytes; empty if they tell none, or cannot be read."""
    if not is_long_enough(entry):
        return ""
    try:
        first = files.read_part(entry.path, 0, _LONGEST)
    except SchemaError as error:
        if passing(error):
            raise
        return ""
    return next((kind for sign, kind in _SIGNS.items() if first.startswith(sign)), "")
