"""The file of a policy: the keys of `core.policies.policy.Policy` as YAML, both ways."""

from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.errors import PolicyError
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.formats.user_file import opened, policy_keys


def read(source: str | bytes, file: str = "") -> Policy:
    """The policy in a text, or a PolicyError that names every fault with file and line."""
    return opened(source, file, PolicyError).read(PolicyError, Policy.read)


def write(policy: Policy) -> str:
    """The policy as a file, with what differs from the default."""
    return yaml.write(policy_keys(policy))
