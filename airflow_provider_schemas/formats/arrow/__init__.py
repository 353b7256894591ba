"""Arrow: its schemas as plain values, to and from pyarrow, Paimon's types, JSON and the text of Parquet.

- `language`: the format `arrow`, whose functions call the modules below
- `model`: Arrow's schemas as plain values
- `paimon_types`: what each type becomes, as tables in both directions
- `table`: a table's schema to and from a schema of Arrow
- `json_form`: the JSON of Arrow's project
- `library`: pyarrow's schemas; the one module that imports pyarrow
- `rust_json`: the JSON of arrow-rs
- `parquet`: the tree of groups and columns in a Parquet file
- `parquet_text`: the format `parquet-text`
"""

# The first bytes of what Arrow wrote: of a message or a stream, and of a file.
BEGINNINGS = (b"\xff\xff\xff\xff", b"ARROW1")

__all__ = ["BEGINNINGS"]
