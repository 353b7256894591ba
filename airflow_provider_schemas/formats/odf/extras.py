"""The error about a library that is not installed because its extra is not."""

from airflow_provider_schemas.errors import FormatError


def missing(what: str, library: str, extra: str) -> FormatError:
    """The error for something that cannot be done without a library, with the line that installs it."""
    fix = f'Install it with: pip install "airflow-provider-schemas[{extra}]".'
    return FormatError(f"{what} without {library}.", code="extra.missing", fix=fix)
