"""What all tasks of ours share: who asks, what is asked, how an error ends a task, and what is said of it."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.bypass import TRIGGER_RULES
    from airflow_provider_schemas.tasks.settling import FinalError, FinalIncompatibleSchemaError, settled, state_of

__all__ = ["TRIGGER_RULES", "FinalError", "FinalIncompatibleSchemaError", "settled", "state_of"]

_MODULES = {
    "FinalError": "settling",
    "FinalIncompatibleSchemaError": "settling",
    "TRIGGER_RULES": "bypass",
    "settled": "settling",
    "state_of": "settling",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
