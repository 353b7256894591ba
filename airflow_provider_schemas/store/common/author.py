"""Record who writes a version: the person or program, its run, who approved, and from which commit."""

import getpass

from msgspec import Struct
from msgspec.structs import force_setattr

from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.store.common import arguments

_LONGEST = 1_000


class Author(Struct, frozen=True):
    """The writer of a version."""

    actor: str = ""
    run: str = ""
    approval: str = ""
    key: str | None = None
    override: str = ""
    unchecked: str = ""
    """Why the description of data was not compared with the data."""
    revision: str = ""
    """The commit of the repository from which the change comes."""

    def __post_init__(self) -> None:
        for attribute in ("actor", "run", "approval", "override", "unchecked"):
            # Blanks alone are no reason, and nobody's name.
            force_setattr(self, attribute, arguments.text(getattr(self, attribute), attribute).strip())
        force_setattr(self, "revision", arguments.revision(self.revision))
        if self.key is not None:
            arguments.short_text(self.key, "key")

    @property
    def reason(self) -> str:
        """Why the policy of the table does not count, as it is recorded; empty if it does."""
        reasons = (("override", self.override), ("unchecked", self.unchecked))
        return "; ".join(f"{word}: {reason[:_LONGEST]}" for word, reason in reasons if reason)

    def provenance(self, **about: object) -> Provenance:
        """Return what a version records of its writer, with what else it records."""
        texts = {"actor": self.actor, "run": self.run, "approval": self.approval, "revision": self.revision}
        recorded = {key: text[:_LONGEST] for key, text in texts.items() if text}
        return Provenance(key=self.key or None, **recorded, **about)  # type: ignore[arg-type]  # the keys are Provenance's


def this_user() -> str:
    """Return the user of the process; "unknown" if the system knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
