"""What all tasks of ours share: their run, their arguments, how an error ends them, and what they report.

What is here:

    spark/                               jobs of Spark: submitted, watched, reported
    gate/                                one answer for gate, guard, decorator and sensor: request, baseline, decide, verdict, enforce
    change/                              what change operators do; plans, approvals, the event of a new version
    output/ policy_argument              the log, XCom, commands, links, metrics, lineage; a policy as an author gives it
    error_handling task_run template_values job_files   what all of them use
    file_places address_prefixes         which files an argument may name
    foreign_files not_said               what may be said of a file that is something else; an argument that nobody wrote
"""

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
