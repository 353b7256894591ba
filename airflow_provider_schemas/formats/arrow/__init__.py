"""Arrow: its schemas as plain values, to and from pyarrow, Paimon's types, JSON and the text of Parquet."""
