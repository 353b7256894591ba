"""The policy for two files, of any kind, where the line names none: that of the files, or that of unknown readers."""

from airflow_provider_schemas.cli.operands import Operand
from airflow_provider_schemas.core.policies.levels import Level
from airflow_provider_schemas.core.policies.plain_policy import Judging, PlainPolicy, Protection
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION, inline_policy

# The readers are unknown, so every change that a reader by name could notice counts, as in a gate without a contract.
_READERS_UNKNOWN = PlainPolicy(Protection(Level.BLOCK, Level.BLOCK, Level.WARN))


def of_step(old: TableSchema, new: Operand) -> Judging | None:
    """Return the policy for the step from a schema to a file; None where planning from the table file finds it."""
    if new.file is None:
        return of_schemas(old, new.schema)
    if new.file.mentions("policy") or POLICY_OPTION in old.options:
        return None
    return of_schemas(old, old)


def is_first(old: TableSchema, new: Operand) -> bool:
    """Return whether a file names a policy, and what it is compared with names none."""
    return new.file is not None and new.file.mentions("policy") and POLICY_OPTION not in old.options


def of_first(new: Operand) -> Judging:
    """Return the policy for the step that brings the first one: without it the readers were unknown, and for this step they still are."""
    from airflow_provider_schemas.core.policies.policy import Policy, Protect

    text = new.file.policy if new.file is not None else None
    own = inline_policy(text) if isinstance(text, str) else text
    before = Policy(protect=Protect(**_READERS_UNKNOWN.protect._asdict()))
    return before.stricter(own or Policy())


def of_schemas(old: TableSchema, new: TableSchema) -> Judging:
    """Return the stricter of the policies that stand in the schemas; where there is none, that of unknown readers."""
    texts = [schema.options.get(POLICY_OPTION) for schema in (old, new)]
    if not any(texts):
        return _READERS_UNKNOWN
    from airflow_provider_schemas.core.policies.policy import Policy

    before, after = (inline_policy(text) or Policy() for text in texts)
    return before.stricter(after)
