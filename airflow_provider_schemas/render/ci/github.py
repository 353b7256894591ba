"""A run as commands of GitHub's workflow log: an annotation a finding, at its line.

GitHub shows ten errors and ten warnings of a step. The worst ones are told, and one line counts the others.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.render.ci.check_run import CheckRun
from airflow_provider_schemas.render.ci.entries import Completed, Entry, cut, entries
from airflow_provider_schemas.render.ci.headline import headline
from airflow_provider_schemas.render.ci.log_text import without_commands
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted

MAX_OF_A_KIND = 10
"""GitHub shows so many annotations of a kind of one step."""
MAX_MESSAGE = 4_000
"""The runner cuts longer messages."""
# One notice is kept for the line that counts the others.
_LIMITS = {"error": MAX_OF_A_KIND, "warning": MAX_OF_A_KIND, "notice": MAX_OF_A_KIND - 1}
_MAX_TITLE = 200
_MAX_NOTES = 20
_LARGEST_NUMBER = 2**31 - 1


def github(run: CheckRun, completed: Completed = str) -> str:
    """Return the commands, a line each, then the notes of the run, and its verdict as the last line."""
    told = entries(run, completed)
    words = [*_note_lines(run.notes), headline(run)]
    lines = [*_annotations(told, run), *(without_commands(cut(clean(line), MAX_MESSAGE)) for line in words)]
    return "\n".join(lines) + "\n"


def _note_lines(notes: Sequence[str]) -> list[str]:
    lines = [f"note: {note}" for note in notes[:_MAX_NOTES]]
    if len(notes) > _MAX_NOTES:
        lines.append(f"... and {counted(len(notes) - _MAX_NOTES, 'more note')}")
    return lines


def _annotations(told: Sequence[Entry], run: CheckRun) -> Iterator[str]:
    shown: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    lines: list[str] = []
    for entry in told:
        name = _command(entry)
        if shown[name] == _LIMITS[name]:
            left_out[name] += 1
            continue
        line = _annotation(name, entry)
        if line not in lines:  # the same against git and against a store
            shown[name] += 1
            lines.append(line)
    yield from lines
    if left_out:
        yield _rest(left_out, run)


def _command(entry: Entry) -> str:
    if entry.fails:
        return "error"
    if entry.verdict is Verdict.OK or entry.is_suppressed:
        return "notice"
    return "warning"


def _annotation(name: str, entry: Entry) -> str:
    properties = {"title": cut(f"{entry.rule} {entry.title}", _MAX_TITLE)}
    place = entry.location
    if place.is_file:
        properties = {"file": clean(place.path), "line": str(min(place.first_line, _LARGEST_NUMBER)), **_column(entry), **properties}
    written = ",".join(f"{key}={escape_property(value)}" for key, value in properties.items())
    return f"::{name} {written}::{escape_data(_message(entry))}"


def _column(entry: Entry) -> dict[str, str]:
    if not (entry.location.line and entry.location.column):
        return {}
    return {"col": str(min(entry.location.column, _LARGEST_NUMBER))}


def _message(entry: Entry) -> str:
    lines = [entry.sentence, *(f"{text.label or 'and'}: {text.text}" for text in entry.texts if text.typed)]
    return cut("\n".join(lines), MAX_MESSAGE)


def _rest(left_out: Counter[str], run: CheckRun) -> str:
    """Return the line that counts what is not shown, and names where all of it is."""
    numbers = ", ".join(counted(number, name) for name, number in left_out.items())
    where = f"all are in {run.whole}" if run.whole else "pass --output markdown=FILE or --output sarif=FILE for all of them"
    text = f"{numbers} more than GitHub shows of one step; {where}."
    return f"::notice title={escape_property(run.title)}::{escape_data(text)}"


def escape_data(text: str) -> str:
    """Return the text for the place behind the second ::, on one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Return the text for the value of a property."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
