"""What the writer of a job does with values whose type is not that of the column: what does not fit, and why."""

from airflow_provider_schemas.core.common.advice import did_you_mean
from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.contracts.value_types import holds_all, same
from airflow_provider_schemas.core.engines.measurements import Outcome
from airflow_provider_schemas.core.engines.writers import WRITERS, describe, outcome
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.errors import ContractError

_UNSAFE = "EXPECT_TYPE_UNSAFE"
_MISMATCH = "EXPECT_TYPE_MISMATCH"

# What a pair of types is that loses something or changes its kind, by what the writer does with it. All else is a mismatch.
_SILENT = frozenset({Outcome.EXACT, Outcome.BYTES, Outcome.APPROXIMATE, Outcome.NULL, Outcome.SHIFTED, Outcome.WRONG})
_CONVERTS = "turns it into the other type without a word"


def checked_writer(text: str) -> str:
    """Return the name of a writer in its one spelling; empty for one that takes values as Spark does."""
    name = " ".join(text.split()).lower()
    if not name or name in WRITERS:
        return name
    fix = f"{did_you_mean(name, WRITERS)} Leave it out for a writer that takes values as Spark does.".strip()
    raise ContractError(f"{shown(text)} is no writer that was measured.", code="contract.write-with", fix=fix)


def writer_lack(writer: str, source: DataType, target: DataType, *, exact: bool) -> tuple[str, str] | None:
    """Return the rule, and the reason, by which values of a type do not fit a column; None where each is written as it is.

    Exact says that the job takes its own type only. Containers are compared part by part, so that two that come here differ in kind.
    """
    if same(source, target):
        return _same_type_lack(writer, source, target)
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return _MISMATCH, ""
    done = outcome(writer, source, target)
    if done is Outcome.EXACT:
        if holds_all(source, target) and not exact:
            return None
        return _UNSAFE, f"{writer} {_CONVERTS}"
    rule = _UNSAFE if done in _SILENT else _MISMATCH
    return rule, f"{writer} {describe(done)}"


def _same_type_lack(writer: str, source: DataType, target: DataType) -> tuple[str, str] | None:
    if not (isinstance(source, AtomicType) and isinstance(target, AtomicType)):
        return _MISMATCH, f"{writer} {describe(Outcome.UNKNOWN)}"
    done = outcome(writer, source, target)
    return None if done is Outcome.EXACT else (_MISMATCH, f"{writer} {describe(done)}")
