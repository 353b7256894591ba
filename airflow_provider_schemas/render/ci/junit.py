"""A run as JUnit's XML, as Jenkins and GitLab read it: a suite a table, and a test case a verdict on it.

The case is the table and not the finding: its name is the same in every run, so that a host can tell what began to
fail and what was repaired. What could not be judged is a case with an error; nothing is ever skipped.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from airflow_provider_schemas.core.report import Report, Verdict
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import NOT_JUDGED, Completed, Entry, entries, full, harmless
from airflow_provider_schemas.render.ci.headline import headline
from airflow_provider_schemas.render.ci.locations import of_report
from airflow_provider_schemas.render.ci.log_text import without_commands
from airflow_provider_schemas.render.report.summary import summary
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import MARKS

MAX_ENTRIES = 200
"""So many findings of a table are told; the others are counted."""
_CLASS = "airflow-schemas"
_FAILURE = "failure"
_ERROR = "error"


class JUnitCase(Struct, frozen=True):
    """A test case: its suite, its name, how it ended, and the lines inside."""

    suite: str
    name: str
    outcome: str
    lines: tuple[str, ...]


def junit(run: CheckRun, completed: Completed = str) -> str:
    """Return the run as XML."""
    told = entries(run, completed)
    of_reports: dict[int, list[Entry]] = {}
    for entry in told:
        of_reports.setdefault(entry.number, []).append(entry)
    names = _names(run)
    cases = [_report_case(number, name, run, of_reports.get(number, [])) for number, name in enumerate(names)]
    cases += [_fault_case(entry) for entry in told if entry.finding is None]
    return "\n".join(_document(run, cases)) + "\n"


def _document(run: CheckRun, cases: Sequence[JUnitCase]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites name={_attribute(run.title)} {_counts(cases)}>"
    suites: dict[str, list[JUnitCase]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    about = _properties({"run": headline(run)}, {"note": run.notes})
    if not cases:
        suites[run.title] = []  # which says that nothing was judged, and why
    for suite, within in suites.items():
        yield f"<testsuite name={_attribute(suite)} {_counts(within)}>"
        yield from about
        about = []  # the first suite has it
        for case in within:
            yield f'<testcase classname="{_CLASS}" name={_attribute(case.name)} time="0">'
            yield from case.lines
            yield "</testcase>"
        yield "</testsuite>"
    yield "</testsuites>"


def _counts(cases: Sequence[JUnitCase]) -> str:
    outcomes = Counter(case.outcome for case in cases)
    return f'tests="{len(cases)}" failures="{outcomes[_FAILURE]}" errors="{outcomes[_ERROR]}" skipped="0" time="0"'


# ---------------------------------------------------------------- cases


def _names(run: CheckRun) -> list[str]:
    """Return the names of the cases: the table, with its file or a number where several verdicts are about it."""
    times = Counter(_suite(report) for report in run.reports)
    taken: Counter[str] = Counter()
    names: list[str] = []
    for report in run.reports:
        name = _suite(report)
        if times[name] > 1 and report.file:
            name = f"{name} ({of_report(report, run).path})"
        taken[name] += 1
        names.append(name if taken[name] == 1 else f"{name} #{taken[name]}")
    return names


def _suite(report: Report) -> str:
    return report.table or "the schema"


def _report_case(number: int, name: str, run: CheckRun, told: Sequence[Entry]) -> JUnitCase:
    """Return the case about a table: it fails where something breaks, and is an error where something is invalid or was not read."""
    report = run.reports[number]
    compared = run.compared[number] if len(run.compared) >= len(run.reports) else ""
    lines = _properties({"compared": compared, "basis": report.basis, "contracts": str(report.contracts)}, {"note": report.notes})
    outcome = _outcome(report, told, strict=run.strict)
    if outcome:
        kind = told[0].rule if told else report.verdict.value
        failing = [entry for entry in told if entry.fails or run.strict]
        message = harmless(summary(report))
        lines.append(f"<{outcome} type={_attribute(kind)} message={_attribute(message)}>{_told(failing)}</{outcome}>")
    lines.append(f"<system-out>{_told(told) or _text('nothing was found')}</system-out>")
    return JUnitCase(_suite(report), name, outcome, tuple(lines))


def _outcome(report: Report, told: Sequence[Entry], *, strict: bool) -> str:
    if report.verdict is Verdict.INVALID or any(entry.is_fault for entry in told):
        return _ERROR
    if report.verdict is Verdict.BREAK or (strict and report.verdict is Verdict.WARN):
        return _FAILURE
    return ""


def _fault_case(entry: Entry) -> JUnitCase:
    error = f"<error type={_attribute(entry.code or entry.rule)} message={_attribute(entry.message)}>{_told([entry])}</error>"
    return JUnitCase(NOT_JUDGED, f"{entry.subject} ({entry.code})", _ERROR, (error,))


# ---------------------------------------------------------------- texts


def _told(told: Sequence[Entry]) -> str:
    """Return the findings as lines, and how many there are more."""
    lines = [line for entry in told[:MAX_ENTRIES] for line in _lines(entry)]
    if len(told) > MAX_ENTRIES:
        lines.append(f"... and {len(told) - MAX_ENTRIES:,} more")
    return _text("\n".join(lines))


def _lines(entry: Entry) -> Iterator[str]:
    place = f" at {harmless(entry.location.path)}:{entry.location.first_line}" if entry.location.is_file else ""
    yield f"{MARKS[entry.verdict]} {entry.rule}{place}"
    yield f"    {entry.message}"
    for text in entry.details:
        yield f"    {text.label or 'and'}: {full(text)}"


def _properties(values: Mapping[str, str], several: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the properties that have a value, and those that have several."""
    named = [(name, value) for name, value in values.items() if value]
    for name, texts in several.items():
        named += [(name, text) for text in texts]
    if not named:
        return []
    lines = [f"<property name={_attribute(name)} value={_attribute(value)}/>" for name, value in named]
    return ["<properties>", *lines, "</properties>"]


def _attribute(text: str) -> str:
    return quoteattr(harmless(text)).replace("##[", "&#35;#[")


def _text(text: str) -> str:
    """Return lines for a place between tags. What XML cannot hold is an escape by now, but for line ends."""
    return escape(without_commands("\n".join(map(clean, text.split("\n")))))
