"""To and from other schema languages, one module each: `load` and `dump`.

A format is a module with two functions, `load(source)` and `dump(schema)`. Attributes that a language cannot hold are
returned as losses, each with its path; a schema that it cannot express at all is a FormatError. Every module has a table
LOSSY of the types that come back as others, which a test reads: our type, its text there, and the type that comes back.

In reading order:

    registry base                                   the formats by name; what all of them share
    paimon mini_paimon iceberg/ delta/              schema languages
    spark/ arrow/ odf/                              more of them; spark_types/ has the types that Spark's languages share
    yaml/ user_file                                 YAML, and files that users write in it
    table_file/ contract_file policy_file           the files that users write
    contract_places                                 where in the file of a job a finding stands
    avro/                                           the Avro files in which tables list their data files
    engine_sql/                                     changes as statements of Spark, Flink and Trino
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
