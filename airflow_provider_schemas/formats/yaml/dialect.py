"""What a reader of YAML takes, where readers differ. The strict one is for files that people write for us.

Every other choice has a user: documents of another project, which its own reader takes.
"""

from collections.abc import Callable

from msgspec import Struct

from airflow_provider_schemas.formats.yaml.scalars import Scalar, plain_value

MAX_DEPTH = 200

Path = tuple[str | int, ...]


def _never(path: Path) -> bool:
    del path
    return False


class Dialect(Struct, frozen=True):
    """What a reader takes."""

    value_of: Callable[[str], Scalar] = plain_value
    """What a scalar without quotes stands for."""
    anchors: bool = False
    """Whether &name and *name are taken, and every *name replaced with what it stands for."""
    repeats: Callable[[Path], bool] = _never
    """Whether a key may stand twice in the mapping of this path; the last one wins."""
    texts: bool = False
    """Whether the text of scalars without quotes is handed out as well, for readers that decide by what they expect."""
    lines: bool = True
    """Whether it is noted where every entry stands, which takes most of the memory."""
    weight: int | None = None
    """How much all entries may weigh, each as much as its path is long; None: what a table file of 40,000 columns weighs."""
    depth: int = MAX_DEPTH
    """How many lists and mappings may lie in each other."""


STRICT = Dialect()
