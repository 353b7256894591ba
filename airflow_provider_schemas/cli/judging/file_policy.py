"""By which policy two files are judged, whatever their kind, where the line names none: theirs, or that of unknown readers."""

from airflow_provider_schemas.cli.operands import Thing
from airflow_provider_schemas.core.policies.levels import Level
from airflow_provider_schemas.core.policies.plain_policy import Judging, PlainPolicy, Protection
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.formats.table_file.parsing.attributes import POLICY_OPTION, inline_policy

# Nobody knows who reads the table of two files, so whatever a reader by name notices counts, as in a gate without a contract.
_READERS_UNKNOWN = PlainPolicy(Protection(Level.BLOCK, Level.BLOCK, Level.WARN))


def of_step(old: TableSchema, new: Thing) -> Judging | None:
    """Return the policy for the step from a schema to a file; None where the table file is to say it."""
    if new.file is None:
        return of_schemas(old, new.schema)
    said = new.file.mentions("policy") or POLICY_OPTION in old.options
    return None if said else of_schemas(old, old)


def of_schemas(old: TableSchema, new: TableSchema) -> Judging:
    """Return the stricter of the policies that stand in the schemas; where there is none, that of unknown readers."""
    texts = [schema.options.get(POLICY_OPTION) for schema in (old, new)]
    if not any(texts):
        return _READERS_UNKNOWN
    from airflow_provider_schemas.core.policies.policy import Policy

    now, brought = (inline_policy(text) or Policy() for text in texts)
    return now.stricter(brought)
