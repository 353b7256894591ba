"""To and from other schema languages, one file each: `load` and `dump`.

A format is a module with two functions, `load(source)` and `dump(schema)`. What a language cannot hold is
handed back as losses, each with its path; what it cannot say at all is a FormatError. Every module has a table
LOSSY of the types that come back as others, which a test reads: ours, its text there, and what comes back.

What is here:

    paimon mini_paimon spark/ arrow/ odf/         schema languages; spark_types/ has the types that Spark's languages share
    table_file/ contract_file policy_file         files that people write; user_file and yaml/ read them
    engine_sql/                                   changes as statements of Spark and Flink
    registry base                                 the formats by name; what all of them share
"""

from typing import TYPE_CHECKING

from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "Dumped": "base",
    "FORMATS": "registry",
    "Loaded": "base",
    "Loss": "base",
    "dump": "registry",
    "load": "registry",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.formats.base import Dumped as Dumped
    from airflow_provider_schemas.formats.base import Loaded as Loaded
    from airflow_provider_schemas.formats.base import Loss as Loss
    from airflow_provider_schemas.formats.registry import FORMATS as FORMATS
    from airflow_provider_schemas.formats.registry import dump as dump
    from airflow_provider_schemas.formats.registry import load as load
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
