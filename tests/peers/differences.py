"""Where a peer and our check part: on the question that it answers, one lets a change through and the other does not."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tests.peers.answers import JUDGES, SILENT, WORDS, Answer, Judge
from tests.peers.change import Change
from tests.peers.ours import Ours


class Difference(NamedTuple):
    """One answer that is not ours."""

    judge: Judge
    change: str
    word: str
    verdict: str


def differs(judge: Judge, answer: Answer, ours: Ours) -> bool:
    """A change that a peer cannot speak of is no difference, and neither is a warning beside an ok."""
    return answer.word != SILENT and WORDS[answer.word] != ours.passes(judge.question)


def differences(
    changes: Mapping[str, Change], answers: Mapping[str, Mapping[str, Answer]], ours: Mapping[str, Ours]
) -> Iterator[Difference]:
    for judge in JUDGES:
        for key in changes:
            answer = answers[key][judge.name]
            if differs(judge, answer, ours[key]):
                yield Difference(judge, key, answer.word, ours[key].verdict(judge.question))
