"""Errors of connections. A retry cannot fix them, so that they fail a task immediately."""

from airflow_provider_schemas.errors import SchemaError


class BadConnectionError(SchemaError, ValueError):
    """A connection that is not there, is of another type, or has settings that open no store."""

    default_code = "connection.invalid"
