"""The file of a policy: the keys of `core.policies.policy.Policy` as YAML, read and written."""

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.user_file import opened, policy_keys


def read(source: str | bytes, file: str = "") -> Policy:
    """Read the policy in a text, or raise a PolicyError that names every fault with file and line."""
    return opened(source, file, PolicyError).read(PolicyError, Policy.read)


def write(policy: Policy) -> str:
    """Return the policy as a file, with the keys that differ from the default."""
    return yaml.write(policy_keys(policy))
