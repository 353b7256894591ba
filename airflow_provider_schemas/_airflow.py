"""The Airflow that this provider works with, asked before anything of it is imported: the first door that is opened names the range."""

from importlib.metadata import PackageNotFoundError, version

LOWEST, ABOVE = (3, 2), 4


def check(found: str | None) -> None:
    """ImportError if this Airflow is none that the provider works with."""
    wanted = f"airflow-provider-schemas works with apache-airflow >={LOWEST[0]}.{LOWEST[1]},<{ABOVE}"
    if found is None:
        raise ImportError(f"{wanted}, and there is none. Install it, or import airflow_provider_schemas.store, which needs none.")
    parts = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if not LOWEST <= parts < (ABOVE,):
        raise ImportError(f"{wanted}, and this is {found}. Install another Airflow, or another version of the provider.")


def installed() -> str | None:
    """The version of Airflow that is installed."""
    for name in ("apache-airflow-core", "apache-airflow"):
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return None


check(installed())
