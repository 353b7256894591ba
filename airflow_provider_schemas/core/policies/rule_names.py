"""Names of rules that people write: in policies, exceptions and table files."""

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.rules import RULES, WAYS
from airflow_provider_schemas.errors import PolicyError


def checked_rule(name: str) -> str:
    """Return the name, if it is the id of a rule that findings have."""
    if name in RULES:
        return name
    fix = did_you_mean(name, RULES)
    if name in {way for way, _ in WAYS.values()}:
        fix = "No finding has it; name the rule that is applied."
    raise PolicyError(f"there is no rule {shown(name)}.", code="policy.unknown-rule", fix=fix)
