"""What the exceptions of a catalog say about a commit: that it was refused, that it never can be, or nothing.

This is data, read by the modules and names of the classes, so that nothing is imported for it. An exception that is not listed says
nothing: the commit may have landed.
"""

from enum import Enum
from typing import Final


class AttemptAnswer(Enum):
    """What an exception says about a commit."""

    CONFLICT = "somebody else was first, and nothing was written"
    REFUSED = "the catalog does not take it, and nothing was written"
    UNCLEAR = "whether it was written is not known"


_ANSWERS: Final = {
    "CommitFailedException": AttemptAnswer.CONFLICT,
    "NoSuchTableError": AttemptAnswer.REFUSED,
    "NoSuchNamespaceError": AttemptAnswer.REFUSED,
    "NoSuchIdentifierError": AttemptAnswer.REFUSED,
    "BadRequestError": AttemptAnswer.REFUSED,
    "UnauthorizedError": AttemptAnswer.REFUSED,
    "AuthorizationExpiredError": AttemptAnswer.REFUSED,
    "ForbiddenError": AttemptAnswer.REFUSED,
    "OAuthError": AttemptAnswer.REFUSED,
    "SignError": AttemptAnswer.REFUSED,
    "NotInstalledError": AttemptAnswer.REFUSED,
    "ValidationError": AttemptAnswer.REFUSED,
}


def answer_of(error: BaseException) -> AttemptAnswer:
    """Return what an exception says about the commit that raised it."""
    for ancestor in type(error).__mro__:
        if ancestor.__module__.partition(".")[0] == "pyiceberg" and ancestor.__name__ in _ANSWERS:
            return _ANSWERS[ancestor.__name__]
    return AttemptAnswer.UNCLEAR
