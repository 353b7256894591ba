"""Checks beyond Paimon's: what Java takes, and what makes trouble elsewhere."""

from collections.abc import Iterator

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import RowType, children
from airflow_provider_schemas.core.validation.case_collisions import alike
from airflow_provider_schemas.core.validation.facts import Facts


def nullable_primary_key(facts: Facts) -> Iterator[Finding]:
    """Columns of the primary key that may be NULL, where no option says that they may."""
    if not facts.append and not facts.flag("primary-key.nullable"):
        for name in facts.schema.primary_keys:
            kind = facts.kind(name)
            if kind is not None and kind.nullable:
                rule = RULES["PRIMARY_KEY_NULLABLE"]
                yield Finding("schema.primary-key-nullable", name, rule.says.format(path=name), rule.fix)


def names_alike(facts: Facts) -> Iterator[Finding]:
    """Names that differ in case only. Paimon takes them as two, so this is a warning."""
    # Where no name has a capital letter, none can differ in case only: most tables need no look at single names.
    text = "\n".join([facts.spelling, *[one.name for one in facts.schema.parts.fields]])
    if text == text.lower():
        return
    yield from _alike("", facts.column_names)
    for one in facts.schema.fields:
        if type(one.wire) is not str:
            yield from _inside(word(one.name), one.type)


def _inside(path: str, kind: DataType) -> Iterator[Finding]:
    if isinstance(kind, RowType):
        yield from _alike(f"{path}.", [one.name for one in kind.fields])
        for one in kind.fields:
            yield from _inside(f"{path}.{word(one.name)}", one.type)
    else:
        for step, part in children(kind):
            yield from _inside(f"{path}{MARKS[step]}", part)


def _alike(prefix: str, names: list[str]) -> Iterator[Finding]:
    rule = RULES["NAME_CASE_COLLISION"]
    for one, other in alike(names):
        path = f"{prefix}{word(one)}"
        yield Finding(rule.id, path, rule.says.format(path=path, old=word(other)), rule.fix, Verdict.WARN, old=word(other), new=path)
