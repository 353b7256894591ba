"""The schema registry for lake tables, without a server."""

__version__ = "0.1.0"


def load_ipython_extension(ipython: object) -> None:
    """Show our values as HTML in a notebook: `%load_ext airflow_provider_schemas` calls this."""
    from airflow_provider_schemas.notebooks import register

    register(ipython)


def unload_ipython_extension(ipython: object) -> None:
    """Leave our values on one line again: `%unload_ext airflow_provider_schemas` calls this."""
    from airflow_provider_schemas.notebooks import unregister

    unregister(ipython)
