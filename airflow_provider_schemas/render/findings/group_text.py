"""The lines below that of a group of findings: what all share stands once, then what they are about, then what differs."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from airflow_provider_schemas.render.findings.groups import ViewGroup
from airflow_provider_schemas.render.findings.steps import LabelledText
from airflow_provider_schemas.render.findings.text import INDENT, details, labelled_lines, labelled_texts
from airflow_provider_schemas.render.findings.view import View
from airflow_provider_schemas.render.layout import commands_apart, display_width, grid, paragraph
from airflow_provider_schemas.render.page import Sheet
from airflow_provider_schemas.render.sanitize import JOINED
from airflow_provider_schemas.render.wording import listed, sentence

# Names up to this width stand behind each other; longer ones, and those with a place, have a line each.
_SHORT = 40
_EACH_PLACE = "at each of these places"
_NAMED = 5


def group_details(group: ViewGroup, contracts: int, sheet: Sheet, *, answers: bool = True) -> list[str]:
    """Return the lines below that of a group; `contracts` is how many registered readers were judged."""
    if group.is_single:
        return details(group.first, contracts, sheet, answers=answers)
    lines: list[str] = []
    if answers and group.first.answers:
        lines += paragraph(sentence(group.first.answers), sheet.width, indent=INDENT)
    shared, differing = split_texts(group, contracts, sheet)
    for text in shared:
        lines += labelled_lines(text, sheet)
    if not group.labels:
        lines += _members(group, sheet)
    for text in differing:
        lines += labelled_lines(text, sheet)
    return [*commands_apart(lines, sheet.width)]


def _members(group: ViewGroup, sheet: Sheet) -> list[str]:
    """Return what the findings are about, each with its place."""
    names = [view.identified for view in group.views]
    rest = group.number - len(group.views)
    more = [f"and {rest:,} more"] if rest else []
    if any(view.place for view in group.views) or any(display_width(name) > _SHORT for name in names):
        cells = [[view.identified, view.place] for view in group.views]
        lines = [line for row in grid(cells, sheet.width, indent=INDENT) for line in row]
        return [*lines, *(" " * INDENT + words for words in more)]
    whole = [JOINED.join(name.split()) for name in names]
    return labelled_lines(LabelledText("these", ", ".join([*whole, *more])), sheet)


# ---------------------------------------------------------------- what differs


def split_texts(group: ViewGroup, contracts: int, sheet: Sheet) -> tuple[list[LabelledText], list[LabelledText]]:
    """Return the texts that all findings share, and those that differ, each of these once with what it is about."""
    if group.is_single:
        return [*labelled_texts(group.first, contracts, sheet)], []
    of_views = [_by_label(view, contracts, sheet) for view in group.views]
    shared: list[LabelledText] = []
    differing: list[LabelledText] = []
    for key in dict.fromkeys(key for texts in of_views for key in texts):
        texts = [of_view.get(key) for of_view in of_views]
        first = texts[0]
        if first is not None and all(text == first for text in texts):
            shared.append(first)
        else:
            differing += _told_apart(texts, group)
    return shared, differing


def _by_label(view: View, contracts: int, sheet: Sheet) -> dict[tuple[str, int], LabelledText]:
    """Return the texts of a finding by their label, and by how many of this label stand before them."""
    texts: dict[tuple[str, int], LabelledText] = {}
    label = ""
    for text in labelled_texts(view, contracts, sheet):
        label = text.label or label
        number = sum(known == label for known, _ in texts)
        texts[label, number] = _without_place(text, view)
    return texts


def _without_place(text: LabelledText, view: View) -> LabelledText:
    """Return the text for the places of all findings, where it is for that of its own."""
    if view.place and text.after == f"at {view.place}":
        return replace(text, after=_EACH_PLACE)
    return text


def _told_apart(texts: Sequence[LabelledText | None], group: ViewGroup) -> Iterator[LabelledText]:
    """Yield each text once: what is typed as it is, any other with the columns or the tables that it is about."""
    names = group.labels or tuple(view.what.partition("  ")[0] for view in group.views)
    about: dict[LabelledText, list[str]] = {}
    for name, text in zip(names, texts, strict=True):
        if text is not None:
            about.setdefault(text, []).append(name)
    label = next((text.label for text in about), "")
    for text, of_text in about.items():
        if text.typed:
            yield replace(text, label=label)
        else:
            yield replace(text, label=label, text=f"{listed(of_text, _NAMED)}: {text.text}")
        label = ""
