"""Does the data in a frame fit a schema, or what a job needs? The frame's own form first, then every row in one pass."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from airflow_provider_schemas.core.common.text import shown
from airflow_provider_schemas.core.report import Report
from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.kinds import Root
from airflow_provider_schemas.core.types.nested import fold
from airflow_provider_schemas.errors import MAX_FAULTS, ContractError, Fault, IncompatibleSchemaError, SparkError
from airflow_provider_schemas.spark.files.kept_folders import check_frame
from airflow_provider_schemas.spark.session import described, session_of_frame, time_zone
from airflow_provider_schemas.spark.validation.conform import conforming
from airflow_provider_schemas.spark.validation.count_failures import Counted, counted, shown_rows
from airflow_provider_schemas.spark.validation.expected import Expected, expected_of
from airflow_provider_schemas.spark.validation.findings import of_few, of_lack, of_rows
from airflow_provider_schemas.spark.validation.form import Compared, Form, compared, form_of
from airflow_provider_schemas.spark.validation.result import Validation
from airflow_provider_schemas.spark.validation.row_checks import Check
from airflow_provider_schemas.spark.validation.split_rows import split

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MODES: Final = ("report", "raise", "quarantine", "conform")
_SPLITTING: Final = ("quarantine", "conform")
_ENDING: Final = ("raise", "conform")
_CASE: Final = "spark.sql.caseSensitive"
_RENAME: Final = "Rename all but one of them, or leave them out."
_STREAM_KEY: Final = "Pass unique=False; or ask it of the rows once they are written."
_STREAM_ROWS: Final = "Leave min_rows out; or ask it of the rows once they are written."
_EMPTY_NOTE: Final = "no row was seen: the data is empty, and only its columns were looked at; min_rows=1 makes this a break"
_STREAM_NOTE: Final = "this is a stream: its schema was looked at, and no row; mode 'quarantine' or 'conform' looks at each row as it comes"
_WITHOUT_ORDER: Final = frozenset({Root.MAP, Root.MULTISET, Root.VARIANT})
_KEY_NOTE: Final = "whether the primary key is unique was not asked, which a stream cannot tell"


def validate(
    frame: "DataFrame",
    expected: Any,
    *,
    mode: str = "report",
    samples: int = 5,
    unique: bool | None = None,
    min_rows: int = 0,
) -> Validation:
    """What of a schema or a contract the rows of a frame break, with counts and sample rows.

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
    least = _least(frame, min_rows)
    question = _Question(frame, expected_of(expected), _checked(mode), _number(samples), _uniqueness(frame, unique), session, least)
    with described(session, "validate"):
        found = _answered(question)
    if mode == "raise" and not found.fits:
        raise _error(found)
    return found


class _Question(NamedTuple):
    frame: "DataFrame"
    expected: Expected
    mode: str
    samples: int
    unique: bool | None
    session: "SparkSession"
    least: int = 0
    """How many rows there must be."""


def _answered(asked: _Question) -> Validation:
    form = form_of(asked.frame.schema.jsonValue())
    _check_names(asked.session, form)
    seen = compared(form, asked.expected, time_zone(asked.session), mend=asked.mode == "conform")
    findings = [of_lack(one, asked.expected) for one in seen.lacks]
    key, notes = _key(asked, form, seen)
    rows = counts = None
    if asked.frame.isStreaming:
        notes += [] if asked.mode in _SPLITTING else [_STREAM_NOTE]
    else:
        counts = _counted(asked, seen, key)
        rows = _rows_seen(asked, seen, counts)
        findings += [] if counts is None else of_rows(seen.checks, counts, _shown(asked, form, seen, counts), asked.expected)
        findings += [of_few(rows, asked.least, asked.expected)] if rows is not None and rows < asked.least else []
        notes += [_EMPTY_NOTE] if rows == 0 and not asked.least else []
    report = Report(
        tuple(findings), asked.expected.table, None, asked.expected.version, 0 if asked.expected.job is None else 1, tuple(notes)
    )
    found = Validation(report, rows, len(seen.checks) + bool(key), asked.frame)
    return _with_frames(found, asked, seen, key if counts is not None and counts.shared_keys else ())


def _key(asked: _Question, form: Form, seen: Compared) -> tuple[list[tuple[str, DataType]], list[str]]:
    """The columns whose values are to be unique together, as the frame has them; and why they are not asked for."""
    if not asked.expected.key or asked.unique is False:
        return [], []
    if asked.frame.isStreaming:
        return [], [_KEY_NOTE]
    kinds = {one.name: one.type for one in form.fields}
    there = [seen.found.get(one, one) for one in asked.expected.key]
    mute = [one for one in there if one in form.strange or (one in kinds and fold(kinds[one], _has_no_order))]
    if mute:
        return [], [f"whether the primary key is unique was not asked: Spark groups no rows by {', '.join(mute)}, whose type has no order"]
    return ([], []) if set(there) - set(kinds) else ([(one, kinds[one]) for one in there], [])


