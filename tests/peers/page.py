"""The page docs/why/other-checkers.md, made from what the peers said, what our check says today, and the reasons."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.peers.answers import JUDGES, PEERS, SILENT, Answer, Judge, Record
from tests.peers.catalogue import CHANGES
from tests.peers.differences import Difference, differences, differs
from tests.peers.ours import QUESTIONS, Ours, judged
from tests.peers.reasons import CAUTIONS, REASONS, Reason, Right

PAGE = Path(__file__).parents[2] / "docs" / "why" / "other-checkers.md"

_INTRO = """\
This page puts the checkers of other tools beside ours on the same {changes} changes of a table, and says where they differ and who is
right. It is written by `make checkers`, which asks each tool in its own language, through its own checker.
"""

_ASKED = """\
## Who was asked what

Measured on {measured} with Python {python}. A schema check answers one question, and the tools do not answer the same one. Ours are
three: is old data still readable as itself, do old readers keep working, can old writers keep writing. The first has two answers: engines
find the values [by field id](field-ids.md), as Paimon does, or by name, as plain Spark does on Parquet files.

{versions}

- Avro: `ReaderWriterCompatibilityChecker`. A table is a record; a nullable column is a union with null, and null its default. A map whose
  keys are no text is an array of pairs. What it calls compatible is read by its own decoder in Python, too; where that refuses, we say so.
- pyiceberg: a table of format 2. `update` makes each change with `update_schema` or `update_spec`, in a transaction that is not
  committed. `append` is the check that it makes before every write; it gets data with the old columns.
- datacontract-cli: `breaking`, from both perspectives. A table is an ODCS 3.2 contract as its own SQL importer writes one, with the
  fields of structs spelled out.
- Where a tool's language has no words for a change, the table has `-`, and the [last section](#what-could-not-be-said) says why.
"""

_ANSWERS = """\
## The answers

The words are the tools' own; a **bold** one parts from ours on its question. Ours are the verdicts of the rules before any policy: `ok`,
`warn` for an effect worth knowing, `break`, and `invalid` for what no policy lets through. A policy decides what of it blocks.
"""

_DIFFER = """\
## Where they differ, and who is right

A difference is an answer that lets a change through where our verdict on the same question does not, or the other way round. `both` means
that the tool is right about its own question, or its own format, and that this is not the question of a table of files.

Of {asked} answers {agree} agree with ours. Of the other {differ} we are right in {we}, both in {both}, and the tool in {tool}.
"""
_AGREE = """\
## Where they agree with us, and it says little

