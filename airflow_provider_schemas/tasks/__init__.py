"""What all tasks of ours share: who asks, what is asked, how an error ends a task, and what is said of it."""

from typing import TYPE_CHECKING

from airflow_provider_schemas import _airflow  # noqa: F401  # an Airflow outside the range is named before anything of it is imported
from airflow_provider_schemas._lazy import lazy_names

_MODULES = {
    "FinalError": "settling",
    "FinalIncompatibleSchemaError": "settling",
    "TRIGGER_RULES": "bypass",
    "settled": "settling",
    "state_of": "settling",
}

if TYPE_CHECKING:
    from airflow_provider_schemas.tasks.bypass import TRIGGER_RULES as TRIGGER_RULES
    from airflow_provider_schemas.tasks.settling import FinalError as FinalError
    from airflow_provider_schemas.tasks.settling import FinalIncompatibleSchemaError as FinalIncompatibleSchemaError
    from airflow_provider_schemas.tasks.settling import settled as settled
    from airflow_provider_schemas.tasks.settling import state_of as state_of
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, _MODULES)
