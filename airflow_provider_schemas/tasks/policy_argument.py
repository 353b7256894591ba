"""The policy that an author asks for, in whatever form it stands among the arguments of a task."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import POLICY, opened_as
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file

_EMPTY = "Write keys such as mode: or protect:, or leave policy out where the table's own is meant."


def policy_of(value: Any, folder: Path | FilePlaces | None) -> Policy | Mapping[str, Any] | None:
    """Read a policy, its keys, their text, or the path of a policy file from the folder of the DAG file; None if left out."""
    if not template_values.is_given(value, "policy"):
        return None
    said = template_values.parse_value(value, "policy")
    if isinstance(said, Policy) or (isinstance(said, Mapping) and said):
        return said
    if is_file(said):
        name = str(said).strip()
        found = opened_as(POLICY, JobFiles(folder, "policy").data(name), without_credentials(name))
        if not found.value:
            raise template_values.argument_error(f"{shown(without_credentials(name))} is empty, and no policy.", "policy", _EMPTY)
        return found.read(PolicyError, Policy.read)
    if isinstance(said, Mapping):
        raise template_values.argument_error("policy says nothing.", "policy", _EMPTY)
    raise template_values.argument_error(
        f"a {type(said).__name__} is no policy.", "policy", "Pass its keys, {'protect': ...}, or the path of a policy file."
    )
