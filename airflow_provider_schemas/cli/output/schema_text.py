"""A schema as people read it: the columns with their ids, then keys, options and whose the table is. Secrets are masked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.output.result import Line, Part, Rows
from airflow_provider_schemas.core.common.secrets import MASK, is_secret
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

# Options that are shown with the columns and the table that they speak of.
_ATTRIBUTES = ("schemas.field.", "schemas.table")
_POLICY = "schemas.policy"


def schema_parts(schema: TableSchema) -> Iterator[Part]:
    """Everything that a schema says."""
    yield Rows([_column(schema, one) for one in schema.fields], ("id", "column", "type", ""), indent=2, headed=True)
    yield from (Line(text, 2) for text in about(schema))
    shown = {key: value for key, value in sorted(schema.options.items()) if not key.startswith(_ATTRIBUTES) and key != _POLICY}
    if shown:
        yield Line("options", 2)
        yield Rows([(key, masked(key, value)) for key, value in shown.items()], ("option", "value"), indent=4)


def masked(key: str, value: str) -> str:
    """The value of an option, unless its key names a secret."""
    return MASK if is_secret(key) else value


def _column(schema: TableSchema, one: Field) -> tuple[str, str, str, str]:
    default = [] if one.default is None else [f"default {one.default}"]
    said = [f"{key} {_plain(value)}" for key, value in attributes(schema, one.id).items()]
    return (str(one.id), one.name, str(one.type), " · ".join([one.description or "", *default, *said]).removeprefix(" · "))


def attributes(schema: TableSchema, number: int) -> dict[str, Any]:
    """What is said about a field beyond its type; what cannot be read says so."""
    try:
        return dict(schema.attributes(number))
    except ValueError:
        return {"attributes": "that cannot be read"}


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} until {end}" if end else str(key) for key, end in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def about(schema: TableSchema) -> Iterator[str]:
    """A line each for keys, comment, owner and place."""
    keys = [("primary key", schema.primary_keys), ("partitioned by", schema.partition_keys)]
    said = " · ".join(f"{word} {', '.join(names)}" for word, names in keys if names)
    yield from [said] if said else []
    yield from [f"comment {schema.comment}"] if schema.comment else []
    try:
        table = {key: str(value) for key, value in schema.table_attributes.items()}
    except ValueError:
        table = {"attributes of the table": "cannot be read"}
    owner = ", ".join(table.pop(key) for key in ("owner", "contact") if key in table)
    yield from [f"owner {owner}"] if owner else []
    yield from (f"{key} {value}" for key, value in table.items())


def headline(schema: TableSchema) -> str:
    """4 columns · highest field id 5."""
    return f"{counted(len(schema.fields), 'column')} · highest field id {schema.highest_field_id}"


def policy_parts(policy: "Policy") -> Iterator[Part]:
    """The policy that counts, and what is let through."""
    yield Line(f"policy {policy_text(policy)}", 2)
    for other in policy.also:
        yield Line(f"and {policy_text(other)}", 4)
    for one in dict.fromkeys(waiver for part in policy.joined() for waiver in part.exceptions):
        yield Line(f"let through {one.rule} {one.path} {one}", 2)


def policy_text(policy: "Policy") -> str:
    """default: data block, jobs contracts, writers warn · against live · readers paimon."""
    said = policy.protect
    levels = ", ".join(f"{name} {getattr(said, name).value}" for name in type(said).model_fields)
    word = f" ({said.word})" if said.word else ""
    rules = " · ".join(f"{rule} {level}" for rule, level in policy.rules.items())
    start = f"blocks from {policy.enforce_from}" if policy.enforce_from else ""
    parts = [f"{levels}{word}", f"against {policy.against.value}", f"readers {', '.join(policy.readers)}", rules, start]
    return f"{policy.name or 'built in'}: " + " · ".join(part for part in parts if part)
