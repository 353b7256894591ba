"""Two versions of a table as one value: the rows of both, how many differ in what, and whom each difference breaks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType

from msgspec import Struct

from airflow_provider_schemas.core.common.short_repr import ShortRepr, joined, named
from airflow_provider_schemas.core.evolution.diff import Difference, diff
from airflow_provider_schemas.core.evolution.match_by_name import matched_by_name
from airflow_provider_schemas.core.report import VERDICT_WORDS, Consumer, Finding, Report, Verdict, each_once, worst
from airflow_provider_schemas.core.schema.foreign_attributes import has_ids, is_foreign
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.core.schema.version import Version
from airflow_provider_schemas.core.types.nested import Field
from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.render.diff.counts import difference_counts
from airflow_provider_schemas.render.diff.rows import DiffRow, RowKind, column_rows, struct_shape
from airflow_provider_schemas.render.diff.table_rows import table_rows
from airflow_provider_schemas.render.history import name
from airflow_provider_schemas.render.masking import masked_difference, masked_finding
from airflow_provider_schemas.render.version_entries import VersionEntry

# Rules about the table, and the rows that show what they are about. Findings about options name the option in their path.
_TABLE_ROWS: Mapping[str, str] = MappingProxyType({"PRIMARY_KEY_CHANGED": "primary key", "PARTITION_KEYS_CHANGED": "partitioned by"})


class Impact(Struct, frozen=True):
    """What a report says of one row."""

    verdict: Verdict
    rules: tuple[str, ...]
    messages: tuple[str, ...]
    consumers: tuple[Consumer, ...] = ()
    mends: tuple[Consumer, ...] = ()
    waived: str = ""


class BothTexts(Struct, frozen=True):
    """A comment or a default as both versions have it."""

    kind: RowKind
    old: str
    new: str


class TableDiff(ShortRepr, Struct, frozen=True):
    """Two versions of a table beside each other."""

    table: str
    old_title: str
    new_title: str
    rows: tuple[DiffRow, ...]
    """The columns: all of them, those that did not change as well."""
    table_rows: tuple[DiffRow, ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
    impacts: Mapping[int | str, Impact] = MappingProxyType({})
    """What the report says of each row: by the id of a column, by the name of another row; empty where nobody judged."""
    others: tuple[Impact, ...] = ()
    """What the report says besides, of the table and of columns that stay."""
    texts: Mapping[int, tuple[BothTexts, ...]] = MappingProxyType({})
    """Comments and defaults that differ, by the id of their field."""
    differences: tuple[Difference, ...] = ()
    """What no change can express."""
    report: Report | None = None
    old: int | None = None
    new: int | None = None
    all_rows: bool = False
    notes: tuple[str, ...] = ()
    is_doubtful: bool = False
    """Whether a contract could not be read: whom that breaks which breaks nobody else is not known."""

    def _short_text(self) -> str:
        titles = f"{named(self.table)} {named(self.old_title)} -> {named(self.new_title)}".strip()
        counts = [f"{number:,} {word}" for word, number in self.counts.items() if number]
        verdict = "not judged" if self.report is None else VERDICT_WORDS[self.report.verdict]
        return f"{titles}: {joined(*counts, verdict)}"


def table_diff(
    old: TableSchema | Version,
    new: TableSchema | Version,
    *,
    table: str = "",
    titles: tuple[str, str] | None = None,
    report: Report | None = None,
    by_name: bool = False,
    all_rows: bool = False,
    notes: Sequence[str] = (),
) -> TableDiff:
    """Return both schemas beside each other; with a report of the step, whom each difference breaks.

    By name is for schemas whose ids mean nothing. All rows shows the columns that did not change as well.
    """
    before = _schema(old)
    after = _schema(new)
    if by_name or not (has_ids(before) and has_ids(after)):
        after, _ = matched_by_name(before, after)
    rows = column_rows(before.fields, after.fields)
    of_table = table_rows(before, after)
    differences = _differences(old, new, before, after)
    impacts, others = _impacts(report, rows, of_table)
    old_title, new_title = titles or (_title(old, "old"), _title(new, "new"))
    return TableDiff(
        table=table or (report.table if report else ""),
        old_title=old_title,
        new_title=new_title,
        rows=rows,
        table_rows=of_table,
        counts=difference_counts(rows, of_table, len(differences)),
        impacts=impacts,
        others=others,
        texts=dict(_texts(before.fields, after.fields)),
        differences=differences,
        report=report,
        old=old.number if isinstance(old, Version) else None,
        new=new.number if isinstance(new, Version) else None,
        all_rows=all_rows,
        notes=tuple(notes),
    )


def _schema(side: TableSchema | Version) -> TableSchema:
    return side.schema if isinstance(side, Version) else side


def _title(side: TableSchema | Version, otherwise: str) -> str:
    return name(side) if isinstance(side, Version) else otherwise


def _differences(old: TableSchema | Version, new: TableSchema | Version, before: TableSchema, after: TableSchema) -> tuple[Difference, ...]:
    """Return what no change can express, and so may stand in no row."""
    if isinstance(old, Version) and isinstance(new, Version) and is_foreign(new.schema):
        return VersionEntry(new, old).changes()[1]
    try:
        return tuple(map(masked_difference, diff(before, after).remainder))
    except SchemaError as error:
        return tuple(Difference(fault.path, fault.message) for fault in error.faults)


# ---------------------------------------------------------------- comments and defaults


def _texts(old: Sequence[Field], new: Sequence[Field]) -> Iterator[tuple[int, tuple[BothTexts, ...]]]:
    """Yield the comments and defaults that differ, by the id of their field."""
    before = dict(_by_id(old))
    for number, field in _by_id(new):
        if number not in before or before[number] == field:
            continue
        texts = tuple(_differing_texts(before[number], field))
        if texts:
            yield number, texts


def _by_id(fields: Sequence[Field]) -> Iterator[tuple[int, Field]]:
    for field in fields:
        yield field.id, field
        # Most columns hold no fields, and the text of a type is dear.
        if type(field.wire) is not str:
            yield from _by_id(struct_shape(field.type)[1])


def _differing_texts(before: Field, after: Field) -> Iterator[BothTexts]:
    if before.description != after.description:
        yield BothTexts(RowKind.COMMENT, before.description or "", after.description or "")
    if before.default != after.default:
        yield BothTexts(RowKind.DEFAULT, _default(before), _default(after))


def _default(field: Field) -> str:
    return "" if field.default is None else str(field.default)


# ---------------------------------------------------------------- whom it breaks


def _differing(rows: Iterable[DiffRow]) -> Iterator[int]:
    """Yield the ids of the rows that differ themselves, nested ones as well."""
    for row in rows:
        if row.kinds and row.id is not None:
            yield row.id
        yield from _differing(row.children)


def _impacts(
    report: Report | None, rows: Sequence[DiffRow], of_table: Sequence[DiffRow]
) -> tuple[Mapping[int | str, Impact], tuple[Impact, ...]]:
    """Return what a report says of each row that differs, and what it says besides."""
    if report is None:
        return {}, ()
    ids = set(_differing(rows))
    names = {side.name for row in of_table for side in (row.old, row.new) if side is not None}
    by_row: dict[int | str, list[Finding]] = {}
    others: list[Finding] = []
    for finding in map(masked_finding, report.findings):
        key = _row_of(finding)
        if key in ids or key in names:
            by_row.setdefault(key, []).append(finding)
        else:
            others.append(finding)
    return {key: _impact(findings) for key, findings in by_row.items()}, tuple(_impact([finding]) for finding in others)


def _row_of(finding: Finding) -> int | str:
    """Return the id of the column that a finding is about, or the name of the row that shows a key or an option."""
    if finding.id is not None:
        return finding.id
    return _TABLE_ROWS.get(finding.rule, f"option {finding.path}")


def _impact(findings: Sequence[Finding]) -> Impact:
    return Impact(
        verdict=worst(finding.verdict for finding in findings),
        rules=tuple(dict.fromkeys(finding.rule for finding in findings)),
        messages=tuple(finding.message for finding in findings),
        consumers=each_once(list(chain.from_iterable(finding.consumers for finding in findings))),
        mends=each_once(list(chain.from_iterable(finding.mends for finding in findings))),
        waived=next((finding.waived for finding in findings if finding.waived), ""),
    )
