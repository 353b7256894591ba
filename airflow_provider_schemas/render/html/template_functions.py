"""What templates call: words of verdicts, texts of findings, and addresses that may stand in a link."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from airflow_provider_schemas.core.report import Verdict
from airflow_provider_schemas.core.rules import RULES
from airflow_provider_schemas.render.findings.group_text import split_texts
from airflow_provider_schemas.render.findings.groups import ViewGroup
from airflow_provider_schemas.render.findings.steps import LabelledText
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.html.pictures.functions import PICTURE_FUNCTIONS
from airflow_provider_schemas.render.html.report_view import audit_view, plan_view, report_view
from airflow_provider_schemas.render.html.verdict_view import verdict_view
from airflow_provider_schemas.render.layout import TYPED
from airflow_provider_schemas.render.page import LIMIT, Sheet
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.verdict.entries import StepEntry, TableEntry
from airflow_provider_schemas.render.verdict.finding_entry import labelled_text
from airflow_provider_schemas.render.wording import MARKS, MARKS_IN_HTML, VERDICTS, counted, listed

if TYPE_CHECKING:
    from markupsafe import Markup

_EACH = "these"
# What ends a sentence would stand alone, because a command has a line of its own.
_AFTER_COMMAND = ".:;, "
# An address of a site, or one relative to the page: no other scheme, and no other host that is named without a scheme.
_ADDRESS = re.compile(r"https?://[^\s\\]+|(?![/\\]{2})[^\s:\\?#]*(?:[/?#][^\s\\]*)?", re.ASCII)
_VERDICT_OF_MARK: Mapping[str, Verdict] = MappingProxyType({mark: verdict for verdict, mark in MARKS.items()})


class TextPart(Struct, frozen=True):
    """A part of a text: words, or a command to type."""

    text: str
    typed: bool = False


def typed_parts(text: str) -> Iterator[TextPart]:
    """Yield the words of a text, and the commands that stand in it in backticks."""
    first, *rest = TYPED.split(text)
    yield TextPart(first)
    for command, after in zip(rest[::2], rest[1::2], strict=True):
        yield TextPart(command, typed=True)
        yield TextPart(after.lstrip(_AFTER_COMMAND))


def safe_address(address: str) -> "Markup":
    """Return an address that may stand in a link, escaped: of a site, or relative; empty for any other."""
    from markupsafe import Markup, escape

    if address and address.isprintable() and _ADDRESS.fullmatch(address):
        return escape(address)
    return Markup()


def is_rule(name: str) -> bool:
    """Return whether there is a rule of this name, and so a page about it."""
    return name in RULES


# ---------------------------------------------------------------- findings


def single_group(view: View) -> ViewGroup:
    """Return a finding as a group of one."""
    return ViewGroup((view,))


def answered(view: View) -> Iterator[tuple[str, Verdict, str]]:
    """Yield each question with its verdict and its answer in words: readers, break, ✖ breaks daily_report."""
    for question, answer in view.answers:
        plain = answer.replace(JOINED, " ")
        mark, _, rest = plain.partition(" ")
        verdict = _VERDICT_OF_MARK.get(mark, Verdict.OK)
        if mark in _VERDICT_OF_MARK:
            plain = " ".join(part for part in (mark, VERDICTS[verdict], rest) if part)
        yield question, verdict, plain


def group_texts(group: ViewGroup, contracts: int, now: datetime | None) -> list[LabelledText]:
    """Return all texts below findings of one kind: what all share, what they are about, and what differs."""
    sheet = Sheet(limit=LIMIT, now=now)
    shared, differing = split_texts(group, contracts, sheet)
    return [_plain(text) for text in (*shared, *_members(group), *differing)]


def _plain(text: LabelledText) -> LabelledText:
    """Return the text with blanks at which a line may break."""
    return LabelledText(text.label, text.text.replace(JOINED, " "), text.typed, text.after)


def _members(group: ViewGroup) -> list[LabelledText]:
    """Return what several findings are about, each with its place."""
    if group.is_single or group.labels:
        return []
    names = [" ".join(part for part in (view.identified, view.place) if part) for view in group.views]
    rest = group.number - len(group.views)
    more = [f"and {rest:,} more"] if rest else []
    return [LabelledText(_EACH, ", ".join([*names, *more]))]


# ---------------------------------------------------------------- verdicts


def step_texts(steps: Sequence[StepEntry]) -> list[LabelledText]:
    """Return the steps of a table as they are laid out."""
    return [*map(labelled_text, steps)]


def owner_text(table: TableEntry) -> str:
    """Return who owns a table, and how to reach them."""
    return ", ".join(part for part in (table.owner, table.contact) if part)


def rests_on(table: TableEntry) -> str:
    """Return what a verdict on a table rests on: 2 of 2 columns needed, judged by schema files, 2026-11-18 06:00 UTC."""
    return ", ".join(part for part in (table.how, table.basis) if part)


def moment(text: str) -> str:
    """Return a moment as people read it; the text itself where it is none."""
    try:
        at = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return text
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


FUNCTIONS: Mapping[str, Callable[..., Any] | Mapping[Verdict, str]] = MappingProxyType({
    **PICTURE_FUNCTIONS,
    "MARKS": MARKS_IN_HTML,
    "VERDICTS": VERDICTS,
    "answered": answered,
    "audit_view": audit_view,
    "completed": str,
    "counted": counted,
    "group_texts": group_texts,
    "is_rule": is_rule,
    "listed": listed,
    "moment": moment,
    "owner_text": owner_text,
    "plan_view": plan_view,
    "report_view": report_view,
    "rests_on": rests_on,
    "safe_address": safe_address,
    "single_group": single_group,
    "step_texts": step_texts,
    "typed_parts": typed_parts,
    "verdict_view": verdict_view,
})  # fmt: skip
"""What every template can call, by its name."""
