"""Who does something, as it is recorded: the person or program, its run, and who approved."""

import getpass

from msgspec import Struct

from airflow_provider_schemas.core.version import Provenance

_LONGEST = 1_000


class Author(Struct, frozen=True):
    """Who writes a version."""

    actor: str = ""
    run: str = ""
    approval: str = ""
    key: str | None = None
    override: str = ""

    def provenance(self, **about: object) -> Provenance:
        """What is recorded of it in the version."""
        said = {"actor": self.actor, "run": self.run, "approval": self.approval}
        return Provenance(key=self.key, **{key: text[:_LONGEST] for key, text in said.items() if text}, **about)  # type: ignore[arg-type]  # the keys are Provenance's


def this_user() -> str:
    """The user of the process, if the system knows one."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
