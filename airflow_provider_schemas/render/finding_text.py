"""What stands below the line of a finding: the answers, the readers that break, what happens, and the next steps."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer, Verdict
from airflow_provider_schemas.render.finding_view import Step, View, is_nameless
from airflow_provider_schemas.render.layout import GAP, STACKED, TYPED, commands_apart, labelled, padded, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.wording import counted, listed, sentence, who

INDENT = 6
_COLUMN = 24
_COMMAND_INDENT = 8
_PROGRAM = "airflow-schemas "


def details(view: View, contracts: int, sheet: Sheet, *, answers: bool = True) -> list[str]:
    """The lines below that of the finding; contracts is how many readers were asked."""
    lines = paragraph(sentence(view.answers), sheet.width, indent=INDENT) if answers and view.answers else []
    for one in said(view, contracts, sheet):
        text = f"{one.text} {one.after}" if one.after else one.text
        lines += _command(one, sheet) if one.typed and one.text.startswith(_PROGRAM) else _words(one.label, text, sheet)
    return [*commands_apart(lines, sheet.width)]


def _words(label: str, text: str, sheet: Sheet) -> list[str]:
    """A label and its text, in which each command has a line of its own."""
    first, *rest = TYPED.split(text)
    beside = INDENT + GAP if sheet.width < STACKED else _COLUMN
    lines = labelled(label, first.rstrip(), sheet.width, indent=INDENT, column=_COLUMN)
    for command, after in zip(rest[::2], rest[1::2], strict=True):
        lines.append(f"{' ' * _COMMAND_INDENT}{sheet.connected(command)}")
        said = after.strip().lstrip(".:;, ")
        lines += paragraph(said, sheet.width, indent=beside) if said else []
    return lines


def _command(step: Step, sheet: Sheet) -> list[str]:
    """A command on one line, however long: one that is broken does something else when it is pasted."""
    return [f"{padded(' ' * INDENT + step.label, _COLUMN)}{sheet.connected(step.text)}"]


def once(views: Iterable[View], *, job_is_known: bool = False) -> Iterator[View]:
    """The same findings, without the explanations that stand above already, and without the job that stands above all."""
    told: set[str] = set()
    for one in views:
        yield replace(one, why="" if one.why in told else one.why, consumers=() if job_is_known else one.consumers)
        told.add(one.why)


def said(view: View, contracts: int, sheet: Sheet) -> Iterator[Step]:
    """Everything else that is said about a finding, each with the word in front of it."""
    if view.of_job and not all(map(is_nameless, view.consumers)):
        yield Step("job", victims(view, contracts, sheet))
    elif view.consumers and not view.of_job:
        yield Step("breaks", victims(view, contracts, sheet))
    if view.mends:
        yield Step("mends", readers_of(view.mends, contracts, sheet))
    if view.message:
        yield Step("found", view.message)
    yield from view.remarks
    if view.verdict is not Verdict.OK:
        if view.why:
            yield Step("what happens", view.why)
        yield from view.steps


def victims(view: View, contracts: int, sheet: Sheet) -> str:
    """2 of 14 registered readers: daily_report (team-bi, #bi-oncall, last seen today), ltv_model (team-ml)."""
    return readers_of(view.consumers, 0 if view.of_job else contracts, sheet)


def readers_of(consumers: Sequence[Consumer], contracts: int, sheet: Sheet) -> str:
    """The readers, each with whom to call; of how many, if contracts were asked."""
    names = listed((who(one, sheet.now) for one in consumers), sheet.limit)
    asked = f"{len(consumers):,} of {counted(contracts, 'registered reader')}: " if contracts else ""
    return f"{asked}{names}"
