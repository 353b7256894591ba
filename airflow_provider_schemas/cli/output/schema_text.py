"""A schema as people read it: the columns with their ids, then keys, options and the owner of the table. Secrets are masked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.cli.output.result import Part, Rows, TextLine
from airflow_provider_schemas.core.common.secrets import MASK, is_secret
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.render.wording import counted

if TYPE_CHECKING:
    from airflow_provider_schemas.core.policies.policy import Policy

# Options that are shown with the columns or with the table that they describe.
_ATTRIBUTES = ("schemas.field.", "schemas.table")
_POLICY = "schemas.policy"


def headline(schema: TableSchema) -> str:
    """Write 4 columns · highest field id 5."""
    return f"{counted(len(schema.fields), 'column')} · highest field id {schema.highest_field_id}"


def schema_parts(schema: TableSchema) -> Iterator[Part]:
    """Yield everything that a schema holds."""
    yield Rows([_column(schema, field) for field in schema.fields], ("id", "column", "type", ""), indent=2, headed=True)
    yield from (TextLine(text, 2) for text in _table_lines(schema))
    options = {key: value for key, value in sorted(schema.options.items()) if not key.startswith(_ATTRIBUTES) and key != _POLICY}
    if options:
        yield TextLine("options", 2)
        yield Rows([(key, _masked(key, value)) for key, value in options.items()], ("option", "value"), indent=4)


def _masked(key: str, value: str) -> str:
    """Return the value of an option, unless its key names a secret."""
    return MASK if is_secret(key) else value


# ---------------------------------------------------------------- columns


def _column(schema: TableSchema, field: Field) -> tuple[str, str, str, str]:
    notes = [field.description or ""]
    if field.default is not None:
        notes.append(f"default {field.default}")
    notes += [f"{key} {_plain(value)}" for key, value in _attributes(schema, field.id).items()]
    return (str(field.id), field.name, str(field.type), " · ".join(notes).removeprefix(" · "))


def _attributes(schema: TableSchema, number: int) -> dict[str, Any]:
    """Return the attributes of a field; for attributes that cannot be read, a word about that."""
    try:
        return dict(schema.attributes(number))
    except ValueError:
        return {"attributes": "that cannot be read"}


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} until {end}" if end else str(key) for key, end in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


# ---------------------------------------------------------------- the table


def _table_lines(schema: TableSchema) -> Iterator[str]:
    """Yield a line each for keys, comment, owner and place."""
    keys = [("primary key", schema.primary_keys), ("partitioned by", schema.partition_keys)]
    key_texts = [f"{word} {', '.join(names)}" for word, names in keys if names]
    if key_texts:
        yield " · ".join(key_texts)
    if schema.comment:
        yield f"comment {schema.comment}"
    attributes = _table_attributes(schema)
    owner = ", ".join(attributes.pop(key) for key in ("owner", "contact") if key in attributes)
    if owner:
        yield f"owner {owner}"
    yield from (f"{key} {value}" for key, value in attributes.items())


def _table_attributes(schema: TableSchema) -> dict[str, str]:
    try:
        return {key: str(value) for key, value in schema.table_attributes.items()}
    except ValueError:
        return {"attributes of the table": "cannot be read"}


# ---------------------------------------------------------------- the policy


def policy_parts(policy: "Policy") -> Iterator[Part]:
    """Yield the policy that counts, and the findings that it waives."""
    yield TextLine(f"policy {_policy_text(policy)}", 2)
    for other in policy.also:
        yield TextLine(f"and {_policy_text(other)}", 4)
    for waiver in dict.fromkeys(waiver for part in policy.joined() for waiver in part.exceptions):
        yield TextLine(f"let through {waiver.rule} {waiver.path} {waiver}", 2)


def _policy_text(policy: "Policy") -> str:
    """Write default: data block, jobs contracts, writers warn · against live · readers paimon."""
    protect = policy.protect
    levels = ", ".join(f"{name} {getattr(protect, name).value}" for name in type(protect).model_fields)
    word = f" ({protect.word})" if protect.word else ""
    rules = " · ".join(f"{rule} {level}" for rule, level in policy.rules.items())
    start = f"blocks from {policy.enforce_from}" if policy.enforce_from else ""
    parts = [f"{levels}{word}", f"against {policy.against.value}", f"readers {', '.join(policy.readers)}", rules, start]
    return f"{policy.name or 'built in'}: " + " · ".join(part for part in parts if part)
