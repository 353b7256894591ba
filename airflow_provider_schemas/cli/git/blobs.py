"""The text of files of a commit, read by one run of git for all of them."""

from collections.abc import Iterable, Iterator, Mapping

from airflow_provider_schemas.cli.files.local_io import MAX_BYTES
from airflow_provider_schemas.cli.git import program
from airflow_provider_schemas.cli.git.repository import Repository, lacking, missing_objects
from airflow_provider_schemas.errors import StorageError

_MISSING = b" missing"


def read(repository: Repository, ids: Iterable[str]) -> Mapping[str, bytes]:
    """Return the text of each file by its id; raise an error if the clone lacks one, or if one is too large."""
    wanted = list(dict.fromkeys(ids))
    if not wanted:
        return {}
    request = "".join(f"{blob}\n" for blob in wanted).encode()
    _check_sizes(repository, _run(repository, "--batch-check", request), wanted)
    return dict(_texts(repository, _run(repository, "--batch", request), wanted))


def _run(repository: Repository, option: str, request: bytes) -> bytes:
    output = program.run(repository.top, "cat-file", option, stdin=request)
    if output.code:
        raise missing_objects(repository, output) or program.failed(output, "cat-file", repository.top)
    return output.out


def _check_sizes(repository: Repository, answer: bytes, wanted: list[str]) -> None:
    """Refuse files that are missing or too large before any of them is read."""
    lines = answer.splitlines()
    missing = [line for line in lines if line.endswith(_MISSING)]
    if missing or len(lines) != len(wanted):
        raise lacking(repository, f"{max(1, len(missing))} of {len(wanted)} files are missing")
    total = 0
    for line in lines:
        size = int(line.rsplit(b" ", 1)[-1])
        total += size
        if size > MAX_BYTES or total > 4 * MAX_BYTES:
            message = f"the files at the base have more than {MAX_BYTES:,} bytes."
            fix = "No table file is that large: name the folder of table files alone."
            raise StorageError(message, code="cli.too-large", path=line.split(b" ", 1)[0].decode("ascii", "replace"), fix=fix)


def _texts(repository: Repository, answer: bytes, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield each id with its text: a line with the size stands before the text, and a line end after it."""
    place = 0
    for blob in wanted:
        end = answer.find(b"\n", place)
        head = answer[place:end].split(b" ")
        if end < 0 or len(head) != 3 or not head[2].isdigit():
            raise lacking(repository, "git did not give the text of a file")
        begin = end + 1
        size = int(head[2])
        yield blob, answer[begin : begin + size]
        place = begin + size + 1