def _has_no_order(kind: DataType, parts: Sequence[bool]) -> bool:
    return any(parts) or kind.root in _WITHOUT_ORDER


def _counted(asked: _Question, seen: Compared, key: Sequence[tuple[str, DataType]]) -> Counted | None:
    """One pass; none where nothing is asked of rows, and where the form of the data alone ends it."""
    if _is_ended(asked, seen) or not (seen.checks or key or asked.least):
        return None
    return counted(asked.frame, seen.checks, key, asked.samples)


def _rows_seen(asked: _Question, seen: Compared, counts: Counted | None) -> int | None:
    """How many rows there are, where they were counted or where there are none; an empty frame fits whatever is expected."""
    if counts is not None:
        return counts.rows
    return 0 if not _is_ended(asked, seen) and asked.frame.isEmpty() else None


def _is_ended(asked: _Question, seen: Compared) -> bool:
    """Whether the form of the data alone ends it."""
    return asked.mode in _ENDING and not seen.sound


def _shown(asked: _Question, form: Form, seen: Compared, counts: Counted) -> dict[Check, list[Any]]:
    broken = [check for check, count in zip(seen.checks, counts.counts, strict=True) if count]
    kinds = {one.name: one.type for one in form.fields}
    key = [found for one in asked.expected.key if (found := seen.found.get(one, one)) in kinds]
    about = key or [one.name for one in form.fields if isinstance(one.type, AtomicType)][:1]
    return dict(zip(broken, shown_rows(asked.frame, broken, kinds, about, asked.samples), strict=True))


def _with_frames(found: Validation, asked: _Question, seen: Compared, key: Sequence[tuple[str, DataType]]) -> Validation:
    if asked.mode not in _SPLITTING:
        return found
    few = found.rows is not None and found.rows < asked.least
    if asked.mode == "conform" and (few or not seen.sound):
        raise _error(found)
    good, bad = split(asked.frame, seen, [name for name, _ in key])
    frame = conforming(good, asked.expected, seen) if asked.mode == "conform" else asked.frame
    return Validation(found.report, found.rows, found.checks, frame, good, bad)


def _error(found: Validation) -> IncompatibleSchemaError:
    error = IncompatibleSchemaError.of(one.as_fault() for one in found.findings if one.verdict.value in ("break", "invalid"))
    error.report = found.report
    return error


# ---------------------------------------------------------------- arguments


def _check_names(session: "SparkSession", form: Form) -> None:
    """Spark itself does not know which of two columns is meant that have one name, or one but for its letters."""
    exact = str(session.conf.get(_CASE)).lower() == "true"
    times = Counter(one if exact else one.lower() for one in form.names)
    twice = sorted(one for one in form.names if times[one if exact else one.lower()] > 1)
    if twice:
        faults = [Fault("spark.ambiguous", one, f"the frame has several columns that are called {shown(one)}.", _RENAME) for one in twice]
        raise SparkError.of(faults[:MAX_FAULTS])


def _checked(mode: object) -> str:
    if mode not in _MODES:
        fix = f"There are {', '.join(_MODES)}."
        raise ContractError(f"{shown(mode)} is no mode of validating.", code="spark.mode", path="mode", fix=fix)
    return str(mode)


def _number(samples: object) -> int:
    if not isinstance(samples, int) or isinstance(samples, bool) or not 0 <= samples <= _MOST_SAMPLES:
        fix = f"Pass a whole number from 0 to {_MOST_SAMPLES}."
        raise ContractError(f"{shown(samples)} is no number of rows to show.", code="spark.samples", path="samples", fix=fix)
    return samples


_MOST_SAMPLES: Final = 100


def _least(frame: "DataFrame", min_rows: object) -> int:
    if not isinstance(min_rows, int) or isinstance(min_rows, bool) or min_rows < 0:
        fix = "Pass a whole number that is not negative; 0 if any number of rows will do."
        raise ContractError(f"{shown(min_rows)} is no number of rows.", code="spark.min-rows", path="min_rows", fix=fix)
    if min_rows and frame.isStreaming:
        message = "the rows of a stream never are all there, so that nobody can count them."
        raise SparkError(message, code="spark.stream", path="min_rows", fix=_STREAM_ROWS)
    return min_rows


def _uniqueness(frame: "DataFrame", unique: bool | None) -> bool | None:
    if unique and frame.isStreaming:
        message = "the rows of a stream never are all there, so that nobody can say that a primary key is unique."
        raise SparkError(message, code="spark.stream", path="unique", fix=_STREAM_KEY)
    return unique
