"""What is wrong with a connection. No further try mends it, so that a task which meets it fails at once."""

from airflow_provider_schemas.errors import SchemaError


class BadConnectionError(SchemaError, ValueError):
    """A connection that is not there, is of another type, or says what no store can be opened with."""

    default_code = "connection.invalid"
