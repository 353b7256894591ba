"""Who does something, as it is recorded: the person or program, its run, and who approved."""

import getpass

from msgspec import Struct
from msgspec.structs import force_setattr

from airflow_provider_schemas.core.schema.version import Provenance
from airflow_provider_schemas.store.common import arguments

_LONGEST = 1_000


class Author(Struct, frozen=True):
    """Who writes a version."""

    actor: str = ""
    run: str = ""
    approval: str = ""
    key: str | None = None
    override: str = ""
    unchecked: str = ""
    """Why the description of data was not compared with them."""

    def __post_init__(self) -> None:
        for what in ("actor", "run", "approval", "override", "unchecked"):
            # A blank is no reason, and nobody's name.
            force_setattr(self, what, arguments.text(getattr(self, what), what).strip())
        if self.key is not None:
            arguments.short_text(self.key, "key")

    @property
    def reason(self) -> str:
        """Why the table's policy does not count, as it is recorded; empty if it does."""
        said = [("override", self.override), ("unchecked", self.unchecked)]
        return "; ".join(f"{word}: {text[:_LONGEST]}" for word, text in said if text)

    def provenance(self, **about: object) -> Provenance:
        """What is recorded of it in the version."""
        said = {"actor": self.actor, "run": self.run, "approval": self.approval}
        return Provenance(key=self.key or None, **{key: text[:_LONGEST] for key, text in said.items() if text}, **about)  # type: ignore[arg-type]  # the keys are Provenance's


def this_user() -> str:
    """The user of the process, if the system knows one."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
