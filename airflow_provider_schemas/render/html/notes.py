"""A short note about a value that no other template shows: a title, lists of lines, and sentences."""

from collections.abc import Iterable

from msgspec import Struct

from airflow_provider_schemas.core.changes.masking import masked_change
from airflow_provider_schemas.core.changes.short_text import short_text
from airflow_provider_schemas.core.common.short_repr import ShortRepr
from airflow_provider_schemas.core.evolution.diff import Diff, Difference
from airflow_provider_schemas.core.evolution.match_by_name import RenameCandidate
from airflow_provider_schemas.render.masking import masked_difference
from airflow_provider_schemas.render.page import LIMIT
from airflow_provider_schemas.render.wording import counted


class NoteList(Struct, frozen=True):
    """Lines under a heading."""

    title: str
    lines: tuple[str, ...]


class Note(ShortRepr, Struct, frozen=True):
    """What is to be told of a value in a few words."""

    title: str
    lists: tuple[NoteList, ...] = ()
    sentences: tuple[str, ...] = ()

    def _short_text(self) -> str:
        return self.title


def note_list(title: str, lines: Iterable[str], limit: int = LIMIT) -> NoteList:
    """Return the first of some lines under a heading, and how many more there are."""
    whole = tuple(lines)
    if len(whole) <= limit:
        return NoteList(title, whole)
    return NoteList(title, (*whole[:limit], f"... and {len(whole) - limit:,} more"))


def diff_note(diff: Diff) -> Note:
    """Return the changes between two schemas, what they leave undone, and which renames they may hide."""
    title = "The schemas say the same" if diff.empty else counted(len(diff.changes), "change")
    lists = (
        note_list("Changes", (short_text(masked_change(change)) for change in diff.changes)),
        note_list("What no change makes", map(_difference_text, diff.remainder)),
        note_list("Possible renames", map(_candidate_text, diff.candidates)),
    )
    return Note(title, tuple(shown for shown in lists if shown.lines))


def _difference_text(difference: Difference) -> str:
    masked = masked_difference(difference)
    return f"{masked.path}: {masked.message}" if masked.path else masked.message


def _candidate_text(candidate: RenameCandidate) -> str:
    return f"{candidate.old} may be {candidate.new} now: {', '.join(candidate.reasons)}"