An answer may be the same as ours for another reason, and then it will not be the same next time.
"""


def page(record: Record) -> str:
    """The whole page."""
    ours = {one.key: judged(one) for one in CHANGES}
    found = list(differences({one.key: one for one in CHANGES}, record.answers, ours))
    parts = [
        "# Other tools' checkers on the same changes",
        _INTRO.format(changes=len(CHANGES)),
        _ASKED.format(measured=record.measured, python=record.versions["Python"], versions=_versions(record.versions)),
        _ANSWERS,
        _table(record.answers, ours),
        _DIFFER.format(**_sums(record.answers, found)),
        _counts(record.answers, found),
        *(_section(judge, [one for one in found if one.judge == judge]) for judge in JUDGES),
        _AGREE,
        _cautions(record.answers),
        "## What could not be said",
        _unsaid(record.answers),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _rows(head: str, rows: Iterable[Iterable[str]]) -> str:
    """A table; the head has a bar between its cells."""
    cells = [one.strip() for one in head.split("|")]
    return "\n".join(_row(one) for one in [cells, ["---"] * len(cells), *rows])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _versions(versions: Mapping[str, str]) -> str:
    rows = [[judge.peer, versions[PEERS[judge.peer]], judge.asks, _ASKS[judge.name], QUESTIONS[judge.question]] for judge in JUDGES]
    return _rows("tool | version | its checker | what it asks | ours that comes closest", rows)


_ASKS = {
    "Avro BACKWARD": "can a decoder with the new schema decode what the old one wrote",
    "Avro FORWARD": "can a decoder with the old schema decode what the new one writes",
    "pyiceberg update": "does the table format allow this change",
    "pyiceberg append": "may data with the old columns be appended to the changed table",
    "datacontract consumer": "may those who read by the old contract find what they do not expect",
    "datacontract producer": "may a table that passed the tests of the old contract fail those of the new one",
}


# ---------------------------------------------------------------- the answers


def _table(answers: Mapping[str, Mapping[str, Answer]], ours: Mapping[str, Ours]) -> str:
    head = "change | Avro BACKWARD | FORWARD | pyiceberg update | append | datacontract consumer | producer | ours: "
    rows = [[one.title, *_cells(answers[one.key], ours[one.key])] for one in CHANGES]
    return _rows(head + " | ".join(QUESTIONS.values()) + " | rules", rows)


def _cells(answers: Mapping[str, Answer], ours: Ours) -> Iterator[str]:
    for judge in JUDGES:
        answer = answers[judge.name]
        word = "-" if answer.word == SILENT else answer.word
        yield f"**{word}**" if differs(judge, answer, ours) else word
    yield from (ours.verdict(question).value for question in QUESTIONS)
    yield ", ".join(_link(rule) for rule in ours.rules)


def _link(rule: str) -> str:
    return f"[{rule}](../rules/{rule}.md)"


# ---------------------------------------------------------------- the differences


def _counts(answers: Mapping[str, Mapping[str, Answer]], found: list[Difference]) -> str:
    rows = [[judge.name, *(str(number) for number in _numbers(judge, answers, found))] for judge in JUDGES]
    return _rows("checker | could be asked | agrees with us | differs, we are right | differs, both are right | differs, it is right", rows)


def _sums(answers: Mapping[str, Mapping[str, Answer]], found: list[Difference]) -> dict[str, int]:
    numbers = zip(*(_numbers(judge, answers, found) for judge in JUDGES), strict=True)
    sums = dict(zip(("asked", "agree", "we", "both", "tool"), map(sum, numbers), strict=True))
    return sums | {"differ": sums["asked"] - sums["agree"]}


def _numbers(judge: Judge, answers: Mapping[str, Mapping[str, Answer]], found: list[Difference]) -> Iterator[int]:
    asked = sum(by[judge.name].word != SILENT for by in answers.values())
    mine = [one for one in found if one.judge == judge]
    yield from (asked, asked - len(mine))
    yield from (sum(reason_of(one).right is right for one in mine) for right in Right)


def reason_of(difference: Difference) -> Reason:
    """Why a peer and we part here; a difference without a reason stops the page."""
    for reason in REASONS[difference.judge.name]:
        if difference.change in reason.changes:
            return reason
    raise KeyError(f"{difference.judge.name} differs on {difference.change!r}: give the reason in reasons.py.")


def _section(judge: Judge, found: list[Difference]) -> str:
    heading = f"### {judge.name}\n\nIt asks: {_ASKS[judge.name]}? Ours that comes closest: {QUESTIONS[judge.question]}."
    groups: dict[tuple[Reason, str, str], list[str]] = {}
    titles = {one.key: one.title for one in CHANGES}
    for one in found:
        groups.setdefault((reason_of(one), one.word, one.verdict), []).append(titles[one.change])
    rows = [["; ".join(names), word, verdict, reason.right, reason.why] for (reason, word, verdict), names in groups.items()]
    return f"{heading}\n\n" + _rows("change | it says | we say | who is right | why", rows)


def _cautions(answers: Mapping[str, Mapping[str, Answer]]) -> str:
    titles = {one.key: one.title for one in CHANGES}
    rows = (
        ["; ".join(titles[key] for key in one.changes), one.judge, answers[one.changes[0]][one.judge].word, one.why] for one in CAUTIONS
    )
    return _rows("change | checker | it says | but", rows)


# ---------------------------------------------------------------- what nobody could say


def _unsaid(answers: Mapping[str, Mapping[str, Answer]]) -> str:
    groups: dict[tuple[str, str], list[str]] = {}
    for change in CHANGES:
        reasons = {judge.peer: answers[change.key][judge.name] for judge in JUDGES}
        for peer, answer in reasons.items():
            if answer.word == SILENT:
                groups.setdefault((peer, answer.says), []).append(change.title)
    return _rows("tool | change | why", ([peer, "; ".join(titles), says] for (peer, says), titles in groups.items()))
