"""A writer for whom the disk is full, or the folder read-only, as a program: `python -m tests.chaos.support.failing_disk`.

It takes a Trouble as JSON on its input, and answers with what the writer was told.
"""

import os
import resource
import signal
import subprocess
import sys

import msgspec
from msgspec import Struct

from airflow_provider_schemas.errors import SchemaError
from airflow_provider_schemas.store import SchemaStore
from tests.chaos.support.writers import TOP

_NOBODY = 65534


class Trouble(Struct, frozen=True):
    """Where, and what is wrong: no file may be larger than so many bytes; or the writer is no longer root, if it ever was."""

    folder: str
    layout: str = "paimon"
    largest: int | None = None
    unprivileged: bool = False
    create: bool = False


class Told(Struct, frozen=True):
    """What the writer was told, and what it could read after that."""

    error: str = ""
    builtin: bool = False
    code: str = ""
    message: str = ""
    fix: str = ""
    reads: int = -1


def told(trouble: Trouble) -> Told:
    """What a writer in this trouble is told."""
    command = [sys.executable, "-m", "tests.chaos.support.failing_disk"]
    done = subprocess.run(command, input=msgspec.json.encode(trouble), cwd=TOP, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-5_000:])
    return msgspec.json.decode(done.stdout, type=Told)


def answer(trouble: Trouble) -> Told:
    """Try to write, then to read."""
    store = SchemaStore(trouble.folder, layout=trouble.layout)
    table, found = store.table("db.t"), Told()
    try:
        if trouble.create:
            store.create_table("db.new", "id BIGINT")
        else:
            table.evolve(["ADD COLUMN coupon STRING"])
    except SchemaError as error:
        found = Told(type(error).__name__, isinstance(error, OSError), error.code, error.message, error.fix)
    return msgspec.structs.replace(found, reads=table.latest().number)


def main() -> None:
    trouble = msgspec.json.decode(sys.stdin.buffer.read(), type=Trouble)
    if trouble.largest is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (trouble.largest, trouble.largest))
    # The interpreter loads some of itself late, from where only root may be allowed to look.
    SchemaStore(trouble.folder, layout=trouble.layout).table("db.t").latest()
    if trouble.unprivileged and os.getuid() == 0:
        os.setgid(_NOBODY)
        os.setuid(_NOBODY)
    sys.stdout.buffer.write(msgspec.json.encode(answer(trouble)))


if __name__ == "__main__":
    main()
