"""What the exceptions of a catalog say about a commit: that it was refused, that it never can be, or nothing.

This is data, read by the modules and names of the classes, so that nothing is imported for it. An exception that is not listed says
nothing: the commit may have landed.
"""

from enum import Enum
from typing import Final


class Answer(Enum):
    """What an exception says about a commit."""

    CONFLICT = "somebody else was first, and nothing was written"
    REFUSED = "the catalog does not take it, and nothing was written"
    UNCLEAR = "whether it was written is not known"


_ANSWERS: Final = {
    "CommitFailedException": Answer.CONFLICT,
    "NoSuchTableError": Answer.REFUSED,
    "NoSuchNamespaceError": Answer.REFUSED,
    "NoSuchIdentifierError": Answer.REFUSED,
    "BadRequestError": Answer.REFUSED,
    "UnauthorizedError": Answer.REFUSED,
    "AuthorizationExpiredError": Answer.REFUSED,
    "ForbiddenError": Answer.REFUSED,
    "OAuthError": Answer.REFUSED,
    "SignError": Answer.REFUSED,
    "NotInstalledError": Answer.REFUSED,
    "ValidationError": Answer.REFUSED,
}


def answer_of(error: BaseException) -> Answer:
    """Return what an exception says about the commit that raised it."""
    for ancestor in type(error).__mro__:
        if ancestor.__module__.partition(".")[0] == "pyiceberg" and ancestor.__name__ in _ANSWERS:
            return _ANSWERS[ancestor.__name__]
    return Answer.UNCLEAR
