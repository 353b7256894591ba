"""What a job does with the columns that it names, which types it takes, and what it does with columns that it does not name."""

from enum import StrEnum


class Accepts(StrEnum):
    """Which types of a column a job takes, next to the one that it names."""

    LOSSLESS = "lossless"  # whatever turns into it without a loss
    EXACT = "exact"
    ANY = "any"


class Role(StrEnum):
    """What a job does with a column."""

    SELECT = "select"
    FILTER = "filter"
    JOIN = "join"
    PARTITION = "partition"
    KEY = "key"
    WRITE = "write"


class Shape(StrEnum):
    """What a job does with columns that it does not name."""

    OPEN = "open"  # nothing
    CLOSED = "closed"  # takes them along: SELECT *
    POSITIONAL = "positional"  # takes them along, and goes by their order
