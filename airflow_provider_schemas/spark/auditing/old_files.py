"""What the files of an earlier version are for whoever reads them as the newest: a step from the one to the other, judged for data only."""

from collections.abc import Iterator
from typing import Final

import msgspec

from airflow_provider_schemas.core.casts.cast_rules import cast_support, same_type
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.policies.policy import Against, Policy
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES, Judges
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.core.types.parsing import parse_any
from airflow_provider_schemas.spark.auditing.rows import found

# Rules about two versions that say something about files: fields, types, NULL, containers, keys, ids.
_ABOUT_FILES: Final = frozenset("FTNCKI")
CHAIN: Final = "TYPE_CHAIN_BROKEN"
_BAD: Final = frozenset({Verdict.BREAK, Verdict.INVALID})


def old_files(version: Version, head: Version, policy: Policy) -> Iterator[Finding]:
    """What is wrong with the files of one version."""
    everything = policy.model_copy(update={"against": Against.ALL})
    for one in check(version, head, everything).findings:
        rule = RULES[one.rule]
        if one.data in _BAD and rule.judges is not Judges.ONE and rule.code[0] in _ABOUT_FILES and one.verdict is not Verdict.OK:
            yield _of_files(one, version.number)


def _of_files(one: Finding, number: int) -> Finding:
    """The finding without what it says to readers and writers, who have long gone along with the change."""
    message, verdict = f"{one.message} Files of version {number} were written before that.", one.verdict
    if is_broken_chain(one):
        reason = f"{one.path} is {one.new}, and files of version {number} hold {one.old}: no engine turns one into the other."
        chain = found(CHAIN, one.path, reason=reason)
        return msgspec.structs.replace(chain, verdict=verdict, id=one.id, old=one.old, new=one.new, versions=(number,))
    return msgspec.structs.replace(one, message=message, verdict=verdict, changes=(), versions=(number,), consumers=())


def is_broken_chain(one: Finding) -> bool:
    """Whether the finding is about two types between which nobody converts."""
    if RULES[one.rule].code[0] != "T" or not one.old or not one.new:
        return False
    before, after = parse_any(one.old), parse_any(one.new)
    return not _is_readable(before.with_nullable(True), after.with_nullable(True))


def _is_readable(before: DataType, after: DataType) -> bool:
    inside = before.root is after.root and isinstance(after, ArrayType | MapType | RowType)  # read part by part
    return inside or same_type(before, after) or cast_support(before, after).convertible
