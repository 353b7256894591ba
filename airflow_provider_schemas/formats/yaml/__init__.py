"""YAML, read and written: the only place that knows how.

Read as YAML 1.2 says: `no`, `on`, `12:30` and dates are text, `010` is ten. No tags, so no code; no anchors,
so nothing grows; keys are text and stand once. A document comes with the line and column of every entry.
Faults are gathered where the parser can go on. Written in blocks, as people do. What other readers take, and
how another writer writes, is said by a dialect and a style.
"""

from airflow_provider_schemas.formats.yaml.dialect import STRICT, Dialect, Path
from airflow_provider_schemas.formats.yaml.reading import Document, Spot, path_text, read, read_all
from airflow_provider_schemas.formats.yaml.scalars import serde_value
from airflow_provider_schemas.formats.yaml.styles import Style, serde_style
from airflow_provider_schemas.formats.yaml.writing import write

__all__ = ["STRICT", "Dialect", "Document", "Path", "Spot", "Style", "path_text", "read", "read_all", "serde_style", "serde_value", "write"]
