"""Arrow: its schemas as plain values, to and from pyarrow, Paimon's types, JSON and the text of Parquet."""

# How bytes begin that Arrow wrote: a message or a stream, and a file.
BEGINNINGS = (b"\xff\xff\xff\xff", b"ARROW1")

__all__ = ["BEGINNINGS"]
