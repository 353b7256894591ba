"""YAML, read and written: no other package reads or writes YAML by itself.

It is read as YAML 1.2: `no`, `on`, `12:30` and dates are text, `010` is ten. No tags, so no code; no anchors,
so nothing grows; a key is text and appears once. A document comes with the line and column of every entry.
Faults are collected where the parser can go on. It is written in blocks, as users write it.

- `scalars`: the values of scalars without quotes
- `dialect`: what other readers accept
- `reading`: text to values
- `styles`: how other writers write scalars
- `writing`: values to text
"""

from airflow_provider_schemas.formats.yaml.dialect import STRICT, Dialect, Path
from airflow_provider_schemas.formats.yaml.reading import Document, TextPosition, path_text, read, read_all
from airflow_provider_schemas.formats.yaml.scalars import YamlValue, serde_value
from airflow_provider_schemas.formats.yaml.styles import Style, serde_style
from airflow_provider_schemas.formats.yaml.writing import write

__all__ = [
    "STRICT",
    "Dialect",
    "Document",
    "Path",
    "Style",
    "TextPosition",
    "YamlValue",
    "path_text",
    "read",
    "read_all",
    "serde_style",
    "serde_value",
    "write",
]
