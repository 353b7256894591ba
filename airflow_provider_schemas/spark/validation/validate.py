"""Does the data in a frame fit a schema, or what a job needs? The frame's own form first, then every row in one pass."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.data_finding import DataFinding
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import fold
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault, IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame
from airflow_provider_schemas.spark.reading.bad_values import BAD
from airflow_provider_schemas.spark.session import described, session_of_frame, time_zone
from airflow_provider_schemas.spark.sql import free, name
from airflow_provider_schemas.spark.validation.conform import conform
from airflow_provider_schemas.spark.validation.count_failures import FailureCounts, all_notes, count_failures, find_samples, note
from airflow_provider_schemas.spark.validation.expected import Expected, ExpectedSource, read_expected
from airflow_provider_schemas.spark.validation.findings import DUPLICATE, few_rows_finding, issue_finding, row_findings
from airflow_provider_schemas.spark.validation.form import Form, FormComparison, compare_form, read_form
from airflow_provider_schemas.spark.validation.result import Validation
from airflow_provider_schemas.spark.validation.row_checks import Check

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MODES: Final = ("report", "raise", "quarantine", "conform")
_SPLITTING: Final = ("quarantine", "conform")
_ENDING: Final = ("raise", "conform")
_CASE: Final = "spark.sql.caseSensitive"
_SHARING: Final = "rows of this key"
_MOST_SAMPLES: Final = 100
_RENAME: Final = "Rename all but one of them, or leave them out."
_STREAM_KEY: Final = "Pass unique=False; or ask it of the rows once they are written."
_STREAM_ROWS: Final = "Leave min_rows out; or ask it of the rows once they are written."
_EMPTY_NOTE: Final = "no row was seen: the data is empty, and only its columns were looked at; min_rows=1 makes this a break"
_STREAM_NOTE: Final = "this is a stream: its schema was looked at, and no row; mode 'quarantine' or 'conform' looks at each row as it comes"
_WITHOUT_ORDER: Final = frozenset({Root.MAP, Root.MULTISET, Root.VARIANT})
_KEY_NOTE: Final = "whether the primary key is unique was not asked, which a stream cannot tell"


def validate(
    frame: "DataFrame",
    expected: ExpectedSource,
    *,
    mode: str = "report",
    samples: int = 5,
    unique: bool | None = None,
    min_rows: int = 0,
) -> Validation:
    """Check which parts of a schema or a contract the rows of a frame break, with counts and sample rows.

    Expected is a table of a store (its newest version), a version, a schema, a contract, or what a contract is written
    as. Mode says what comes of it: report, only say it; raise, IncompatibleSchemaError if anything breaks; quarantine, two
    frames besides, good and bad; conform, the good rows as the schema has them: its columns in its order, under its names
    and types, NULL where a nullable one is missing, and none besides. Samples is how many rows are shown of each finding;
    they are values of the data, and stand in the report. Unique asks whether the primary key is one, if there is any, which
    reads its columns once more and shuffles them; it is asked unless the frame is a stream. Fewer rows than min_rows break; without
    it, the report of an empty frame has a note that no row was seen.
    Of a streaming frame the schema is judged at once, and rows are looked at as they come, by quarantine and conform.
    """
    session = session_of_frame(frame)
    check_frame(frame, "frame")
    least = _check_min_rows(frame, min_rows)
    request = _ValidationRequest(
        frame, read_expected(expected), _check_mode(mode), _check_samples(samples), _check_unique(frame, unique), session, least
    )
    with described(session, "validate"):
        validation = _answer(request)
    if mode == "raise" and not validation.fits:
        raise _error(validation)
    return validation


class _ValidationRequest(NamedTuple):
    frame: "DataFrame"
    expected: Expected
    mode: str
    samples: int
    unique: bool | None
    session: "SparkSession"
    least: int = 0
    """How many rows there must be."""


_Key = Sequence[tuple[str, DataType]]
"""The columns of a primary key as the frame has them, with their types."""


def _answer(request: _ValidationRequest) -> Validation:
    """Compare the form of the frame, count the rows that break something, report it, and make the frames that were asked for."""
    form = read_form(request.frame.schema.jsonValue())
    _check_names(request.session, form)
    comparison = compare_form(form, request.expected, time_zone(request.session), adjusts=request.mode == "conform")
    findings = [issue_finding(issue, request.expected) for issue in comparison.issues]
    key, notes = _choose_key(request, form, comparison)
    rows = None
    shared_key: _Key = ()
    if request.frame.isStreaming:
        if request.mode not in _SPLITTING:
            notes.append(_STREAM_NOTE)
    else:
        counts = _count(request, comparison, key)
        rows = _count_rows(request, comparison, counts)
        findings += _find_in_rows(request, form, comparison, counts, rows)
        if counts is not None and counts.shared_keys:
            shared_key = key
        if rows == 0 and not request.least:
            notes.append(_EMPTY_NOTE)
    expected = request.expected
    jobs = 0 if expected.job is None else 1
    report = Report(tuple(findings), expected.table, None, expected.version, jobs, tuple(notes))
    validation = Validation(report, rows, len(comparison.checks) + bool(key), request.frame)
    return _with_frames(validation, request, comparison, shared_key)


def _choose_key(request: _ValidationRequest, form: Form, comparison: FormComparison) -> tuple[list[tuple[str, DataType]], list[str]]:
    """Return the columns whose values are to be unique together, as the frame has them; and a note where that cannot be asked."""
    if not request.expected.key or request.unique is False:
        return [], []
    if request.frame.isStreaming:
        return [], [_KEY_NOTE]
    types = {field.name: field.type for field in form.fields}
    columns = [comparison.found.get(column, column) for column in request.expected.key]
    unordered = [column for column in columns if column in form.strange or (column in types and fold(types[column], _has_no_order))]
    if unordered:
        return [], [
            f"whether the primary key is unique was not asked: Spark groups no rows by {', '.join(unordered)}, whose type has no order"
        ]
    if not types.keys() >= set(columns):
        return [], []
    return [(column, types[column]) for column in columns], []


def _has_no_order(kind: DataType, parts: Sequence[bool]) -> bool:
    return any(parts) or kind.root in _WITHOUT_ORDER


def _count(request: _ValidationRequest, comparison: FormComparison, key: _Key) -> FailureCounts | None:
    """Count in one pass; return None where nothing is asked of rows, and where the form of the data alone ends it."""
    if _is_ended(request, comparison) or not (comparison.checks or key or request.least):
        return None
    return count_failures(request.frame, comparison.checks, key, request.samples)


def _count_rows(request: _ValidationRequest, comparison: FormComparison, counts: FailureCounts | None) -> int | None:
    """Return how many rows there are, where they were counted or where there are none; an empty frame fits all that may be expected."""
    if counts is not None:
        return counts.rows
    if _is_ended(request, comparison) or not request.frame.isEmpty():
        return None
    return 0


def _is_ended(request: _ValidationRequest, comparison: FormComparison) -> bool:
    """Return whether the form of the data alone ends it."""
    return request.mode in _ENDING and not comparison.sound


def _find_in_rows(
    request: _ValidationRequest, form: Form, comparison: FormComparison, counts: FailureCounts | None, rows: int | None
) -> list[DataFinding]:
    """Return what rows break, and whether there are too few."""
    findings = []
    if counts is not None:
        samples = _read_samples(request, form, comparison, counts)
        findings += row_findings(comparison.checks, counts, samples, request.expected)
    if rows is not None and rows < request.least:
        findings.append(few_rows_finding(rows, request.least, request.expected))
    return findings


def _read_samples(
    request: _ValidationRequest, form: Form, comparison: FormComparison, counts: FailureCounts
) -> dict[Check, list[Mapping[str, Any]]]:
    """Return some rows that break each check that is broken, told apart by the key, or by the first column with plain values."""
    broken = [check for check, count in zip(comparison.checks, counts.counts, strict=True) if count]
    types = {field.name: field.type for field in form.fields}
    columns = [comparison.found.get(column, column) for column in request.expected.key]
    key = [column for column in columns if column in types]
    shown_columns = key or [field.name for field in form.fields if isinstance(field.type, AtomicType)][:1]
    return dict(zip(broken, find_samples(request.frame, broken, types, shown_columns, request.samples), strict=True))


# ---------------------------------------------------------------- good rows and bad ones


def _with_frames(validation: Validation, request: _ValidationRequest, comparison: FormComparison, shared_key: _Key) -> Validation:
    """Add the good rows and the bad ones, under the modes that split. Raise what was found, where no rows can be made to conform."""
    if request.mode not in _SPLITTING:
        return validation
    has_few = validation.rows is not None and validation.rows < request.least
    if request.mode == "conform" and (has_few or not comparison.sound):
        raise _error(validation)
    good, bad = _split_rows(request.frame, comparison, [column for column, _ in shared_key])
    frame = conform(good, request.expected, comparison) if request.mode == "conform" else request.frame
    return Validation(validation.report, validation.rows, validation.checks, frame, good, bad)


def _split_rows(frame: "DataFrame", comparison: FormComparison, shared_key: Sequence[str]) -> "tuple[DataFrame, DataFrame]":
    """Return the good rows of a frame, and the bad ones, which have a column of what they break.

    `shared_key` is the primary key, if some rows share theirs: all of these are bad. Where the form of the data does not fit, no row
    does: all are bad, and the column says why.
    """
    if any(column.lower() == BAD for column in frame.columns):
        message = f"the frame has a column {BAD} already, as the notes on bad rows are called."
        fix = "Take its good rows first, with quarantined(frame), or rename the column."
        raise SparkError(message, code="spark.bad-column", path=BAD, fix=fix)
    notes = [note(issue.path, issue.rule) for issue in comparison.issues if not issue.variant]
    columns = [name(column) for column in frame.columns]
    if shared_key:
        keys = [name(column) for column in shared_key]
        sharing = name(free(_SHARING, frame.columns))
        frame = frame.selectExpr("*", f"count(1) over (partition by {', '.join(keys)}) as {sharing}")
        is_whole = " and ".join(f"{column} is not null" for column in keys)
        notes.append(f"if({sharing} > 1 and {is_whole}, {note('primaryKeys', DUPLICATE)}, null)")
    noted = frame.selectExpr(*columns, f"{all_notes(comparison.checks, notes)} as {name(BAD)}")
    return noted.where(f"size({name(BAD)}) = 0").drop(BAD), noted.where(f"size({name(BAD)}) > 0")


def _error(validation: Validation) -> IncompatibleSchemaError:
    error = IncompatibleSchemaError.of(
        finding.as_fault() for finding in validation.findings if finding.verdict.value in ("break", "invalid")
    )
    error.report = validation.report
    return error


# ---------------------------------------------------------------- arguments


def _check_names(session: "SparkSession", form: Form) -> None:
    """Raise SparkError if two columns have one name, or one but for its letters where Spark takes these for one: which is meant?"""
    is_exact = str(session.conf.get(_CASE)).lower() == "true"
    spellings = [column if is_exact else column.lower() for column in form.names]
    counts = Counter(spellings)
    several = sorted(column for column, spelling in zip(form.names, spellings, strict=True) if counts[spelling] > 1)
    if several:
        faults = [
            Fault("spark.ambiguous", column, f"the frame has several columns that are called {shown(column)}.", _RENAME)
            for column in several
        ]
        raise SparkError.of(faults[:MAX_FAULTS])


def _check_mode(mode: str) -> str:
    if mode not in _MODES:
        fix = f"There are {', '.join(_MODES)}."
        raise ContractError(f"{shown(mode)} is no mode of validating.", code="spark.mode", path="mode", fix=fix)
    return str(mode)


def _check_samples(samples: object) -> int:
    if not isinstance(samples, int) or isinstance(samples, bool) or not 0 <= samples <= _MOST_SAMPLES:
        fix = f"Pass a whole number from 0 to {_MOST_SAMPLES}."
        raise ContractError(f"{shown(samples)} is no number of rows to show.", code="spark.samples", path="samples", fix=fix)
    return samples


def _check_min_rows(frame: "DataFrame", min_rows: object) -> int:
    if not isinstance(min_rows, int) or isinstance(min_rows, bool) or min_rows < 0:
        fix = "Pass a whole number that is not negative; 0 if any number of rows will do."
        raise ContractError(f"{shown(min_rows)} is no number of rows.", code="spark.min-rows", path="min_rows", fix=fix)
    if min_rows and frame.isStreaming:
        message = "the rows of a stream never are all there, so that nobody can count them."
        raise SparkError(message, code="spark.stream", path="min_rows", fix=_STREAM_ROWS)
    return min_rows


def _check_unique(frame: "DataFrame", unique: bool | None) -> bool | None:
    if unique and frame.isStreaming:
        message = "the rows of a stream never are all there, so that nobody can say that a primary key is unique."
        raise SparkError(message, code="spark.stream", path="unique", fix=_STREAM_KEY)
    return unique
