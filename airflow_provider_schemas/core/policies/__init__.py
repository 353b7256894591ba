"""Policies: how strictly each rule counts, for whom, and since when."""
