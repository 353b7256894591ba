"""How a job reads a table, as its contract says, and whether an earlier name that is kept as an alias works for that way.

An alias is a note in the schema. `read_table` looks at it; an engine that goes by name does not. A view with both names is right
for old files only where the engine itself finds columns by field id: over plain Parquet it gives NULL for the files before the rename.
"""

from collections.abc import Sequence

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.engines.readers import READERS, Reader, parse_reader
from airflow_provider_schemas.errors import ContractError, FormatError

READ_TABLE = "read_table"
VIEW = "view"

# What read_table reads: the manifests of Paimon, and folders of Parquet, ORC and Avro.
_READ_BY_US = frozenset({"paimon", "spark-4-parquet", "spark-4-orc"})
# Where a view over the table gives old files their values, whatever name a column had in them.
_VIEWED_BY_ID = frozenset({Reader("paimon", "id")})


def checked_way(text: str) -> str:
    """Return the way in its one spelling; empty for the engine of the table, by name."""
    words = " ".join(text.split()).lower()
    if words in ("", READ_TABLE, VIEW):
        return words
    try:
        return str(parse_reader(words))
    except FormatError:
        raise ContractError(f"{shown(text)} is no way to read a table.", code="contract.read-with", fix=_advice(words)) from None


def _advice(words: str) -> str:
    from difflib import get_close_matches

    known = (READ_TABLE, VIEW, *READERS)
    advice = f"Use {', '.join(known)}; or leave it out for the engine of the table, by name."
    near = get_close_matches(words, known, n=1)
    if near:
        return f"Did you mean {near[0]}? {advice}"
    return advice


def after_rename(way: str, variant: str) -> str:
    """Say what a rename does to a job that reads this way; empty where it is what the rule says of all."""
    if variant == "alias":
        reader = "A view with both names" if way == VIEW else "read_table"
        return f"{reader} finds the column by the old name until the alias ends, and stops then."
    if variant == "case":
        return "Spark takes both spellings for one name, unless spark.sql.caseSensitive is on."
    if variant:
        return ""
    if way == READ_TABLE:
        return "read_table finds no column of the old name, and stops: the name is no alias."
    if way in READERS and READERS[way] == "name":
        return "A schema of the job's own finds the old name in files from before the rename alone; others give NULL, without an error."
    return ""


def resolves_aliases(way: str, engines: Sequence[Reader]) -> bool:
    """Return whether a job that reads this way finds a column under an alias; engines are those that read the files of the table."""
    if way == READ_TABLE:
        return any(engine.name in _READ_BY_US for engine in engines)
    return way == VIEW and bool(engines) and _VIEWED_BY_ID.issuperset(engines)
