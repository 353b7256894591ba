"""The words in which rules are explained: questions, answers, variants, families, and what is looked at by which command."""

from collections.abc import Mapping
from types import MappingProxyType

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import Judges, Rule
from airflow_provider_schemas.render.wording import MARKS

QUESTIONS: Mapping[str, str] = MappingProxyType({
    "data_by_id": "Is old data readable, where columns are found by field id?",
    "data_by_name": "Is old data readable, where columns are found by name?",
    "jobs": "Do old readers keep working?",
    "writers": "Can old writers keep writing?",
})  # fmt: skip
_ANSWERS: Mapping[Verdict, str] = MappingProxyType({
    Verdict.OK: "yes",
    Verdict.WARN: "yes, with an effect worth knowing",
    Verdict.BREAK: "no",
    Verdict.INVALID: "the schema is invalid",
})  # fmt: skip
# How the circumstance of a variant is called.
VARIANTS: Mapping[str, str] = MappingProxyType({
    "alias": "where the old name stays as an alias",
    "case": "where only the case changed",
    "frozen": "where Iceberg reads the table",
    "iceberg": "where only Iceberg reads the table, which keeps the partitioning of every file",
    "kept": "where the column kept its name and was never away",
    "matched": "where the columns of a contract were found again by name",
    "named": "where columns are mapped by name",
    "needed": "for a reader of the column, while live files may hold the earlier type",
    "nested": "inside a struct, for readers that move the whole struct",
    "positional": "for readers and writers by position",
    "read": "where readers are registered, or have files of their own",
    "required": "on a column that is NOT NULL",
    "rescaled": "where the number of buckets changed",
    "retyped": "where it returns with another type",
    "same": "where the columns are the same",
    "write": "for a writer of the column",
})  # fmt: skip
LOOKED_AT: Mapping[Judges, str] = MappingProxyType({
    Judges.ONE: "one schema",
    Judges.TWO: "a schema and the next one",
    Judges.HISTORY: "a schema, the next one, and those before",
    Judges.CONTRACT: "a schema and what one job needs",
    Judges.SOURCE: "the text of a table file",
    Judges.STORE: "versions as they lie in storage",
    Judges.AUDIT: "all versions of a table, and its data files",
    Judges.DATA: "the columns of data, and then at every row",
    Judges.METADATA: "the metadata of a table that others keep",
    Judges.REPOSITORY: "the files of two commits",
})  # fmt: skip
# Who finds it: commands, and tasks of Airflow and Spark.
_STEPS = ("check", "plan", "apply", "evolve", "restore", "gates and guards")
FOUND_BY: Mapping[Judges, tuple[str, ...]] = MappingProxyType({
    Judges.ONE: ("check", "plan", "create", "adopt", "evolve"),
    Judges.TWO: _STEPS,
    Judges.HISTORY: _STEPS,
    Judges.CONTRACT: ("check --for", "check --contract", "contract register", "gates and guards with a contract"),
    Judges.SOURCE: ("check", "plan"),
    Judges.STORE: ("check", "audit", "gates and guards"),
    Judges.AUDIT: ("audit",),
    Judges.DATA: ("validate in Spark", "SchemaValidateOperator"),
    Judges.METADATA: ("check", "audit", "gates and guards"),
    Judges.REPOSITORY: ("check --git",),
})  # fmt: skip
# Rules that others find than those of their kind do.
_FOUND_BY_RULE: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "TABLE_MISSING": ("check --new", "gates and guards", "audit"),
    "TABLE_REPLACED": ("check", "gates and guards", "audit"),
})  # fmt: skip
FAMILIES: Mapping[str, str] = MappingProxyType({
    "F": "Fields",
    "T": "Types",
    "N": "NULL",
    "C": "Maps and structs",
    "D": "Defaults",
    "K": "Keys",
    "O": "Options",
    "I": "Ids, names and versions",
    "V": "Anything else that Paimon refuses",
    "E": "What readers and writers need",
    "A": "What an audit finds besides",
    "M": "Metadata that others keep",
    "R": "Rows",
    "G": "Files in git",
})  # fmt: skip


def found_by(rule: Rule) -> tuple[str, ...]:
    """Return the commands and tasks that find what a rule is about."""
    return _FOUND_BY_RULE.get(rule.id, FOUND_BY[rule.judges])


def has_questions(rule: Rule) -> bool:
    """Return whether the questions are asked of a rule: stored files, and rows, answer none of them."""
    return rule.judges not in (Judges.STORE, Judges.DATA)


def answers_of(rule: Rule) -> list[tuple[str, str]]:
    """Return each question with its answer, and with those of variants that differ."""
    variants = [(VARIANTS[name], rule.answers(name)) for name in rule.variants]
    rows: list[tuple[str, str]] = []
    for key, question in QUESTIONS.items():
        usual: Verdict = getattr(rule.answers(), key)
        others = [f"{answer(getattr(answers, key))} {where}" for where, answers in variants if getattr(answers, key) is not usual]
        rows.append((question, "; ".join([answer(usual), *others])))
    return rows


def answer(verdict: Verdict) -> str:
    """Return a verdict as the answer to a question, with its mark."""
    return f"{MARKS[verdict]} {_ANSWERS[verdict]}"
