"""What all tasks of ours share: their run, their arguments, how an error ends them, and what they report."""

from typing import TYPE_CHECKING

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported
from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "FinalError": "error_handling",
    "FinalIncompatibleSchemaError": "error_handling",
    "TRIGGER_RULES": "gate.bypass",
    "settled": "error_handling",
    "state_of": "error_handling",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.error_handling import FinalError as FinalError
    from airflow_provider_schemas.tasks.error_handling import FinalIncompatibleSchemaError as FinalIncompatibleSchemaError
    from airflow_provider_schemas.tasks.error_handling import settled as settled
    from airflow_provider_schemas.tasks.error_handling import state_of as state_of
    from airflow_provider_schemas.tasks.gate.bypass import TRIGGER_RULES as TRIGGER_RULES
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
