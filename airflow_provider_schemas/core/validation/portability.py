"""Checks beyond Paimon's: what Java takes, and other engines do not."""

from collections.abc import Iterator

from airflow_provider_schemas.core.difference import MARKS, word
from airflow_provider_schemas.core.report import Finding, Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.core.types.atomic import DataType
from airflow_provider_schemas.core.types.nested import RowType, children
from airflow_provider_schemas.core.validation.case_collisions import alike
from airflow_provider_schemas.core.validation.facts import Facts


def nullable_primary_key(facts: Facts) -> Iterator[Finding]:
    """Report columns of the primary key that may be NULL, where no option allows it."""
    if not facts.append and not facts.flag("primary-key.nullable"):
        for name in facts.schema.primary_keys:
            kind = facts.kind(name)
            if kind is not None and kind.nullable:
                rule = RULES["PRIMARY_KEY_NULLABLE"]
                yield Finding("schema.primary-key-nullable", name, rule.says.format(path=name), rule.fix)


def names_alike(facts: Facts) -> Iterator[Finding]:
    """Report names that differ in case only. Paimon tells them apart, so this is a warning."""
    # Where no name has a capital letter, none can differ in case only: in most tables, single names need no check.
    text = "\n".join([facts.spelling, *[field.name for field in facts.schema.parts.fields]])
    if text == text.lower():
        return
    yield from _warn_of_names("", facts.column_names)
    for column in facts.schema.fields:
        if type(column.wire) is not str:
            yield from _warn_inside(word(column.name), column.type)


def _warn_inside(path: str, kind: DataType) -> Iterator[Finding]:
    if isinstance(kind, RowType):
        yield from _warn_of_names(f"{path}.", [field.name for field in kind.fields])
        for field in kind.fields:
            yield from _warn_inside(f"{path}.{word(field.name)}", field.type)
    else:
        for step, part in children(kind):
            yield from _warn_inside(f"{path}{MARKS[step]}", part)


def _warn_of_names(prefix: str, names: list[str]) -> Iterator[Finding]:
    rule = RULES["NAME_CASE_COLLISION"]
    for name, other in alike(names):
        path = f"{prefix}{word(name)}"
        yield Finding(rule.id, path, rule.says.format(path=path, old=word(other)), rule.fix, Verdict.WARN, old=word(other), new=path)
