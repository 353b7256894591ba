"""What is wrong with files of an earlier version that are read as the newest: the step between the two, judged for data only."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.spark.auditing.rows import make_finding

# Rules about two versions that say something about files: fields, types, NULL, containers, keys, ids.
_ABOUT_FILES: Final = frozenset("FTNCKI")
CHAIN: Final = "TYPE_CHAIN_BROKEN"
_BAD: Final = frozenset({Verdict.BREAK, Verdict.INVALID})


def find_in_old_files(version: Version, head: Version, policy: Policy) -> Iterator[Finding]:
    """Yield what is wrong with the files of one version."""
    everything = policy.model_copy(update={"against": Against.ALL})
    for finding in check(version, head, everything).findings:
        if finding.data in _BAD and finding.verdict is not Verdict.OK and _is_about_files(finding):
            yield _about_files(finding, version.number)


def _is_about_files(finding: Finding) -> bool:
    rule = RULES[finding.rule]
    return rule.judges is not Judges.ONE and rule.code[0] in _ABOUT_FILES


def _about_files(finding: Finding, number: int) -> Finding:
    """Return the finding without what it says to readers and writers, who have long gone along with the change."""
    if is_broken_chain(finding):
        reason = f"{finding.path} is {finding.new}, and files of version {number} hold {finding.old}: no engine turns one into the other."
        chain = make_finding(CHAIN, finding.path, reason=reason)
        return replace(chain, verdict=finding.verdict, id=finding.id, old=finding.old, new=finding.new, versions=(number,))
    message = f"{finding.message} Files of version {number} were written before that."
    return replace(finding, message=message, changes=(), versions=(number,), consumers=())


def is_broken_chain(finding: Finding) -> bool:
    """Return whether the finding is about two types between which nobody converts."""
    if RULES[finding.rule].code[0] != "T" or not finding.old or not finding.new:
        return False
    before = parse_any(finding.old)
    after = parse_any(finding.new)
    return not _is_readable(before.with_nullable(True), after.with_nullable(True))


def _is_readable(before: DataType, after: DataType) -> bool:
    is_container = before.root is after.root and isinstance(after, ArrayType | MapType | RowType)  # read part by part
    return is_container or same_type(before, after) or cast_support(before, after).convertible
