"""Whatever writers, checkpoints and cleaners do to a log: a look says what its last commit says, and the past is told or said to be cut."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.store.mounts.delta.support.logs import Log, column, metadata, names, protocol

Schema = tuple[str, ...]
_COLUMNS: list[Schema] = [("a",), ("a", "b"), ("b", "a"), ("c",)]

steps = st.lists(
    st.sampled_from(["data", "data", "checkpoint", "parts", "json", "clean", "look"]) | st.sampled_from(_COLUMNS),
    min_size=1,
    max_size=14,
)


class Model:
    """What is known of a log without reading it."""

    def __init__(self) -> None:
        self.heads: list[tuple[int, Schema]] = []
        self.oldest_checkpoint: int | None = None

    @property
    def current(self) -> Schema:
        return self.heads[-1][1]

    def came(self, version: int, columns: Schema) -> None:
        if not self.heads or self.current != columns:
            self.heads.append((version, columns))


def state(columns: Schema) -> list[dict[str, object]]:
    return [protocol(), metadata(*map(column, columns))]


def do(log: Log, model: Model, step: object) -> None:
    """Let somebody write, put together or delete."""
    newest = log.next - 1
    if isinstance(step, tuple):
        model.came(log.commit(*state(step)), step)
    elif step == "data":
        log.data()
    elif step == "checkpoint":
        log.checkpoint(newest, *state(model.current))
    elif step == "parts":
        log.parts(newest, [protocol()], [metadata(*map(column, model.current))])
    elif step == "json":
        log.second_version(newest, *state(model.current), suffix="json")
    elif step == "clean":
        checkpoints = [int(file.name[:20]) for file in log.folder.glob("*.checkpoint.*")]
        log.clean(max(checkpoints, default=0))


@given(steps)
def test_every_look_says_what_the_last_commit_says(todo: list[object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder))
        model = Model()
        do(log, model, ("a",))
        known = log.look()
        for step in todo:
            do(log, model, step)
            fresh = log.look()
            assert tuple(names(fresh)) == model.current
            assert fresh.version(fresh.head).digest == log.look(known).version(log.look(known).head).digest
            assert fresh.mark == log.look(known).mark
            if step == "look":
                known = log.look(known)


@given(steps)
def test_a_past_that_is_whole_is_all_of_it_and_else_a_part(todo: list[object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder))
        model = Model()
        do(log, model, ("a",))
        for step in todo:
            do(log, model, step)
        look = log.look()
        heads = look.heads()
        told = [tuple(names(look, head.number)) for head in heads.entries]
        everything = [columns for _, columns in model.heads]
        assert told == everything[len(everything) - len(told) :]
        assert heads.entries[-1].number == look.head
        if heads.whole:
            assert told == everything
