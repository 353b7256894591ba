"""To and from other schema languages, one file each: `load` and `dump`.

A format is a module with two functions, `load(source)` and `dump(schema)`. What a language cannot hold is
handed back as losses, each with its path; what it cannot say at all is a FormatError. Every module has a table
LOSSY of the types that come back as others, which a test reads: ours, its text there, and what comes back.
"""

from airflow_provider_schemas.formats.base import Dumped, Loaded, Loss
from airflow_provider_schemas.formats.registry import FORMATS, dump, load

__all__ = ["FORMATS", "Dumped", "Loaded", "Loss", "dump", "load"]
