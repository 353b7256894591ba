"""The schema registry for lake tables, without a server."""

__version__ = "0.1.0"
