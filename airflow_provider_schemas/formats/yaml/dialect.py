"""What a reader of YAML accepts, where readers differ. The strict dialect is for files that users write for us.

Every other choice has a user: documents of another project, which its own reader accepts.
"""

from collections.abc import Callable

from msgspec import Struct

from airflow_provider_schemas.formats.yaml.scalars import Scalar, plain_value

MAX_DEPTH = 200

Path = tuple[str | int, ...]


def _never(_path: Path) -> bool:
    return False


class Dialect(Struct, frozen=True):
    """The choices of a reader."""

    value_of: Callable[[str], Scalar] = plain_value
    """Returns the value of a scalar without quotes."""
    anchors: bool = False
    """Whether &name and *name are accepted, and every *name is replaced with the value of its place."""
    repeats: Callable[[Path], bool] = _never
    """Returns whether a key may appear twice in the mapping of this path; the last one wins."""
    texts: bool = False
    """Whether the text of scalars without quotes is returned as well, for readers that expect certain types."""
    lines: bool = True
    """Whether the position of every entry is kept, which takes most of the memory."""
    weight: int | None = None
    """How much all entries may weigh, each as much as its path is long; None: as much as a table file of 40,000 columns."""
    depth: int = MAX_DEPTH
    """How many levels of lists and mappings there may be."""


STRICT = Dialect()
