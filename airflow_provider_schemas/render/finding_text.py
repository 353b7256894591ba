"""What stands below the line of a finding: the answers, the readers that break, what happens, and the next steps."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.core.report import Consumer, Verdict
from airflow_provider_schemas.render.finding_view import Step, View
from airflow_provider_schemas.render.layout import commands_apart, labelled, padded, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.wording import counted, listed, sentence, who

INDENT = 6
_COLUMN = 24
_PROGRAM = "airflow-schemas "


def details(view: View, contracts: int, sheet: Sheet, *, answers: bool = True) -> list[str]:
    """The lines below that of the finding; contracts is how many readers were asked."""
    lines = paragraph(sentence(view.answers), sheet.width, indent=INDENT) if answers and view.answers else []
    for one in said(view, contracts, sheet):
        text = f"{one.text} {one.after}" if one.after else one.text
        lines += _command(one) if one.typed and one.text.startswith(_PROGRAM) else _words(one.label, text, sheet)
    return [*commands_apart(lines, sheet.width)]


def _words(label: str, text: str, sheet: Sheet) -> list[str]:
    return labelled(label, text, sheet.width, indent=INDENT, column=_COLUMN)


def _command(step: Step) -> list[str]:
    """A command on one line, however long: one that is broken does something else when it is pasted."""
    return [f"{padded(' ' * INDENT + step.label, _COLUMN)}{step.text}"]


def once(views: Iterable[View], *, job_is_known: bool = False) -> Iterator[View]:
    """The same findings, without the explanations that stand above already, and without the job that stands above all."""
    told: set[str] = set()
    for one in views:
        yield replace(one, why="" if one.why in told else one.why, consumers=() if job_is_known else one.consumers)
        told.add(one.why)


def said(view: View, contracts: int, sheet: Sheet) -> Iterator[Step]:
    """Everything else that is said about a finding, each with the word in front of it."""
    if view.consumers:
        yield Step("job" if view.of_job else "breaks", victims(view, contracts, sheet))
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
