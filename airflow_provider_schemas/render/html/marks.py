"""The marks of verdicts in HTML."""

from collections.abc import Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.wording import MARKS

MARKS_IN_HTML: Mapping[Verdict, str] = MappingProxyType({**MARKS, Verdict.INVALID: "⊘"})
"""The mark of what is invalid is no coloured picture, which some systems do not have."""
