"""The lines below that of a finding: the answers, the readers that break, what happens, and the next steps."""

from collections.abc import Iterator, Sequence

from airflow_provider_schemas.core.report import Consumer, Verdict
from airflow_provider_schemas.render.consumer_text import is_nameless, who
from airflow_provider_schemas.render.findings.steps import LabelledText
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.layout import GAP, STACKED, TYPED, commands_apart, labelled, padded, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.wording import counted, sentence

INDENT = 6
_COLUMN = 24
_COMMAND_INDENT = 8
PROGRAM = "airflow-schemas "
"""What a command begins with."""


def details(view: View, contracts: int, sheet: Sheet, *, answers: bool = True) -> list[str]:
    """Return the lines below that of a finding; `contracts` is how many registered readers were judged."""
    lines: list[str] = []
    if answers and view.answers:
        lines += paragraph(sentence(view.answers), sheet.width, indent=INDENT)
    for labelled_text in labelled_texts(view, contracts, sheet):
        lines += labelled_lines(labelled_text, sheet)
    return [*commands_apart(lines, sheet.width)]


def labelled_lines(labelled_text: LabelledText, sheet: Sheet) -> list[str]:
    """Return the lines of a text behind its label."""
    label = labelled_text.label
    text = labelled_text.text
    if labelled_text.typed and text.startswith(PROGRAM):
        # A command stays on one line, however long: one that is broken does something else when it is pasted.
        return [f"{padded(' ' * INDENT + label, _COLUMN)}{sheet.connected(text)}"]
    if labelled_text.after:
        text = f"{text} {labelled_text.after}"
    return _lines_with_commands(label, text, sheet)


def _lines_with_commands(label: str, text: str, sheet: Sheet) -> list[str]:
    """Return a label and its text, in which each command has a line of its own."""
    first, *rest = TYPED.split(text)
    indent = INDENT + GAP if sheet.width < STACKED else _COLUMN
    lines = labelled(label, first.rstrip(), sheet.width, indent=INDENT, column=_COLUMN)
    for command, after in zip(rest[::2], rest[1::2], strict=True):
        lines.append(f"{' ' * _COMMAND_INDENT}{sheet.connected(command)}")
        words = after.strip().lstrip(".:;, ")
        if words:
            lines += paragraph(words, sheet.width, indent=indent)
    return lines


def labelled_texts(view: View, contracts: int, sheet: Sheet) -> Iterator[LabelledText]:
    """Yield all texts below the line of a finding, each with its label."""
    if view.of_job and not all(map(is_nameless, view.consumers)):
        yield LabelledText("job", _readers_text(view.consumers, 0, sheet, view.more_consumers))
    elif view.consumers and not view.of_job:
        yield LabelledText("breaks", _readers_text(view.consumers, contracts, sheet, view.more_consumers))
    if view.mends:
        yield LabelledText("mends", _readers_text(view.mends, contracts, sheet, view.more_mends))
    if view.message:
        yield LabelledText("found", view.message)
    yield from view.remarks
    if view.verdict is not Verdict.OK:
        if view.why:
            yield LabelledText("what happens", view.why)
        yield from view.steps


def _readers_text(consumers: Sequence[Consumer], contracts: int, sheet: Sheet, more: int = 0) -> str:
    """Return the readers, each with whom to call: 2 of 14 registered readers: daily_report (team-bi), ltv_model (team-ml)."""
    named = consumers[: sheet.limit]
    count = len(consumers) + more
    names = ", ".join(who(consumer, sheet.now) for consumer in named)
    if count > len(named):
        names = f"{names} and {count - len(named):,} more"
    if not contracts:
        return names
    return f"{count:,} of {counted(contracts, 'registered reader')}: {names}"
