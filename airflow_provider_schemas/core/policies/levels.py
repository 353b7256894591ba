"""What a bad answer to a question does, and which versions count."""

from enum import StrEnum


class Level(StrEnum):
    """What a bad answer to a question does."""

    OFF = "off"
    WARN = "warn"
    CONTRACTS = "contracts"  # blocks where a registered contract breaks, and warns elsewhere
    BLOCK = "block"


class Against(StrEnum):
    """Which versions count."""

    PREVIOUS = "previous"
    LIVE = "live"  # those that retained files and registered readers still use; all, where nobody knows
    ALL = "all"
