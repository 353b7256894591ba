"""The policy that a caller hands in. What reads policies that people write is loaded only where there is one."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.policies.plain_policy import Judging, PlainPolicy

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Waiver

_DEFAULT = PlainPolicy()


def judging(value: Judging | Mapping[str, Any] | None) -> Judging:
    """Return the policy, or that of a mapping; None is the default policy, and never no policy."""
    if value is None:
        return _DEFAULT
    if isinstance(value, PlainPolicy):
        return value
    from airflow_provider_schemas.core.policies.policy import Policy

    return Policy.read(value)


def excused(policy: Judging, waivers: "Iterable[Waiver]") -> Judging:
    """Return the policy with exceptions, which make a plain one a policy that people write."""
    added = tuple(waivers)
    if not added:
        return policy
    from airflow_provider_schemas.core.policies.policy import Policy, Protect

    if isinstance(policy, PlainPolicy):
        return Policy(protect=Protect(**policy.protect._asdict()), exceptions=added)
    return Policy.read(policy).excused(added)
