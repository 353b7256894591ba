"""Read the text of a table file: every fault at once, each with file and line."""

import re
from collections.abc import Iterator, Mapping

from airflow_provider_schemas.errors import Fault, TableFileError, collect
from airflow_provider_schemas.formats.table_file.model import TableFile
from airflow_provider_schemas.formats.user_file import WrittenFile, opened

# The name of a channel begins with #, and to YAML that is a comment.
_CHANNEL = re.compile(r"""["']?contact["']?\s*:\s+(#\S+)""")


def read(source: str | bytes, file: str = "") -> TableFile:
    """Return the table file in a text; `file` is its name, for messages."""
    written = opened(source, file, TableFileError)
    faults: list[Fault] = []
    table_file: TableFile | None = collect(faults, lambda: TableFile.of(written))
    faults += written.placed(_hidden_contact(source, written))
    if table_file is None or faults:
        raise TableFileError.of(faults)
    return table_file


def _hidden_contact(source: str | bytes, written: WrittenFile) -> Iterator[Fault]:
    """Yield a fault about a channel that is lost because it stands there without quotes."""
    if not isinstance(written.value, Mapping) or "contact" not in written.value or written.value["contact"] is not None:
        return
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    match = _CHANNEL.search(text.splitlines()[written.line("contact") - 1])
    if match:
        message = "what begins with # is a comment, so that no contact stands here."
        yield Fault("table-file.bad-value", "contact", message, f'Put it in quotes: contact: "{match[1]}".')
