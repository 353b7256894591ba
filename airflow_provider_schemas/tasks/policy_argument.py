"""The policy among the arguments of a task: its keys, their text, or the path of a policy file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core.common.secrets import without_credentials
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.tasks import template_values
from airflow_provider_schemas.tasks.file_places import FilePlaces
from airflow_provider_schemas.tasks.foreign_files import POLICY, open_as
from airflow_provider_schemas.tasks.job_files import JobFiles, is_file
from airflow_provider_schemas.tasks.template_values import Value

_EMPTY = "Write keys such as mode: or protect:, or leave policy out where the table's own is meant."


def read_policy(value: Value, folder: Path | FilePlaces | None) -> Policy | Mapping[str, Any] | None:
    """Read a policy, its keys, their text, or the path of a policy file from the folder of the DAG file; None if left out."""
    if not template_values.is_given(value, "policy"):
        return None
    policy = template_values.parse_value(value, "policy")
    if isinstance(policy, Policy) or (isinstance(policy, Mapping) and policy):
        return policy
    if is_file(policy):
        name = str(policy).strip()
        label = without_credentials(name)
        document = open_as(POLICY, JobFiles(folder, "policy").read_bytes(name), label)
        if not document.value:
            raise template_values.argument_error(f"{shown(label)} is empty, and no policy.", "policy", _EMPTY)
        return document.read(PolicyError, Policy.read)
    if isinstance(policy, Mapping):
        raise template_values.argument_error("policy says nothing.", "policy", _EMPTY)
    fix = "Pass its keys, {'protect': ...}, or the path of a policy file."
    raise template_values.argument_error(f"a {type(policy).__name__} is no policy.", "policy", fix)
